"""The grade book: an assignment as a table with one row a student or one row a try.

The screen, the CSV and the Excel file are made of the same `Sheet`, so that they can't differ.
"""

import csv
import io
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from datetime import datetime
from typing import TYPE_CHECKING, Literal

from django import forms
from django.utils import timezone
from django.utils.text import get_valid_filename
from django.utils.translation import gettext as _

from puzzleclass.assignments.dealing import places_of
from puzzleclass.assignments.models import Assignment
from puzzleclass.play.models import Attempt, Feedback
from puzzleclass.stats.class_table import CellState, class_table
from puzzleclass.stats.reviews import known_reviews, review_key
from solvers.kind import split_moves

if TYPE_CHECKING:
    from openpyxl.cell import Cell

Rows = Literal["students", "tries"]

MOST_TRIES = 20_000
"""Rows of one table: forty students with five hundred tries each."""

Value = str | int | datetime | None


@dataclass(frozen=True, slots=True)
class Sheet:
    """A table: its title, the heads of its columns, and rows of texts, numbers and times."""

    title: str
    head: list[str]
    rows: list[list[Value]]
    students: list[int]
    """Whose each row is (the user's pk)."""
    is_cut: bool = False
    """There are more tries than `MOST_TRIES`."""

    @property
    def shown(self) -> list[list[str]]:
        """The rows as the screen and the CSV have them."""
        return [[written(value) for value in row] for row in self.rows]

    @property
    def numeric(self) -> list[bool]:
        """Whether each column holds numbers."""
        return [any(isinstance(row[at], int) for row in self.rows) for at in range(len(self.head))]


def written(value: Value) -> str:
    """Return a value as text: times by the minute, in the site's time zone."""
    if isinstance(value, datetime):
        return timezone.localtime(value).strftime("%Y-%m-%d %H:%M")
    return "" if value is None else str(value)


def grade_book(assignment: Assignment, rows: Rows) -> Sheet:
    """Return the assignment's table. The number of queries doesn't depend on its size."""
    return _by_student(assignment) if rows == "students" else _by_try(assignment)


def _by_student(assignment: Assignment) -> Sheet:
    table = class_table(assignment)
    head = [_("Number"), _("Name"), _("Solved")]
    for column in table.columns:
        puzzle = f"{column.puzzle.number}. {column.puzzle.title}"
        head += [
            f"{puzzle}: {what}"
            for what in (_("State"), _("Seconds"), _("Tries"), _("Solutions"), _("Hints"))
        ]
        if column.goal:
            head.append(f"{puzzle}: {_('Best score')}")
    lines: list[list[Value]] = []
    for row in table.rows:
        line: list[Value] = [row.number, row.name, row.solved]
        for cell, column in zip(row.cells, table.columns):
            line += [str(cell.state.label), cell.seconds, cell.tries, cell.found, cell.hints]
            if column.goal:
                line.append(int(cell.score) if cell.score else None)
        lines.append(line)
    return Sheet(assignment.title, head, lines, [row.student for row in table.rows])


