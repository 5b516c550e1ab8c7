"""The undoing of an import, and the record of it."""

from datetime import timedelta

import pytest
from django.utils import timezone

from puzzleclass.accounts.models import User
from puzzleclass.classes.models import Classroom, Enrolment
from puzzleclass.classes.personal_data import delete_all
from puzzleclass.rosters.models import ChangedRow, RosterImport, UserId
from tests.oneroster import packed, tables, tables_of_two_schools
from tests.web.rosters.roster_command import count_of, everything, names_in, roster, undo

pytestmark = pytest.mark.django_db


def next_year():
    """Return a roster that changes, moves, adds and takes away something in every table."""
    given = tables()
    given["orgs"][2][3] = "みどり第一小学校"
    given["classes"][1][1:3] = ["5年1組", "P5"]
    given["classes"][2] = ["c3", "5年3組", "P5", "k1", "homeroom", "o1", "t1", ""]
    given["users"][1][3] = "大翔"
    given["users"][3][-1] = "c3"
    given["users"].append(["u4", "true", "mori", "さくら", "森", *[""] * 4, "o1", "", "", "c1"])
    given["roles"].append(["r4", "u4", "primary", "student", "o1"])
    given["enrollments"][1][8] = "2"
    given["enrollments"][3][:2] = ["f3", "c3"]
    given["enrollments"].append(["e4", "c1", "o1", "u4", "student", "false", "", "", "1", "true"])
    del given["users"][2], given["roles"][2], given["enrollments"][2]
    return given


def test_undo_restores_every_row(teacher):
    before = everything()
    roster(packed(tables()), "--link")
    group = Classroom.objects.get(name="4年1組").groups.create(name="A")
    group.members.set(Enrolment.objects.filter(student__name="伊藤 ゆい"))
    first, members = everything(), list(group.members.through.objects.values())
    report, code = roster(packed(next_year()), "--link")
    assert (code, everything() != first) == (0, True)
    answer, code = undo()
    assert (code, answer["undone"], answer["import"]) == (0, True, report["import"])
    assert everything() == first
    assert list(group.members.through.objects.values()) == members
    # The import can be made again, and undone again.
    roster(packed(next_year()), "--link")
    assert undo()[1] == 0
    assert everything() == first
    assert undo()[1] == 0
    assert not User.objects.filter(role="student").exists()
    assert [rows for rows in everything() if rows] == [rows for rows in before if rows]
    assert undo()[1] == 1


def test_master_identifiers_are_stored_changed_and_restored(teacher):
    first, second = "2c5ea4c0-4067-11e9-8bad-9b1deb4d3b7d", "7d444840-9dc0-41d1-b245-5ffdce74fad2"

    def stored() -> str:
        return UserId.objects.get(sourced_id="u1").master_id

    roster(packed(tables()), "--link")
    assert stored() == first
    users = tables()["users"]
    users[1][6] = second.upper()
    report, _code = roster(packed(tables(users=users)), "--link")
    assert count_of(report, "users") == (0, 1, 0, 0, 3) and stored() == second
    # A roster without the identifier changes nothing.
    users[1][6] = ""
    report, _code = roster(packed(tables(users=users)), "--link")
    assert count_of(report, "users") == (0, 0, 0, 0, 4) and stored() == second
    assert undo()[1] == 0 and stored() == first


def test_exchanged_numbers_and_students_who_came_back_are_restored(teacher):
    roster(packed(tables()))
    states = [everything()]
    given = tables()
    del given["users"][2], given["roles"][2], given["enrollments"][2]
    roster(packed(given))
    states.append(everything())
    given = tables()
    given["enrollments"][1][8], given["enrollments"][2][8] = "2", "1"
    roster(packed(given))
    for state in reversed(states):
        assert undo()[1] == 0
        assert everything() == state


def test_an_import_that_changes_nothing_leaves_no_record():
    report, _code = roster(packed(tables()))
    assert report["import"] == RosterImport.objects.get().pk
    report, _code = roster(packed(tables()))
    assert (report["stored"], report["import"]) == (True, None)
    assert roster(packed(tables()), "--dry-run")[0]["import"] is None


def test_a_later_import_of_the_same_rows_is_undone_first():
    first, _code = roster(packed(tables()))
    second, _code = roster(packed(next_year()))
    state = everything()
    answer, code = undo(str(first["import"]))
    assert (code, answer["undone"], everything()) == (1, False, state)
    assert "has changed the same rows. Undo that one first." in answer["errors"][0]["message"]
    assert undo(str(second["import"]))[1] == 0
    assert undo(str(first["import"]))[1] == 0
    assert undo(str(first["import"]))[0]["errors"][0]["message"] == (
        "This import can't be undone any more."
    )


def test_a_later_import_of_another_school_does_not_matter():
    first, _code = roster(packed(tables()), "--school", "みどり小学校")
    roster(packed(tables_of_two_schools()), "--school", "あおば小学校")
    assert undo("--school", "みどり小学校")[0]["import"] == first["import"]
    assert names_in("1年1組") == ["1 上田 空"]
    assert not Classroom.objects.filter(name="4年1組").exists()


def test_what_somebody_has_changed_since_is_named():
    roster(packed(tables()))
    roster(packed(next_year()))
    User.objects.filter(name="安部 大翔").update(name="あべ ひろと")
    state = everything()
    answer, code = undo()
    assert (code, everything()) == (1, state)
    assert answer["errors"] == [{"message": "“あべ ひろと” has been changed since the import."}]


def test_work_of_new_students_is_not_deleted(teacher, assigned, tried, lines):
    roster(packed(tables()), "--link")
    student = User.objects.get(name="伊藤 ゆい")
    attempt = tried(student, assigned, lines.solution)
    classroom = Classroom.objects.get(name="4年2組")
    classroom.enrolments.create(student=User.objects.create_student("森 さくら", "1234"), number=9)
    answer, code = undo()
    assert code == 1
    named = [
        error["message"].partition(" is new and has been used")[0] for error in answer["errors"]
    ]
    assert named == ["“4年2組”", "“伊藤 ゆい”"]
    attempt.refresh_from_db()


def test_an_import_can_be_undone_for_thirty_days():
    roster(packed(tables()))
    RosterImport.objects.update(made_at=timezone.now() - timedelta(days=30, minutes=1))
    assert undo()[1] == 1
    assert RosterImport.expired().delete()[0] == 2  # the record, and its school
    assert not RosterImport.objects.exists()


def test_values_before_an_import_are_deleted_with_the_student(teacher):
    roster(packed(tables()))
    roster(packed(next_year()))
    student = User.objects.get(name="安部 大翔")
    assert ChangedRow.objects.filter(student=student).exists()
    delete_all(None, User.objects.filter(pk=student.pk))
    assert not [
        row for row in ChangedRow.objects.values_list("before", flat=True) if "安部" in str(row)
    ]
