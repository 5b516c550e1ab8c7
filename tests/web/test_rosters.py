"""Rosters in OneRoster's CSV format: what an import stores, and what the next one changes."""

import io
import json
import time
import zipfile
from datetime import timedelta

import pytest
from django.core.management import call_command
from django.db import IntegrityError
from django.utils import timezone

from puzzleclass.accounts.models import User
from puzzleclass.classes.models import Classroom, Enrolment, School, SignInCard, Teaching
from puzzleclass.classes.personal_data import delete_all
from puzzleclass.rosters.models import (
    ChangedRow,
    ClassId,
    EnrolmentId,
    RosterImport,
    SchoolId,
    UserId,
)
from puzzleclass.rosters.pruning import prune_imports
from tests.oneroster import BULK, packed, tables

pytestmark = pytest.mark.django_db

COUNTS = ("new", "changed", "moved", "left", "unchanged")


@pytest.fixture
def roster(tmp_path):
    """Return a function that runs the command with a ZIP and returns its JSON and exit code."""

    def roster(content, *options):
        path = tmp_path / "roster.zip"
        path.write_bytes(content)
        out, code = io.StringIO(), 0
        try:
            call_command("roster", str(path), "--language", "en", *options, stdout=out)
        except SystemExit as ended:
            code = ended.code
        return json.loads(out.getvalue()), code

    return roster


def count_of(report, table):
    return tuple(report[table][name] for name in COUNTS)


def everything():
    """Return all rows that an import can touch, without the counts of sign-outs."""
    models = (School, Classroom, User, Enrolment, Teaching, SchoolId, ClassId, UserId, EnrolmentId)
    tables = [list(model.objects.order_by("pk").values()) for model in models]
    for row in tables[2]:
        del row["sign_outs"]
    return tables


def names_in(name):
    enrolments = Enrolment.objects.filter(classroom__name=name)
    return [f"{each.number} {each.student.name}" for each in enrolments.order_by("number")]


def test_a_bulk_roster_makes_classes_with_their_students(roster, teacher):
    report, code = roster(packed(tables()), "--link")
    assert (code, report["errors"], report["stored"]) == (0, [], True)
    assert count_of(report, "orgs") == (1, 0, 0, 0, 0)
    assert count_of(report, "classes") == (2, 0, 0, 0, 0)
    assert count_of(report, "users") == (4, 0, 0, 0, 0)
    assert count_of(report, "enrollments") == (4, 0, 0, 0, 0)
    assert report["users"]["ignored"] == 1
    assert names_in("4年1組") == ["1 安部 陽斗", "2 伊藤 ゆい"]
    assert Classroom.objects.get(name="4年1組").grade == 4
    assert Classroom.objects.get(name="4年1組").school.name == "みどり小学校"
    student = User.objects.get(name="安部 陽斗")
    assert (student.is_student, student.reading) == (True, "アベ ハルト")
    assert SignInCard.objects.count() == 3
    assert Teaching.objects.get().teacher == teacher
    assert Teaching.objects.get().role == Teaching.Role.OWNER


def test_the_teacher_can_give_the_students_pins(roster, teacher, teacher_client):
    roster(packed(tables()), "--link")
    classroom = Classroom.objects.get(name="4年1組")
    page = teacher_client.get(f"/classes/{classroom.pk}/")
    assert "安部 陽斗" in page.content.decode()
    assert not any(student.has_usable_password() for student in User.objects.filter(role="student"))
    sure = {"sure": "on"}
    answer = teacher_client.post(f"/classes/{classroom.pk}/pins/", sure, follow=True)
    slips = answer.context["slips"]
    assert [enrolment.student.name for enrolment, _pin in slips] == ["安部 陽斗", "伊藤 ゆい"]


@pytest.mark.parametrize(("bom", "end"), [(True, "\n"), (False, "\n"), (True, "\r\n")])
def test_the_same_roster_again_changes_nothing(roster, teacher, bom, end):
    roster(packed(tables()), "--link")
    before = everything()
    report, code = roster(packed(tables(), bom=bom, end=end), "--link")
    assert code == 0
    for table, number in (("orgs", 1), ("classes", 2), ("users", 4), ("enrollments", 4)):
        assert count_of(report, table) == (0, 0, 0, 0, number)
    assert everything() == before


def test_a_dry_run_stores_nothing(roster, teacher):
    before = everything()
    report, code = roster(packed(tables()), "--dry-run", "--link")
    assert (code, report["stored"]) == (0, False)
    assert count_of(report, "users") == (4, 0, 0, 0, 0)
    assert everything() == before


def test_oneroster_1_1_has_roles_in_the_table_of_users(roster):
    manifest = [["propertyName", "value"], ["oneroster.version", "1.1"]]
    users = [
        ["sourcedId", "enabledUser", "orgSourcedIds", "role", "username", "givenName",
         "familyName"],
        ["u1", "true", "o1", "student", "abe", "Haruto", "Abe"],
        ["u2", "true", "o1", "student", "ito", "Yui", "Ito"],
        ["u3", "true", "o1", "student", "kato", "Ren", "Kato"],
        ["u9", "true", "o1", "teacher", "sato", "Keiko", "Sato"],
    ]  # fmt: skip
    enrolments = [row[:8] for row in BULK["enrollments"]]
    given = tables(manifest=manifest, users=users, enrollments=enrolments, roles=None)
    report, code = roster(packed(given))
    assert (code, report["source"]) == (0, "OneRoster")
    assert names_in("4年1組") == ["1 Abe Haruto", "2 Ito Yui"]


def test_the_older_japanese_headings_are_read(roster):
    given = tables()
    given["enrollments"][0][8:] = ["metadata.jp.ShussekiNo", "metadata.jp.PublicFlg"]
    given["enrollments"][1][8] = "31"
    assert roster(packed(given))[1] == 0
    assert names_in("4年1組") == ["2 伊藤 ゆい", "31 安部 陽斗"]


