"""People, classes and schools that are here already when a roster first names them."""

import pytest
from django.core.management.base import CommandError

from puzzleclass.accounts.models import User
from puzzleclass.classes.models import Classroom, Teaching
from puzzleclass.classes.school_models import School
from puzzleclass.rosters.models import ClassId, UserId
from tests.oneroster import BULK, packed, tables
from tests.web.rosters.roster_command import (
    count_of,
    everything,
    names_in,
    roster,
    roster_naming,
    undo,
)

pytestmark = pytest.mark.django_db


def test_a_teacher_is_linked_only_when_the_school_confirms_it(teacher):
    report, code = roster(packed(tables()))
    assert code == 0
    [named] = report["not_linked"]
    assert (named["sourcedId"], named["account"]) == ("u9", "sato")
    assert not Teaching.objects.exists()
    report, _code = roster(packed(tables()), "--link")
    assert count_of(report, "users") == (1, 0, 0, 0, 3)
    assert report["not_linked"] == []
    # From now on the identifier counts, whatever the username is.
    given = tables()
    given["users"][4][2] = "keiko"
    report, _code = roster(packed(given))
    assert count_of(report, "users") == (0, 0, 0, 0, 4)


def test_the_operator_names_each_teacher_who_is_linked(teacher, classroom):
    Classroom.objects.filter(pk=classroom.pk).update(name="4-2")
    report, _code = roster_naming(packed(tables()), "--link", "--dry-run")
    assert [each["account"] for each in report["not_linked"]] == ["sato"]
    assert report["linked"] == []
    report, _code = roster_naming(packed(tables()), "--teacher", "sato", "--dry-run")
    assert report["linked"] == [{"sourcedId": "u9", "name": teacher.name, "account": "sato"}]
    roster_naming(packed(tables()), "--link")
    assert not UserId.objects.filter(user=teacher).exists()
    assert not ClassId.objects.filter(classroom=classroom).exists()
    report, _code = roster_naming(packed(tables()), "--teacher", "sato")
    assert report["linked"][0]["account"] == "sato" and report["not_linked"] == []
    assert UserId.objects.filter(user=teacher).exists()


def test_a_class_is_taken_over_only_if_its_owner_is_named(teacher, classroom):
    owner = User.objects.create_teacher("ono", "Ono Emi", "stones on a board")
    Classroom.objects.filter(pk=classroom.pk).update(name="4-2")
    classroom.teachings.update(role=Teaching.Role.TEACHER)
    classroom.teachers.add(owner, through_defaults={"role": Teaching.Role.OWNER})
    roster_naming(packed(tables()), "--teacher", "sato")
    assert not ClassId.objects.filter(classroom=classroom).exists()


def test_a_misspelt_username_is_named(teacher):
    with pytest.raises(CommandError, match="satou"):
        roster_naming(packed(tables()), "--teacher", "sato", "--teacher", "satou")
    assert not School.objects.exists()


def test_a_teacher_with_the_same_address_is_linked(teacher):
    User.objects.filter(pk=teacher.pk).update(email="Sato@school.example")
    given = tables()
    given["users"][4][2], given["users"][4][5] = "keiko", "sato@school.example"
    roster(packed(given), "--link")
    assert Teaching.objects.get().teacher == teacher


def test_two_accounts_for_one_teacher_are_not_linked(teacher, other_teacher):
    User.objects.filter(pk=other_teacher.pk).update(email="sato@school.example")
    given = tables()
    given["users"][4][5] = "sato@school.example"
    report, _code = roster(packed(given), "--link")
    assert report["not_linked"][0]["account"] is None
    assert not Teaching.objects.exists()


def test_a_student_entered_by_hand_is_linked_when_the_school_confirms_it(teacher):
    given = tables()
    del given["users"][2], given["roles"][2], given["enrollments"][2]
    roster(packed(given), "--link")
    classroom = Classroom.objects.get(name="4年1組")
    by_hand = User.objects.create_student("伊藤 ゆい", "1234")
    classroom.enrolments.create(student=by_hand, number=2)
    report, code = roster(packed(tables()))
    assert (code, count_of(report, "users"), report["users"]["waiting"]) == (0, (0, 0, 0, 0, 3), 1)
    assert names_in("4年1組") == ["1 安部 陽斗", "2 伊藤 ゆい"]
    report, code = roster(packed(tables()), "--link")
    assert (code, count_of(report, "users")) == (0, (0, 1, 0, 0, 3))
    assert count_of(report, "enrollments") == (0, 1, 0, 0, 3)
    assert classroom.enrolments.get(number=2).student == by_hand
    before = everything()
    roster(packed(tables()))
    assert everything() == before


