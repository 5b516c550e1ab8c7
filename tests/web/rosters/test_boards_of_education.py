"""A board of education with its schools: who administers what, and rosters of all its schools."""

import io
import json

import pytest
from django.core.files.uploadedfile import SimpleUploadedFile
from django.core.management import CommandError, call_command
from django.urls import reverse

from puzzleclass.accounts.models import User
from puzzleclass.api.models import ApiToken
from puzzleclass.classes.models import Classroom, DataRecord, Enrolment
from puzzleclass.classes.school_models import Board, School
from puzzleclass.rosters.imports import import_roster
from puzzleclass.rosters.models import RosterImport, RosterRequest, RosterService, UserId
from tests.oneroster import packed, tables, tables_of_two_schools
from tests.web.conftest import PASSWORD

pytestmark = pytest.mark.django_db


@pytest.fixture
def board(teacher) -> Board:
    """Return a board of two schools that the teacher administers."""
    board = Board.objects.create(name="みどり市教育委員会")
    board.administrators.add(teacher)
    for name in ("みどり小学校", "あおば小学校"):
        board.schools.create(name=name)
    return board


def midori(board: Board) -> School:
    return board.schools.get(name="みどり小学校")


def aoba(board: Board) -> School:
    return board.schools.get(name="あおば小学校")


@pytest.fixture
def send(board, teacher_client):
    """Return a function that uploads a roster of the board and presses the buttons."""

    def send(content, *presses, **fields):
        file = SimpleUploadedFile("roster.zip", content, "application/zip")
        page = teacher_client.post(reverse("roster_new", args=[board]), {"file": file}, follow=True)
        address = page.request["PATH_INFO"]
        for do in presses:
            page = teacher_client.post(address, {"do": do, **fields}, follow=True)
        return page

    return send


def answer_of(command, *options):
    out = io.StringIO()
    call_command(command, *options, stdout=out)
    return json.loads(out.getvalue())


def moved() -> bytes:
    """Return the roster of two schools after 安部 陽斗 (u1) has changed to the second."""
    given = tables_of_two_schools()
    given["users"][1][9] = given["roles"][1][4] = "o2"
    given["users"][1][12] = ""
    given["enrollments"][1][1:3] = ["c5", "o2"]
    given["enrollments"][1][8] = "7"
    return packed(given)


# Who administers what


def test_a_board_is_made_by_the_command(teacher, other_teacher):
    School.objects.create(name="North")
    made = answer_of("board", "City", "--administrator", "sato", "--school", "North")
    assert (made["schools"], made["administrators"]) == (["North"], ["sato"])
    assert answer_of("school", "South", "--board", "City")["board"] == "City"
    with pytest.raises(CommandError, match="--board City"):
        call_command("school", "North", "--administrator", other_teacher.username)
    with pytest.raises(CommandError, match="0 schools without a board"):
        call_command("board", "Town", "--school", "North")
    answer_of("board", "City", "--release", "North", "--remove", "sato")
    assert School.objects.get(name="North").board is None
    assert not Board.objects.get().administrators.exists()


def test_the_sites_administrator_makes_a_board_on_a_page(client_of, teacher):
    teacher.is_staff = True
    teacher.save()
    client, north = client_of(teacher), School.objects.create(name="North")
    fields = {"name": "City", "administrations-TOTAL_FORMS": 1, "administrations-INITIAL_FORMS": 0}
    fields["administrations-0-teacher"] = teacher.pk
    assert client.post(reverse("admin:classes_board_add"), fields).status_code == 302
    board = Board.objects.get()
    assert list(board.administrators.all()) == [teacher]
    url = reverse("admin:classes_school_change", args=[north.pk])
    fields = {"name": "North", "board": board.pk}
    fields |= {"administrations-TOTAL_FORMS": 0, "administrations-INITIAL_FORMS": 0}
    assert client.post(url, fields).status_code == 302
    north.refresh_from_db()
    assert north.board == board
    page = client.get(reverse("admin:classes_school_changelist")).content.decode()
    assert "City" in page


def test_an_administrator_of_the_board_makes_a_school(board, teacher_client):
    url = reverse("board", args=[board.pk])
    assert teacher_client.post(url, {"name": "もり小学校"}).status_code == 302
    made = board.schools.get(name="もり小学校")
    assert "もり小学校" in teacher_client.get(url).content.decode()
    assert teacher_client.get(reverse("school", args=[made.pk])).status_code == 200
    assert teacher_client.post(url, {"name": "もり小学校"}).status_code == 422


