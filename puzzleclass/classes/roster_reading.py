"""Reading a teacher's list of students.

A list is read sheet by sheet (`roster_sheets`). What stays uncertain becomes a question, whose
answer comes back with the list.
"""

import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from django.utils.translation import gettext as _
from django.utils.translation import ngettext

from puzzleclass.classes.roster import MAX_CLASSES, Entry, Roster, check_entry, clean_name
from puzzleclass.classes.roster_contents import (
    Day,
    class_in_title,
    is_class,
    plain,
    read_day,
    same_class,
)
from puzzleclass.classes.roster_names import finish_names
from puzzleclass.classes.roster_questions import ListChoice, Questions
from puzzleclass.classes.roster_sheets import Section, SheetReading, read_sheet
from puzzleclass.spreadsheets import file_kinds
from puzzleclass.spreadsheets.encodings import SheetError, check_characters
from puzzleclass.spreadsheets.reading import SheetRow, rows_of
from puzzleclass.spreadsheets.sheet_marks import SheetState, is_missing_value_mark, read_sheet_mark

_SAMPLE = re.compile(
    r"記入例|見本|サンプル|ひな形|雛形|テンプレート|例$|sample|example|template", re.I
)
"""The names of sheets that show how a list is filled in."""
_LINE_ENDS = dict.fromkeys(map(ord, "\v\f\x85\u2028\u2029"), "\n")


@dataclass(slots=True)
class _Part:
    """A list in one place: on a sheet, or below a title."""

    sheet: SheetReading
    section: Section
    label: str
    """The name by which the teacher knows the list."""

    @property
    def described(self) -> str:
        """The label, the sheet, and the first and the last student."""
        sheet = self.sheet.name if self.sheet.name not in self.label else ""
        students = self.section.entries
        ends = " – ".join(entry.display_name for entry in (students[:1] + students[1:][-1:]))
        return f"{self.label} ({', '.join(filter(None, (sheet, ends)))})"


def read_roster(
    text: str, answers: Mapping[str, str] | None = None, *, one_class: bool = False
) -> Roster:
    """Return the list that the text holds. Each row has the faults that it has by itself.

    `answers` are the fields of a form (`ListQuestion.field`). With `one_class`, all students go
    into one class, whatever classes the list names.
    """
    roster, answers = Roster(text), answers or {}
    try:
        if refused := file_kinds.text_refusal(text):
            raise SheetError(refused)
        check_characters(text)
        lines = rows_of(text.translate(_LINE_ENDS))
    except SheetError as error:
        roster.fault = str(error)
        return roster
    rows = [SheetRow(line, [clean_name(cell) for cell in cells]) for line, cells in lines]
    sheets = _read_sheets([row for row in rows if any(row.cells)], answers, roster)
    choosing, last = Questions(answers), Questions(answers)
    parts: list[_Part] = []
    for sheet, _asked in sheets:
        for section in sheet.sections:
            label = _label(sheet, section, len(parts) + 1)
            is_new = all(label != part.label for part in parts)
            parts.append(_Part(sheet, section, label if is_new else f"{label} ({len(parts) + 1})"))
    chosen = _choose_parts(parts, choosing, roster, one_class=one_class)
    left_out = {id(part.sheet) for part in parts} - {id(part.sheet) for part in chosen}
    for sheet, asked in sheets:
        if id(sheet) not in left_out:
            roster.columns += [each for each in sheet.columns if each not in roster.columns]
            roster.ignored += [each for each in sheet.ignored if each not in roster.ignored]
            roster.titles += sheet.titles
            last.asked += asked.asked
    roster.entries = [entry for part in chosen for entry in part.section.entries]
    student_rows = [row for part in chosen for row in part.section.rows]
    finish_names(roster.entries, student_rows, last)
    _finish_classes(roster, student_rows, last, one_class=one_class)
    # Which lists are meant is asked first, and alone: other questions depend on it.
    is_chosen = all(question.answer for question in choosing.asked)
    roster.questions = choosing.asked + (last.asked if is_chosen else [])
    for entry in roster.entries:
        check_entry(entry)
    if all(entry.lacks_value and not entry.name for entry in roster.entries) and any(
        is_missing_value_mark(cell) for row in rows for cell in row.cells
    ):
        roster.fault = _(
            "The cells of this list are formulas whose values are not stored in the file. Open it "
            "in Excel, save it there and choose it again, or copy the cells and paste them into "
            "the box."
        )
    return roster


