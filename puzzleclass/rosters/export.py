"""Writing a school's roster in the format in which it was imported (OneRoster 1.2, `1.2_JP`).

The file holds what the school's source has named and still names, with the names and numbers of
today. Importing it again changes nothing. Students and classes that were made by hand have no
identifiers of the source, so they are left out.
"""

import csv
import io
import zipfile
from collections.abc import Iterable
from typing import IO

from django.utils import timezone

from puzzleclass.classes.models import Teaching
from puzzleclass.classes.school_models import School
from puzzleclass.rosters.models import ClassId, EnrolmentId, SchoolId, UserId
from puzzleclass.rosters.oneroster import GRADES, JAPANESE_VERSION, NO_NAME
from puzzleclass.rosters.tables import IS_PUBLIC, NUMBER, SPECIAL_NEEDS, Mode

COLUMNS = {
    "orgs": "sourcedId status dateLastModified name type identifier parentSourcedId",
    "academicSessions": (
        "sourcedId status dateLastModified title type startDate endDate parentSourcedId schoolYear"
    ),
    "courses": (
        "sourcedId status dateLastModified schoolYearSourcedId title courseCode grades "
        "orgSourcedId subjects subjectCodes"
    ),
    "classes": (
        "sourcedId status dateLastModified title grades courseSourcedId classCode classType "
        "location schoolSourcedId termSourcedIds subjects subjectCodes periods " + SPECIAL_NEEDS
    ),
    "users": (
        "sourcedId status dateLastModified enabledUser username userIds givenName familyName "
        "middleName identifier email sms phone agentSourcedIds grades password "
        "userMasterIdentifier preferredGivenName preferredMiddleName preferredFamilyName "
        "primaryOrgSourcedId pronouns metadata.jp.kanaGivenName metadata.jp.kanaFamilyName "
        "metadata.jp.kanaMiddleName metadata.jp.homeClass metadata.jp.kanaPreferredFamilyName "
        "metadata.jp.kanaPreferredGivenName metadata.jp.kanaPreferredMiddleName"
    ),
    "roles": (
        "sourcedId status dateLastModified userSourcedId roleType role beginDate endDate "
        "orgSourcedId userProfileSourcedId"
    ),
    "enrollments": (
        "sourcedId status dateLastModified classSourcedId schoolSourcedId userSourcedId role "
        f"primary beginDate endDate {NUMBER[0]} {IS_PUBLIC[0]}"
    ),
}
"""Table -> the headings of its columns, in the order of the standard."""
FILES = (
    "academicSessions categories classes classResources courses courseResources demographics "
    "enrollments lineItemLearningObjectiveIds lineItems lineItemScoreScales orgs resources "
    "resultLearningObjectiveIds results resultScoreScales roles scoreScales userProfiles "
    "userResources users"
)
"""The names of all files of the standard. A manifest tells of each."""

Cells = dict[str, str]


class NothingImported(Exception):
    """Raised when no source has named the school."""


def write_roster(school: School, file: IO[bytes]) -> dict[str, int]:
    """Write the school's roster as a ZIP; return the number of rows by table.

    Raises NothingImported.
    """
    known = (
        SchoolId.objects.filter(source__school=school, left_at=None)
        .select_related("source__school")
        .order_by("-pk")
        .first()
    )
    if known is None:
        raise NothingImported
    tables = {table: rows for table, rows in _tables(known).items() if rows}
    manifest = [
        ["propertyName", "value"],
        ["manifest.version", "1.0"],
        ["oneroster.version", JAPANESE_VERSION],
        *([f"file.{name}", Mode.BULK if name in tables else Mode.ABSENT] for name in FILES.split()),
        ["source.systemName", known.source.name],
        ["source.systemCode", known.source.name],
    ]
    with zipfile.ZipFile(file, "w", zipfile.ZIP_DEFLATED) as archive:
        archive.writestr("manifest.csv", _text(manifest))
        for table, rows in tables.items():
            columns = COLUMNS[table].split()
            lines = [[row.get(column, "") for column in columns] for row in rows]
            archive.writestr(f"{table}.csv", _text([columns, *lines]))
    return {table: len(rows) for table, rows in tables.items()}