def test_names_numbers_and_classes_change(roster):
    roster(packed(tables()))
    keys = dict(Enrolment.objects.values_list("student__name", "pk"))
    given = tables()
    given["classes"][2][1] = "4年B組"
    given["users"][1][3:5] = ["大翔", "安部"]
    # Two exchange their numbers, and one moves under the same identifier.
    given["enrollments"][1][8], given["enrollments"][2][8] = "2", "1"
    given["enrollments"][3][1], given["enrollments"][3][8] = "c1", "3"
    report, code = roster(packed(given))
    assert code == 0
    assert count_of(report, "classes") == (0, 1, 0, 0, 1)
    assert count_of(report, "users") == (0, 1, 0, 0, 2)
    assert count_of(report, "enrollments") == (0, 2, 1, 0, 0)
    assert names_in("4年1組") == ["1 伊藤 ゆい", "2 安部 大翔", "3 加藤 蓮"]
    assert Enrolment.objects.get(student__name="加藤 蓮").pk == keys["加藤 蓮"]
    assert roster(packed(given))[0]["enrollments"]["unchanged"] == 3


def test_a_student_who_moves_under_a_new_identifier_is_moved(roster):
    roster(packed(tables()))
    group = Classroom.objects.get(name="4年2組").groups.create(name="A")
    group.members.add(Enrolment.objects.get(student__name="加藤 蓮"))
    given = tables()
    given["enrollments"][3] = ["e33", "c1", "o1", "u3", "student", "false", "", "", "3", ""]
    report, _code = roster(packed(given))
    assert count_of(report, "enrollments") == (0, 0, 1, 0, 2)
    assert names_in("4年1組")[-1] == "3 加藤 蓮"
    assert not group.members.exists()
    assert count_of(roster(packed(given))[0], "enrollments") == (0, 0, 0, 0, 3)


def test_students_who_left_are_archived_with_their_work_and_come_back(
    roster, teacher, assigned, tried, lines
):
    roster(packed(tables()), "--link")
    student = User.objects.get(name="伊藤 ゆい")
    attempt = tried(student, assigned, lines.solution)
    given = tables()
    del given["users"][2], given["roles"][2], given["enrollments"][2]
    report, code = roster(packed(given), "--link")
    assert code == 0
    assert count_of(report, "users") == (0, 0, 0, 1, 3)
    assert count_of(report, "enrollments") == (0, 0, 0, 1, 3)
    assert names_in("4年1組") == ["1 安部 陽斗"]
    archive = student.enrolments.get().classroom
    assert archive.name == "4年1組 (left)" and archive.archived_at
    assert list(archive.teachers.all()) == [teacher]
    attempt.refresh_from_db()
    before = everything()
    report, _code = roster(packed(given), "--link")
    assert count_of(report, "users") == (0, 0, 0, 0, 3)
    assert everything() == before
    report, _code = roster(packed(tables()), "--link")
    assert count_of(report, "users") == (0, 1, 0, 0, 3)
    assert count_of(report, "enrollments") == (0, 1, 0, 0, 3)
    assert names_in("4年1組") == ["1 安部 陽斗", "2 伊藤 ゆい"]
    assert User.objects.filter(role="student", name="伊藤 ゆい").count() == 1


def test_a_class_that_left_is_archived_with_its_list(roster, teacher):
    roster(packed(tables()), "--link")
    given = tables()
    given["classes"][1] = ["c3", "5年1組", "P5", "k1", "homeroom", "o1", "t1", ""]
    for row in (given["users"][1], given["users"][2]):
        row[-1] = "c3"
    for number, row in enumerate(given["enrollments"][1:3] + given["enrollments"][4:5]):
        row[:2] = [f"f{number}", "c3"]
    report, code = roster(packed(given), "--link")
    assert (code, report["errors"]) == (0, [])
    assert count_of(report, "classes") == (1, 0, 0, 1, 1)
    assert count_of(report, "users") == (0, 0, 0, 0, 4)
    assert names_in("5年1組") == names_in("4年1組") == ["1 安部 陽斗", "2 伊藤 ゆい"]
    assert Classroom.objects.get(name="4年1組").archived_at
    before = everything()
    roster(packed(given), "--link")
    assert everything() == before


DELTA_STAMP = "2026-11-01T00:00:00Z"


def test_a_delta_changes_only_the_rows_that_it_names(roster, teacher):
    roster(packed(tables()), "--link")
    users = [
        ["sourcedId", "status", "dateLastModified", "enabledUser", "username", "givenName",
         "familyName"],
        ["u1", "active", DELTA_STAMP, "true", "abe", "大翔", "安部"],
        ["u3", "tobedeleted", DELTA_STAMP, "", "", "", ""],
        ["u4", "active", DELTA_STAMP, "true", "mori", "さくら", "森"],
    ]  # fmt: skip
    enrolments = [
        ["sourcedId", "status", "dateLastModified", "classSourcedId", "userSourcedId", "role",
         "metadata.jp.shussekiNo"],
        ["e4", "active", DELTA_STAMP, "c1", "u4", "student", "3"],
    ]  # fmt: skip
    given = {"manifest": BULK["manifest"], "users": users, "enrollments": enrolments}
    report, code = roster(packed(given, "delta"), "--link")
    assert (code, report["errors"]) == (0, [])
    assert count_of(report, "users") == (1, 1, 0, 1, 0)
    assert count_of(report, "enrollments") == (1, 0, 0, 1, 0)
    assert names_in("4年1組") == ["1 安部 大翔", "2 伊藤 ゆい", "3 森 さくら"]
    assert names_in("4年2組") == []
    before = everything()
    report, _code = roster(packed(given, "delta"), "--link")
    assert count_of(report, "users") == (0, 0, 0, 0, 3)
    assert everything() == before


def test_a_teacher_is_linked_only_when_the_school_confirms_it(roster, teacher):
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


