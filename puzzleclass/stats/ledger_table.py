"""A ledger as a table: on the screen, where switches add lines to the cells, and as a file, where
they add columns. A class has a column for each assignment, an assignment one for each puzzle."""

from collections.abc import Callable, Collection, Sequence
from dataclasses import dataclass
from datetime import date, timedelta
from typing import NamedTuple

from django.db.models import TextChoices
from django.urls import reverse
from django.utils.timezone import localdate
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy, pgettext

from puzzleclass.assignments.due import Due
from puzzleclass.assignments.reflections import Reflection
from puzzleclass.classes.models import Enrolment
from puzzleclass.play.models import Feedback
from puzzleclass.play.needs import Need
from puzzleclass.play.status import PuzzleState
from puzzleclass.stats.assignment_ledger import AssignmentLedger, PuzzleColumn
from puzzleclass.stats.class_ledger import ClassLedger, due_day
from puzzleclass.stats.course import short
from puzzleclass.stats.ledger import Cell, Ledger, Tally, Work
from puzzleclass.stats.sheets import ColumnGroup, Sheet, Value, as_text


class Show(TextChoices):
    """What the cells of a ledger show, in the order of the switches."""

    STATUS = "status", gettext_lazy("Status")
    TIME = "time", gettext_lazy("Time")
    ATTEMPTS = "attempts", gettext_lazy("Attempts")
    HINTS = "hints", gettext_lazy("Hints")
    SOLUTIONS = "solutions", gettext_lazy("Solutions found")
    SCORE = "score", gettext_lazy("Score")
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


# The file

FIGURES: dict[Show, Callable[[Ledger, Cell | Tally], Value]] = {
    Show.TIME: lambda _ledger, cell: timedelta(seconds=cell.seconds),
    Show.ATTEMPTS: lambda _ledger, cell: cell.attempts,
    Show.HINTS: lambda _ledger, cell: cell.hints,
    Show.SOLUTIONS: lambda _ledger, cell: cell.found,
    Show.SCORE: lambda _ledger, cell: cell.score,
    Show.STUCK: lambda _ledger, cell: cell.was_stuck,
    Show.FEEDBACK: lambda ledger, cell: _said(ledger, cell),
    Show.DUE: lambda _ledger, cell: cell.late,
    Show.LOOKING_BACK: lambda ledger, cell: _said_at_the_end(ledger, cell),
}
"""What stands in the columns of a file, besides the status."""