def _read_sheets(
    rows: Sequence[SheetRow], answers: Mapping[str, str], roster: Roster
) -> list[tuple[SheetReading, Questions]]:
    """Return the sheets that hold lists, with the questions about each. The others are named in
    the notices."""
    sheets: list[tuple[str, list[SheetRow]]] = [("", [])]
    before = 0
    for row in rows:
        if (mark := read_sheet_mark(row.cells)) is None:
            # Lines are numbered as in Excel.
            sheets[-1][1].append(SheetRow(row.line - before, row.cells))
            continue
        name, state = mark
        if state is SheetState.SHOWN:
            sheets.append((name, []))
            before = row.line
        else:
            hidden, chart = (
                _("The sheet “{name}” is hidden and was not read."),
                _("The sheet “{name}” is a chart and was not read."),
            )
            notice = hidden if state is SheetState.HIDDEN else chart
            roster.notices.append(notice.format(name=name))
    read = []
    for name, below in sheets:
        questions = Questions(answers)
        if below:
            read.append((read_sheet(name, below, questions), questions))
    lists = [(sheet, asked) for sheet, asked in read if sheet.certain]
    if len(lists) > 1:
        lists = [
            (sheet, asked) for sheet, asked in lists if not _SAMPLE.search(sheet.name)
        ] or lists
    chosen = lists or read
    for sheet, _asked in read:
        if all(sheet is not each for each, _ in chosen) and sheet.name:
            notice = _("The sheet “{name}” was not read: it holds no list, or only an example.")
            roster.notices.append(notice.format(name=sheet.name))
    return chosen


def _label(sheet: SheetReading, section: Section, number: int) -> str:
    """Return the name by which the teacher knows a list: its title, its sheet, or its place."""
    is_whole = len(sheet.sections) == 1
    title = section.title or (class_in_title(sheet.name) if is_whole else "")
    if title or (sheet.name and is_whole):
        return title or sheet.name
    return " ".join(filter(None, (sheet.name, _("list {n}").format(n=number))))


# Lists and classes


def _choose_parts(
    parts: list[_Part], questions: Questions, roster: Roster, *, one_class: bool
) -> list[_Part]:
    """Return the lists that are meant, of several sheets or places, with their classes."""
    if len(parts) < 2:
        has_class = any(entry.class_name for part in parts for entry in part.section.entries)
        for part in parts:
            roster.title = (
                "" if has_class else part.section.title or class_in_title(part.sheet.name)
            )
        return parts
    labels = [part.label for part in parts]
    several_sheets = len({id(part.sheet) for part in parts}) > 1
    are_titled = all(part.section.title for part in parts) and len(set(labels)) == len(labels)
    if several_sheets:
        for part in parts:
            for entry in part.section.entries:
                entry.sheet = part.sheet.name
    if are_titled and not several_sheets:
        _name_classes(parts)
        return parts
    choices = [ListChoice("one", _("They are one list"))]
    if not one_class:
        each = _("Each is a class: {names}").format(names=_(", ").join(labels))
        choices.insert(0, ListChoice("each", each))
    choices += [
        ListChoice(f"only-{number}", _("Only this one: {name}").format(name=part.described))
        for number, part in enumerate(parts)
    ]
    rows = [row for part in parts for row in part.section.rows[:3]]
    text = _("There are {n} lists. Which are meant?").format(n=len(parts))
    subject = [f"{part.label} {part.section.begins}" for part in parts]
    answer = questions.ask("lists", text, choices[: MAX_CLASSES + 2], rows, subject)
    if answer.startswith("only-"):
        part = parts[int(answer.removeprefix("only-"))]
        if not any(entry.class_name for entry in part.section.entries):
            roster.title = part.section.title or class_in_title(part.sheet.name)
        return [part]
    if answer != "one":
        _name_classes(parts)
    return parts


