"""The API for teachers' scripts: tokens, answers, the OpenAPI document, errors and limits."""

import csv
import io
import re
from datetime import timedelta

import pytest
from django.db.models import F
from django.test import Client
from django.urls import reverse
from django.utils import timezone
from jsonschema import Draft202012Validator, FormatChecker
from openapi_spec_validator import validate
from referencing import Registry, Resource
from referencing.jsonschema import DRAFT202012

from puzzleclass.api import access, answers
from puzzleclass.api.models import ApiToken
from puzzleclass.api.openapi import ENDPOINTS, ROOT
from puzzleclass.classes.models import Classroom, DataRecord
from puzzleclass.classes.school_models import School
from puzzleclass.play.first_attempts import MEASURED_AFTER
from puzzleclass.play.models import Attempt
from puzzleclass.play.status import PuzzleState
from puzzleclass.stats.assignment_ledger import assignment_ledger
from puzzleclass.stats.class_ledger import class_ledger
from tests.web.sheets import shown_everywhere

PAGE = "/account/tokens/"
TOKEN_MARK = re.compile(r'value="(puzzleclass_[\w-]{43})"')


@pytest.fixture
def script_of():
    """Return a function that creates a program with a token of the teacher (None: without one)."""

    def script_of(teacher, **fields) -> Client:
        headers = {"accept-language": "en"}
        if teacher is not None:
            token = ApiToken(teacher=teacher, name="Script", **fields)
            headers["authorization"] = f"Bearer {token.make_word()}"
            token.save()
        return Client(headers=headers, enforce_csrf_checks=True)

    return script_of


@pytest.fixture
def script(script_of, teacher) -> Client:
    return script_of(teacher)


@pytest.fixture
def work(classroom, puzzle, make_puzzle, assign, tried, lines, student, classmate, counted):
    """Return an assignment of two puzzles, one with scores, with some work at them."""
    scored = make_puzzle("maxstrings", "../..", "=Scores")
    work = assign(classroom, puzzle, scored, title="Work")
    first, second = work.puzzles.all()
    tried(student, first, lines.solution)
    tried(classmate, first, lines.jam)
    tried(classmate, second, "x 1,1")
    counted(first, 10**30)
    assign(classroom, puzzle, title="Each", dealing="each")
    assign(classroom, puzzle, title="Draft", is_draft=True)
    return work


@pytest.fixture
def addresses(classroom, work) -> dict[str, str]:
    """Return an address of every endpoint, by its name."""
    keys = {"classes/": classroom.pk, "assignments/": work.pk}
    return {
        each.name: ROOT
        + each.path.format(pk=next((k for p, k in keys.items() if each.path.startswith(p)), ""))
        for each in ENDPOINTS
    }


def items(script: Client, url: str) -> list[dict]:
    return script.get(url).json()["items"]


# Tokens


def test_a_token_is_shown_once_and_stored_as_a_digest(teacher_client, teacher, classroom):
    day = timezone.localdate() + timedelta(days=30)
    shown = teacher_client.post(PAGE, {"name": "Notes", "last_day": day.isoformat()})
    [word] = TOKEN_MARK.findall(shown.content.decode())
    token = teacher.api_tokens.get()
    assert word not in str(vars(token)) and (token.name, token.last_day) == ("Notes", day)
    script = Client(headers={"authorization": f"bearer {word}"})
    assert [each["name"] for each in items(script, f"{ROOT}classes")] == [classroom.name]
    page = teacher_client.get(PAGE).content.decode()
    assert word not in page and "last used" in page and "Notes" in page
    teacher_client.post(PAGE, {"delete": token.pk})
    assert script.get(f"{ROOT}classes").status_code == 401


def test_a_colleagues_token_can_not_be_deleted(other_client, script, teacher):
    other_client.post(PAGE, {"delete": teacher.api_tokens.get().pk})
    assert script.get(f"{ROOT}classes").status_code == 200


def test_creating_a_token_asks_for_the_password_again(teacher_client, teacher):
    session = teacher_client.session
    session["proven_at"] = 0
    session.save()
    answer = teacher_client.post(PAGE, {"name": "Notes"})
    assert answer["Location"].startswith("/confirm/") and not teacher.api_tokens.exists()


