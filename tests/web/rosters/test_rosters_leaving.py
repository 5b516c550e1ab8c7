"""People and classes that a roster names no more, and those that come back."""

import pytest

from puzzleclass.accounts.models import User
from puzzleclass.classes.models import Classroom, Teaching
from tests.oneroster import packed, tables
from tests.web.rosters.roster_command import count_of, everything, names_in, places_of, roster

pytestmark = pytest.mark.django_db


def test_students_who_left_are_archived_with_their_work_and_come_back(
    teacher, assigned, tried, lines
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


def test_a_class_that_left_is_archived_with_its_list(teacher):
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


def test_a_teacher_who_left_loses_the_class_and_a_colleague_owns_it(teacher, other_teacher):
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


def test_a_student_whom_a_teacher_took_back_meanwhile_keeps_that_place(teacher):
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


def test_disabled_people_and_ended_enrolments_have_left():
    roster(packed(tables()))
    given = tables()
    given["users"][1][1], given["enrollments"][2][7] = "false", "2026-05-01"
    report, _code = roster(packed(given), "--many-changes")
    assert count_of(report, "users") == (0, 0, 0, 1, 2)
    assert count_of(report, "enrollments") == (0, 0, 0, 2, 1)
    assert names_in("4年1組") == []
    assert User.objects.get(name="安部 陽斗").sign_outs == 1


def test_a_file_that_leaves_out_most_people_must_be_confirmed(teacher):
    roster(packed(tables()), "--link")
    incomplete = tables()
    for name in ("users", "roles", "enrollments"):
        del incomplete[name][2:]
    before = everything()
    for options in ((), ("--dry-run",)):
        report, code = roster(packed(incomplete), *options)
        assert (code, report["stored"], everything()) == (1, False, before)
        [error] = report["errors"]
        assert error["message"].startswith("3 of the 4 people of a school would")
        assert "--many-changes" in error["message"]
    report, code = roster(packed(incomplete), "--many-changes")
    assert (code, report["stored"], report["users"]["left"]) == (0, True, 3)


def test_class_lists_that_lack_most_students_must_be_confirmed(teacher):
    roster(packed(tables()))
    incomplete = tables()
    del incomplete["enrollments"][2:4]
    before = everything()
    report, code = roster(packed(incomplete))
    assert (code, everything()) == (1, before)
    assert report["errors"][0]["message"].startswith("2 of the 3 students on the class lists")
    report, code = roster(packed(incomplete), "--many-changes")
    assert (code, report["enrollments"]["left"]) == (0, 2)


def test_one_school_of_many_is_not_emptied():
    """The share is that of each school, so that many others do not hide an empty one."""
    given = tables()
    given["orgs"].append(["o2", "", "", "あおば小学校", "school", ""])
    people = given["users"]
    for number in range(20, 30):
        key = f"u{number}"
        people.append([key, "true", key, key, "森", "", "", "", "", "o2", "", "", ""])
        given["roles"].append([f"r{number}", key, "primary", "student", "o2"])
    roster(packed(given))
    lacking = {key: list(rows) for key, rows in given.items()}
    for name in ("users", "roles", "enrollments"):
        lacking[name] = [row for row in given[name] if not {"u1", "u2", "u3"} & set(row)]
    before = everything()
    report, code = roster(packed(lacking))
    assert (code, everything()) == (1, before)
    assert report["errors"][0]["message"].startswith("3 of the 3 people of a school would")


def test_classes_of_the_year_before_ask_nobody():
    """At the end of the school year, all classes leave with their lists."""
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


@pytest.mark.parametrize("table", ["orgs", "classes", "users", "enrollments"])
def test_a_table_of_which_everything_would_leave_is_refused(table):
    roster(packed(tables()))
    before = everything()
    given = tables()
    del given[table][1:]
    report, code = roster(packed(given), "--many-changes")
    assert (code, everything()) == (1, before)
    assert (f"{table}.csv", 0, "") in places_of(report)


def without_ito(given):
    """Return the tables without the student of number 2 in the first class."""
    return given | {
        name: [row for row in given[name] if "u2" not in row[:4]]
        for name in ("users", "roles", "enrollments")
    }


def test_a_student_who_leaves_twice_is_in_the_archive_once_with_a_number_of_their_own():
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


def test_a_class_that_comes_back_is_taken_out_of_the_archive():
    roster(packed(tables()))
    given = tables()
    del given["classes"][2], given["users"][3], given["roles"][3], given["enrollments"][3]
    roster(packed(given))
    assert Classroom.objects.get(name="4年2組").archived_at
    report, code = roster(packed(tables()))
    assert (code, count_of(report, "classes")) == (0, (0, 1, 0, 0, 1))
    assert Classroom.objects.get(name="4年2組").archived_at is None
    assert names_in("4年2組") == ["1 加藤 蓮"]


def test_a_student_taken_back_by_hand_who_leaves_again_is_in_the_archive_once():
    roster(packed(tables()))
    roster(packed(without_ito(tables())))
    student = User.objects.get(name="伊藤 ゆい")
    Classroom.objects.get(name="4年1組").enrolments.create(student=student, number=2)
    roster(packed(tables()))
    assert names_in("4年1組") == ["1 安部 陽斗", "2 伊藤 ゆい"]
    assert roster(packed(without_ito(tables())))[1] == 0
    assert student.enrolments.get().classroom.name == "4年1組 (left)"
    assert names_in("4年1組") == ["1 安部 陽斗"]
