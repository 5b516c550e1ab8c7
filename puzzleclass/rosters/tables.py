"""The tables of OneRoster's CSV format: their columns, and the values that these may hold.

The format is that of 1EdTech's OneRoster 1.1 and 1.2, with the columns of the Japanese profiles.
The order of the columns does not matter, and unknown columns are ignored.
"""

import csv
import io
import re
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from datetime import date, datetime
from enum import StrEnum

from puzzleclass.classes.models import HIGHEST_NUMBER
from puzzleclass.database.texts import is_storable
from puzzleclass.rosters.faults import Faults
from puzzleclass.rosters.models import ID_LENGTH
from solvers.message import Message

MAX_ROWS = 500_000
"""The most rows of one table."""
LONGEST_ROW = 100_000
"""The most characters of one row."""
SHOWN = 40
"""The most characters of a faulty value that a fault quotes."""

REQUIRED: dict[str, tuple[str, ...]] = {
    "orgs": ("sourcedId", "name", "type"),
    "academicSessions": ("sourcedId", "title"),
    "courses": ("sourcedId", "title"),
    "classes": ("sourcedId", "title", "classType", "schoolSourcedId"),
    "users": ("sourcedId", "username", "givenName", "familyName"),
    "roles": ("sourcedId", "userSourcedId", "role", "orgSourcedId"),
    "enrollments": ("sourcedId", "classSourcedId", "userSourcedId", "role"),
}
"""The columns that a table must have, and in which no cell is empty.

Columns that the format requires and that nothing here depends on are not asked for.
"""

STORED = ("orgs", "classes", "users", "enrollments")
"""The tables whose rows are stored."""

NUMBER = ("metadata.jp.shussekiNo", "metadata.jp.ShussekiNo")
"""The headings of a student's number: that of 2026, and that of the profiles before."""
SPECIAL_NEEDS = "metadata.jp.specialNeeds"
IS_PUBLIC = ("metadata.jp.publicFlg", "metadata.jp.PublicFlg")


class Mode(StrEnum):
    """What the manifest says of a table."""

    ABSENT = "absent"
    BULK = "bulk"
    """The table holds all rows. A row that it lacks no longer exists."""
    DELTA = "delta"
    """The table holds the rows that have changed since the last time."""


@dataclass(slots=True)
class Row:
    """A row of a table. A cell that holds the word `NULL` is empty."""

    table: str
    line: int
    columns: dict[str, int]
    cells: list[str]
    is_sound: bool = True
    """Whether the row has no fault in itself."""

    def text(self, *columns: str) -> str:
        """Return the cell in the first of these columns that has one; otherwise an empty text."""
        for column in columns:
            index = self.columns.get(column)
            if index is not None and self.cells[index]:
                return self.cells[index]
        return ""

    def texts(self, column: str) -> list[str]:
        """Return the parts of a cell that holds a list."""
        return [part.strip() for part in self.text(column).split(",") if part.strip()]

    @property
    def is_deleted(self) -> bool:
        """Whether the source says that the row no longer exists."""
        return self.text("status") == "tobedeleted"


def file_of(table: str) -> str:
    """Return the name of the table's file."""
    return f"{table}.csv"


def read_table(table: str, text: str, mode: Mode, faults: Faults) -> Iterator[Row]:
    """Yield the rows of the table, and add the faults that they have in themselves.

    No two sound rows have the same identifier.
    """
    rows = read_rows(table, text, REQUIRED[table], faults)
    lines: dict[str, int] = {}
    first = faults.count
    for row in rows:
        before, key = faults.count, row.text("sourcedId")
        _check_row(row, mode, faults)
        if key in lines:
            twice = Message("Line {line} has the same identifier.", {"line": lines[key]})
            faults.add(file_of(table), row.line, "sourcedId", twice)
        lines[key] = row.line
        row.is_sound = faults.count == before
        yield row
    if mode is Mode.BULK and table in STORED and not lines and faults.count == first:
        # Everybody would leave. The standard forbids such a file, too.
        nothing = Message("This file has no rows. A table without rows is left out of the ZIP.")
        faults.add(file_of(table), 0, "", nothing)