@pytest.mark.parametrize(
    ("fields", "fault"),
    [
        ({"name": ""}, "This field is required"),
        ({"name": "x", "last_day": "2020-01-01"}, "This day has passed"),
        ({"name": "x", "last_day": "soon"}, "Enter a valid date"),
    ],
)
def test_a_faulty_token_is_not_created(teacher_client, teacher, fields, fault):
    answer = teacher_client.post(PAGE, fields)
    assert answer.status_code == 422 and fault in answer.content.decode()
    assert not teacher.api_tokens.exists()


def test_the_number_of_tokens_is_bounded(teacher_client, teacher, script_of):
    for _number in range(ApiToken.MAX_COUNT):
        script_of(teacher)
    answer = teacher_client.post(PAGE, {"name": "One more"})
    assert "which is the maximum" in answer.content.decode()
    assert teacher.api_tokens.count() == ApiToken.MAX_COUNT


def test_the_export_of_the_account_has_the_tokens_without_their_digests(
    teacher_client, teacher, script
):
    from zipfile import ZipFile

    answer = teacher_client.post("/account/data/")
    with ZipFile(io.BytesIO(answer.getvalue())) as archive:
        [head, row] = archive.read("api.apitoken.csv").decode("utf-8-sig").splitlines()
    assert "digest" not in head and "last_used_at" in head and "Script" in row


# Who may read what


def test_without_a_valid_token_nothing_is_said(script_of, teacher, addresses, client):
    yesterday = timezone.localdate() - timedelta(days=1)
    bad = Client(headers={"authorization": "Bearer puzzleclass_x"})
    basic = Client(headers={"authorization": "Basic c2F0bzp4"})
    for nobody in (client, bad, basic, script_of(teacher, last_day=yesterday)):
        for url in (*addresses.values(), f"{ROOT}classes/999/students"):
            answer = nobody.get(url)
            assert answer.status_code == 401 and answer["WWW-Authenticate"].startswith("Bearer")
            assert answer["Content-Type"] == "application/problem+json"


def test_a_session_opens_nothing(teacher_client, addresses):
    assert {teacher_client.get(url).status_code for url in addresses.values()} == {401}


def test_a_locked_account_and_a_student_have_no_access(script_of, script, teacher, student):
    assert script_of(student).get(f"{ROOT}classes").status_code == 401
    teacher.is_active = False
    teacher.save()
    assert script.get(f"{ROOT}classes").status_code == 401


def test_what_is_somebody_elses_looks_missing(script_of, other_teacher, addresses):
    stranger = script_of(other_teacher)
    assert items(stranger, addresses["api_classes"]) == []
    for name, url in addresses.items():
        if name != "api_classes":
            missing = re.sub(r"/\d+/", "/999999/", url)
            met, absent = stranger.get(url), stranger.get(missing)
            assert (met.status_code, met.content) == (404, absent.content)
            assert met["Content-Type"] == "application/problem+json"


