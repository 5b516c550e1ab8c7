"""Reading a OneRoster ZIP: the manifest, and the rows that a class list needs.

`read_zip` checks each file by itself, and `check_references` the identifiers by which rows name
each other. Neither touches the database.
"""

from collections import defaultdict
from collections.abc import Collection, Iterator, Mapping
from dataclasses import dataclass, field
from datetime import date
from typing import IO

from django.utils import timezone

from puzzleclass.classes.roster import CLASS_LENGTH, NAME_LENGTH, clean_name
from puzzleclass.rosters.faults import Faults
from puzzleclass.rosters.models import CODE_LENGTH, SOURCE_LENGTH
from puzzleclass.rosters.tables import (
    NUMBER,
    REQUIRED,
    SHOWN,
    SPECIAL_NEEDS,
    Mode,
    Row,
    file_of,
    read_rows,
    read_table,
)
from puzzleclass.rosters.zip_files import ZipTexts, texts_of_zip
from solvers.message import Message

_READINGS = (
    ("metadata.jp.kanaPreferredFamilyName", "metadata.jp.kanaFamilyName"),
    ("metadata.jp.kanaPreferredGivenName", "metadata.jp.kanaGivenName"),
)
"""The columns of the readings of the family name and of the given name, the first that is filled
in."""
UNNAMED_SOURCE = "OneRoster"
"""The source of a roster that names none."""
MANIFEST = "manifest"
SCHOOL_LENGTH = 100
NO_NAME = "-"
"""It stands for a missing part of a name, because the standard demands both parts."""

GRADES = {
    **{f"P{n}": n for n in range(1, 7)},
    **{f"J{n}": n + 6 for n in range(1, 4)},
    **{f"H{n}": n + 9 for n in range(1, 4)},
    **{f"{n:02}": n for n in range(1, 13)},
}
"""The codes of the Japanese profiles and of CEDS -> years at school, as in `classes.models`."""
JAPANESE_VERSION = "1.2_JP"
JAPANESE_GRADES = "E1, E2, E3, P1, P2, P3, P4, P5, P6, J1, J2, J3, H1, H2, H3"
"""The codes of years in the version of 2026, from kindergarten to high school."""
MANIFEST_VERSION = "1.0"
VERSIONS = ("1.1", "1.2", "1.2.1", JAPANESE_VERSION)


@dataclass(slots=True)
class SchoolRow:
    """A school of orgs.csv."""

    line: int
    is_present: bool
    name: str
    code: str = ""
    """The school's code (`identifier`), or nothing."""


@dataclass(slots=True)
class ClassRow:
    """A class of classes.csv."""

    line: int
    is_present: bool
    school: str
    name: str
    grade: int | None
    special_needs: bool | None
    """Whether the class is for special needs; None if the roster does not say."""


@dataclass(slots=True)
class UserRow:
    """A person of users.csv."""

    line: int
    is_present: bool
    name: str
    reading: str
    username: str
    email: str
    roles: set[str]
    schools: list[str]
    """The identifiers of the person's schools, the main one first."""
    master_id: str
    """The `userMasterIdentifier` in small letters, or nothing."""


@dataclass(slots=True)
class EnrolmentRow:
    """A row of enrollments.csv."""

    line: int
    is_present: bool
    classroom: str
    user: str
    role: str
    is_primary: bool
    number: int | None
    number_column: str
    """The heading of the column that holds the number."""


@dataclass(slots=True)
class OneRoster:
    """A roster as it was read. Its rows are found by their identifiers."""

    source: str = UNNAMED_SOURCE
    version: str = ""
    modes: dict[str, Mode] = field(default_factory=dict)
    schools: dict[str, SchoolRow] = field(default_factory=dict)
    classes: dict[str, ClassRow] = field(default_factory=dict)
    users: dict[str, UserRow] = field(default_factory=dict)
    enrolments: dict[str, EnrolmentRow] = field(default_factory=dict)
    other_orgs: set[str] = field(default_factory=set)
    """The identifiers of organizations that are no schools."""
    references: list[tuple[str, int, str, str, str]] = field(default_factory=list)
    """The table, line and column of each reference, the table it names, and the identifier."""
    keys: dict[str, set[str]] = field(default_factory=dict)
    """The identifiers of each table."""

    def mode(self, table: str) -> Mode:
        """Return what the manifest says of the table."""
        return self.modes.get(table, Mode.ABSENT)


