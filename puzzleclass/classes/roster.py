"""A teacher's list of students, and what is wrong in which row.

This module does not touch the database. A list is read (`roster_reading`), checked against the
students of the class, and shown. Only a list that was shown is saved (`services.add_students`), and
only if no question about it is open: nothing is saved from a list that was not understood.
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
from puzzleclass.classes.models import HIGHEST_NUMBER, MAX_STUDENTS
from puzzleclass.classes.roster_columns import Column
from puzzleclass.classes.roster_contents import plain
from puzzleclass.classes.roster_questions import ListQuestion
from puzzleclass.language import languages
from puzzleclass.spreadsheets.reading import SheetRow

NAME_LENGTH: int = User._meta.get_field("name").max_length  # type: ignore[assignment]
CLASS_LENGTH = 60
MAX_CLASSES = 60
"""The most classes that one table can create."""


_LOST = re.compile("[?？〓□■�\ue000-\uf8ff]")
"""The signs that programs write for a character that they don't have."""


_JOINERS = "\u200c\u200d"
"""The invisible characters that belong to the spelling of a name."""


def clean_name(text: str) -> str:
    """Return a name without control characters, wide gaps and half-width kana of spreadsheets.

    Two invisible characters stay between letters, because names in Persian and Sinhala are written
    with them: U+200C and U+200D.
    """
    text = "".join(c for c in text if c.isspace() or c in _JOINERS or not _is_control(c))
    text = " ".join(filter(None, (word.strip(_JOINERS) for word in text.split())))
    # Our own exports put an apostrophe before text that a spreadsheet would take for a formula.
    text = re.sub(r"^'(?=[=+@-])", "", text)
    return re.sub(r"[ｦ-ﾟ]+", lambda match: unicodedata.normalize("NFKC", match[0]), text)


def _is_control(character: str) -> bool:
    return unicodedata.category(character) in ("Cc", "Cf")


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
    lacks_value: bool = False
    """Whether a cell of the row is a formula without a stored value."""
    sheet: str = ""
    """The name of the sheet; empty if only one sheet is read."""
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
    """The headings of the columns that are not used, such as gender and birthday."""
    fault: str = ""
    """The reason why the list as a whole can't be used; empty if it can."""
    title: str = ""
    """The class that a line above the list names, if the list is of one class."""
    titles: list[SheetRow] = field(default_factory=list)
    """The rows that are no students."""
    notices: list[str] = field(default_factory=list)
    """Sentences about what was not read."""
    questions: list[ListQuestion] = field(default_factory=list)
    """The questions about what is uncertain, with their answers."""

    @property
    def fingerprint(self) -> str:
        """A fingerprint of the text and the answers, with which the form confirms the list that
        was shown."""
        answers = [f"{question.key} {question.answer}" for question in self.questions]
        whole = "\n".join([*self.text.splitlines(), *answers])
        return hashlib.sha256(whole.encode("utf-8", "replace")).hexdigest()[:16]

    @property
    def open_questions(self) -> int:
        """The number of questions without an answer. The list can't be saved while there are
        any."""
        return sum(not question.answer for question in self.questions)

    @property
    def good(self) -> list[Entry]:
        return [entry for entry in self.entries if not entry.faults]

    @property
    def faulty(self) -> int:
        return sum(bool(entry.faults) for entry in self.entries)

    @property
    def class_names(self) -> list[str]:
        """The classes that the table names, in its order."""
        named = list(dict.fromkeys(entry.class_name for entry in self.entries if entry.class_name))
        return named or [self.title] * bool(self.title and self.entries)

    @property
    def has_readings(self) -> bool:
        return any(entry.reading for entry in self.entries)


def check_entry(entry: Entry) -> None:
    """Give the entry the faults that it has by itself."""
    if entry.lacks_value:
        fault = _(
            "This row has a formula without a stored value. Open the workbook in Excel and save it."
        )
        entry.faults.append(fault)
    for text in (entry.name, entry.reading):
        if lost := _LOST.search(text):
            fault = _("“{name}” has the sign {sign} in the place of a character. Correct the name.")
            entry.faults.append(fault.format(name=text[:12], sign=lost[0]))
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
    if by_class and len(roster.class_names) > MAX_CLASSES:
        too_many = _("You can create at most {most} classes at a time.")
        roster.fault = too_many.format(most=MAX_CLASSES)
    parts: dict[str, list[Entry]] = defaultdict(list)
    for entry in roster.entries:
        if by_class:
            entry.class_name = entry.class_name or roster.title
        parts[entry.class_name if by_class else ""].append(entry)
        if by_class and not entry.class_name:
            entry.faults.append(_("The class is missing."))
    for entries in parts.values():
        if len(entries) + len(present) > MAX_STUDENTS:
            too_many = _("A class holds at most {most} students.")
            roster.fault = too_many.format(most=MAX_STUDENTS)
        _check_numbers(entries, present)
        _check_names(entries, present)


def _check_numbers(entries: list[Entry], present: Mapping[int, str]) -> None:
    if not any(entry.number or entry.typed_number for entry in entries):
        for entry, number in zip(entries, count(max(present, default=0) + 1)):
            entry.number = number
            if number > HIGHEST_NUMBER:
                check_entry(entry)
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