def test_the_token_of_a_school_opens_its_classes_with_its_identifiers(
    script_of, teacher, other_teacher, classroom, student, work, addresses, make_class
):
    school = School.objects.create(name="Midori")
    school.administrators.add(other_teacher)
    foreign = School.objects.create(name="Aoba")
    foreign.administrators.add(other_teacher)
    script = script_of(other_teacher, school=school)
    assert items(script, addresses["api_classes"]) == []
    assert script.get(addresses["api_students"]).status_code == 404
    Classroom.objects.filter(pk=classroom.pk).update(school=school)
    source = school.sources.create(name="koumu")
    source.classids.create(sourced_id="c1", classroom=classroom)
    source.userids.create(sourced_id="s1", user=student)
    other = foreign.sources.create(name="koumu")
    other.userids.create(sourced_id="foreign", user=student)
    make_class(other_teacher, "Own class", "a")
    [row] = items(script, addresses["api_classes"])
    assert (row["name"], row["sourced_id"], row["role"]) == (classroom.name, "c1", None)
    for name in ("api_students", "api_results", "api_class_results"):
        rows = items(script, addresses[name])
        key = "id" if name == "api_students" else "student"
        assert {each["sourced_id"] for each in rows if each[key] == student.pk} == {"s1"}
        assert {each["sourced_id"] for each in rows if each[key] != student.pk} == {None}
    titles = {each["title"] for each in items(script, addresses["api_assignments"])}
    assert "Work" in titles and "Draft" not in titles
    draft = classroom.assignments.get(title="Draft")
    assert script.get(f"{ROOT}assignments/{draft.pk}/results").status_code == 404
    stranger = script_of(other_teacher, school=foreign)
    assert items(stranger, addresses["api_classes"]) == []
    assert {
        stranger.get(url).status_code for name, url in addresses.items() if name != "api_classes"
    } == {404}
    assert DataRecord.objects.filter(actor=other_teacher, classroom=classroom).exists()
    # What the school calls its people is not told to a teacher's own script.
    rows = items(script_of(teacher), addresses["api_students"])
    assert {each["sourced_id"] for each in rows} == {None}
    school.administrators.clear()
    assert script.get(addresses["api_classes"]).status_code == 401


def test_administrators_create_and_delete_tokens_of_their_school(
    teacher_client, teacher, other_client, classroom
):
    school = School.objects.create(name="Midori")
    school.administrators.add(teacher)
    url = reverse("school_tokens", args=[school.pk])
    [word] = TOKEN_MARK.findall(teacher_client.post(url, {"name": "Dashboard"}).content.decode())
    script = Client(headers={"authorization": f"Bearer {word}"})
    assert items(script, f"{ROOT}classes") == []
    token = school.api_tokens.get()
    assert "Dashboard" not in teacher_client.get(PAGE).content.decode()
    teacher_client.post(PAGE, {"delete": token.pk})
    assert other_client.post(url, {"delete": token.pk}).status_code == 404
    assert script.get(f"{ROOT}classes").status_code == 200
    teacher_client.post(url, {"delete": token.pk})
    assert script.get(f"{ROOT}classes").status_code == 401


@pytest.mark.parametrize("field", ["last_at", "arrived_at"])
def test_results_since_a_time(script, addresses, student, work, field):
    Attempt.objects.update(last_at=timezone.now() - timedelta(days=2))
    first = work.puzzles.first()
    Attempt.objects.filter(student=student, puzzle=first).update(**{field: timezone.now()})
    since = {"since": (timezone.now() - timedelta(days=1)).isoformat()}
    rows = script.get(addresses["api_results"], since).json()["items"]
    assert [(each["student"], each["puzzle"]) for each in rows] == [(student.pk, first.pk)]
    rows = script.get(addresses["api_class_results"], since).json()["items"]
    assert [(each["student"], each["assignment"]) for each in rows] == [(student.pk, work.pk)]


@pytest.mark.parametrize(
    "since", ["soon", "2026-04-01", "2026-04-01T09:00:00", "2026-13-01T09:00:00Z"]
)
def test_a_time_without_a_zone_is_refused(script, addresses, since):
    answer = script.get(addresses["api_results"], {"since": since})
    assert answer.status_code == 400 and "since" in answer.json()["detail"]


def test_only_reading_is_allowed_also_without_a_csrf_token(script, addresses):
    for url in addresses.values():
        for method in (script.post, script.put, script.delete):
            answer = method(url)
            assert (answer.status_code, answer["Allow"]) == (405, "GET")
            assert answer.json()["status"] == 405


def test_other_sites_get_no_permission_to_read(script, addresses):
    for url in (*addresses.values(), f"{ROOT}openapi.json"):
        answer = script.get(url, headers={"origin": "https://evil.example"})
        assert not [name for name in answer.headers if name.lower().startswith("access-control")]
        assert "no-store" in answer["Cache-Control"]