def _by_try(assignment: Assignment) -> Sheet:
    puzzles = {puzzle.pk: puzzle for puzzle in assignment.puzzles.all()}
    seats = {
        student: (number, name)
        for student, number, name in places_of(assignment).values_list(
            "student", "number", "student__name"
        )
    }
    found = Attempt.objects.filter(
        puzzle__in=list(puzzles), student__in=list(seats), next_step__gt=0
    ).select_related("feedback")
    tries = list(found.order_by("-last_at", "-pk")[: MOST_TRIES + 1])
    is_cut, tries = len(tries) > MOST_TRIES, tries[:MOST_TRIES]
    for attempt in tries:
        attempt.puzzle = puzzles[attempt.puzzle_id]
    known = known_reviews(review_key(attempt.puzzle, attempt.line) for attempt in tries).reviews
    tries.sort(key=lambda a: (seats[a.student_id], a.puzzle.number, a.number))
    head = [
        *(_("Number"), _("Name"), _("Puzzle"), _("Title"), _("Try"), _("State"), _("Seconds")),
        *(_("Moves"), _("Last solution lost with move"), _("Begun"), _("Last move"), _("Feedback")),
    ]
    rows: list[list[Value]] = []
    for attempt in tries:
        review = known.get(review_key(attempt.puzzle, attempt.line))
        feedback: Feedback | None = getattr(attempt, "feedback", None)
        state = CellState.SOLVED.label if attempt.has_solved else attempt.get_state_display()
        rows.append(
            [
                *seats[attempt.student_id],
                *(attempt.puzzle.number, attempt.puzzle.title, attempt.number, str(state)),
                *(attempt.seconds, len(split_moves(attempt.line))),
                (review.fatal or None) if review and not attempt.has_solved else None,
                *(attempt.started_at, attempt.last_at, feedback.said if feedback else None),
            ]
        )
    return Sheet(assignment.title, head, rows, [each.student_id for each in tries], is_cut)


# Files


def file_name(assignment: Assignment, rows: Rows, ending: str, day: datetime) -> str:
    """Return the name of a file: class, assignment, what a row is, day."""
    what = _("students") if rows == "students" else _("tries")
    date = timezone.localtime(day).strftime("%Y-%m-%d")
    name = f"{assignment.classroom.name}_{assignment.title}_{what}_{date}"
    return f"{get_valid_filename(name)}.{ending}"


def safe(text: str) -> str:
    """Return a text that no spreadsheet takes for a formula.

    >>> safe("=1+1"), safe("-3"), safe("Abe")
    ("'=1+1", "'-3", 'Abe')
    """
    return f"'{text}" if text.lstrip()[:1] in tuple("=+-@") or text[:1] in ("\t", "\r") else text


def to_csv(sheet: Sheet) -> bytes:
    """Return the table as CSV in UTF-8; its mark lets Excel read Japanese."""
    file = io.StringIO()
    writer = csv.writer(file)
    writer.writerow([safe(text) for text in sheet.head])
    for row in sheet.rows:
        writer.writerow([v if isinstance(v, int) else safe(written(v)) for v in row])
    return b"\xef\xbb\xbf" + file.getvalue().encode()


def to_excel(sheet: Sheet) -> bytes:
    """Return the table as an Excel file: numbers as numbers, times as times, texts as texts."""
    # Loaded where a workbook is made (`puzzleclass.spreadsheets`).
    from openpyxl import Workbook
    from openpyxl.cell import WriteOnlyCell
    from openpyxl.styles import Font

    book = Workbook(write_only=True)
    page = book.create_sheet(sheet.title.translate(str.maketrans("", "", "[]:*?/\\"))[:31] or "1")
    page.freeze_panes = "C2"

    def cells(row: Sequence[Value], *, bold: bool = False) -> "Iterable[Cell]":
        for value in row:
            if isinstance(value, datetime):
                # Excel knows no time zones.
                value = timezone.localtime(value).replace(tzinfo=None, second=0, microsecond=0)
            cell = WriteOnlyCell(page, value)
            if isinstance(value, str):
                cell.data_type = "s"  # never a formula
            if isinstance(value, datetime):
                cell.number_format = "yyyy-mm-dd hh:mm"
            if bold:
                cell.font = Font(bold=True)
            yield cell

    page.append(cells(sheet.head, bold=True))
    for row in sheet.rows:
        page.append(cells(row))
    file = io.BytesIO()
    book.save(file)
    return file.getvalue()


FILES = {
    "csv": ("text/csv; charset=utf-8", to_csv),
    "xlsx": ("application/vnd.openxmlformats-officedocument.spreadsheetml.sheet", to_excel),
}
"""Ending -> media type and what writes the file."""


class FeedbackForm(forms.ModelForm):  # type: ignore[type-arg]
    """A stamp, a comment, or both."""

    class Meta:
        model = Feedback
        fields = ["stamp", "comment"]