def test_a_teacher_with_the_same_address_is_linked(roster, teacher):
    User.objects.filter(pk=teacher.pk).update(email="Sato@school.example")
    given = tables()
    given["users"][4][2], given["users"][4][5] = "keiko", "sato@school.example"
    roster(packed(given), "--link")
    assert Teaching.objects.get().teacher == teacher


def test_two_accounts_for_one_teacher_are_not_linked(roster, teacher, other_teacher):
    User.objects.filter(pk=other_teacher.pk).update(email="sato@school.example")
    given = tables()
    given["users"][4][5] = "sato@school.example"
    report, _code = roster(packed(given), "--link")
    assert report["not_linked"][0]["account"] is None
    assert not Teaching.objects.exists()


def test_a_teacher_who_left_loses_the_class_and_a_colleague_owns_it(roster, teacher, other_teacher):
    given = tables()
    given["users"].append(["u8", "true", "mori", "純", "森", *[""] * 4, "o1", "", "", ""])
    given["roles"].append(["r8", "u8", "primary", "teacher", "o1"])
    given["enrollments"].append(["e8", "c1", "o1", "u8", "teacher", "false", *[""] * 4])
    roster(packed(given), "--link")
    roles = dict(Teaching.objects.values_list("teacher__username", "role"))
    assert roles == {"sato": "owner", "mori": "teacher"}
    left = [row for row in given["enrollments"] if row[0] != "e2"]
    roster(packed(given | {"enrollments": left}), "--link")
    archive = Classroom.objects.get(name="4年1組 (left)")
    assert archive.teachings.get(teacher=teacher).role == Teaching.Role.OWNER
    del given["users"][4], given["roles"][4], given["enrollments"][4]
    report, _code = roster(packed(given), "--link")
    assert count_of(report, "enrollments") == (0, 1, 0, 1, 3)
    for classroom in (archive, Classroom.objects.get(name="4年1組")):
        assert dict(classroom.teachings.values_list("teacher__username", "role")) == {
            "mori": "owner"
        }
    before = everything()
    roster(packed(given), "--link")
    assert everything() == before


def test_a_student_entered_by_hand_is_linked_when_the_school_confirms_it(roster, teacher):
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


def test_a_class_made_by_hand_becomes_that_of_the_roster(roster, undo, by_hand, teacher):
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


def test_students_of_a_class_made_by_hand_wait_for_a_teacher_known_already(
    roster, by_hand, teacher
):
    teaches = ["e8", "c2", "o1", "u9", "teacher", "true", *[""] * 4]
    given = tables()
    del given["classes"][1], given["users"][1:3], given["roles"][1:3]
    given["enrollments"] = [row for row in given["enrollments"] if row[1] != "c1"] + [teaches]
    roster(packed(given), "--link")
    given = tables()
    given["enrollments"].append(teaches)
    report, code = roster(packed(given))
    assert (code, report["users"]["waiting"]) == (0, 1)
    assert names_in("4年1組") == ["1 安部 陽斗", "2 伊藤　ゆい", "5 森 さくら"]
    assert by_hand.enrolments.get(number=2).match.school.name == "みどり小学校"


@pytest.mark.parametrize("difference", ["name", "teacher", "list", "two"])
def test_another_class_made_by_hand_is_not_taken(
    roster, by_hand, teacher, other_teacher, difference
):
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


def test_a_student_whom_a_teacher_took_back_meanwhile_keeps_that_place(roster, teacher):
    roster(packed(tables()), "--link")
    student = User.objects.get(name="伊藤 ゆい")
    given = tables()
    del given["users"][2], given["roles"][2], given["enrollments"][2]
    roster(packed(given), "--link")
    classroom = Classroom.objects.get(name="4年1組")
    place = classroom.enrolments.create(student=student, number=7)
    report, code = roster(packed(tables()), "--link")
    assert (code, count_of(report, "enrollments")) == (0, (0, 1, 0, 0, 3))
    place.refresh_from_db()
    assert (place.number, classroom.enrolments.count()) == (2, 2)


def test_students_without_numbers_are_numbered_and_keep_their_numbers(roster):
    given = tables()
    for row in given["enrollments"][1:]:
        row[8] = ""
    roster(packed(given))
    assert names_in("4年1組") == ["1 安部 陽斗", "2 伊藤 ゆい"]
    given["enrollments"][1:3] = given["enrollments"][2:0:-1]
    report, _code = roster(packed(given))
    assert count_of(report, "enrollments")[4] == 3
    given["enrollments"][3][1] = "c1"
    roster(packed(given))
    assert names_in("4年1組")[-1] == "3 加藤 蓮"


def test_disabled_people_and_ended_enrolments_have_left(roster):
    roster(packed(tables()))
    given = tables()
    given["users"][1][1], given["enrollments"][2][7] = "false", "2026-05-01"
    report, _code = roster(packed(given))
    assert count_of(report, "users") == (0, 0, 0, 1, 2)
    assert count_of(report, "enrollments") == (0, 0, 0, 2, 1)
    assert names_in("4年1組") == []
    assert User.objects.get(name="安部 陽斗").sign_outs == 1


def test_one_school_of_several(roster):
    given = tables()
    given["orgs"].append(["o2", "", "", "あおば小学校", "school", ""])
    given["classes"].append(["c5", "1年1組", "P1", "k1", "homeroom", "o2", "t1", ""])
    given["users"].append(["u5", "true", "ueda", "空", "上田", *[""] * 4, "o2", "", "", ""])
    given["roles"].append(["r6", "u5", "primary", "student", "o2"])
    given["enrollments"].append(["e5", "c5", "o2", "u5", "student", "false", *[""] * 4])
    report, _code = roster(packed(given), "--school", "あおば小学校")
    assert [count_of(report, table)[0] for table in ("orgs", "classes", "users")] == [1, 1, 1]
    assert names_in("1年1組") == ["1 上田 空"]
    roster(packed(given))
    before = everything()
    # A file of the other school alone takes nobody from this one.
    report, _code = roster(packed(tables()))
    assert report["users"]["left"] == report["classes"]["left"] == 0
    assert everything() == before
    # Who goes from one school to the other is moved.
    given["users"][3][9] = given["roles"][3][4] = given["enrollments"][3][2] = "o2"
    given["enrollments"][3][1], given["enrollments"][3][8] = "c5", "2"
    report, _code = roster(packed(given))
    assert report["users"]["moved"] == report["enrollments"]["moved"] == 1
    assert names_in("1年1組") == ["1 上田 空", "2 加藤 蓮"]


