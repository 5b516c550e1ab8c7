"""What a class did as xAPI statements: their form (xAPI 1.0.3, part two), pseudonyms, keys."""

import json
import re
from datetime import datetime, timedelta
from uuid import UUID

import pytest
from django.utils import timezone

from puzzleclass.classes.models import DataRecord
from puzzleclass.play.models import Attempt
from puzzleclass.play.progress import class_progress
from puzzleclass.play.restarts import restart
from puzzleclass.stats import class_ledger

VERBS = {"attempted", "completed", "terminated", "passed"}
IRI = re.compile(r"^[a-z][a-z0-9+.-]*://[^\s<>\"{}|\\^`]+$")
LANGUAGE = re.compile(r"^[a-zA-Z]{2,8}(-[a-zA-Z0-9]{1,8})*$")
DURATION = re.compile(r"^P(\d+D)?(T(\d+H)?(\d+M)?(\d+(\.\d+)?S)?)?$")


@pytest.fixture
def url(classroom) -> str:
    return f"/classes/{classroom.pk}/statements/"


@pytest.fixture
def done_work(classroom, puzzle, assign, tried, lines, student, classmate):
    """Return an assignment with attempts that were solved, given up, and left open."""
    work = assign(classroom, puzzle, puzzle, title="Work")
    first, second = work.puzzles.all()
    for board in (first, second):
        tried(student, board, lines.solution)
    restart(tried(classmate, first, lines.jam))
    Attempt.objects.filter(state="given up").update(seconds=75)
    tried(classmate, first, lines.lost)
    assign(classroom, puzzle, title="Several", wanted=2)
    assign(classroom, puzzle, title="Draft", is_draft=True)
    return work


def saved(client, url: str, **fields: str) -> list[dict]:
    answer = client.post(url, {"ending": "jsonl"} | fields)
    assert answer.status_code == 200, answer.content.decode()
    text = b"".join(answer.streaming_content).decode()
    if fields.get("ending") == "json":
        return json.loads(text)
    return [json.loads(line) for line in text.splitlines()]


# The rules of the specification


def check_language_map(value: dict) -> None:
    assert value and all(
        LANGUAGE.match(key) and isinstance(text, str) for key, text in value.items()
    )


def check_activity(activity: dict) -> None:
    assert activity.keys() <= {"objectType", "id", "definition"}
    assert activity["objectType"] == "Activity" and IRI.match(activity["id"])
    definition = activity["definition"]
    assert definition.keys() <= {"name", "description", "type", "moreInfo", "extensions"}
    assert IRI.match(definition["type"])
    if "name" in definition:
        check_language_map(definition["name"])


def check_result(result: dict) -> None:
    assert result.keys() <= {"score", "success", "completion", "response", "duration", "extensions"}
    for key in result.keys() & {"success", "completion"}:
        assert isinstance(result[key], bool)
    if "duration" in result:
        assert DURATION.match(result["duration"]) and result["duration"][-1] not in "PT"
    if score := result.get("score"):
        assert score.keys() <= {"scaled", "raw", "min", "max"}
        assert -1 <= score["scaled"] <= 1 and score["min"] <= score["raw"] <= score["max"]
        assert score["min"] < score["max"]


def check_context(context: dict) -> None:
    assert context.keys() <= {"contextActivities", "platform", "extensions", "language"}
    assert isinstance(context["platform"], str)
    around = context["contextActivities"]
    assert around and around.keys() <= {"parent", "grouping", "category", "other"}
    for activities in around.values():
        for activity in activities:
            check_activity(activity)
    assert all(IRI.match(key) for key in context.get("extensions", {}))


def check_no_null(value: object) -> None:
    assert value is not None and value != {}
    for inner in (
        value.values() if isinstance(value, dict) else value if isinstance(value, list) else ()
    ):
        check_no_null(inner)


def check_statement(statement: dict) -> None:
    """Fail if the statement breaks a rule of xAPI 1.0.3, part two, chapter 2."""
    required = {"id", "actor", "verb", "object", "context", "timestamp"}
    assert required <= statement.keys() <= required | {"result"}
    check_no_null(statement)
    assert str(UUID(statement["id"])) == statement["id"]
    actor = statement["actor"]
    assert actor.keys() == {"objectType", "account"} and actor["objectType"] == "Agent"
    account = actor["account"]
    assert account.keys() == {"homePage", "name"} and IRI.match(account["homePage"])
    assert account["name"] and isinstance(account["name"], str)
    verb = statement["verb"]
    prefix, _slash, name = verb["id"].rpartition("/")
    assert (prefix, verb.keys()) == ("http://adlnet.gov/expapi/verbs", {"id", "display"})
    assert name in VERBS
    check_language_map(verb["display"])
    check_activity(statement["object"])
    check_context(statement["context"])
    if "result" in statement:
        check_result(statement["result"])
    at = datetime.fromisoformat(statement["timestamp"])
    assert at.utcoffset() == timedelta(0) and at <= timezone.now()


def verb_of(statement: dict) -> str:
    return statement["verb"]["id"].rpartition("/")[2]


@pytest.mark.parametrize("ending", ["jsonl", "json"])
def test_every_statement_keeps_the_rules(teacher_client, url, done_work, ending):
    found = saved(teacher_client, url, ending=ending)
    for statement in found:
        check_statement(statement)
    assert len({statement["id"] for statement in found}) == len(found)
    assert {verb_of(statement) for statement in found} == VERBS


# What they say