class _RowTooLong(Exception):
    """Raised where a row does not end."""


class _Lines:
    """The lines of a text, for a reader of rows. A row may go over several lines."""

    def __init__(self, text: str) -> None:
        self.lines = io.StringIO(text, newline="")
        self.length = 0
        """The characters of the row that is being read."""

    def __iter__(self) -> Iterator[str]:
        return self

    def __next__(self) -> str:
        line = next(self.lines)
        self.length += len(line)
        if self.length > LONGEST_ROW:
            raise _RowTooLong
        return line


def read_rows(table: str, text: str, required: tuple[str, ...], faults: Faults) -> Iterator[Row]:
    """Yield the rows below the headings that have as many cells as there are headings."""
    file = file_of(table)
    lines = _Lines(text)
    reader = csv.reader(lines, strict=True)
    columns: dict[str, int] = {}
    line = number = 0
    try:
        for cells in reader:
            start, line, lines.length = line + 1, reader.line_num, 0
            if not any(cells):
                continue
            if not columns:
                columns = {cell.strip(): index for index, cell in enumerate(cells)}
                if not _has_columns(file, start, cells, required, faults):
                    faults.unread.add(file)
                    return
                continue
            number += 1
            if number > MAX_ROWS:
                many = Message("The file has more than {most} rows.", {"most": MAX_ROWS})
                faults.add_unread(file, start, many)
                return
            if len(cells) != len(columns):
                values = {"cells": len(cells), "columns": len(columns)}
                wrong = Message(
                    "The number of cells in this line ({cells}) is not that of the columns "
                    "({columns}).",
                    values,
                )
                faults.add_unread(file, start, wrong)
                continue
            yield Row(table, start, columns, [_value(cell) for cell in cells])
    except csv.Error:
        wrong = Message("This line can't be read. Check its quotation marks.")
        faults.add_unread(file, line + 1, wrong)
    except _RowTooLong:
        long = Message("This line has more than {most} characters.", {"most": LONGEST_ROW})
        faults.add_unread(file, line + 1, long)
    if not columns:
        faults.add_unread(file, 1, Message("The first line must name the columns."))


def _value(cell: str) -> str:
    text = cell.strip()
    return "" if text == "NULL" else text


def _has_columns(
    file: str, line: int, cells: list[str], required: tuple[str, ...], faults: Faults
) -> bool:
    names, before = [cell.strip() for cell in cells], faults.count
    for column in required:
        if column not in names:
            faults.add(file, line, column, Message("This column is missing."))
    for column in sorted({name for name in names if names.count(name) > 1}):
        faults.add(file, line, column, Message("Two columns have this heading."))
    return faults.count == before


# Values


def _check_row(row: Row, mode: Mode, faults: Faults) -> None:
    required: tuple[str, ...] = REQUIRED[row.table]
    if mode is Mode.DELTA:
        required = (*required, "status", "dateLastModified")
    if row.is_deleted:
        required = ("sourcedId",)
    for column in required:
        if not row.text(column):
            faults.add(file_of(row.table), row.line, column, Message("This cell is empty."))
    for column, index in row.columns.items():
        text = row.cells[index]
        if not text:
            continue
        if not is_storable(text):
            wrong: Message | None = Message("This cell holds a character that can't be stored.")
        elif row.is_deleted and column not in ("sourcedId", "status"):
            wrong = None
        else:
            check = _CHECKS.get(column) or _CHECKS.get(f"{row.table}.{column}")
            wrong = check(text) if check else None
        if wrong:
            faults.add(file_of(row.table), row.line, column, wrong)
    for begin, end in _SPANS:
        first, last = row.text(begin), row.text(end)
        # Days in the wrong format have a fault of their own.
        if not row.is_deleted and first and last < first and not (_day(first) or _day(last)):
            before = Message("This day is before {day}, the value of {column}.",
                             {"day": first, "column": begin})  # fmt: skip
            faults.add(file_of(row.table), row.line, end, before)


