"""Reading a teacher's list of students, and what is wrong in which row.

This module does not touch the database. A list is read, checked against the students of the class,
and shown. Only a list that was shown is saved (`services.add_students`).
"""

import hashlib
import re
import unicodedata
from collections import Counter, defaultdict
from collections.abc import Mapping
from dataclasses import dataclass, field
from itertools import count

from django.utils.translation import gettext as _

from puzzleclass.accounts.models import User
from puzzleclass.classes.models import HIGHEST_NUMBER, MOST_STUDENTS
from puzzleclass.classes.roster_columns import Column, find_columns, plain, read_number
from puzzleclass.language import languages
from puzzleclass.tables.spreadsheets import SheetError, SheetRow, rows_of

NAME_LENGTH: int = User._meta.get_field("name").max_length  # type: ignore[assignment]
CLASS_LENGTH = 60
MOST_CLASSES = 60
"""The most classes that one table can create."""


_WITH_NUMBER = re.compile(
    r"(?:no\.?\s*|[#(（])?(\d{1,4})(?:\s*(?:番|号|[.．,、:)）])\s*|\s+|(?=[ぁ-ゖァ-ヺ一-鿿])(?![年組月]))"
    r"(\D.*)",
    re.IGNORECASE,
)
_RANGE = re.compile(r"(\d{1,4})\s*(?:[-–~〜～]|から)\s*(\d{1,4})\s*番?")


def clean_name(text: str) -> str:
    """Return a name without control characters, wide gaps and half-width kana of spreadsheets."""
    text = "".join(c for c in text if c.isspace() or unicodedata.category(c) not in ("Cc", "Cf"))
    # Our own exports put an apostrophe before text that a spreadsheet would take for a formula.
    text = re.sub(r"^'(?=[=+@-])", "", " ".join(text.split()))
    return re.sub(r"[ｦ-ﾟ]+", lambda found: unicodedata.normalize("NFKC", found[0]), text)


def unnamed(number: int) -> str:
    """Return the name that is given to a student without a name."""
    return _("No. {number}").format(number=number)


def is_unnamed(name: str, number: int) -> bool:
    """Return whether the name is only the number, in any language of the interface."""
    patterns = languages.in_every("No. {number}")
    return any(name == pattern.format(number=number) for pattern in patterns)


@dataclass(slots=True)
class Entry:
    """A row of the list, as it was read."""

    line: int
    number: int | None = None
    name: str = ""
    reading: str = ""
    class_name: str = ""
    new_class: str = ""
    new_number: int | None = None
    typed_number: str = ""
    """The text in the column of a number, if it is not a number."""
    faults: list[str] = field(default_factory=list)
    remarks: list[str] = field(default_factory=list)

    @property
    def display_name(self) -> str:
        """The name; without one, the number as a name."""
        return self.name or (unnamed(self.number) if self.number else "")


@dataclass(slots=True)
class Roster:
    """A list of students, as it was read."""

    text: str
    entries: list[Entry] = field(default_factory=list)
    columns: list[Column] = field(default_factory=list)
    ignored: list[str] = field(default_factory=list)
    """The headings of the columns that are ignored, such as gender and birthday."""
    fault: str = ""
    """The reason why the list as a whole can't be used; empty if it can."""

    @property
    def fingerprint(self) -> str:
        """A fingerprint of the text, with which the form confirms the list that was shown."""
        return hashlib.sha256("\n".join(self.text.splitlines()).encode()).hexdigest()[:16]

    @property
    def good(self) -> list[Entry]:
        return [entry for entry in self.entries if not entry.faults]

    @property
    def faulty(self) -> int:
        return sum(bool(entry.faults) for entry in self.entries)

    @property
    def class_names(self) -> list[str]:
        """The classes that the table names, in its order."""
        return list(dict.fromkeys(entry.class_name for entry in self.entries if entry.class_name))

    @property
    def has_readings(self) -> bool:
        return any(entry.reading for entry in self.entries)


def read_roster(text: str) -> Roster:
    """Return the list that the text holds. Each row has the faults that it has by itself."""
    roster = Roster(text)
    try:
        rows = rows_of("".join("\n" if c in "\v\f\x85\u2028\u2029" else c for c in text))
    except SheetError as error:
        roster.fault = str(error)
        return roster
    rows = [SheetRow(line, [clean_name(cell) for cell in cells]) for line, cells in rows]
    rows = [row for row in rows if any(row.cells)]
    found = find_columns(rows)
    columns, rows = found.lists[0], found.rows
    roster.columns, roster.ignored = list(columns), found.ignored
    if list(columns) == [Column.NAME]:
        roster.entries = _split_lines(rows, columns[Column.NAME])
        if any(entry.number for entry in roster.entries):
            roster.columns.insert(0, Column.NUMBER)
    else:
        # Lists side by side may have different lengths.
        parts = [(row, block) for block in found.lists for row in rows if _has_cells(row, block)]
        roster.entries = [_entry(row, block) for row, block in parts]
    for entry in roster.entries:
        _check_entry(entry)
    return roster


def _has_cells(row: SheetRow, block: Mapping[Column, int]) -> bool:
    return any(index < len(row.cells) and row.cells[index] for index in block.values())