def test_a_school_made_by_hand_becomes_that_of_the_same_name(roster, undo, teacher):
    school = School.objects.create(name="みどり小学校")
    school.administrators.add(teacher)
    roster(packed(tables()))
    assert School.objects.get() == school and school.classrooms.count() == 2
    undo()
    assert School.objects.get() == school and not school.classrooms.exists()


def test_a_school_of_another_source_or_one_of_two_is_not_taken(roster):
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


def test_an_unknown_school_is_named(roster):
    report, code = roster(packed(tables()), "--school", "あおば小学校")
    assert code == 1
    assert report["errors"][0]["file"] == "orgs.csv"


def test_a_file_that_leaves_out_most_people_must_be_confirmed(roster, teacher, monkeypatch):
    monkeypatch.setattr("puzzleclass.rosters.imports.FEW_LEAVERS", 1)
    roster(packed(tables()), "--link")
    incomplete = tables()
    for name in ("users", "roles", "enrollments"):
        del incomplete[name][2:]
    before = everything()
    for options in ((), ("--dry-run",)):
        report, code = roster(packed(incomplete), *options)
        assert (code, report["stored"], everything()) == (1, False, before)
        [error] = report["errors"]
        assert error["message"].startswith("3 people would leave, and 1 would stay.")
        assert "--many-leave" in error["message"]
    report, code = roster(packed(incomplete), "--many-leave")
    assert (code, report["stored"], report["users"]["left"]) == (0, True, 3)


def test_class_lists_that_lack_most_students_must_be_confirmed(roster, teacher, monkeypatch):
    monkeypatch.setattr("puzzleclass.rosters.imports.FEW_LEAVERS", 1)
    roster(packed(tables()))
    incomplete = tables()
    del incomplete["enrollments"][2:4]
    before = everything()
    report, code = roster(packed(incomplete))
    assert (code, everything()) == (1, before)
    assert report["errors"][0]["message"].startswith("2 students would leave their classes")
    report, code = roster(packed(incomplete), "--many-leave")
    assert (code, report["enrollments"]["left"]) == (0, 2)


def test_classes_of_the_year_before_ask_nobody(roster, monkeypatch):
    """At the end of the school year, all classes leave with their lists."""
    monkeypatch.setattr("puzzleclass.rosters.imports.FEW_LEAVERS", 1)
    roster(packed(tables()))
    given = tables()
    for row in given["classes"][1:]:
        row[0] = f"n{row[0]}"
    del given["enrollments"][1:4]
    given["enrollments"][1][1] = "nc1"
    for row in given["users"][1:]:
        row[-1] = ""
    report, code = roster(packed(given))
    assert (code, report["enrollments"]["left"]) == (0, 3)


def test_two_thousand_students_within_seconds(roster, teacher):
    given = tables()
    for name in ("classes", "users", "roles", "enrollments"):
        del given[name][1:]
    for c in range(50):
        given["classes"].append([f"c{c}", f"{c}組", "P4", "k1", "homeroom", "o1", "t1", ""])
        for n in range(1, 41):
            u = f"u{c}-{n}"
            given["users"].append([u, "true", u, f"{n}", f"{c}", *[""] * 4, "o1", "", "", f"c{c}"])
            given["roles"].append([f"r{u}", u, "primary", "student", "o1"])
            given["enrollments"].append(
                [f"e{u}", f"c{c}", "o1", u, "student", "false", "", "", f"{n}", "true"]
            )
    started = time.process_time()
    report, _code = roster(packed(given))
    assert count_of(report, "users") == (2000, 0, 0, 0, 0)
    assert count_of(roster(packed(given))[0], "users") == (0, 0, 0, 0, 2000)
    # The next year, everybody is in another class with another number.
    for row in given["classes"][1:]:
        row[0] = f"n{row[0]}"
    for row in given["users"][1:]:
        row[-1] = f"n{row[-1]}"
    for row in given["enrollments"][1:]:
        row[0], row[1], row[8] = f"n{row[0]}", f"n{row[1]}", str(41 - int(row[8]))
    report, _code = roster(packed(given))
    assert count_of(report, "classes") == (50, 0, 0, 50, 0)
    assert count_of(report, "enrollments") == (2000, 0, 0, 2000, 0)
    assert time.process_time() - started < 60


# Faults


def places_of(report):
    return [(each["file"], each["line"], each["column"]) for each in report["errors"]]


