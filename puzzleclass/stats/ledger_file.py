"""A ledger as a file, where the switches add columns."""

from collections.abc import Callable
from datetime import timedelta

from django.utils.translation import gettext as _
from django.utils.translation import pgettext

from puzzleclass.stats.ledger import Cell, Ledger, Tally
from puzzleclass.stats.ledger_table import Show, Shown, Table, foot_of
from puzzleclass.stats.sheets import ColumnGroup, Sheet, Value

FIGURES: dict[Show, Callable[[Ledger, Cell | Tally], Value]] = {
    Show.TIME: lambda _ledger, cell: timedelta(seconds=cell.seconds),
    Show.ATTEMPTS: lambda _ledger, cell: cell.attempts,
    Show.HINTS: lambda _ledger, cell: cell.hints,
    Show.SOLUTIONS: lambda _ledger, cell: cell.found,
    Show.SCORE: lambda _ledger, cell: cell.score,
    Show.FIRST: lambda ledger, cell: ledger.first_solved(cell),
    Show.STUCK: lambda _ledger, cell: cell.was_stuck,
    Show.FEEDBACK: lambda ledger, cell: ledger.said_to(cell),
    Show.DUE: lambda _ledger, cell: cell.late,
    Show.LOOKING_BACK: lambda ledger, cell: ledger.said_at_the_end(cell),
}
"""What stands in the columns of a file, besides the status."""


def sheet_of(table: Table, shown: Shown) -> Sheet:
    """Return the table as it is written to a file: a column for each figure that is shown."""
    has_dates = Show.DUE in shown and any(line.due for line in table.lines)
    head = [
        *(
            pgettext("student", "Number"),
            _("Name"),
            _("Solved"),
            _("Given"),
            _("Solved, % of given"),
        ),
        *([_("Due"), _("Absent")] if has_dates else []),
    ]
    groups = [ColumnGroup("", 2), ColumnGroup(_("All together"), 5 if has_dates else 3)]
    has_said = Show.LOOKING_BACK in shown and any(
        table.ledger.looked_back_at(line.total) for line in table.lines
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
            row.append(table.ledger.said_at_the_end(line.total))
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
