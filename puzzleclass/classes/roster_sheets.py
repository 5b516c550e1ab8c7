"""Reading one sheet of a class list: which rows are students, and which are titles.

A sheet has sections: the lists below titles such as 4年1組, lists side by side, and lists whose
numbers begin again. Whether they are classes is decided in `roster_reading`.
"""

import re
from collections.abc import Sequence
from dataclasses import dataclass, field

from django.utils.translation import gettext as _
from django.utils.translation import ngettext

from puzzleclass.classes.roster import Entry
from puzzleclass.classes.roster_columns import Block, Column, column_of
from puzzleclass.classes.roster_contents import (
    class_in_title,
    half_width,
    is_class,
    is_class_title,
    is_list_number,
    is_name,
    is_title,
    read_number,
    without_birthday,
)
from puzzleclass.classes.roster_headings import find_headings, joined_tables
from puzzleclass.classes.roster_lines import ListTable, split_lines, turned
from puzzleclass.classes.roster_questions import ListChoice, Questions
from puzzleclass.classes.roster_readings import with_readings_beside
from puzzleclass.classes.roster_rows import Role, entry_of, is_class_row, role_of
from puzzleclass.classes.roster_tables import table_by_content, table_by_headings
from puzzleclass.spreadsheets.reading import SheetRow
from puzzleclass.spreadsheets.sheet_marks import is_hidden_row_mark

MAX_ROWS_ASKED = 12
"""The most rows that are asked about one by one. More are asked about all at once."""


@dataclass(slots=True)
class Section:
    """A list of students below one title."""

    title: str = ""
    """The class that the title names; empty if there is none."""
    entries: list[Entry] = field(default_factory=list)
    rows: list[SheetRow] = field(default_factory=list)
    """The row of each entry."""
    begins: str = ""
    """The text of the first row, also if it turned out to be no student."""

    @property
    def numbers(self) -> set[int]:
        """The numbers on this list."""
        return {entry.number for entry in self.entries if entry.number is not None}


@dataclass(slots=True)
class SheetReading:
    """A sheet as it was read."""

    name: str
    sections: list[Section] = field(default_factory=list)
    titles: list[SheetRow] = field(default_factory=list)
    """The rows that are no students."""
    columns: list[Column] = field(default_factory=list)
    ignored: list[str] = field(default_factory=list)
    certain: int = 0
    """The number of rows that are students without any doubt."""


@dataclass(slots=True)
class _Found:
    """A row that may be a student."""

    row: SheetRow
    section: Section
    entry: Entry
    role: Role


def read_sheet(name: str, rows: list[SheetRow], questions: Questions) -> SheetReading:
    """Return the sections of a sheet. `questions` takes what is uncertain."""
    rows = with_readings_beside(turned(rows))
    reader = _Reader(name, questions)
    heads = find_headings(rows)
    if not heads:
        loose = _loose_titles(rows)
        body = [row for row in rows if id(row) not in loose]
        table = table_by_content(body, _sample(body), questions)
        titles = [row for row in rows if id(row) in loose]
        reader.read_table(table, titles)
    elif above := rows[: heads[0].start]:
        reader.read_above(above)
    for head, below in joined_tables(heads, rows):
        table = table_by_headings(head.texts, head.columns, below, questions)
        if [*table.blocks[0]] == [Column.NAME]:
            split = split_lines(table.rows, table.blocks[0])
            table = ListTable(split.blocks, split.rows, table.ignored)
        reader.read_table(table)
    return reader.finish()


def _is_loose_title(cells: Sequence[str]) -> bool:
    """Return whether a row of a list without headings is clearly a title."""
    filled = [cell for cell in cells if cell]
    text = " ".join(filled)
    if is_class_title(text) and len(filled) < 4 and not any(map(is_list_number, filled[1:])):
        return len(filled) == 1 or not is_class(filled[0])
    if all(map(column_of, text.split())) and " " in text:
        return True
    numbers = any(map(is_list_number, filled))
    return is_title(text) and not (numbers and len(filled) > 1) and read_number(text) is None


