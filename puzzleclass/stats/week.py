"""A student's week on one sheet for the parents: what was due, what was solved, what comes next."""

from collections import defaultdict
from collections.abc import Sequence
from dataclasses import dataclass, replace
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
    """What the sheet of a student's week shows, as it was when the week ended."""

    enrolment: Enrolment
    due: list[Work]
    """The work at assignments that were due in the week."""
    coming: list[Work]
    """The work at assignments that have started and are due later."""
    comments: list[Feedback]
    all: Tally
    """All work since the class began. It never falls from one week to the next."""


def assignments_until(classroom: Classroom, week: Week) -> QuerySet[Assignment]:
    """Return the assignments that had started before the week ended, the earliest due date
    first."""
    ends = week.times[1]
    has_started = Q(starts_at=None, created_at__lt=ends) | Q(starts_at__lt=ends)
    return (
        classroom.assignments.counted()
        .filter(has_started)
        .select_related("classroom")
        .prefetch_related("puzzles")
        .order_by("due_at", "pk")
    )


def week_sheets(
    classroom: Classroom, enrolments: Sequence[Enrolment], week: Week
) -> list[WeekSheet]:
    """Return the sheet of each student's week.

    Uses seventeen queries at most, however many students and assignments there are.
    """
    ledger = read_ledger(assignments_until(classroom, week))
    comments = _comments(classroom, enrolments, week)
    begins, ends = week.times
    sheets = []
    for enrolment in enrolments:
        works = ledger.works_of(enrolment.student_id)
        own = [_work_at(each, ends) for each in works if each.cells]
        open_then = [each for each in own if each.due.at >= begins][:MAX_ASSIGNMENTS]
        due = [each for each in open_then if each.due.at < ends]
        coming = [each for each in open_then if each.due.at >= ends]
        said = comments[enrolment.student_id]
        sheets.append(WeekSheet(enrolment, due, coming, said, tally(own)))
    return sheets


def _work_at(work: Work, moment: datetime) -> Work:
    """Return the work as it was at the moment, if that is over, or as it is now."""
    return replace(
        work, cells=[cell._replace(status=cell.status.at(moment)) for cell in work.cells]
    )


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