def test_attempts_and_statuses_are_told_once(teacher_client, url, done_work, classroom):
    found = saved(teacher_client, url)
    numbers = {name: sum(verb_of(each) == name for each in found) for name in VERBS}
    attempts = Attempt.objects.filter(next_step__gt=0)
    puzzles = list(done_work.puzzles.all())
    for puzzle in puzzles:
        puzzle.assignment = done_work
    students = list(classroom.students.values_list("pk", flat=True))
    solved = [
        each for each in class_progress(done_work, puzzles, students).values() if each.is_solved
    ]
    assert numbers == {
        "attempted": attempts.count(),
        "terminated": attempts.filter(state="given up").count(),
        "passed": len(solved),
        # Two attempts, and the assignment of which all boards are solved.
        "completed": attempts.filter(state="solved").count() + 1,
    }
    [given_up] = [each for each in found if verb_of(each) == "terminated"]
    assert given_up["result"] == {"success": False, "completion": False, "duration": "PT75S"}
    [whole] = [
        each for each in found if each["object"]["id"].endswith(f"/assignments/{done_work.pk}/")
    ]
    assert whole["result"]["score"] == {"scaled": 1, "raw": 2, "min": 0, "max": 2}


def test_a_file_names_nobody(teacher_client, url, done_work, classroom):
    # Its usual name, 4-2, can be a part of a UUID.
    classroom.name = "The class of the sea"
    classroom.save()
    text = json.dumps(saved(teacher_client, url), ensure_ascii=False)
    for student in classroom.students.all():
        for secret in (student.name, student.username, f'"{student.pk}"'):
            assert secret not in text
    assert classroom.name not in text and classroom.code not in text
    for attempt in Attempt.objects.all():
        assert str(attempt.key) not in text


def test_the_same_work_has_the_same_identifiers(
    teacher_client, url, done_work, tried, lines, classmate
):
    before = saved(teacher_client, url)
    assert saved(teacher_client, url, ending="json") == before
    tried(classmate, done_work.puzzles.last(), lines.solution)
    after = saved(teacher_client, url)
    assert [each for each in after if each in before] == before
    assert len(after) > len(before)


def test_pseudonyms_belong_to_a_class_and_can_be_renewed(
    teacher, teacher_client, url, done_work, make_class, assign, puzzle, tried, lines, student
):
    def names(url: str) -> set[str]:
        return {each["actor"]["account"]["name"] for each in saved(teacher_client, url)}

    other = make_class(teacher, "Other")
    other.enrolments.create(student=student, number=1)
    tried(student, assign(other, puzzle).puzzles.get(), lines.solution)
    first = names(url)
    assert len(first) == 2 and not first & names(f"/classes/{other.pk}/statements/")
    ids = {each["id"] for each in saved(teacher_client, url)}
    teacher_client.post(url, {"do": "renew"})
    assert not first & names(url)
    assert not ids & {each["id"] for each in saved(teacher_client, url)}


def test_students_who_left_are_left_out(teacher_client, url, done_work, classmate):
    classmate.enrolments.all().delete()
    assert len({each["actor"]["account"]["name"] for each in saved(teacher_client, url)}) == 1


def test_days_choose_the_assignments(teacher_client, url, done_work):
    after = timezone.localdate(done_work.due_at) + timedelta(days=1)
    assert saved(teacher_client, url, first=after.isoformat()) == []
    assert saved(teacher_client, url, first=after.isoformat(), ending="json") == []


def test_the_download_is_logged_and_asks_for_the_password(teacher_client, url, done_work):
    number = len(saved(teacher_client, url))
    line = DataRecord.objects.get(action="exported")
    assert (line.action, line.rows) == ("exported", {"play.Attempt": number})
    session = teacher_client.session
    session["proven_at"] = 0
    session.save()
    assert teacher_client.post(url, {"ending": "json"}).status_code == 302


@pytest.mark.parametrize(
    "fields", [{"ending": ""}, {"ending": "csv"}, {"ending": "json", "first": "soon"}]
)
def test_a_faulty_form_is_shown_again(teacher_client, url, fields):
    assert teacher_client.post(url, fields).status_code == 422


def test_too_much_for_one_file_is_refused(teacher_client, url, done_work, monkeypatch):
    monkeypatch.setattr(class_ledger, "MAX_CELLS", 1)
    answer = teacher_client.post(url, {"ending": "json"})
    assert answer.status_code == 422 and "Choose fewer days" in answer.content.decode()


def test_the_queries_do_not_depend_on_the_class(
    teacher, teacher_client, make_class, puzzle, assign, tried, lines, django_assert_max_num_queries
):
    for size in (3, 9):
        room = make_class(teacher, f"Of {size}", *(f"Student {n}" for n in range(size)))
        for _number in range(size):
            board = assign(room, puzzle).puzzles.get()
            for each in room.students.all():
                tried(each, board, lines.solution)
        with django_assert_max_num_queries(40):
            assert len(saved(teacher_client, f"/classes/{room.pk}/statements/")) == 4 * size**2


def test_an_attempt_that_goes_on_for_a_better_score_is_complete(
    teacher_client, url, classroom, student, make_puzzle, assign, tried
):
    puzzle = make_puzzle("maxstrings", ".../.../... 5", "Go")
    board = assign(classroom, puzzle).puzzles.get()
    attempt = tried(student, board, "o 1,2", "o 2,1", "x 2,2", "o 2,3", "x 3,1")
    assert attempt.state == Attempt.State.OPEN and attempt.has_solved
    told = {"attempted", "completed", "passed"}
    [ended] = [each for each in saved(teacher_client, url) if verb_of(each) == "completed"][:1]
    assert ended["result"]["success"] and ended["result"]["completion"]
    assert {verb_of(each) for each in saved(teacher_client, url)} == told
    # Starting again ends the attempt, which says nothing new.
    before = saved(teacher_client, url)
    restart(attempt)
    assert saved(teacher_client, url) == before