def _name_classes(parts: Sequence[_Part]) -> None:
    for part in parts:
        for entry in part.section.entries:
            entry.class_name = entry.class_name or part.label


def _finish_classes(
    roster: Roster, rows: Sequence[SheetRow], questions: Questions, *, one_class: bool
) -> None:
    """Settle the names of the classes, and ask what is uncertain about them."""
    entries = roster.entries
    _ask_dates(entries, rows, questions)
    with_class = [entry for entry in entries if entry.class_name]
    is_asked = not one_class or len({entry.class_name for entry in with_class}) > 1
    if is_asked and 0 < len(with_class) < len(entries) and entries[0].class_name:
        _ask_class_above(entries, rows, questions)
    spellings: dict[str, str] = {}
    for entry in entries:
        for name in filter(None, (entry.class_name, entry.new_class)):
            spellings.setdefault(same_class(name), name)
        entry.class_name = _spelling(spellings, entry.class_name)
        entry.new_class = _spelling(spellings, entry.new_class)
    named = list(dict.fromkeys(entry.class_name for entry in entries if entry.class_name))
    if one_class and len(named) > 1:
        choices = [ListChoice("all", _("All of them, into one class"))]
        choices += [
            ListChoice(f"only-{plain(name)}", _("Only the students of {name}").format(name=name))
            for name in named[:MAX_CLASSES]
        ]
        text = _("The list names {n} classes. Which students are meant?").format(n=len(named))
        answer = questions.ask("class", text, choices, rows, named)
        if answer.startswith("only-"):
            wanted = answer.removeprefix("only-")
            roster.entries = [entry for entry in entries if plain(entry.class_name) == wanted]


def _spelling(spellings: Mapping[str, str], name: str) -> str:
    return spellings.get(same_class(name), name)


def _ask_dates(entries: Sequence[Entry], rows: Sequence[SheetRow], questions: Questions) -> None:
    """Ask which classes are meant by the dates into which Excel turns 4-2."""
    days: dict[str, Day] = {}
    examples = []
    for entry, row in zip(entries, rows, strict=True):
        for name in (entry.class_name, entry.new_class):
            if name and not is_class(name) and (day := read_day(name)):
                days[name] = day
                examples.append(row)
    if not days:
        return

    def written(order: str) -> dict[str, str]:
        return {
            name: f"{day.month}-{day.day}" if order == "month" else f"{day.day}-{day.month}"
            for name, day in days.items()
        }

    choices = []
    for order in ("month", "day"):
        names = _(", ").join(
            f"{name} → {meant}" for name, meant in list(written(order).items())[:4]
        )
        choices.append(ListChoice(order, names))
    choices.append(ListChoice("none", _("These are no classes")))
    text = _("Excel has turned classes into dates. Which classes are meant?")
    answer = questions.ask("dates", text, choices, examples, days)
    # Until that is answered, the preview shows what is meant most often.
    meant = dict.fromkeys(days, "") if answer == "none" else written(answer or "month")
    for entry in entries:
        entry.class_name = meant.get(entry.class_name, entry.class_name)
        entry.new_class = meant.get(entry.new_class, entry.new_class)


def _ask_class_above(
    entries: Sequence[Entry], rows: Sequence[SheetRow], questions: Questions
) -> None:
    """Ask whether a class is meant for the rows below, too, as in a column of merged cells."""
    empty = [row for entry, row in zip(entries, rows, strict=True) if not entry.class_name]
    text = ngettext(
        "Line {line} has no class. Does the class above hold for it?",
        "{n} lines have no class. Does the class above hold for them?",
        len(empty),
    ).format(line=empty[0].line, n=len(empty))
    choices = [
        ListChoice("above", _("Yes, the class above")),
        ListChoice("none", _("No, they have none")),
    ]
    if questions.ask("above", text, choices, empty) == "above":
        name = ""
        for entry in entries:
            entry.class_name = name = entry.class_name or name