def read_zip(file: IO[bytes], faults: Faults) -> OneRoster:
    """Return the roster in the ZIP. Whatever is wrong with it is added to the faults."""
    roster = OneRoster()
    content = texts_of_zip(file, {file_of(table) for table in (MANIFEST, *REQUIRED)}, faults)
    texts = content.texts
    if faults.count:
        return roster
    if file_of(MANIFEST) not in texts:
        faults.add(file_of(MANIFEST), 0, "", _no_manifest(content.names))
        return roster
    _read_manifest(roster, content, faults)
    if faults.count:
        return roster
    roles: dict[str, list[Row]] = defaultdict(list)
    for row in _rows(roster, texts, "roles", faults):
        if not row.is_deleted:
            roles[row.text("userSourcedId")].append(row)
    for row in _rows(roster, texts, "orgs", faults):
        _add_org(roster, row, faults)
    for table in ("academicSessions", "courses"):
        for _row in _rows(roster, texts, table, faults):
            pass  # The rows are checked, and other rows may refer to them.
    for row in _rows(roster, texts, "classes", faults):
        _add_class(roster, row, faults)
    for row in _rows(roster, texts, "users", faults):
        _add_user(roster, row, roles.get(row.text("sourcedId"), []), faults)
    _check_master_ids(roster, faults)
    today = timezone.localdate()
    for row in _rows(roster, texts, "enrollments", faults):
        _add_enrolment(roster, row, today)
    return roster


def _no_manifest(names: Collection[str]) -> Message:
    """Return what is wrong with a ZIP with files of these names and without a manifest."""
    for name in names:
        folder, _slash, file = name.rpartition("/")
        if file == file_of(MANIFEST):
            return Message(
                "This file is in the folder “{folder}”. Pack the files themselves, without the "
                "folder.",
                {"folder": folder[:SHOWN]},
            )
    return Message("The ZIP has no such file. Each OneRoster ZIP has one.")


def _read_manifest(roster: OneRoster, content: ZipTexts, faults: Faults) -> None:
    file, values, lines = file_of(MANIFEST), dict[str, str](), dict[str, int]()
    for row in read_rows(MANIFEST, content.texts[file], ("propertyName", "value"), faults):
        name = row.text("propertyName")
        values[name], lines[name] = row.text("value"), row.line
    if faults.count:
        return
    roster.version = version = values.get("oneroster.version", "")
    if version not in VERSIONS:
        known = {"version": version[:20], "versions": ", ".join(VERSIONS)}
        wrong = Message("Version “{version}” can't be read. Known versions: {versions}.", known)
        faults.add(file, lines.get("oneroster.version", 0), "value", wrong)
    manifest = values.get("manifest.version", MANIFEST_VERSION)
    if manifest != MANIFEST_VERSION:
        known = {"version": manifest[:20], "versions": MANIFEST_VERSION}
        wrong = Message("Version “{version}” can't be read. Known versions: {versions}.", known)
        faults.add(file, lines["manifest.version"], "value", wrong)
    # A file that is not read has to be what the manifest says of it as well: the ZIP may be only a
    # part of what the system has written.
    others = [name.removeprefix("file.") for name in values if name.startswith("file.")]
    for table in dict.fromkeys((*REQUIRED, *others)):
        value, name = values.get(f"file.{table}") or Mode.ABSENT, file_of(table)
        line = lines.get(f"file.{table}", 0)
        if value not in list(Mode):
            choices = {"text": value[:20], "choices": ", ".join(Mode)}
            wrong = Message("“{text}” is not one of these values: {choices}.", choices)
            faults.add(file, line, "value", wrong)
            continue
        roster.modes[table] = Mode(value)
        is_there = name in content.names
        if (value != Mode.ABSENT) != is_there:
            said = {"file": name, "mode": value}
            wrong = (
                Message(
                    "The manifest says “{mode}” for {file}, but the ZIP contains this file.", said
                )
                if is_there
                else Message(
                    "The manifest says “{mode}” for {file}, but the ZIP does not contain "
                    "this file.",
                    said,
                )
            )
            faults.add(file, line, "value", wrong)
    source = values.get("source.systemCode") or values.get("source.systemName") or UNNAMED_SOURCE
    roster.source = clean_name(source)[:SOURCE_LENGTH]


def _rows(roster: OneRoster, texts: Mapping[str, str], table: str, faults: Faults) -> Iterator[Row]:
    """Yield the sound rows of the table. Keep the identifiers and references of all rows."""
    mode, keys = roster.mode(table), roster.keys.setdefault(table, set())
    if mode is Mode.ABSENT:
        return
    for row in read_table(table, texts[file_of(table)], mode, faults):
        keys.add(row.text("sourcedId"))
        if roster.version == JAPANESE_VERSION:
            _check_grades(row, faults)
        if not row.is_deleted:
            for column, target in _REFERENCES.get(table, {}).items():
                roster.references += [
                    (table, row.line, column, target, key) for key in row.texts(column)
                ]
        if row.is_sound:
            yield row


_REFERENCES = {
    "orgs": {"parentSourcedId": "orgs"},
    "academicSessions": {"parentSourcedId": "academicSessions"},
    "courses": {"orgSourcedId": "orgs", "schoolYearSourcedId": "academicSessions"},
    "classes": {
        "courseSourcedId": "courses",
        "schoolSourcedId": "orgs",
        "termSourcedIds": "academicSessions",
    },
    "users": {
        "orgSourcedIds": "orgs",
        "primaryOrgSourcedId": "orgs",
        "metadata.jp.homeClass": "classes",
    },
    "roles": {"userSourcedId": "users", "orgSourcedId": "orgs"},
    "enrollments": {
        "classSourcedId": "classes",
        "schoolSourcedId": "orgs",
        "userSourcedId": "users",
    },
}
"""Table -> column -> the table that its identifiers belong to."""