def test_the_list_shows_boards_and_schools(board, teacher_client, teacher):
    other = School.objects.create(name="North")
    other.administrators.add(teacher)
    page = teacher_client.get(reverse("school_list"))
    assert (list(page.context["boards"]), list(page.context["schools"])) == ([board], [other])
    assert reverse("school_list") in teacher_client.get(reverse("classroom_list")).content.decode()


def test_a_board_keeps_an_administrator_and_its_schools_need_none(board, teacher, teacher_client):
    url, school = reverse("administrator_list", args=[board]), midori(board)
    one = board.administrations.get()
    page = teacher_client.post(url, {"administration": one.pk}, follow=True)
    assert "A board needs an administrator" in page.content.decode()
    head = User.objects.create_teacher("hara", "Hara Ken", "a good password")
    url = reverse("administrator_list", args=[school.pk])
    school.administrators.add(head)
    teacher_client.post(url, {"administration": school.administrations.get().pk})
    assert not school.administrators.exists()


def test_a_token_of_a_school_ends_with_the_boards_administrator(board, teacher):
    token = ApiToken(teacher=teacher, school=midori(board), name="Script")
    word = token.make_word()
    token.save()
    assert ApiToken.by_word(word) == token
    board.administrators.clear()
    assert ApiToken.by_word(word) is None


# Rosters of all schools


def test_one_roster_fills_all_schools_of_the_board(send, board):
    page = send(packed(tables_of_two_schools()), "import")
    assert "has been imported" in page.content.decode()
    assert midori(board).classrooms.count() == 2 and aoba(board).classrooms.count() == 1
    assert board.schools.count() == 2
    assert set(UserId.objects.values_list("by_board", "by_operator")) == {(board.pk, False)}


def test_a_roster_makes_the_schools_of_the_board(board, send):
    given = tables_of_two_schools()
    given["orgs"].append(["o3", "", "", "もり小学校", "school", ""])
    send(packed(given), "import")
    assert board.schools.get(name="もり小学校")


def test_a_school_of_the_same_name_without_the_board_is_left_alone(send, board):
    other = School.objects.create(name="みどり小学校")
    elsewhere = Board.objects.create(name="Town").schools.create(name="みどり小学校")
    send(packed(tables_of_two_schools()), "import")
    assert not other.classrooms.exists() and not elsewhere.classrooms.exists()
    # Nor does an import of the operator find schools of a board by their names.
    midori(board).classrooms.all().delete()
    with io.BytesIO(packed(tables())) as file:
        assert import_roster(file).is_stored
    assert other.classrooms.count() == 2 and not midori(board).classrooms.exists()


def test_a_pupil_who_changes_school_keeps_the_account_and_the_work(send, board):
    send(packed(tables_of_two_schools()), "import")
    pupil = UserId.objects.get(sourced_id="u1").user
    pupils = User.objects.filter(role="student").count()
    send(moved(), "import", many_changes="on")
    assert UserId.objects.get(sourced_id="u1").source.school == aoba(board)
    place = Enrolment.objects.get(student=pupil, classroom__archived_at=None)
    assert (place.classroom.name, place.number) == ("1年1組", 7)
    assert User.objects.filter(role="student").count() == pupils


def test_another_board_finds_nobody_by_the_same_identifiers(send, board):
    send(packed(tables_of_two_schools()), "import")
    town = Board.objects.create(name="Town")
    town.schools.create(name="あおば小学校")
    with io.BytesIO(moved()) as file:
        assert import_roster(file, target=town, many_changes=True).is_stored
    both = UserId.objects.filter(sourced_id="u1")
    assert both.count() == both.values("user").distinct().count() == 2
    assert midori(board).classrooms.filter(enrolments__student__external_ids__in=both).count() == 1


def test_a_school_that_has_left_the_board_is_no_longer_changed(send, board):
    send(packed(tables_of_two_schools()), "import")
    left = midori(board)
    School.objects.filter(pk=left.pk).update(board=None)
    send(moved(), "import", many_changes="on")
    left.refresh_from_db()
    assert left.classrooms.filter(archived_at=None).count() == 2
    pupil = UserId.objects.get(sourced_id="u1", source__school=left).user
    assert not Enrolment.objects.filter(student=pupil, classroom__school__board=board).exists()


