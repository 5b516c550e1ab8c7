"""Rosters in OneRoster's CSV format: what an import stores, and what the next one changes."""

import time

import pytest
from django.db import IntegrityError

from puzzleclass.accounts.models import User
from puzzleclass.classes.models import Classroom, Enrolment, SignInCard, Teaching
from tests.oneroster import BULK, packed, tables, tables_of_two_schools
from tests.web.rosters.roster_command import count_of, everything, names_in, roster

pytestmark = pytest.mark.django_db


def test_a_bulk_roster_makes_classes_with_their_students(teacher):
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


def test_the_teacher_can_give_the_students_pins(teacher, teacher_client):
    roster(packed(tables()), "--link")
    classroom = Classroom.objects.get(name="4年1組")
    page = teacher_client.get(f"/classes/{classroom.pk}/students/")
    assert "安部 陽斗" in page.content.decode()
    assert not any(student.has_usable_password() for student in User.objects.filter(role="student"))
    sure = {"sure": "on"}
    answer = teacher_client.post(f"/classes/{classroom.pk}/pins/new/", sure, follow=True)
    slips = answer.context["slips"]
    assert [enrolment.student.name for enrolment, _pin in slips] == ["安部 陽斗", "伊藤 ゆい"]


@pytest.mark.parametrize(("bom", "end"), [(True, "\n"), (False, "\n"), (True, "\r\n")])
def test_the_same_roster_again_changes_nothing(teacher, bom, end):
    roster(packed(tables()), "--link")
    before = everything()
    report, code = roster(packed(tables(), bom=bom, end=end), "--link")
    assert code == 0
    for table, number in (("orgs", 1), ("classes", 2), ("users", 4), ("enrollments", 4)):
        assert count_of(report, table) == (0, 0, 0, 0, number)
    assert everything() == before


def test_a_dry_run_stores_nothing(teacher):
    before = everything()
    report, code = roster(packed(tables()), "--dry-run", "--link")
    assert (code, report["stored"]) == (0, False)
    assert count_of(report, "users") == (4, 0, 0, 0, 0)
    assert everything() == before


def test_oneroster_1_1_has_roles_in_the_table_of_users():
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


def test_the_older_japanese_headings_are_read():
    given = tables()
    given["enrollments"][0][8:] = ["metadata.jp.ShussekiNo", "metadata.jp.PublicFlg"]
    given["enrollments"][1][8] = "31"
    assert roster(packed(given))[1] == 0
    assert names_in("4年1組") == ["2 伊藤 ゆい", "31 安部 陽斗"]


def test_names_numbers_and_classes_change():
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


def test_a_student_who_moves_under_a_new_identifier_is_moved():
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


def test_students_without_numbers_are_numbered_and_keep_their_numbers():
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


def test_one_school_of_several():
    given = tables_of_two_schools()
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


def test_an_unknown_school_is_named():
    report, code = roster(packed(tables()), "--school", "あおば小学校")
    assert code == 1
    assert report["errors"][0]["file"] == "orgs.csv"


@pytest.mark.thorough
def test_two_thousand_students_within_seconds(teacher):
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


def test_somebody_who_writes_meanwhile_is_told(monkeypatch):
    def changed(plan, by, file_name):
        raise IntegrityError

    monkeypatch.setattr("puzzleclass.rosters.imports.carry_out", changed)
    report, code = roster(packed(tables()))
    assert (code, report["stored"], report["error_count"]) == (1, False, 1)


def test_an_import_is_all_or_nothing(monkeypatch):
    def fails(*args):
        raise IntegrityError

    before = everything()
    monkeypatch.setattr("puzzleclass.rosters.changes._store_teachings", fails)
    assert roster(packed(tables()))[1] == 1
    assert everything() == before


def test_a_hyphen_stands_for_a_missing_part_of_a_name():
    given = tables()
    given["users"][3][3] = "-"
    roster(packed(given))
    assert names_in("4年2組") == ["1 加藤"]
