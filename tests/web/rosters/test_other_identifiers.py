"""A source that gives other identifiers to the same schools, classes and people."""

import io

import pytest

from puzzleclass.accounts.models import User
from puzzleclass.classes.models import Classroom, Enrolment, Teaching
from puzzleclass.classes.school_models import School
from puzzleclass.rosters.claims import Decisions
from puzzleclass.rosters.imports import import_roster
from puzzleclass.rosters.models import ClassId, EnrolmentId, RosterImport, SchoolId, UserId
from puzzleclass.rosters.undo import undo_import
from tests.oneroster import packed, tables_of_two_schools
from tests.web.rosters.roster_command import roster
from tests.web.rosters.test_boards_of_education import aoba, board, midori, send

__all__ = ["board", "send"]

pytestmark = pytest.mark.django_db

SAME, OTHERS = {"identifiers": "same"}, {"identifiers": "others"}
ROWS = (School, Classroom, User, Enrolment, Teaching)


@pytest.fixture
def city():
    """Return the tables of two schools with codes and twelve more students."""
    given = tables_of_two_schools()
    for row, code in zip(given["orgs"][2:], ("A01", "A02"), strict=True):
        row[5] = code
    for number in range(12):
        key = f"s{number}"
        given["users"].append([key, "true", key, f"子{number}", "山", *[""] * 4, "o1", "", "", ""])
        given["roles"].append([f"r{key}", key, "primary", "student", "o1"])
        row = [f"e{key}", "c1", "o1", key, "student", "false", "", "", str(number + 10), ""]
        given["enrollments"].append(row)
    return given


def renamed(given, prefix, *, only=None):
    """Return the tables with a prefix before all identifiers, or before those of some tables."""
    some = only or [name for name in given if name != "manifest"]
    keys = {row[0] for name in some for row in given[name][1:]}
    return {
        name: [[f"{prefix}{cell}" if cell in keys else cell for cell in row] for row in rows]
        for name, rows in given.items()
    }


def keys():
    return {model: set(model.objects.values_list("pk", flat=True)) for model in ROWS}


def importing(given, board, teacher, **options):
    with io.BytesIO(packed(given)) as file:
        return import_roster(file, target=board, by=teacher, **options)


def test_a_vendor_that_changes_all_identifiers_doubles_nobody(
    send, city, board, teacher_client, other_teacher
):
    send(packed(city), "import")
    before = keys()
    new = renamed(city, "v2-")
    page = send(packed(new), "import")
    text = page.content.decode()
    assert "schools: 2, classes: 3, people: 16" in text and "みどり小学校" in text
    assert "The same, with other identifiers?" in text and keys() == before
    address = page.request["PATH_INFO"]
    page = teacher_client.post(address, {"do": "check", **SAME}, follow=True)
    assert page.context["fault_count"] == 0 and "Import the roster" in page.content.decode()
    page = teacher_client.post(address, {"do": "import", **SAME}, follow=True)
    assert "has been imported" in page.content.decode()
    assert keys() == before
    for model in (SchoolId, ClassId, UserId, EnrolmentId):
        rows = model.objects.filter(left_at=None)
        assert rows and all(each.sourced_id.startswith("v2-") for each in rows)
    # From now on, the new identifiers are known.
    assert send(packed(new), "import").context["fault_count"] == 0
    assert keys() == before


def test_who_says_that_they_are_others_is_asked_about_so_many_people(send, city):
    send(packed(city), "import")
    before = keys()
    page = send(packed(renamed(city, "v2-")), "import", **OTHERS)
    assert "beside the" in page.content.decode() and keys() == before


def test_the_code_of_a_school_counts_more_than_its_name(send, city, board):
    send(packed(city), "import")
    city["orgs"][2][3] = "新みどり小学校"
    school = midori(board)
    send(packed(renamed(city, "v2-")), "import", **SAME)
    school.refresh_from_db()
    assert school.name == "新みどり小学校" and board.schools.count() == 2


