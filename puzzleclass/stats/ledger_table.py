"""A ledger as a table: a class has a column for each assignment, an assignment one for each puzzle.

`ledger_screen` shows it on a page, and `ledger_file` writes it to a file.
"""

from collections.abc import Collection, Sequence
from dataclasses import dataclass
from datetime import date, timedelta
from typing import NamedTuple

from django.db.models import TextChoices
from django.urls import reverse
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy, pgettext

from puzzleclass.assignments.due import Due
from puzzleclass.classes.models import Enrolment
from puzzleclass.play.needs import Need
from puzzleclass.stats.assignment_ledger import AssignmentLedger, PuzzleColumn
from puzzleclass.stats.class_ledger import ClassLedger, due_day
from puzzleclass.stats.course import short
from puzzleclass.stats.ledger import Cell, Ledger, Tally
from puzzleclass.stats.sheets import Value, as_text


class Show(TextChoices):
    """What the cells of a ledger show, in the order of the switches."""

    STATUS = "status", gettext_lazy("Status")
    TIME = "time", gettext_lazy("Time")
    ATTEMPTS = "attempts", gettext_lazy("Attempts")
    HINTS = "hints", gettext_lazy("Hints")
    SOLUTIONS = "solutions", gettext_lazy("Solutions found")
    SCORE = "score", gettext_lazy("Score")
    FIRST = "first", gettext_lazy("First attempt")
    STUCK = "stuck", gettext_lazy("Was stuck")
    FEEDBACK = "feedback", gettext_lazy("Stamps and comments")
    DUE = "due", gettext_lazy("Due dates and late work")
    LOOKING_BACK = "looking-back", gettext_lazy("Looking back")


Shown = Collection[Show]

EVERYTHING, NOTHING = "all", "none"
"""The words of an address that show everything and nothing."""


def read_shown(words: str) -> list[Show]:
    """Return what these words of an address name, in the order of the switches."""
    named = words.split()
    return [each for each in Show if each.value in named or EVERYTHING in named]


class Switch(NamedTuple):
    """A switch: whether it is on, and the words of the address after a press on it."""

    show: Show
    is_on: bool
    words: str


def switches(shown: Shown) -> list[Switch]:
    """Return the switches as they stand."""
    return [
        Switch(
            each,
            each in shown,
            " ".join(other for other in Show if (other in shown) != (other == each)) or NOTHING,
        )
        for each in Show
    ]


# The table


@dataclass(frozen=True, slots=True)
class Column:
    """A column: all students at an assignment or at a puzzle."""

    name: str
    """The title, with its number or its day."""
    url: str
    tally: Tally
    assignment: int = 0
    """The pk of an assignment; 0 for a puzzle."""
    is_open: bool = False
    """Whether the columns of the assignment's puzzles follow."""
    puzzle: PuzzleColumn | None = None
    """More about a puzzle, on its assignment's page."""


@dataclass(frozen=True, slots=True)
class Line:
    """A row: a student at all columns."""

    enrolment: Enrolment
    total: Tally
    cells: Sequence[Cell | Tally | None]
    """None in a column that is not for the student."""
    need: Need | None = None
    due: Due | None = None
    """The student's dates at the one assignment of the table."""
    absent_on: date | None = None
    """The day on which the student was absent last, if nothing was begun."""


@dataclass(frozen=True, slots=True)
class Table:
    """A ledger as a table."""

    ledger: Ledger
    title: str
    columns: Sequence[Column]
    lines: Sequence[Line]
    total: Tally
    is_cut: bool = False
    """Whether earlier assignments are left out."""


def table_of_class(room: ClassLedger, opened: Collection[int]) -> Table:
    """Return the assignments of a class; of those that are `opened` (pks), the puzzles, too."""
    ledger, at_puzzle = room.ledger, room.ledger.by_puzzle()
    columns = []
    for assignment, puzzles, _students in ledger.classes:
        day = "" if assignment.is_gallery else f"{short(due_day(assignment))} "
        columns.append(
            Column(
                f"{day}{assignment.title}",
                reverse("assignment", args=[assignment.pk]),
                ledger.of_assignment(assignment),
                assignment.pk,
                is_open=assignment.pk in opened,
            )
        )
        if assignment.pk in opened:
            for puzzle in puzzles:
                url = puzzle.get_absolute_url()
                tally = Tally(at_puzzle.get(puzzle.pk, []))
                columns.append(Column(f"{puzzle.number}. {puzzle.title}", url, tally))
    lines = []
    for enrolment in room.enrolments:
        own = ledger.by_student.get(enrolment.student_id, {})
        cells: list[Cell | Tally | None] = []
        for assignment, puzzles, _students in ledger.classes:
            work = own.get(assignment.pk)
            cells.append(work)
            if assignment.pk in opened:
                cells += work.row if work else [None] * len(puzzles)
        lines.append(Line(enrolment, ledger.of_student(enrolment.student_id), cells))
    return Table(ledger, room.classroom.name, columns, lines, ledger.total, is_cut=room.is_cut)


def table_of_assignment(book: AssignmentLedger) -> Table:
    """Return the puzzles of an assignment."""
    columns = [
        Column(
            f"{each.puzzle.number}. {each.puzzle.title}",
            each.puzzle.get_absolute_url(),
            each,
            puzzle=each,
        )
        for each in book.columns
    ]
    lines = [
        Line(
            row.enrolment,
            row.work,
            row.work.row,
            book.needs.get(row.enrolment.student_id),
            row.work.due,
            row.work.absent_on,
        )
        for row in book.rows
    ]
    return Table(book.ledger, book.assignment.title, columns, lines, book.ledger.total)


def foot_of(tally: Tally) -> list[tuple[str, Value]]:
    """Return what stands below a column: words, and the figures of all students together."""
    median = tally.median_seconds
    return [
        (_("Given"), tally.given),
        (pgettext("boards", "Started"), tally.begun),
        (_("Solved"), tally.solved),
        (_("Solved, % of given"), tally.per_cent),
        (_("Was stuck"), tally.was_stuck),
        (_("Hints"), tally.hints),
        (_("Median time"), None if median is None else timedelta(seconds=median)),
    ]


def feet_of(table: Table) -> list[tuple[str, list[str]]]:
    """Return the rows below the table on the screen: words, and the texts of all columns, after
    that of the whole table."""
    texts = [
        [as_text(value) for _label, value in foot_of(column.tally)] for column in table.columns
    ]
    return [
        (label, [as_text(value), *(text[at] for text in texts)])
        for at, (label, value) in enumerate(foot_of(table.total))
    ]
