"""Two tables about a class over all its assignments: the course over time, and the results by kind
and difficulty."""

from datetime import timedelta

from django.utils.translation import gettext as _
from django.utils.translation import pgettext

from puzzleclass.charts import round_half_up
from puzzleclass.language.reader import say
from puzzleclass.stats.class_ledger import ClassLedger
from puzzleclass.stats.sheets import Sheet, Value
from solvers.message import Message


def course_sheet(room: ClassLedger) -> Sheet:
    """Return the table of the course, a row for each day or week."""
    rows: list[list[Value]] = [
        [
            *(period.first_day, period.tries, period.solved, period.time),
            round_half_up(100 * period.solved, period.tries) if period.tries else None,
        ]
        for period in room.course.periods
    ]
    head = [*room.course.head, _("Solved, % of attempts")]
    return Sheet(room.classroom.name, head, rows, names=1, is_cut=room.is_cut)


def kinds_sheet(room: ClassLedger) -> Sheet:
    """Return the table of the puzzles that were begun, a row for each kind and difficulty."""
    rows: list[list[Value]] = []
    for each in room.ledger.strengths_of(room.ledger.works):
        median = each.median_seconds
        rows.append(
            [
                *(say(each.kind.name), say(Message(each.band)) if each.band else None),
                *(each.begun, each.solved, each.per_cent),
                None if median is None else timedelta(seconds=median),
            ]
        )
    head = [
        *(_("Kind"), _("Difficulty"), pgettext("boards", "Started"), _("Solved")),
        *(_("Solved, % of started"), _("Median time")),
    ]
    return Sheet(room.classroom.name, head, rows, names=1, is_cut=room.is_cut)