def test_reading_names_is_logged_once_a_day(script, addresses, classroom, teacher):
    for name in ("api_classes", "api_assignments", "api_puzzles"):
        script.get(addresses[name])
    assert not DataRecord.objects.exclude(action="sign-in").exists()
    for name in ("api_students", "api_results", "api_class_results", "api_students"):
        script.get(addresses[name])
    line = DataRecord.objects.exclude(action="sign-in").get()
    assert (line.actor, line.action, line.classroom) == (teacher, "exported", classroom)


# The answers and the document


def validator(document: dict, name: str) -> Draft202012Validator:
    resource = Resource(contents=document, specification=DRAFT202012)
    registry = Registry().with_resource("urn:document", resource)
    schema = {"$ref": f"urn:document#/components/schemas/{name}"}
    return Draft202012Validator(schema, registry=registry, format_checker=FormatChecker())


@pytest.mark.parametrize("language", ["en", "ja"])
def test_the_document_is_valid_openapi(client_of, db, language):
    document = client_of(None, language).get(f"{ROOT}openapi.json").json()
    validate(document)
    assert document["openapi"].startswith("3.1")
    said = document["components"]["schemas"]["ResultEntry"]["properties"]["hints"]["description"]
    assert said.isascii() == (language == "en")


def test_every_answer_is_as_the_document_says(script, addresses):
    document = script.get(f"{ROOT}openapi.json").json()
    assert {f"{ROOT[:-1]}{path}" for path in document["paths"]} == {
        re.sub(r"/\d+/", "/{pk}/", url) for url in addresses.values()
    }
    problem = validator(document, "ProblemDetails")
    for endpoint in ENDPOINTS:
        said = document["paths"][f"/{endpoint.path}"]["get"]["responses"]
        schema = said["200"]["content"]["application/json"]["schema"]["$ref"].rpartition("/")[2]
        answer = script.get(addresses[endpoint.name])
        assert answer["Content-Type"] == "application/json" and answer.json()["items"]
        validator(document, schema).validate(answer.json())
        refused = script.get(addresses[endpoint.name], {"page": "x"})
        assert str(refused.status_code) in said
        problem.validate(refused.json())


def test_the_check_of_the_answers_finds_faults(script, addresses):
    document = script.get(f"{ROOT}openapi.json").json()
    page = script.get(addresses["api_results"]).json()
    check = validator(document, "ResultPage")
    faults = [("found", 3), ("state", "won"), ("since", "today"), ("hints", -1), ("name", None)]
    for name, value in faults:
        page["items"][0] |= {name: value}
        assert not check.is_valid(page)
        page = script.get(addresses["api_results"]).json()


@pytest.mark.parametrize("language", ["en", "ja"])
def test_the_page_explains_every_address_and_field(client_of, teacher, language):
    page = client_of(teacher, language).get(reverse("api")).content.decode()
    for endpoint in ENDPOINTS:
        assert f"{ROOT}{endpoint.path}" in page
    for field in answers.ResultEntry.__struct_fields__:
        assert f">{field}</th>" in page


def test_csv_has_the_values_of_json(script, addresses):
    for url in addresses.values():
        file = script.get(url, {"format": "csv"})
        assert file["Content-Type"] == "text/csv; charset=utf-8"
        head, *rows = csv.reader(io.StringIO(file.content.decode("utf-8-sig")))
        expected = items(script, url)
        assert head == list(expected[0]) and len(rows) == len(expected)
        for row, item in zip(rows, expected):
            for cell, value in zip(row, item.values()):
                said = str(value).lower() if isinstance(value, bool) else str(value)
                # A spreadsheet must not take a title for a formula.
                assert cell == ("" if value is None else f"'{said}" if said[:1] == "=" else said)


# The same figures everywhere


@pytest.fixture
def old_work(work):
    """Return the assignment, with first attempts that were begun long enough ago to count."""
    long_ago = F("started_at") - 2 * MEASURED_AFTER
    Attempt.objects.filter(puzzle__assignment=work).update(started_at=long_ago)
    return work