def test_a_school_of_the_same_name_with_another_code_is_another_one(city, board, teacher):
    importing(city, board, teacher)
    new = renamed(city, "v2-")
    new["orgs"][2][5] = "B01"
    done = importing(new, board, teacher, dry_run=True)
    assert [each.source.school for each in done.plan.stored.likeness.schools] == [aoba(board)]


def test_people_of_one_name_are_told_apart_by_their_places(send, city, board):
    for row in city["users"][7:10]:
        row[3:5] = "空", "上田"
    city["enrollments"][-1][1:3] = "c2", "o1"
    send(packed(city), "import")
    before = {each.sourced_id: each.user_id for each in UserId.objects.all()}
    send(packed(renamed(city, "v2-")), "import", **SAME)
    after = {each.sourced_id: each.user_id for each in UserId.objects.all()}
    assert after == {f"v2-{key}": user for key, user in before.items()}


def test_a_master_identifier_counts_more_than_a_name(send, city):
    send(packed(city), "import")
    person = UserId.objects.get(sourced_id="u1").user_id
    new = renamed(city, "v2-")
    row = next(each for each in new["users"] if each[0] == "v2-u1")
    row[3:5] = "晴斗", "阿部"
    send(packed(new), "import", **SAME)
    assert UserId.objects.get(sourced_id="v2-u1").user_id == person
    assert User.objects.get(pk=person).name == "阿部 晴斗"


def test_people_alone_may_have_other_identifiers(send, city):
    send(packed(city), "import")
    before = keys()
    new = renamed(city, "v2-", only=["users", "enrollments", "roles"])
    page = send(packed(new), "import")
    assert "schools: 0, classes: 0, people: 16" in page.content.decode()
    send(packed(new), "import", **SAME)
    assert keys() == before


def test_a_class_of_the_same_name_with_other_students_is_a_new_one(send, city, board):
    """The vendor changes its identifiers at the beginning of a school year."""
    send(packed(city), "import")
    before = Classroom.objects.get(name="4年1組")
    new = renamed(city, "v2-")
    for row in new["enrollments"][1:]:
        row[1] = {"v2-c1": "v2-c2", "v2-c2": "v2-c1"}.get(row[1], row[1])
    for number, row in enumerate(new["enrollments"][1:]):
        row[8] = str(number + 1) if row[4] == "student" else ""
    send(packed(new), "import", **SAME, many_changes="on")
    now = ClassId.objects.get(sourced_id="v2-c1").classroom
    assert now != before and now.enrolments.count() == 1
    before.refresh_from_db()
    assert before.archived_at is not None and before.enrolments.count() == 14


def test_the_import_can_be_undone(city, board, teacher):
    importing(city, board, teacher)
    first = set(UserId.objects.values_list("sourced_id", "user"))
    importing(renamed(city, "v2-"), board, teacher, decisions=Decisions(identifiers="same"))
    undo_import(RosterImport.objects.first())
    assert set(UserId.objects.values_list("sourced_id", "user")) == first


def test_a_school_renames_nothing_that_its_board_has_written(send, city, board, teacher):
    send(packed(city), "import")
    done = importing(renamed(city, "v2-"), midori(board), teacher, dry_run=True)
    assert not done.asks_about_likeness
    assert done.plan.stored.likeness.question is None


def test_a_school_alone_is_asked_too(city, board, teacher):
    importing(city, midori(board), teacher)
    before = keys()
    done = importing(renamed(city, "v2-"), midori(board), teacher)
    assert done.asks_about_likeness and keys() == before


def test_the_command_asks_and_takes_the_answer(city):
    roster(packed(city))
    before, new = keys(), packed(renamed(city, "v2-"))
    answer, code = roster(new)
    assert code == 1 and "--identifiers same|others" in str(answer["errors"])
    assert roster(new, "--identifiers", "same")[1] == 0
    assert keys() == before