@pytest.fixture
def by_hand(teacher) -> Classroom:
    """Return a class that the teacher made by hand before the roster named it."""
    classroom = Classroom.objects.create(name="4年1組")
    classroom.teachers.add(teacher)
    for number, name in ((2, "伊藤　ゆい"), (5, "森 さくら")):
        student = User.objects.create_student(name, "1234")
        classroom.enrolments.create(student=student, number=number)
    return classroom


def test_a_class_made_by_hand_becomes_that_of_the_roster(by_hand, teacher):
    before, ito = everything(), by_hand.students.get(name="伊藤　ゆい")
    report, code = roster(packed(tables()), "--link")
    assert (code, count_of(report, "classes")) == (0, (1, 1, 0, 0, 0))
    assert names_in("4年1組") == ["1 安部 陽斗", "2 伊藤 ゆい", "5 森 さくら"]
    by_hand.refresh_from_db()
    assert by_hand.school.name == "みどり小学校"
    assert by_hand.enrolments.get(number=2).student == ito
    assert by_hand.teachings.get().role == Teaching.Role.OWNER
    assert count_of(roster(packed(tables()))[0], "classes") == (0, 0, 0, 0, 2)
    assert undo()[1] == 0
    assert [rows for rows in everything() if rows] == [rows for rows in before if rows]


def test_students_of_a_class_made_by_hand_wait_for_a_teacher_known_already(by_hand, teacher):
    teaches = ["e8", "c2", "o1", "u9", "teacher", "true", *[""] * 4]
    given = tables()
    del given["classes"][1], given["users"][1:3], given["roles"][1:3]
    given["enrollments"] = [row for row in given["enrollments"] if row[1] != "c1"] + [teaches]
    roster(packed(given), "--link")
    given = tables()
    given["enrollments"].append(teaches)
    Classroom.objects.filter(pk=by_hand.pk).update(school=School.objects.get())
    report, code = roster(packed(given))
    assert (code, report["users"]["waiting"]) == (0, 1)
    assert names_in("4年1組") == ["1 安部 陽斗", "2 伊藤　ゆい", "5 森 さくら"]
    assert by_hand.enrolments.get(number=2).match.source.school.name == "みどり小学校"


@pytest.mark.parametrize("difference", ["name", "teacher", "list", "two"])
def test_another_class_made_by_hand_is_not_taken(by_hand, teacher, other_teacher, difference):
    if difference == "name":
        Classroom.objects.update(name="4年3組")
    elif difference == "teacher":
        by_hand.teachings.update(teacher=other_teacher)
    elif difference == "list":
        by_hand.enrolments.filter(number=2).update(number=1)
    else:
        Classroom.objects.create(name="4年1組").teachers.add(teacher)
    report, code = roster(packed(tables()), "--link")
    assert (code, count_of(report, "classes")) == (0, (2, 0, 0, 0, 0))
    by_hand.refresh_from_db()
    assert (by_hand.school, by_hand.enrolments.count()) == (None, 2)


def test_a_school_made_by_hand_becomes_that_of_the_same_name(teacher):
    school = School.objects.create(name="みどり小学校")
    school.administrators.add(teacher)
    roster(packed(tables()))
    assert School.objects.get() == school and school.classrooms.count() == 2
    undo()
    assert School.objects.get() == school and not school.classrooms.exists()


def test_a_school_of_another_source_or_one_of_two_is_not_taken():
    roster(packed(tables()))
    manifest = [*BULK["manifest"][:3], ["source.systemCode", "other"]]
    roster(packed(tables(manifest=manifest)))
    assert [school.classrooms.count() for school in School.objects.all()] == [2, 2]
    for _ in range(2):
        School.objects.create(name="あおば小学校")
    given = tables(manifest=[*manifest[:3], ["source.systemCode", "third"]])
    given["orgs"][2][3] = "あおば小学校"
    roster(packed(given))
    assert School.objects.filter(name="あおば小学校").count() == 3


def test_a_teacher_of_the_class_already_is_not_added_again_and_moves_to_another(teacher):
    roster(packed(tables()))
    first, second = Classroom.objects.order_by("name")
    first.teachers.add(teacher)
    assert roster(packed(tables()), "--link")[1] == 0
    assert Teaching.objects.get().classroom == first
    given = tables()
    given["enrollments"][4][1] = "c2"
    report, code = roster(packed(given), "--link")
    assert (code, count_of(report, "enrollments")) == (0, (0, 0, 1, 0, 3))
    assert list(second.teachers.all()) == [teacher]
    before = everything()
    roster(packed(given), "--link")
    assert everything() == before