FAULTS = {
    "no such class": (("enrollments", 1, 1, "c7"), "classSourcedId"),
    "no such person": (("enrollments", 1, 3, "u7"), "userSourcedId"),
    "an unknown role": (("enrollments", 1, 4, "pupil"), "role"),
    "a role of somebody else": (("enrollments", 1, 4, "teacher"), "role"),
    "no flag": (("enrollments", 1, 5, "no"), "primary"),
    "no public flag": (("enrollments", 1, 9, "1"), "metadata.jp.publicFlg"),
    "no date": (("enrollments", 1, 6, "2026/4/1"), "beginDate"),
    "no number": (("enrollments", 1, 8, "one"), "metadata.jp.shussekiNo"),
    "number zero": (("enrollments", 1, 8, "0"), "metadata.jp.shussekiNo"),
    "the number of a classmate": (("enrollments", 2, 8, "1"), "metadata.jp.shussekiNo"),
    "one identifier twice": (("enrollments", 2, 0, "e1"), "sourcedId"),
    "one student twice": (("enrollments", 2, 3, "u1"), "userSourcedId"),
    "no identifier": (("users", 1, 0, ""), "sourcedId"),
    "a long identifier": (("users", 5, 0, "u" * 300), "sourcedId"),
    "no family name": (("users", 1, 4, ""), "familyName"),
    "a long name": (("users", 1, 4, "あ" * 61), "familyName"),
    "a long reading": (("users", 1, 11, "あ" * 61), "metadata.jp.kanaFamilyName"),
    "no UUID": (("users", 1, 6, "12"), "userMasterIdentifier"),
    "no such home class": (("users", 1, 12, "c7"), "metadata.jp.homeClass"),
    "an unknown status": (("orgs", 2, 1, "gone"), "status"),
    "no time": (("orgs", 2, 2, "yesterday"), "dateLastModified"),
    "an unknown kind of organization": (("orgs", 2, 4, "academy"), "type"),
    "a long name of a school": (("orgs", 2, 3, "あ" * 101), "name"),
    "no title": (("classes", 1, 1, ""), "title"),
    "a long title": (("classes", 1, 1, "あ" * 61), "title"),
    "an unknown kind of class": (("classes", 1, 4, "lesson"), "classType"),
    "no such course": (("classes", 1, 3, "k7"), "courseSourcedId"),
    "no such school": (("classes", 1, 5, "o7"), "schoolSourcedId"),
    "no such term": (("classes", 1, 6, "t1,t7"), "termSourcedIds"),
    "a character that no database stores": (("classes", 1, 1, "4\0"), "title"),
    "no such organization of a role": (("roles", 1, 4, "o7"), "orgSourcedId"),
    "no such organization of a course": (("courses", 1, 2, "o7"), "orgSourcedId"),
    "no date of a term": (("academicSessions", 1, 3, "2026-02-30"), "startDate"),
    "a date without hyphens": (("enrollments", 1, 6, "20260401"), "beginDate"),
    "a date by the week": (("enrollments", 1, 7, "2026-W20-1"), "endDate"),
    "an end before the beginning": (("enrollments", 1, 7, "2026-03-31"), "endDate"),
    "a term that ends before it begins": (("academicSessions", 1, 4, "2026-03-31"), "endDate"),
    "no year": (("academicSessions", 1, 5, "R8"), "schoolYear"),
    "an unknown kind of term": (("academicSessions", 1, 2, "year"), "type"),
    "an unknown kind of role": (("roles", 1, 2, "main"), "roleType"),
    "an unknown year at school": (("classes", 1, 2, "P7"), "grades"),
}


@pytest.mark.parametrize("fault", FAULTS)
def test_a_fault_names_its_place_and_nothing_is_stored(roster, teacher, fault):
    (table, row, cell, text), column = FAULTS[fault]
    given = tables()
    given[table][row][cell] = text
    before = everything()
    report, code = roster(packed(given), "--link")
    assert (code, report["stored"]) == (1, False)
    place = (f"{table}.csv", row + 1, column)
    assert place in places_of(report)
    assert report["errors"][0]["message"]
    assert everything() == before


def test_all_faults_are_named_at_once(roster):
    given = tables()
    given["users"][1][4] = ""
    given["enrollments"][1][6] = "2026/4/1"
    given["enrollments"][2][1] = "c7"
    assert places_of(roster(packed(given))[0]) == [
        ("users.csv", 2, "familyName"),
        ("enrollments.csv", 2, "beginDate"),
        ("enrollments.csv", 3, "classSourcedId"),
    ]


def test_rows_that_can_t_be_read_are_no_missing_ones(roster):
    given = tables()
    given["users"][1].pop()
    given["classes"][0][0] = "id"
    assert places_of(roster(packed(given))[0]) == [
        ("classes.csv", 1, "sourcedId"), ("users.csv", 2, "")
    ]  # fmt: skip


def test_a_row_with_too_few_cells_and_a_missing_column_are_named(roster):
    given = tables()
    given["users"][2].pop()
    for row in given["classes"]:
        del row[1]
    report, code = roster(packed(given))
    assert code == 1
    assert {("users.csv", 3, ""), ("classes.csv", 1, "title")} <= set(places_of(report))


def test_two_columns_with_one_heading_and_an_empty_file_are_named(roster):
    given = tables(courses=[])
    given["users"][0][2] = "sourcedId"
    report, _code = roster(packed(given))
    assert {("users.csv", 1, "sourcedId"), ("courses.csv", 1, "")} <= set(places_of(report))


def test_years_at_school_are_free_outside_japan(roster):
    given = tables(manifest=[*BULK["manifest"][:2], ["oneroster.version", "1.2"]])
    given["classes"][1][2] = "KG"
    assert roster(packed(given))[1] == 0


def test_the_word_null_is_an_empty_cell(roster):
    given = tables()
    given["enrollments"][1][7] = given["users"][1][6] = given["users"][2][7] = "NULL"
    assert roster(packed(given))[1] == 0
    assert names_in("4年1組") == ["1 安部 陽斗", "2 伊藤 結衣"]
    given["users"][1][4] = "NULL"
    assert places_of(roster(packed(given))[0]) == [("users.csv", 2, "familyName")]


@pytest.mark.parametrize("table", ["orgs", "classes", "users", "enrollments"])
def test_a_table_of_which_everything_would_leave_is_refused(roster, table):
    roster(packed(tables()))
    before = everything()
    given = tables()
    del given[table][1:]
    report, code = roster(packed(given), "--many-leave")
    assert (code, everything()) == (1, before)
    assert (f"{table}.csv", 0, "") in places_of(report)


def test_a_delta_may_have_no_rows(roster):
    roster(packed(tables()))
    before = everything()
    users = [["sourcedId", "status", "dateLastModified", "username", "givenName", "familyName"]]
    report, code = roster(packed({"manifest": BULK["manifest"], "users": users}, "delta"))
    assert (code, report["errors"], everything()) == (0, [], before)