def check_references(
    roster: OneRoster, known: Mapping[str, Collection[str]], faults: Faults
) -> None:
    """Add a fault for each reference to a row that is neither in the roster nor known.

    `known` holds identifiers that earlier imports have stored, by table. A table that comes in bulk
    is complete. Where nothing is known of a table, references to it are not checked, and neither
    are those to a table that can't be read as a whole.
    """
    for table, line, column, target, key in roster.references:
        if key in roster.keys.get(target, ()) or file_of(target) in faults.unread:
            continue
        if roster.mode(target) is not Mode.BULK and key in known.get(target, (key,)):
            continue
        missing = Message("{file} has no row “{id}”.", {"file": file_of(target), "id": key[:40]})
        faults.add(file_of(table), line, column, missing)


# Rows


def _add_org(roster: OneRoster, row: Row, faults: Faults) -> None:
    name, key = clean_name(row.text("name")), row.text("sourcedId")
    if row.text("type") != "school" and not row.is_deleted:
        roster.other_orgs.add(key)
        return
    _check_length(row, "name", name, SCHOOL_LENGTH, faults)
    code = clean_name(row.text("identifier"))[:CODE_LENGTH]
    roster.schools[key] = SchoolRow(row.line, not row.is_deleted, name, code)


def _add_class(roster: OneRoster, row: Row, faults: Faults) -> None:
    name, grades = clean_name(row.text("title")), row.texts("grades")
    _check_length(row, "title", name, CLASS_LENGTH, faults)
    grade = GRADES.get(grades[0]) if len(grades) == 1 else None
    needs = row.text(SPECIAL_NEEDS).lower()
    roster.classes[row.text("sourcedId")] = ClassRow(
        row.line,
        not row.is_deleted,
        row.text("schoolSourcedId"),
        name,
        grade,
        needs == "true" if needs else None,
    )


def _add_user(roster: OneRoster, row: Row, roles: list[Row], faults: Faults) -> None:
    family = row.text("preferredFamilyName", "familyName")
    given = row.text("preferredGivenName", "givenName")
    name = clean_name(" ".join(part for part in (family, given) if part != NO_NAME))
    reading = clean_name(" ".join(row.text(*columns) for columns in _READINGS))
    _check_length(row, "familyName", name, NAME_LENGTH, faults)
    _check_length(row, "metadata.jp.kanaFamilyName", reading, NAME_LENGTH, faults)
    roles.sort(key=lambda role: role.text("roleType") != "primary")
    own = [row.text("primaryOrgSourcedId"), *(role.text("orgSourcedId") for role in roles)]
    roster.users[row.text("sourcedId")] = UserRow(
        line=row.line,
        is_present=not row.is_deleted and row.text("enabledUser").lower() != "false",
        name=name,
        reading=reading,
        username=row.text("username"),
        email=row.text("email"),
        roles={role.text("role") for role in roles} | {row.text("role")} - {""},
        schools=[key for key in (*own, *row.texts("orgSourcedIds")) if key],
        master_id=row.text("userMasterIdentifier").lower(),
    )


def _check_master_ids(roster: OneRoster, faults: Faults) -> None:
    """Add a fault for each person with the `userMasterIdentifier` of another one."""
    lines: dict[str, int] = {}
    for row in roster.users.values():
        if not row.master_id or not row.is_present:
            continue
        line = lines.setdefault(row.master_id, row.line)
        if line != row.line:
            twice = Message("Line {line} gives this identifier to another person.", {"line": line})
            faults.add(file_of("users"), row.line, "userMasterIdentifier", twice)


def _add_enrolment(roster: OneRoster, row: Row, today: date) -> None:
    end, number = row.text("endDate"), row.text(*NUMBER)
    roster.enrolments[row.text("sourcedId")] = EnrolmentRow(
        line=row.line,
        is_present=not row.is_deleted and not (end and date.fromisoformat(end) < today),
        classroom=row.text("classSourcedId"),
        user=row.text("userSourcedId"),
        role=row.text("role"),
        is_primary=row.text("primary").lower() == "true",
        number=int(number) if number else None,
        number_column=next((name for name in NUMBER if name in row.columns), NUMBER[0]),
    )


def _check_grades(row: Row, faults: Faults) -> None:
    for code in row.texts("grades"):
        # Some systems write the general codes of OneRoster in files of this version, too.
        if code not in GRADES and code not in JAPANESE_GRADES.split(", "):
            choices = {"text": code[:SHOWN], "choices": JAPANESE_GRADES}
            wrong = Message("“{text}” is not one of these values: {choices}.", choices)
            faults.add(file_of(row.table), row.line, "grades", wrong)


def _check_length(row: Row, column: str, text: str, most: int, faults: Faults) -> None:
    if len(text) > most:
        long = Message(
            "“{name}…” has {length} characters. The maximum is {most}.",
            {"name": text[:12], "length": len(text), "most": most},
        )
        faults.add(file_of(row.table), row.line, column, long)