def test_first_attempts_are_those_of_the_ledger(script, addresses, classroom, old_work):
    found, by_class = (items(script, addresses[f"api_{n}"]) for n in ("results", "class_results"))
    said = {(item["student"], item["puzzle"]): item["solved_first"] for item in found}
    assert {True, False, None} == set(said.values())
    room = class_ledger(classroom)
    for work in room.ledger.works:
        [item] = [
            each
            for each in by_class
            if (each["student"], each["assignment"]) == (work.student, work.assignment.pk)
        ]
        assert item["solved_first"] == room.ledger.first_solved(work)
        own = [said.get((work.student, cell.puzzle.pk)) for cell in work.cells]
        counted = [each for each in own if each is not None]
        if work.assignment == old_work:
            assert item["solved_first"] == (sum(counted) if counted else None)


def test_the_results_are_those_of_the_ledger_and_its_files(script, addresses, work, teacher_client):
    labels = {answers.STATES[state]: str(state.label) for state in PuzzleState}
    cells: dict[int, list] = {}
    for item in items(script, addresses["api_results"]):
        time = str(timedelta(seconds=item["seconds"]))
        row = cells.setdefault(item["number"], [item["name"]])
        row += [labels[item["state"]], time, item["attempts"], item["hints"], item["found"]]
        first = "" if item["solved_first"] is None else int(item["solved_first"])
        # Whether a board that was begun was stuck is unknown until it is examined.
        is_unknown = item["attempts"] and item["was_stuck"] is None
        stuck = "" if is_unknown else int(bool(item["was_stuck"]))
        row += [item["best_score"], first, stuck, "", int(item["late"])]
    texts = [["" if cell is None else str(cell) for cell in row] for row in cells.values()]
    url = reverse("assignment", args=[work.pk])
    _page, as_csv, in_excel = shown_everywhere(teacher_client, url, {"show": "all"})
    students = slice(2, 2 + len(texts))
    for table in (as_csv, in_excel):
        assert [[row[1], *row[7:]] for row in table[students]] == texts


def test_the_puzzles_are_those_of_the_ledger(script, addresses, work):
    columns = assignment_ledger(work).columns
    for item, column in zip(items(script, addresses["api_puzzles"]), columns, strict=True):
        assert (item["students"], item["solved"]) == (column.given, column.solved)
        assert (item["found"], item["best_score"]) == (str(column.found_together), column.score)
        assert item["solutions"] == (str(column.count.value) if column.count else None)
    assert items(script, addresses["api_puzzles"])[0]["solutions"] == "1" + 30 * "0"


def test_the_results_of_a_class_are_those_of_its_ledger(script, addresses, classroom, work):
    room = class_ledger(classroom)
    found = items(script, addresses["api_class_results"])
    for enrolment in room.enrolments:
        own = [item for item in found if item["number"] == enrolment.number]
        total = room.ledger.of_student(enrolment.student_id)
        sums = [sum(item[key] for item in own) for key in ("solved", "boards", "started", "hints")]
        assert own[0]["name"] == enrolment.student.name
        assert sums == [total.solved, total.given, total.begun, total.hints]
    for each in room.assignments:
        at = [item for item in found if item["assignment"] == each.pk]
        tally = room.ledger.of_assignment(each)
        sums = [sum(item[key] for item in at) for key in ("boards", "started", "solved", "stuck")]
        assert sums == [tally.given, tally.begun, tally.solved, tally.stuck]


def test_days_choose_the_assignments(script, addresses, work):
    url, due = addresses["api_class_results"], timezone.localdate(work.due_at)
    assert script.get(url, {"due_from": due + timedelta(days=1)}).json()["items"] == []
    assert script.get(url, {"due_until": due}).json()["items"]


def test_the_roles_and_the_archive_are_told(script_of, substitute, classroom, student):
    Classroom.objects.filter(pk=classroom.pk).update(archived_at=timezone.now(), grade=4)
    [row] = items(script_of(substitute), f"{ROOT}classes")
    assert row == {
        **{"id": classroom.pk, "name": "4-2", "grade": 4, "school": None},
        **{"role": "substitute", "students": 3, "archived": True, "sourced_id": None},
    }


# Pages, limits and faults