def test_a_delta_needs_status_and_time(roster):
    users = [
        ["sourcedId", "status", "dateLastModified", "username", "givenName", "familyName"],
        ["u1", "", "", "abe", "陽斗", "安部"],
    ]
    report, code = roster(packed({"manifest": BULK["manifest"], "users": users}, "delta"))
    assert code == 1
    assert places_of(report) == [("users.csv", 2, "status"), ("users.csv", 2, "dateLastModified")]


def test_a_person_keeps_role_and_enrolment(roster):
    roster(packed(tables()))
    given = tables()
    given["roles"][1][3] = "teacher"
    assert ("users.csv", 2, "sourcedId") in places_of(roster(packed(given))[0])
    given = tables()
    given["enrollments"][1][3], given["enrollments"][2][3] = "u2", "u1"
    report, _code = roster(packed(given))
    assert places_of(report) == [
        ("enrollments.csv", 2, "userSourcedId"), ("enrollments.csv", 3, "userSourcedId")
    ]  # fmt: skip


def test_only_the_first_faults_are_described(roster):
    given = tables()
    given["users"] += [["u1", *row[1:]] for row in given["users"][1:] * 50]
    report, _code = roster(packed(given))
    assert len(report["errors"]) == 100 < report["error_count"]


@pytest.mark.parametrize(
    ("lines", "line"),
    [
        ([["oneroster.version", "1.0"]], 2),
        ([["oneroster.version", "1.2"], ["file.orgs", "all"]], 3),
        ([["oneroster.version", "1.2"], ["file.orgs", "absent"]], 3),
        ([["oneroster.version", "1.2"], ["file.users", "bulk"], ["file.orgs", "bulk"]], 3),
        ([["oneroster.version", "1.2"], ["file.demographics", "bulk"]], 3),
        ([["oneroster.version", "1.2"], ["file.demographics", "all"]], 3),
    ],
)
def test_faults_of_the_manifest(roster, lines, line):
    given = {"manifest": [["propertyName", "value"], *lines], "orgs": BULK["orgs"]}
    report, code = roster(packed(given, modes=False))
    assert code == 1
    assert ("manifest.csv", line, "value") in places_of(report)


def zip_of(files, method=zipfile.ZIP_DEFLATED):
    file = io.BytesIO()
    with zipfile.ZipFile(file, "w", method) as archive:
        for name, content in files:
            archive.writestr(name, content)
    return file.getvalue()


def damaged(content):
    """Return the ZIP with other bytes in the middle of its first file."""
    return content[:60] + bytes(20) + content[80:]


MANIFEST = b"propertyName,value\r\noneroster.version,1.2\r\n" * 9


@pytest.mark.parametrize(
    ("content", "file"),
    [
        (b"", "roster.zip"),
        (b"no zip", "roster.zip"),
        (zip_of([("manifest.csv", MANIFEST)])[:-30], "roster.zip"),
        (damaged(zip_of([("manifest.csv", MANIFEST)])), "manifest.csv"),
        (zip_of([]), "manifest.csv"),
        (zip_of([("folder/manifest.csv", MANIFEST)]), "manifest.csv"),
        (zip_of([("manifest.csv", MANIFEST), ("../users.csv", b"")]), "../users.csv"),
        (zip_of([("manifest.csv", MANIFEST), ("/users.csv", b"")]), "/users.csv"),
        (zip_of([("manifest.csv", MANIFEST), ("..\\users.csv", b"")]), "..\\users.csv"),
        (zip_of([("manifest.csv", MANIFEST), ("C:\\users.csv", b"")]), "C:\\users.csv"),
        (zip_of([("manifest.csv", MANIFEST)], zipfile.ZIP_BZIP2), "manifest.csv"),
        (zip_of([(f"{n}.csv", b"") for n in range(101)]), "roster.zip"),
        (zip_of([("manifest.csv", "propertyName,値".encode("cp932"))]), "manifest.csv"),
        (zip_of([("manifest.csv", b'propertyName,value\r\n"a"b,c\r\n')]), "manifest.csv"),
    ],
)  # fmt: skip
def test_a_zip_that_is_no_roster_is_refused(roster, content, file):
    report, code = roster(content)
    assert (code, report["errors"][0]["file"]) == (1, file)


def test_a_folder_in_the_zip_is_named(roster):
    [error] = roster(zip_of([("2026/roster/manifest.csv", MANIFEST)]))[0]["errors"]
    assert "folder “2026/roster”" in error["message"]


@pytest.mark.filterwarnings("ignore:Duplicate name")
def test_a_file_that_is_there_twice_is_refused(roster):
    twice = zip_of([("manifest.csv", MANIFEST), ("manifest.csv", MANIFEST)])
    assert roster(twice)[0]["errors"][0]["file"] == "manifest.csv"


def test_a_password_is_named(roster):
    content = bytearray(zip_of([("manifest.csv", MANIFEST)]))
    for mark, offset in ((b"PK\3\4", 6), (b"PK\1\2", 8)):
        content[content.index(mark) + offset] |= 1
    report, _code = roster(bytes(content))
    assert "password" in report["errors"][0]["message"]


def test_a_bomb_is_refused_whatever_size_it_claims(roster, monkeypatch):
    monkeypatch.setattr("puzzleclass.rosters.zip_files.MOST_BYTES", 100_000)
    content = zip_of([("manifest.csv", bytes(200_000))])
    assert "100" not in roster(content)[0]["errors"][0]["file"]
    size = (200_000).to_bytes(4, "little")
    report, code = roster(content.replace(size, (500).to_bytes(4, "little")))
    assert (code, report["stored"]) == (1, False)