def test_what_a_single_school_imports_is_no_pupil_of_another_school(send, board):
    """The school's own administrators name the identifier of somebody who comes from elsewhere."""
    with io.BytesIO(packed(tables())) as file:
        import_roster(file, target=midori(board))
    fake = UserId.objects.get(sourced_id="u1").user
    send(moved(), "import", many_changes="on", **{f"school-{midori(board).pk}": "take"})
    there = Enrolment.objects.filter(classroom__school=aoba(board), number=7).get().student
    assert there != fake


def test_the_boards_import_is_undone_by_the_board_alone(send, board, teacher_client, client_of):
    send(packed(tables_of_two_schools()), "import")
    record = RosterImport.objects.get()
    head = User.objects.create_teacher("hara", "Hara Ken", "a good password")
    midori(board).administrators.add(head)
    url = reverse("roster_undo", args=[midori(board), record.pk])
    page = client_of(head).post(url, follow=True)
    assert "has changed other schools" in page.content.decode()
    page = teacher_client.post(reverse("roster_undo", args=[board, record.pk]), follow=True)
    assert "The import is undone" in page.content.decode()
    assert not Classroom.objects.filter(school__board=board).exists()


def test_teachers_are_asked_and_invited_by_their_own_schools(send, board, other_teacher):
    given = tables_of_two_schools()
    given["users"][4][2], given["users"][4][9] = other_teacher.username, "o2"
    given["roles"][4][4] = "o2"
    given["enrollments"][4][1:3] = ["c5", "o2"]
    given["users"].append(["u8", "true", "new", "花", "林", *[""] * 4, "o1", "", "", ""])
    given["roles"].append(["r8", "u8", "primary", "teacher", "o1"])
    send(packed(given), "import", "invite")
    assert RosterRequest.objects.get().source.school == aoba(board)
    assert [each.name for each in midori(board).invitations.all()] == ["林 花"]
    assert not aoba(board).invitations.filter(name="林 花").exists()


def test_the_command_imports_for_a_board(board, tmp_path):
    path = tmp_path / "roster.zip"
    path.write_bytes(packed(tables_of_two_schools()))
    done = answer_of("roster", str(path), "--board", board.name, "--language", "en")
    assert done["stored"] and midori(board).classrooms.count() == 2
    with pytest.raises(CommandError, match="no board"):
        call_command("roster", str(path), "--board", "Nowhere")


def test_a_service_of_the_board_is_set_up(board, teacher_client):
    url = reverse("roster_service", args=[board])
    fields = {"address": "https://roster.example/ims/oneroster/rostering/v1p2", "source": "koumu"}
    fields |= {"token_address": "https://roster.example/token", "client_id": "c", "secret": "s"}
    assert teacher_client.post(url, fields).status_code == 302
    assert RosterService.objects.get().owner == board
    assert "Last fetched" in teacher_client.get(reverse("board", args=[board.pk])).content.decode()


# The log


def test_the_log_of_a_board_has_its_own_lines_and_those_of_its_schools(
    board, teacher, teacher_client, other_teacher, client_of
):
    foreign = School.objects.create(name="Foreign school", board=Board.objects.create(name="Other"))
    foreign.board.administrators.add(other_teacher)
    midori(board).administrators.add(other_teacher)
    lines = {"class given": midori(board).pk, "class archived": aoba(board).pk}
    for event, key in {**lines, "class created": foreign.pk}.items():
        DataRecord.objects.create(actor=teacher, action="people", event=event, school_key=key)
    people = reverse("administrator_list", args=[board])
    new = User.objects.create_teacher("noda", "Noda Ken", "a good password")
    teacher_client.post(people, {"username": new.username})
    page = reverse("board_log", args=[board.pk])
    events = [line.record.event for line in teacher_client.get(page).context["lines"]]
    shown = sorted(event for event in events if event != "signed in")
    assert shown == sorted(["board administrator invited", *lines])
    file = teacher_client.post(page).content.decode("utf-8-sig")
    assert board.name in file and midori(board).name in file and foreign.name not in file
    assert DataRecord.objects.get(event="log exported").board_key == board.pk
    # An administrator of a school sees what is about the board, and no other school of it.
    of_school = client_of(other_teacher).get(reverse("school_log", args=[midori(board).pk]))
    events = {line.record.event for line in of_school.context["lines"]} - {"signed in"}
    assert events == {"board administrator invited", "class given", "log exported"}
    assert client_of(other_teacher).get(page).status_code == 404


def test_a_sign_in_of_a_boards_administrator_is_one_line(board, teacher, client):
    client.post("/sign-in/", {"username": teacher.username, "password": PASSWORD})
    line = DataRecord.objects.get(event="signed in")
    assert (line.school_key, line.board_key) == (None, board.pk)
