"""A fault in a table of a roster names its place, and nothing is stored."""

import io
import json

import pytest
from django.core.management import call_command

from puzzleclass.classes.models import Classroom
from tests.oneroster import BULK, packed, tables
from tests.web.rosters.roster_command import everything, names_in, places_of, roster

pytestmark = pytest.mark.django_db

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
    "the identifier of another person": (
        ("users", 2, 6, "2C5EA4C0-4067-11E9-8BAD-9B1DEB4D3B7D"),
        "userMasterIdentifier",
    ),
    "an unknown version of the manifest": (("manifest", 1, 1, "2.0"), "value"),
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
def test_a_fault_names_its_place_and_nothing_is_stored(teacher, fault):
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


def test_all_faults_are_named_at_once():
    given = tables()
    given["users"][1][4] = ""
    given["enrollments"][1][6] = "2026/4/1"
    given["enrollments"][2][1] = "c7"
    assert places_of(roster(packed(given))[0]) == [
        ("users.csv", 2, "familyName"),
        ("enrollments.csv", 2, "beginDate"),
        ("enrollments.csv", 3, "classSourcedId"),
    ]


def test_rows_that_can_t_be_read_are_no_missing_ones():
    given = tables()
    given["users"][1].pop()
    given["classes"][0][0] = "id"
    assert places_of(roster(packed(given))[0]) == [
        ("classes.csv", 1, "sourcedId"), ("users.csv", 2, "")
    ]  # fmt: skip


def test_a_row_with_too_few_cells_and_a_missing_column_are_named():
    given = tables()
    given["users"][2].pop()
    for row in given["classes"]:
        del row[1]
    report, code = roster(packed(given))
    assert code == 1
    assert {("users.csv", 3, ""), ("classes.csv", 1, "title")} <= set(places_of(report))


def test_two_columns_with_one_heading_and_an_empty_file_are_named():
    given = tables(courses=[])
    given["users"][0][2] = "sourcedId"
    report, _code = roster(packed(given))
    assert {("users.csv", 1, "sourcedId"), ("courses.csv", 1, "")} <= set(places_of(report))


def test_years_at_school_are_free_outside_japan():
    given = tables(manifest=[*BULK["manifest"][:2], ["oneroster.version", "1.2"]])
    given["classes"][1][2] = "KG"
    assert roster(packed(given))[1] == 0


def test_the_word_null_is_an_empty_cell():
    given = tables()
    given["enrollments"][1][7] = given["users"][1][6] = given["users"][2][7] = "NULL"
    assert roster(packed(given))[1] == 0
    assert names_in("4年1組") == ["1 安部 陽斗", "2 伊藤 結衣"]
    given["users"][1][4] = "NULL"
    assert places_of(roster(packed(given))[0]) == [("users.csv", 2, "familyName")]


def test_a_person_keeps_role_and_enrolment():
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


def test_only_the_first_faults_are_described():
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
def test_faults_of_the_manifest(lines, line):
    given = {"manifest": [["propertyName", "value"], *lines], "orgs": BULK["orgs"]}
    report, code = roster(packed(given, modes=False))
    assert code == 1
    assert ("manifest.csv", line, "value") in places_of(report)


def test_a_table_with_too_many_rows_is_refused(monkeypatch):
    monkeypatch.setattr("puzzleclass.rosters.tables.MAX_ROWS", 12)
    given = tables()
    given["users"] += [[f"x{n}", *given["users"][1][1:]] for n in range(20)]
    assert ("users.csv", 14, "") in places_of(roster(packed(given))[0])


def test_errors_are_in_the_language_that_is_asked_for(tmp_path):
    path = tmp_path / "roster.zip"
    path.write_bytes(b"no zip")
    out = io.StringIO()
    with pytest.raises(SystemExit):
        call_command("roster", str(path), "--language", "ja", stdout=out)
    assert "ZIP" in out.getvalue() and "です" in json.loads(out.getvalue())["errors"][0]["message"]


def test_a_class_has_a_bound_and_numbers_do_too(monkeypatch):
    given = tables()
    given["enrollments"][1][8], given["enrollments"][2][8] = "9999", ""
    report, code = roster(packed(given))
    assert code == 1
    [error] = report["errors"]
    assert (error["file"], error["line"]) == ("enrollments.csv", 3)
    assert error["message"] == "The number is too high."
    monkeypatch.setattr("puzzleclass.rosters.enrolments.MAX_STUDENTS", 1)
    report, code = roster(packed(tables()))
    assert code == 1
    assert report["errors"][0]["message"] == "A class holds at most 1 students."
    assert not Classroom.objects.exists()


def test_an_empty_line_counts_as_a_line():
    given = tables()
    given["enrollments"].insert(2, [])
    assert roster(packed(given))[1] == 0
    given["enrollments"][3][3] = "u77"
    report, _code = roster(packed(given))
    assert [(each["file"], each["line"]) for each in report["errors"]] == [("enrollments.csv", 4)]