def foot_of(tally: Tally) -> list[tuple[str, Value]]:
    """Return what stands below a column: words, and the figures of all students together."""
    median = tally.median_seconds
    return [
        (_("Given"), tally.given),
        (pgettext("boards", "Started"), tally.begun),
        (_("Solved"), tally.solved),
        (_("Per cent"), tally.per_cent),
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


def sheet_of(table: Table, shown: Shown) -> Sheet:
    """Return the table as it is written to a file: a column for each figure that is shown."""
    has_dates = Show.DUE in shown and any(line.due for line in table.lines)
    head = [
        *(pgettext("student", "Number"), _("Name"), _("Solved"), _("Given"), _("Per cent")),
        *([_("Due"), _("Absent")] if has_dates else []),
    ]
    groups = [ColumnGroup("", 2), ColumnGroup(_("All together"), 5 if has_dates else 3)]
    has_said = Show.LOOKING_BACK in shown and any(
        _looked_back(table.ledger, line.total) for line in table.lines
    )
    if has_said:
        head.append(str(Show.LOOKING_BACK.label))
        groups.append(ColumnGroup("", 1))
    widths = []
    for column in table.columns:
        own = [str(each.label) for each in _figures_of(shown, is_puzzle=not column.assignment)]
        if Show.STATUS in shown:
            own = [_("Solved"), _("Given"), *own] if column.assignment else [_("Status"), *own]
        head += own
        widths.append(len(own))
        if own:
            groups.append(ColumnGroup(column.name, len(own)))
    rows: list[list[Value]] = []
    for line in table.lines:
        student, total = line.enrolment, line.total
        row: list[Value] = [student.number, student.student.name]
        row += [total.solved, total.given, total.per_cent]
        if has_dates:
            row += [line.due and line.due.at, line.absent_on]
        if has_said:
            row.append(_said_at_the_end(table.ledger, line.total))
        for cell, width in zip(line.cells, widths):
            row += _values(table.ledger, cell, shown) if cell else [None] * width
        rows.append(row)
    feet = [foot_of(column.tally) for column in table.columns]
    for at, (label, value) in enumerate(foot_of(table.total)):
        row = [None, label, value, *[None] * ((4 if has_dates else 2) + has_said)]
        for foot, width in zip(feet, widths):
            row += [foot[at][1], *[None] * (width - 1)][:width]
        rows.append(row)
    return Sheet(table.title, head, rows, groups=groups, is_cut=table.is_cut)


def _values(ledger: Ledger, cell: Cell | Tally, shown: Shown) -> list[Value]:
    """Return what a student's row of a file has in a column."""
    values: list[Value] = []
    if Show.STATUS in shown:
        values += [cell.solved, cell.given] if isinstance(cell, Tally) else [str(cell.state.label)]
    figures = _figures_of(shown, is_puzzle=not isinstance(cell, Tally))
    return values + [FIGURES[show](ledger, cell) for show in figures]


def _figures_of(shown: Shown, *, is_puzzle: bool) -> list[Show]:
    """Return the figures of a column. Students look back at an assignment, not at a puzzle."""
    return [
        show for show in FIGURES if show in shown and not (is_puzzle and show == Show.LOOKING_BACK)
    ]


# The screen


class ScreenCell(NamedTuple):
    """A cell on the screen. It is a tuple of plain texts because a table has hundreds of them."""

    style: str
    sign: str
    lines: str
    url: str
    description: str
    """The whole cell in words."""
    key: str
    """The student and the puzzle, to be ticked; empty where nothing can be stamped."""


class ScreenRow(NamedTuple):
    """A row on the screen."""

    line: Line
    cells: list[ScreenCell]
    looked_back: Reflection | None
    """What the student has said last at the end of a lesson of the one assignment of the table, if
    that is shown."""


def _stuck_mark(cell: Cell | Tally) -> str:
    return "(!)" if cell.was_stuck and cell.state != PuzzleState.STUCK else ""


def _found_mark(cell: Cell | Tally) -> str:
    if isinstance(cell, Cell) and cell.status.needed > 1:
        return f"◇{cell.found}/{cell.status.needed}"
    return f"◇{cell.found}"


def _feedback_of(ledger: Ledger, cell: Cell | Tally) -> list[Feedback]:
    cells = cell.cells if isinstance(cell, Tally) else [cell]
    places = ((each.student, each.puzzle.pk) for each in cells)
    return [ledger.feedback[place] for place in places if place in ledger.feedback]


def _feedback_mark(ledger: Ledger, cell: Cell | Tally) -> str:
    given = _feedback_of(ledger, cell)
    return ("✿" if given else "") + ("♥" if any(each.reaction for each in given) else "")


def _said(ledger: Ledger, cell: Cell | Tally) -> str:
    """Return the feedback, and what the student has answered."""
    given = _feedback_of(ledger, cell)
    if isinstance(cell, Tally):
        return str(len(given) or "")
    texts = [text for each in given for text in (each.said, str(each.get_reaction_display()))]
    return " ♥ ".join(filter(None, texts))


def _looked_back(ledger: Ledger, cell: Cell | Tally) -> Reflection | None:
    """Return what the student has said last at the end of a lesson of the assignment."""
    if isinstance(cell, Work):
        return ledger.looked_back.get((cell.student, cell.assignment.pk))
    return None


def _said_at_the_end(ledger: Ledger, cell: Cell | Tally) -> str:
    own = _looked_back(ledger, cell)
    return own.said if own else ""


def _face_mark(ledger: Ledger, cell: Cell | Tally) -> str:
    own = _looked_back(ledger, cell)
    return own.symbol if own else ""


def _due_mark(cell: Cell | Tally) -> str:
    if isinstance(cell, Cell) and cell.arrived_at:
        return _("arrived {day}").format(day=short(localdate(cell.arrived_at)))
    return _("late") if cell.late else ""


MARKS: dict[Show, Callable[[Ledger, Cell | Tally], str]] = {
    Show.TIME: lambda _ledger, cell: cell.time,
    Show.ATTEMPTS: lambda _ledger, cell: f"×{cell.attempts}",
    Show.HINTS: lambda _ledger, cell: f"?{cell.hints}" if cell.hints else "",
    Show.SOLUTIONS: lambda _ledger, cell: _found_mark(cell),
    Show.SCORE: lambda _ledger, cell: "" if cell.score is None else f"★{cell.score}",
    Show.STUCK: lambda _ledger, cell: _stuck_mark(cell),
    Show.FEEDBACK: _feedback_mark,
    Show.DUE: lambda _ledger, cell: _due_mark(cell),
    Show.LOOKING_BACK: _face_mark,
}
"""The short line of each switch in a cell that is begun."""


def screen_rows(table: Table, shown: Shown) -> list[ScreenRow]:
    """Return the rows as the screen shows them."""
    make = _cell_maker(table.ledger, shown)
    absent = ScreenCell(
        PuzzleState.NOT_STARTED.value, pgettext("sign", "abs."), "", "", _("Absent"), ""
    )
    looks_back = Show.LOOKING_BACK in shown
    return [
        ScreenRow(
            line,
            [absent if line.absent_on else make(cell) for cell in line.cells],
            _looked_back(table.ledger, line.total) if looks_back else None,
        )
        for line in table.lines
    ]


def _cell_maker(ledger: Ledger, shown: Shown) -> Callable[[Cell | Tally | None], ScreenCell]:
    """Return a function that makes a cell of the screen.

    It looks up texts and addresses once instead of once for each cell.
    """
    styles = {state: state.value for state in PuzzleState}
    symbols = {state: state.symbol for state in PuzzleState}
    labels = {state: str(state.label) for state in PuzzleState}
    has_status = Show.STATUS in shown
    marks = [mark for show, mark in MARKS.items() if show in shown]

    def lines_of(cell: Cell | Tally) -> str:
        return " ".join(filter(None, (mark(ledger, cell) for mark in marks)))

    sentence = _("{state}. Time: {time}. Attempts: {tries}. Solutions found: {found}")
    with_needed = _(
        "{state}. Time: {time}. Attempts: {tries}. Solutions found: {found} of {needed}"
    )
    with_hints = _("{said}. Hints: {hints}")
    with_was_stuck = _("{said}. Was stuck")
    with_score = _("{said}. Best score: {score}")
    with_late = _("{said}. Late")
    with_arrival = _("{said}. Made in time without a network, arrived {day}")
    solved_of = _("Solved: {solved} of {given}")
    before, between, after = reverse("attempts", args=[0, 0]).rsplit("0", 2)
    nothing = PuzzleState.NOT_ASSIGNED
    empty = ScreenCell(styles[nothing], symbols[nothing], "", "", labels[nothing], "")

    def make(cell: Cell | Tally | None) -> ScreenCell:
        if cell is None:
            return empty
        state = cell.state
        if isinstance(cell, Tally):
            if state == nothing:
                return empty
            text = solved_of.format(solved=cell.solved, given=cell.given)
            sign = f"{cell.solved}/{cell.given}" if has_status else ""
            face = _face_mark(ledger, cell) if Show.LOOKING_BACK in shown else ""
            lines = lines_of(cell) if cell.begun else face
            if face:
                text = f"{text}. {_said_at_the_end(ledger, cell)}"
            return ScreenCell(styles[state], sign, lines, "", text, "")
        sign = symbols[state] if has_status else ""
        status, hints = cell.status, cell.hints
        if not status.attempts and not hints:
            return ScreenCell(styles[state], sign, "", "", labels[state], "")
        text = (sentence if status.needed == 1 else with_needed).format(
            state=labels[state],
            time=cell.time,
            tries=status.attempts,
            found=status.found,
            needed=status.needed,
        )
        if cell.was_stuck and state != PuzzleState.STUCK:
            text = with_was_stuck.format(said=text)
        if hints:
            text = with_hints.format(said=text, hints=hints)
        if cell.is_late:
            text = with_late.format(said=text)
        if cell.arrived_at:
            text = with_arrival.format(said=text, day=short(localdate(cell.arrived_at)))
        if cell.score is not None:
            text = with_score.format(said=text, score=cell.score)
        url = f"{before}{cell.puzzle.pk}{between}{cell.student}{after}"
        key = f"{cell.student}-{cell.puzzle.pk}" if status.attempts else ""
        return ScreenCell(styles[state], sign, lines_of(cell), url, text, key)

    return make