def _text(rows: Iterable[list[str]]) -> str:
    text = io.StringIO()
    csv.writer(text, lineterminator="\r\n").writerows(rows)
    return text.getvalue()


def _tables(known: SchoolId) -> dict[str, list[Cells]]:
    org, here = known.sourced_id, {"source": known.source, "left_at": None}
    today = timezone.localdate()
    year = today.year if today.month > 3 else today.year - 1
    classes = list(
        ClassId.objects.filter(**here, classroom__school=known.source.school).select_related(
            "classroom"
        )
    )
    users = list(UserId.objects.filter(**here).select_related("user"))
    return {
        "orgs": [{"sourcedId": org, "name": known.source.school.name, "type": "school"}],
        "academicSessions": [
            {
                "sourcedId": "school-year",
                "title": f"{year}年度",
                "type": "schoolYear",
                "startDate": f"{year}-04-01",
                "endDate": f"{year + 1}-03-31",
                "schoolYear": str(year),
            }
        ],
        "courses": [
            {"sourcedId": "course", "title": known.source.school.name, "orgSourcedId": org}
        ],
        "classes": [
            {
                "sourcedId": each.sourced_id,
                "title": each.classroom.name,
                "grades": _grade(each.classroom.grade),
                "courseSourcedId": "course",
                "classType": "homeroom",
                "schoolSourcedId": org,
                "termSourcedIds": "school-year",
                SPECIAL_NEEDS: ""
                if each.special_needs is None
                else str(each.special_needs).lower(),
            }
            for each in classes
        ],
        "users": [_user(each, org) for each in users],
        "roles": [
            {
                "sourcedId": f"role-{each.pk}",
                "userSourcedId": each.sourced_id,
                "roleType": "primary",
                "role": "student" if each.user.is_student else "teacher",
                "orgSourcedId": org,
            }
            for each in users
        ],
        "enrollments": _enrolments(known, classes, users),
    }


def _grade(grade: int | None) -> str:
    if grade is None:
        return ""
    return next((code for code, number in GRADES.items() if number == grade), "")


def _user(known: UserId, org: str) -> Cells:
    user = known.user
    family, _space, given = user.name.partition(" ")
    kana_family, _space, kana_given = user.reading.partition(" ")
    return {
        "sourcedId": known.sourced_id,
        "enabledUser": "true",
        # A student's username here is random and says nothing.
        "username": known.sourced_id if user.is_student else user.username,
        "familyName": family,
        "givenName": given or NO_NAME,
        "userMasterIdentifier": known.master_id,
        "primaryOrgSourcedId": org,
        "metadata.jp.kanaFamilyName": kana_family,
        "metadata.jp.kanaGivenName": kana_given,
    }


def _enrolments(known: SchoolId, classes: list[ClassId], users: list[UserId]) -> list[Cells]:
    class_keys = {each.classroom_id: each.sourced_id for each in classes}
    user_keys = {each.user_id: each.sourced_id for each in users}
    rows: list[Cells] = []
    ids = EnrolmentId.objects.filter(source=known.source, left_at=None)
    for each in ids.select_related("enrolment", "teaching"):
        enrolment, teaching = each.enrolment, each.teaching
        one = enrolment or teaching
        person = enrolment.student_id if enrolment else teaching.teacher_id if teaching else 0
        if one is None or one.classroom_id not in class_keys or person not in user_keys:
            continue
        is_owner = teaching is not None and teaching.role == Teaching.Role.OWNER
        rows.append(
            {
                "sourcedId": each.sourced_id,
                "classSourcedId": class_keys[one.classroom_id],
                "schoolSourcedId": known.sourced_id,
                "userSourcedId": user_keys[person],
                "role": "student" if enrolment else "teacher",
                "primary": "true" if is_owner else "false",
                NUMBER[0]: str(enrolment.number) if enrolment else "",
            }
        )
    return rows