def test_long_lists_have_pages(script, addresses, work, monkeypatch):
    everything = items(script, addresses["api_results"])
    monkeypatch.setattr(answers, "ROWS_PER_PAGE", 4)
    url, met = addresses["api_results"], []
    while url:
        answer = script.get(url)
        page = answer.json()
        met += page["items"]
        assert page["total"] == len(everything)
        linked = re.findall(r'<(.*)>; rel="next"', answer.get("Link", ""))
        assert linked == ([page["next"]] if page["next"] else [])
        url = page["next"]
    assert met == everything and len(met) == 6


@pytest.mark.parametrize(
    ("query", "named"),
    [
        ({"page": "0"}, "page"),
        ({"page": "x"}, "page"),
        ({"page": "9" * 30}, "page"),
        ({"page": "9" * 5000}, "page"),
        ({"page": "000000001999999999999"}, "page"),
        ({"page": "-1"}, "page"),
        ({"page": "１"}, "page"),
        ({"page": ""}, "page"),
        ({"page": ["1", "x"]}, "page"),
        ({"format": ""}, "format"),
        ({"format": "xml"}, "format"),
        ({"due_from": "soon"}, "due_from"),
        ({"due_until": "2026-02-31"}, "due_until"),
        ({"due_from": ""}, "due_from"),
        ({"due_from": "2026-04-01\0"}, "due_from"),
        ({"due_from": "9" * 5000}, "due_from"),
    ],
)
@pytest.mark.parametrize("language", ["en", "ja"])
def test_a_faulty_parameter_is_named_in_the_teachers_language(
    script, addresses, teacher, query, named, language
):
    teacher.language = language
    teacher.save()
    answer = script.get(addresses["api_class_results"], query)
    problem = answer.json()
    assert (answer.status_code, problem["status"], problem["title"]) == (400, 400, "Bad Request")
    assert named in problem["detail"]
    assert problem["detail"].replace("“", "").replace("”", "").isascii() == (language == "en")


def test_a_page_after_the_last_one_is_empty(script, addresses):
    assert script.get(addresses["api_results"], {"page": 99}).json()["items"] == []


def test_an_address_that_does_not_exist_is_a_problem_too(script):
    answer = script.get(f"{ROOT}schools")
    assert answer.status_code == 404 and answer["Content-Type"] == "application/problem+json"


def test_too_many_requests_have_to_wait(script, script_of, teacher, other_teacher, monkeypatch):
    monkeypatch.setattr(access, "MAX_REQUESTS", 3)
    for client in (script, script_of(teacher), script):
        assert client.get(f"{ROOT}classes").status_code == 200
    answer = script.get(f"{ROOT}classes")
    assert answer.status_code == 429 and 1 <= int(answer["Retry-After"]) <= 61
    assert answer["Content-Type"] == "application/problem+json"
    # The quota does not affect other teachers.
    assert script_of(other_teacher).get(f"{ROOT}classes").status_code == 200


def test_times_have_the_hour_of_the_teachers_pages(script, addresses, teacher, work):
    teacher.time_zone = "America/New_York"
    teacher.save()
    [due] = [i["due_at"] for i in items(script, addresses["api_assignments"]) if i["id"] == work.pk]
    assert due[-6:] in ("-05:00", "-04:00")


def test_the_queries_do_not_depend_on_the_class(
    script, teacher, make_class, puzzle, assign, tried, lines, queries_of
):
    numbers = []
    for size in (3, 9):
        room = make_class(teacher, f"Of {size}", *(f"Student {n}" for n in range(size)))
        for number in range(size):
            options = [{}, {"wanted": 2}, {"dealing": "each"}][number % 3]
            last = assign(room, *[puzzle] * size, **options)
            for student in room.students.all():
                tried(student, last.puzzles.first(), lines.jam)
        keys = {"classes/": room.pk, "assignments/": room.assignments.get(pk=last.pk).pk}
        urls = [
            ROOT + each.path.format(pk=keys[each.path.partition("{")[0]])
            for each in ENDPOINTS
            if each.key
        ]
        for url in urls:
            script.get(url)  # logs that names were read, once a day
        numbers.append([queries_of(script, url) for url in [f"{ROOT}classes", *urls]])
    assert numbers[0] == numbers[1] and max(numbers[0]) <= 35