def test_a_zip_that_grows_a_hundredfold_is_refused(roster):
    content = zip_of([("manifest.csv", MANIFEST), ("users.csv", b"," * 2_000_000)])
    assert len(content) < 20_000
    [error] = roster(content)[0]["errors"]
    assert (error["file"], error["line"]) == ("roster.zip", 0) and "far larger" in error["message"]


@pytest.mark.parametrize("row", ["," * 100_001, '"\n",' * 25_001, f'"{"a" * 100_001}"'])
def test_a_row_without_end_is_refused(roster, row):
    with zipfile.ZipFile(io.BytesIO(packed(tables()))) as archive:
        files = {name: archive.read(name) for name in archive.namelist()}
    files["users.csv"] += row.encode() + b"\n"
    report, code = roster(zip_of(files.items()))
    assert code == 1 and ("users.csv", len(BULK["users"]) + 1, "") in places_of(report)


def test_a_table_with_too_many_rows_is_refused(roster, monkeypatch):
    monkeypatch.setattr("puzzleclass.rosters.tables.MOST_ROWS", 12)
    given = tables()
    given["users"] += [[f"x{n}", *given["users"][1][1:]] for n in range(20)]
    assert ("users.csv", 14, "") in places_of(roster(packed(given))[0])


@pytest.mark.parametrize(("name", "said"), [("none.zip", "no such file"), ("", "a folder")])
def test_a_file_that_can_t_be_opened_is_an_error_as_any_other(tmp_path, name, said):
    path, out = tmp_path / name, io.StringIO()
    with pytest.raises(SystemExit) as ended:
        call_command("roster", str(path), "--language", "en", stdout=out)
    report = json.loads(out.getvalue())
    assert (ended.value.code, report["stored"], report["error_count"]) == (1, False, 1)
    assert report["errors"][0]["file"] == path.name and said in report["errors"][0]["message"]


def test_somebody_who_writes_meanwhile_is_told(roster, monkeypatch):
    def changed(plan, by, file_name):
        raise IntegrityError

    monkeypatch.setattr("puzzleclass.rosters.imports.carry_out", changed)
    report, code = roster(packed(tables()))
    assert (code, report["stored"], report["error_count"]) == (1, False, 1)


def test_an_import_is_all_or_nothing(roster, monkeypatch):
    def fails(*args):
        raise IntegrityError

    before = everything()
    monkeypatch.setattr("puzzleclass.rosters.changes._store_teachings", fails)
    assert roster(packed(tables()))[1] == 1
    assert everything() == before


def test_errors_are_in_the_language_that_is_asked_for(tmp_path):
    path = tmp_path / "roster.zip"
    path.write_bytes(b"no zip")
    out = io.StringIO()
    with pytest.raises(SystemExit):
        call_command("roster", str(path), "--language", "ja", stdout=out)
    assert "ZIP" in out.getvalue() and "です" in json.loads(out.getvalue())["errors"][0]["message"]


# Undo


@pytest.fixture
def undo():
    """Return a function that undoes an import by the command; it returns the JSON and exit code."""

    def undo(*options):
        out, code = io.StringIO(), 0
        try:
            call_command("roster", "--undo", *options, "--language", "en", stdout=out)
        except SystemExit as ended:
            code = ended.code
        return json.loads(out.getvalue()), code

    return undo


def test_a_hyphen_stands_for_a_missing_part_of_a_name(roster):
    given = tables()
    given["users"][3][3] = "-"
    roster(packed(given))
    assert names_in("4年2組") == ["1 加藤"]


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


def test_undo_restores_every_row(roster, undo, teacher):
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


def test_master_identifiers_are_stored_changed_and_restored(roster, undo, teacher):
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


def test_exchanged_numbers_and_students_who_came_back_are_restored(roster, undo, teacher):
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


def test_an_import_that_changes_nothing_leaves_no_record(roster):
    report, _code = roster(packed(tables()))
    assert report["import"] == RosterImport.objects.get().pk
    report, _code = roster(packed(tables()))
    assert (report["stored"], report["import"]) == (True, None)
    assert roster(packed(tables()), "--dry-run")[0]["import"] is None


def test_a_later_import_of_the_same_rows_is_undone_first(roster, undo):
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


def test_a_later_import_of_another_school_does_not_matter(roster, undo):
    first, _code = roster(packed(tables()), "--school", "みどり小学校")
    given = tables()
    given["orgs"].append(["o2", "", "", "あおば小学校", "school", ""])
    given["classes"].append(["c5", "1年1組", "P1", "k1", "homeroom", "o2", "t1", ""])
    given["users"].append(["u5", "true", "ueda", "空", "上田", *[""] * 4, "o2", "", "", ""])
    given["roles"].append(["r6", "u5", "primary", "student", "o2"])
    given["enrollments"].append(["e5", "c5", "o2", "u5", "student", "false", *[""] * 4])
    roster(packed(given), "--school", "あおば小学校")
    assert undo("--school", "みどり小学校")[0]["import"] == first["import"]
    assert names_in("1年1組") == ["1 上田 空"]
    assert not Classroom.objects.filter(name="4年1組").exists()


def test_what_somebody_has_changed_since_is_named(roster, undo):
    roster(packed(tables()))
    roster(packed(next_year()))
    User.objects.filter(name="安部 大翔").update(name="あべ ひろと")
    state = everything()
    answer, code = undo()
    assert (code, everything()) == (1, state)
    assert answer["errors"] == [{"message": "“あべ ひろと” has been changed since the import."}]


def test_work_of_new_students_is_not_deleted(roster, undo, teacher, assigned, tried, lines):
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


def test_an_import_can_be_undone_for_thirty_days(roster, undo):
    roster(packed(tables()))
    RosterImport.objects.update(made_at=timezone.now() - timedelta(days=30, minutes=1))
    assert undo()[1] == 1
    assert sum(prune_imports()) == 2  # the record, and its school
    assert not RosterImport.objects.exists()