def _split_lines(rows: list[SheetRow], index: int) -> list[Entry]:
    """Return the entries of a list with one column, which may have numbers before the names."""
    entries: list[Entry] = []
    lines = [(row.line, row.cells[index]) for row in rows if index < len(row.cells)]
    found = [_WITH_NUMBER.fullmatch(unicodedata.normalize("NFKC", text)) for _line, text in lines]
    has_numbers = sum(map(bool, found)) >= 0.5 * len(lines)
    for (line, text), split in zip(lines, found, strict=True):
        half = unicodedata.normalize("NFKC", text)
        if ends := _RANGE.fullmatch(half):
            first, last = int(ends[1]), int(ends[2])
            if 0 < first < last <= HIGHEST_NUMBER and last - first < MOST_STUDENTS:
                entries += [Entry(line, number=number) for number in range(first, last + 1)]
                continue
        if split and has_numbers:
            # The name is kept as it was typed: it has as many characters as its half-width form.
            length = len(split[2])
            name = text[-length:] if len(half) == len(text) else split[2]
            entries.append(Entry(line, number=int(split[1]), name=clean_name(name)))
        elif has_numbers and (number := read_number(half)) is not None:
            entries.append(Entry(line, number=number))
        else:
            entries.append(Entry(line, name=text))
    return entries


def _entry(row: SheetRow, columns: Mapping[Column, int]) -> Entry:
    def cell(column: Column) -> str:
        index = columns.get(column, -1)
        return row.cells[index] if 0 <= index < len(row.cells) else ""

    def both(whole: Column, family: Column, given: Column) -> str:
        return cell(whole) or " ".join(filter(None, (cell(family), cell(given))))

    number, new_number = read_number(cell(Column.NUMBER)), read_number(cell(Column.NEW_NUMBER))
    return Entry(
        row.line,
        number=number,
        name=both(Column.NAME, Column.FAMILY, Column.GIVEN),
        reading=both(Column.READING, Column.FAMILY_READING, Column.GIVEN_READING),
        class_name=_class_name(cell(Column.GRADE), cell(Column.CLASS)),
        new_class=cell(Column.NEW_CLASS),
        new_number=new_number,
        typed_number=""
        if number is not None and (new_number is not None or not cell(Column.NEW_NUMBER))
        else (cell(Column.NUMBER) if number is None else cell(Column.NEW_NUMBER)),
    )


def _class_name(grade: str, name: str) -> str:
    """Return a class's name; with the school year in a column of its own, a name like 4-2."""
    year = re.sub(r"\D", "", unicodedata.normalize("NFKC", grade))
    if not year or re.match(r"\d+\s*(年|-)", unicodedata.normalize("NFKC", name)):
        return name
    return f"{year}-{unicodedata.normalize('NFKC', name).removesuffix('組')}" if name else year


def _check_entry(entry: Entry) -> None:
    if entry.typed_number:
        fault = _("“{text}” is not a number.")
        entry.faults.append(fault.format(text=entry.typed_number[:12]))
    for number in (entry.number, entry.new_number):
        if number is not None and not 1 <= number <= HIGHEST_NUMBER:
            fault = _("Enter a whole number from 1 to {most}.")
            entry.faults.append(fault.format(most=HIGHEST_NUMBER))
    for text, most in (
        (entry.name, NAME_LENGTH),
        (entry.reading, NAME_LENGTH),
        (entry.class_name, CLASS_LENGTH),
        (entry.new_class, CLASS_LENGTH),
    ):
        if len(text) > most:
            fault = _("“{name}…” has {length} characters. The maximum is {most}.")
            entry.faults.append(fault.format(name=text[:12], length=len(text), most=most))


def check_roster(roster: Roster, present: Mapping[int, str], *, by_class: bool = False) -> None:
    """Give each row its number, its faults and its remarks.

    `present` maps the numbers in the class to names. With `by_class`, each class that the table
    names has numbers of its own.
    """
    if roster.fault:
        return
    if by_class and len(roster.class_names) > MOST_CLASSES:
        too_many = _("You can create at most {most} classes at a time.")
        roster.fault = too_many.format(most=MOST_CLASSES)
    parts: dict[str, list[Entry]] = defaultdict(list)
    for entry in roster.entries:
        parts[entry.class_name if by_class else ""].append(entry)
        if by_class and not entry.class_name:
            entry.faults.append(_("The class is missing."))
    for entries in parts.values():
        if len(entries) + len(present) > MOST_STUDENTS:
            too_many = _("A class holds at most {most} students.")
            roster.fault = too_many.format(most=MOST_STUDENTS)
        _check_numbers(entries, present)
        _check_names(entries, present)


def _check_numbers(entries: list[Entry], present: Mapping[int, str]) -> None:
    if not any(entry.number or entry.typed_number for entry in entries):
        for entry, number in zip(entries, count(max(present, default=0) + 1)):
            entry.number = number
            if number > HIGHEST_NUMBER:
                _check_entry(entry)
    lines: dict[int, list[int]] = defaultdict(list)
    for entry in entries:
        if entry.number is None and not entry.typed_number:
            entry.faults.append(_("The number is missing."))
        elif entry.number is not None:
            lines[entry.number].append(entry.line)
    for entry in entries:
        if entry.number is None:
            continue
        if entry.number in present:
            taken = _("Number {number} is taken: {name}.")
            entry.faults.append(taken.format(number=entry.number, name=present[entry.number]))
        if len(lines[entry.number]) > 1:
            others = ", ".join(map(str, lines[entry.number]))
            twice = _("Number {number} appears in lines {lines}.")
            entry.faults.append(twice.format(number=entry.number, lines=others))


def _check_names(entries: list[Entry], present: Mapping[int, str]) -> None:
    times = Counter(plain(entry.name) for entry in entries if entry.name)
    there = {plain(name) for name in present.values()}
    for entry in entries:
        if entry.name and times[plain(entry.name)] > 1:
            entry.remarks.append(_("This student is on the list more than once."))
        if entry.name and plain(entry.name) in there:
            entry.remarks.append(_("This student is already in the class."))