def _one_of(*allowed: str, may_extend: bool = False) -> Callable[[str], Message | None]:
    """Return a check that a value is one of these, or if it may, one of the source's own."""
    choices = ", ".join(allowed)

    def check(text: str) -> Message | None:
        if text in allowed or (may_extend and text.startswith("ext:")):
            return None
        values = {"text": text[:SHOWN], "choices": choices}
        return Message("“{text}” is not one of these values: {choices}.", values)

    return check


def _flag(text: str) -> Message | None:
    return _FLAGS(text.lower())


def _day(text: str) -> Message | None:
    try:
        # Python reads other forms of ISO 8601, too.
        if date.fromisoformat(text).isoformat() == text:
            return None
    except ValueError:
        pass
    return Message("“{text}” is not a date. Write it as 2026-04-01.", {"text": text[:SHOWN]})


def _year(text: str) -> Message | None:
    if re.fullmatch("[0-9]{4}", text):
        return None
    return Message("“{text}” is not a year. Write it as 2026.", {"text": text[:SHOWN]})


def _time(text: str) -> Message | None:
    try:
        datetime.fromisoformat(text)
    except ValueError:
        values = {"text": text[:SHOWN]}
        return Message("“{text}” is not a time. Write it as 2026-04-01T09:00:00Z.", values)
    return None


def _number(text: str) -> Message | None:
    if re.fullmatch("[0-9]{1,9}", text) and 1 <= int(text) <= HIGHEST_NUMBER:
        return None
    return Message(
        "“{text}” is not a number from 1 to {most}.", {"text": text[:SHOWN], "most": HIGHEST_NUMBER}
    )


def _identifier(text: str) -> Message | None:
    if len(text) <= ID_LENGTH:
        return None
    return Message("An identifier has at most {most} characters.", {"most": ID_LENGTH})


def _uuid(text: str) -> Message | None:
    if re.fullmatch(r"[0-9a-fA-F]{8}(-[0-9a-fA-F]{4}){3}-[0-9a-fA-F]{12}", text):
        return None
    return Message("“{text}” is not a UUID.", {"text": text[:SHOWN]})


_STATUSES = _one_of("active", "tobedeleted")
_FLAGS = _one_of("true", "false")
_ROLES = (
    "administrator aide counselor districtAdministrator guardian parent principal proctor relative "
    "siteAdministrator student systemAdministrator teacher"
)
_ORG_TYPES = "department school district local state national"
_SESSION_TYPES = "gradingPeriod schoolYear semester term"
_SPANS = (("beginDate", "endDate"), ("startDate", "endDate"))
"""Columns of a first day and of the last one."""
_CHECKS: dict[str, Callable[[str], Message | None]] = {
    "sourcedId": _identifier,
    "status": _STATUSES,
    "dateLastModified": _time,
    "enabledUser": _flag,
    "primary": _flag,
    **dict.fromkeys((*IS_PUBLIC, SPECIAL_NEEDS), _flag),
    **dict.fromkeys(NUMBER, _number),
    "beginDate": _day,
    "endDate": _day,
    "startDate": _day,
    "schoolYear": _year,
    "userMasterIdentifier": _uuid,
    "role": _one_of(*_ROLES.split(), may_extend=True),
    "classType": _one_of("homeroom", "scheduled", may_extend=True),
    "roleType": _one_of("primary", "secondary"),
    "orgs.type": _one_of(*_ORG_TYPES.split(), may_extend=True),
    "academicSessions.type": _one_of(*_SESSION_TYPES.split(), may_extend=True),
}
"""Column, or table and column -> the check of its values."""