def test_values_before_an_import_are_deleted_with_the_student(roster, teacher):
    roster(packed(tables()))
    roster(packed(next_year()))
    student = User.objects.get(name="安部 大翔")
    assert ChangedRow.objects.filter(student=student).exists()
    delete_all(None, User.objects.filter(pk=student.pk))
    assert not [
        row for row in ChangedRow.objects.values_list("before", flat=True) if "安部" in str(row)
    ]


# What happens in between


def without_ito(given):
    """Return the tables without the student of number 2 in the first class."""
    return given | {
        name: [row for row in given[name] if "u2" not in row[:4]]
        for name in ("users", "roles", "enrollments")
    }


def test_a_student_who_leaves_twice_is_in_the_archive_once_with_a_number_of_their_own(roster):
    other = tables()
    other["users"][2][:5] = ["u7", "true", "ueda", "剛", "上田"]
    other["users"][2][7] = ""
    for table, column in (("roles", 1), ("enrollments", 3)):
        other[table][2][column] = "u7"
    other["roles"][2][0], other["enrollments"][2][0] = "r7", "e7"
    for given in (tables(), without_ito(tables()), other, without_ito(tables()), tables()):
        assert roster(packed(given))[1] == 0
    assert names_in("4年1組") == ["1 安部 陽斗", "2 伊藤 ゆい"]
    assert roster(packed(without_ito(tables())))[1] == 0
    left = sorted(names_in("4年1組 (left)"), key=lambda name: name[2:])
    assert [name[2:] for name in left] == ["上田 剛", "伊藤 ゆい"]
    assert len({name[0] for name in left}) == 2


def test_a_class_that_comes_back_is_taken_out_of_the_archive(roster):
    roster(packed(tables()))
    given = tables()
    del given["classes"][2], given["users"][3], given["roles"][3], given["enrollments"][3]
    roster(packed(given))
    assert Classroom.objects.get(name="4年2組").archived_at
    report, code = roster(packed(tables()))
    assert (code, count_of(report, "classes")) == (0, (0, 1, 0, 0, 1))
    assert Classroom.objects.get(name="4年2組").archived_at is None
    assert names_in("4年2組") == ["1 加藤 蓮"]


def test_a_teacher_of_the_class_already_is_not_added_again_and_moves_to_another(roster, teacher):
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


def test_a_class_has_a_bound_and_numbers_do_too(roster, monkeypatch):
    given = tables()
    given["enrollments"][1][8], given["enrollments"][2][8] = "9999", ""
    report, code = roster(packed(given))
    assert code == 1
    [error] = report["errors"]
    assert (error["file"], error["line"]) == ("enrollments.csv", 3)
    assert error["message"] == "The number is too high."
    monkeypatch.setattr("puzzleclass.rosters.enrolments.MOST_STUDENTS", 1)
    report, code = roster(packed(tables()))
    assert code == 1
    assert report["errors"][0]["message"] == "A class holds at most 1 students."
    assert not Classroom.objects.exists()


def test_an_empty_line_counts_as_a_line(roster):
    given = tables()
    given["enrollments"].insert(2, [])
    assert roster(packed(given))[1] == 0
    given["enrollments"][3][3] = "u77"
    report, _code = roster(packed(given))
    assert [(each["file"], each["line"]) for each in report["errors"]] == [("enrollments.csv", 4)]


DELTA_HEADS = {
    "orgs": ["sourcedId", "status", "dateLastModified", "name", "type"],
    "classes": [
        "sourcedId", "status", "dateLastModified", "title", "courseSourcedId", "classType",
        "schoolSourcedId", "termSourcedIds",
    ],
    "enrollments": [
        "sourcedId", "status", "dateLastModified", "classSourcedId", "userSourcedId", "role",
    ],
}  # fmt: skip


def delta(**rows):
    """Return the ZIP of a delta with one row in each of the tables."""
    stamped = {
        name: [DELTA_HEADS[name], [key, status, DELTA_STAMP, *cells]]
        for name, (key, status, *cells) in rows.items()
    }
    return packed({"manifest": BULK["manifest"], **stamped}, "delta")


def test_a_delta_takes_a_class_and_a_school_away(roster):
    roster(packed(tables()))
    report, code = roster(delta(classes=("c2", "tobedeleted", "", "", "", "", "")))
    assert (code, report["errors"]) == (0, [])
    assert count_of(report, "classes") == (0, 0, 0, 1, 0)
    assert Classroom.objects.get(name="4年2組").archived_at
    report, code = roster(delta(orgs=("o1", "tobedeleted", "", "school")))
    assert (code, count_of(report, "orgs")) == (0, (0, 0, 0, 1, 0))
    assert SchoolId.objects.get().left_at


@pytest.mark.parametrize(
    ("rows", "file", "column"),
    [
        (
            {"classes": ("c5", "active", "5年1組", "k1", "homeroom", "o9", "t1")},
            "classes.csv",
            "schoolSourcedId",
        ),
        (
            {"enrollments": ("e5", "active", "c9", "u1", "student")},
            "enrollments.csv",
            "classSourcedId",
        ),
    ],
)
def test_a_delta_that_points_nowhere_is_refused(roster, rows, file, column):
    roster(packed(tables()))
    before = everything()
    report, code = roster(delta(**rows))
    assert code == 1
    [error] = report["errors"]
    assert (error["file"], error["line"], error["column"]) == (file, 2, column)
    assert everything() == before


def test_a_student_taken_back_by_hand_who_leaves_again_is_in_the_archive_once(roster):
    roster(packed(tables()))
    roster(packed(without_ito(tables())))
    student = User.objects.get(name="伊藤 ゆい")
    Classroom.objects.get(name="4年1組").enrolments.create(student=student, number=2)
    roster(packed(tables()))
    assert names_in("4年1組") == ["1 安部 陽斗", "2 伊藤 ゆい"]
    assert roster(packed(without_ito(tables())))[1] == 0
    assert student.enrolments.get().classroom.name == "4年1組 (left)"
    assert names_in("4年1組") == ["1 安部 陽斗"]
