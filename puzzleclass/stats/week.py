"""A student's week on one sheet for the parents: what was due, what was solved, what comes next."""

from collections import defaultdict
from collections.abc import Sequence
from dataclasses import dataclass
from datetime import date, datetime, time, timedelta

from django.db.models import Q, QuerySet
from django.utils import timezone

from puzzleclass.assignments.models import Assignment
from puzzleclass.classes.models import Classroom, Enrolment
from puzzleclass.play.models import Feedback
from puzzleclass.stats.ledger import Tally, Work, read_ledger, tally

WEEK = timedelta(days=7)

MAX_ASSIGNMENTS = 12
"""The most assignments on the sheet of a week, so that it stays one sheet."""

MAX_COMMENTS = 4
"""The most stamps and comments on a sheet."""


@dataclass(frozen=True, slots=True)
class Week:
    """A week from Monday to Sunday."""

    monday: date

    @classmethod
    def of(cls, day: date) -> "Week":
        """Return the week with this day."""
        return cls(day - timedelta(days=day.weekday()))

    @property
    def sunday(self) -> date:
        return self.monday + timedelta(days=6)

    @property
    def before(self) -> date:
        """The Monday of the week before."""
        return self.monday - WEEK

    @property
    def after(self) -> date:
        """The Monday of the week after."""
        return self.monday + WEEK

    @property
    def times(self) -> tuple[datetime, datetime]:
        """The times at which the week begins and ends, in the reader's time zone."""
        begins = timezone.make_aware(datetime.combine(self.monday, time()))
        return begins, timezone.make_aware(datetime.combine(self.after, time()))


@dataclass(frozen=True, slots=True)
class WeekSheet:
    """What the sheet of a student's week shows."""

    enrolment: Enrolment
    due: list[Work]
    """The work at assignments that were due in the week."""
    coming: list[Work]
    """The work at assignments that have started and are due later."""
    comments: list[Feedback]

    @property
    def all(self) -> Tally:
        return tally((*self.due, *self.coming))


def assignments_of_week(classroom: Classroom, week: Week) -> QuerySet[Assignment]:
    """Return the assignments that the class could work at in the week, the earliest due date
    first."""
    begins, ends = week.times
    has_started = Q(starts_at=None, created_at__lt=ends) | Q(starts_at__lt=ends)
    return (
        classroom.assignments.counted()
        .filter(has_started, due_at__gte=begins)
        .select_related("classroom")
        .prefetch_related("puzzles")
        .order_by("due_at", "pk")[:MAX_ASSIGNMENTS]
    )


def week_sheets(
    classroom: Classroom, enrolments: Sequence[Enrolment], week: Week
) -> list[WeekSheet]:
    """Return the sheet of each student's week.

    Uses seventeen queries at most, however many students and assignments there are.
    """
    ledger = read_ledger(assignments_of_week(classroom, week))
    comments = _comments(classroom, enrolments, week)
    ends = week.times[1]
    sheets = []
    for enrolment in enrolments:
        own = [each for each in ledger.works_of(enrolment.student_id) if each.cells]
        due = [each for each in own if each.assignment.due_at < ends]
        coming = [each for each in own if each.assignment.due_at >= ends]
        sheets.append(WeekSheet(enrolment, due, coming, comments[enrolment.student_id]))
    return sheets


def _comments(
    classroom: Classroom, enrolments: Sequence[Enrolment], week: Week
) -> dict[int, list[Feedback]]:
    """Return the feedback that each student (pk) received in the week. Uses one query."""
    begins, ends = week.times
    given = Feedback.objects.filter(
        attempt__student__in=[each.student_id for each in enrolments],
        attempt__puzzle__assignment__classroom=classroom,
        at__gte=begins,
        at__lt=ends,
    )
    comments: dict[int, list[Feedback]] = defaultdict(list)
    for feedback in given.select_related("attempt__puzzle").order_by("-at"):
        own = comments[feedback.attempt.student_id]
        if len(own) < MAX_COMMENTS:
            own.append(feedback)
    return comments