def _loose_titles(rows: Sequence[SheetRow]) -> set[int]:
    """Return the identities of the rows of a list without headings that are clearly titles.

    A line such as 2-4 is a class above names, and else a range of numbers.
    """
    texts = [half_width(" ".join(filter(None, row.cells))) for row in rows]
    has_names = any(re.search(r"[^\W\d_]", text) and not is_title(text) for text in texts)
    loose = set()
    for row, text in zip(rows, texts, strict=True):
        if ends := re.fullmatch(r"(\d+)-(\d+)", text):
            is_loose = has_names and int(ends[2]) <= 12
        else:
            is_loose = _is_loose_title(row.cells)
        if is_loose:
            loose.add(id(row))
    return loose


def _sample(rows: list[SheetRow]) -> list[SheetRow]:
    """Return the rows by which columns are recognised: in a table, not those with one text."""
    wide = [row for row in rows if sum(map(bool, row.cells)) > 1]
    return wide if len(wide) >= 0.8 * len(rows) else rows


class _Reader:
    """Reads the tables of one sheet, one after the other."""

    def __init__(self, name: str, questions: Questions) -> None:
        self._reading = SheetReading(name)
        self._questions = questions
        self._found: list[_Found] = []
        self._sections: dict[int, Section] = {}
        """The section to which the next student belongs, of each list side by side."""
        self._titles: dict[int, str] = {}
        """The class that the last title names, of each list side by side."""
        self._broken: dict[int, bool] = {}
        """Whether a gap or a title divides the next student from the last one."""

    def read_above(self, rows: Sequence[SheetRow]) -> None:
        """Read the rows above the first headings, which are titles."""
        for row in rows:
            filled = [cell for cell in row.cells if cell]
            is_student = any(map(is_list_number, filled)) and any(map(is_name, filled))
            if is_student and not is_title(" ".join(filled)):
                section = self._section(0)
                name = " ".join(cell for cell in filled if is_name(cell))
                number = next(filter(is_list_number, filled))
                entry = Entry(row.line, number=read_number(number), name=name)
                section.entries.append(entry)
                section.rows.append(row)
                self._found.append(_Found(row, section, entry, Role.UNCERTAIN))
            else:
                self._read_title(row, [{}])

    def read_table(self, table: ListTable, titles: Sequence[SheetRow] | None = None) -> None:
        """Read the rows of a table. Without headings, the titles between them are known."""
        reading = self._reading
        reading.columns += [c for c in table.blocks[0] if c not in reading.columns]
        reading.ignored += [head for head in table.ignored if head not in reading.ignored]
        marked = [(row.line, True, row) for row in titles or ()]
        marked += [(row.line, False, row) for row in table.rows]
        last = 0
        dated = [row for row in table.rows if any(without_birthday(c) != c for c in row.cells)]
        has_birthdays = 2 * len(dated) > len(table.rows)
        has_class = any(Column.CLASS in block for block in table.blocks)
        # Lists side by side are read one after the other, but the titles above both belong to both.
        for line, is_a_title, row in sorted(marked, key=lambda each: each[0]):
            if line > last + 1:
                self._broken = dict.fromkeys(range(len(table.blocks)), True)
            last = line
            if is_a_title or (titles is None and is_class_row(row.cells)):
                self._read_title(row, table.blocks)
                continue
            roles = [role_of(row, block, has_birthdays=has_birthdays) for block in table.blocks]
            if not any(role for role in roles) or all(r in (None, Role.TITLE) for r in roles):
                self._read_title(row, table.blocks)
                continue
            for place, (block, role) in enumerate(zip(table.blocks, roles, strict=True)):
                if role is None or role is Role.TITLE:
                    continue
                entry = entry_of(row, block)
                section = self._section(place)
                restarts = self._broken.get(place) and entry.number in section.numbers
                if restarts and not has_class:
                    section = self._new_section(place)
                self._broken[place] = False
                section.entries.append(entry)
                section.rows.append(row)
                self._found.append(_Found(row, section, entry, role))

    def _section(self, place: int) -> Section:
        if place not in self._sections:
            return self._new_section(place)
        return self._sections[place]

    def _new_section(self, place: int) -> Section:
        self._sections[place] = Section(self._titles.get(place, ""))
        self._reading.sections.append(self._sections[place])
        return self._sections[place]

    def _read_title(self, row: SheetRow, blocks: Sequence[Block]) -> None:
        """Keep a title. The class that it names is the class of the list below."""
        self._reading.titles.append(row)
        self._broken = dict.fromkeys(range(len(blocks)), True)
        named = [(at, name) for at, cell in enumerate(row.cells) if (name := class_in_title(cell))]
        if not named and (name := class_in_title(" ".join(row.cells))):
            named = [(0, name)]
        if len({name for _at, name in named}) > 1 and len(blocks) == 1:
            # The lists side by side are found later, from their headings.
            self._titles = {place: name for place, (_at, name) in enumerate(named)}
        elif len(named) > 1:
            starts = [min(block.values(), default=0) for block in blocks]
            for at, name in named:
                place = max((p for p, start in enumerate(starts) if start <= at), default=0)
                self._titles[place] = name
        elif named:
            self._titles = dict.fromkeys(range(20), named[0][1])
        if named:
            self._sections = {}

    def finish(self) -> SheetReading:
        """Ask what is uncertain, and return the sheet."""
        reading = self._reading
        leaves_out = self._ask_rows() | self._ask_nameless() | self._ask_hidden()
        reading.certain = sum(person.role is Role.STUDENT for person in self._found)
        # Sections are settled before the answers, so that these change no other question.
        reading.sections = _merged([section for section in reading.sections if section.entries])
        for section in reading.sections:
            section.begins = " ".join(section.rows[0].cells)
            pairs = list(zip(section.entries, section.rows, strict=True))
            reading.titles += [row for entry, row in pairs if id(entry) in leaves_out]
            remaining = [(entry, row) for entry, row in pairs if id(entry) not in leaves_out]
            section.entries = [entry for entry, _row in remaining]
            section.rows = [row for _entry, row in remaining]
        reading.titles.sort(key=lambda row: row.line)
        return reading

    def _ask_rows(self) -> set[int]:
        """Ask which of the uncertain rows are students; return the entries of those that aren't."""
        doubtful = [each for each in self._found if each.role is Role.UNCERTAIN]
        choices = [ListChoice("student", _("A student")), ListChoice("title", _("Not a student"))]
        groups = [[each] for each in doubtful]
        if len(doubtful) > MAX_ROWS_ASKED:
            choices = [
                ListChoice("student", _("All are students")),
                ListChoice("title", _("None is a student")),
            ]
            groups = [doubtful]
        out: set[int] = set()
        for group in groups:
            rows = list({id(each.row): each.row for each in group}.values())
            text = ngettext(
                "Is line {line} a student?", "Are these {n} lines students?", len(group)
            ).format(line=rows[0].line, n=len(group))
            if self._questions.ask("row", text, choices, rows) == "title":
                out |= {id(each.entry) for each in group}
        return out

    def _ask_nameless(self) -> set[int]:
        named = any(each.entry.name for each in self._found)
        without = [
            each
            for each in self._found
            if named
            and not each.entry.name
            and each.role is Role.STUDENT
            and not each.entry.lacks_value
        ]
        text = ngettext(
            "Line {line} has a number but no name. Is this a student?",
            "{n} lines have a number but no name. Are these students?",
            len(without),
        )
        student = ListChoice("student", _("Yes, without a name"))
        return self._ask_about(
            "nameless", without, text, student, ListChoice("empty", _("No, an empty line"))
        )

    def _ask_hidden(self) -> set[int]:
        hidden = [each for each in self._found if any(map(is_hidden_row_mark, each.row.cells))]
        text = ngettext(
            "Line {line} of the sheet is hidden, perhaps by a filter. Is this a student?",
            "{n} lines of the sheet are hidden, perhaps by a filter. Are these students?",
            len(hidden),
        )
        student = ListChoice("add", _("Yes, add them"))
        return self._ask_about(
            "hidden", hidden, text, student, ListChoice("leave", _("No, leave them out"))
        )

    def _ask_about(
        self, name: str, rows: list[_Found], text: str, keep: ListChoice, leave: ListChoice
    ) -> set[int]:
        """Ask about these rows together; return the entries that are to be left out."""
        if not rows:
            return set()
        text_of_question = text.format(line=rows[0].row.line, n=len(rows))
        answer = self._questions.ask(
            name, text_of_question, [keep, leave], [each.row for each in rows]
        )
        return {id(each.entry) for each in rows} if answer == leave.value else set()


def _merged(sections: list[Section]) -> list[Section]:
    """Return the sections, with those in one that have one title and different numbers."""
    merged: list[Section] = []
    for section in sections:
        for other in merged:
            if other.title != section.title:
                continue
            if section.numbers and other.numbers.isdisjoint(section.numbers):
                other.entries += section.entries
                other.rows += section.rows
                break
        else:
            merged.append(section)
    return merged
