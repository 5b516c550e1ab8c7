"""A roster that names only what has changed: a delta of OneRoster."""

import pytest

from puzzleclass.classes.models import Classroom
from puzzleclass.rosters.models import SchoolId
from tests.oneroster import BULK, packed, tables
from tests.web.rosters.roster_command import count_of, everything, names_in, places_of, roster

pytestmark = pytest.mark.django_db

DELTA_STAMP = "2026-11-01T00:00:00Z"


def test_a_delta_changes_only_the_rows_that_it_names(teacher):
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


def test_a_delta_may_have_no_rows():
    roster(packed(tables()))
    before = everything()
    users = [["sourcedId", "status", "dateLastModified", "username", "givenName", "familyName"]]
    report, code = roster(packed({"manifest": BULK["manifest"], "users": users}, "delta"))
    assert (code, report["errors"], everything()) == (0, [], before)


def test_a_delta_needs_status_and_time():
    users = [
        ["sourcedId", "status", "dateLastModified", "username", "givenName", "familyName"],
        ["u1", "", "", "abe", "陽斗", "安部"],
    ]
    report, code = roster(packed({"manifest": BULK["manifest"], "users": users}, "delta"))
    assert code == 1
    assert places_of(report) == [("users.csv", 2, "status"), ("users.csv", 2, "dateLastModified")]


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


def test_a_delta_takes_a_class_and_a_school_away():
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
def test_a_delta_that_points_nowhere_is_refused(rows, file, column):
    roster(packed(tables()))
    before = everything()
    report, code = roster(delta(**rows))
    assert code == 1
    [error] = report["errors"]
    assert (error["file"], error["line"], error["column"]) == (file, 2, column)
    assert everything() == before
