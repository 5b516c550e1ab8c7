"""A ledger on the screen, where the switches add lines to the cells."""

from collections.abc import Callable
from typing import NamedTuple

from django.urls import reverse
from django.utils.timezone import localdate
from django.utils.translation import gettext as _
from django.utils.translation import pgettext

from puzzleclass.assignments.reflections import Reflection
from puzzleclass.play.status import PuzzleState
from puzzleclass.stats.course import short
from puzzleclass.stats.ledger import Cell, Ledger, Tally
from puzzleclass.stats.ledger_table import Line, Show, Shown, Table


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


def _first_mark(ledger: Ledger, cell: Cell | Tally) -> str:
    counted = ledger.first_counted(cell)
    if isinstance(cell, Tally):
        return f"①{sum(counted)}/{len(counted)}" if counted else ""
    return "①" if any(counted) else ""


def _stuck_mark(cell: Cell | Tally) -> str:
    return "(!)" if cell.was_stuck and cell.state != PuzzleState.STUCK else ""


def _found_mark(cell: Cell | Tally) -> str:
    if isinstance(cell, Cell) and cell.status.needed > 1:
        return f"◇{cell.found}/{cell.status.needed}"
    return f"◇{cell.found}"


def _feedback_mark(ledger: Ledger, cell: Cell | Tally) -> str:
    given = ledger.feedback_to(cell)
    return ("✿" if given else "") + ("♥" if any(each.reaction for each in given) else "")


def _face_mark(ledger: Ledger, cell: Cell | Tally) -> str:
    own = ledger.looked_back_at(cell)
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
    Show.FIRST: _first_mark,
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
            table.ledger.looked_back_at(line.total) if looks_back else None,
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
                text = f"{text}. {ledger.said_at_the_end(cell)}"
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
