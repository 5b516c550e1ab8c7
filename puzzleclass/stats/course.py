"""The course of the work over time, of a student or of a class: by days at first, then by weeks."""

from bisect import bisect_right
from collections import defaultdict
from collections.abc import Iterable
from dataclasses import dataclass
from datetime import date, timedelta

from django.db.models import Count, Q, Sum
from django.db.models.functions import TruncDate
from django.utils import timezone
from django.utils.formats import date_format
from django.utils.translation import gettext as _
from django.utils.translation import pgettext

from puzzleclass.charts import Bar, BarChart, NumberTable, bar_chart, table
from puzzleclass.play.models import Attempt
from puzzleclass.templating.templatetags.words import clock

MAX_WEEKS = 26
DAYS_SHOWN = 14
"""A course that began within so many days is shown by days, others by weeks."""


@dataclass(slots=True)
class Period:
    """A student's work in a day or a week."""

    first_day: date
    tries: int = 0
    solved: int = 0
    """The number of attempts that reached a solution."""
    seconds: int = 0

    @property
    def time(self) -> timedelta:
        return timedelta(seconds=self.seconds)


@dataclass(frozen=True, slots=True)
class Course:
    """The work over time."""

    periods: list[Period]
    """The days with attempts, or all weeks from the first attempt on."""
    is_daily: bool

    def chart(self, width: int = 480) -> BarChart:
        """Return a bar for each period: the attempts, and those that reached a solution."""
        title = _("Attempts by day") if self.is_daily else _("Attempts by week")
        bars = (Bar(short(each.first_day), each.tries, each.solved) for each in self.periods)
        return bar_chart(title, bars, width)

    @property
    def head(self) -> list[str]:
        """The headings of the table of the numbers."""
        first = _("Day") if self.is_daily else pgettext("date", "from")
        return [first, _("Attempts"), _("Solved"), _("Time")]

    @property
    def numbers(self) -> NumberTable:
        """The numbers of the chart, and the time."""
        rows = (
            (date_format(p.first_day, "SHORT_DATE_FORMAT"), p.tries, p.solved, clock(p.seconds))
            for p in self.periods
        )
        return table(self.head, rows)


def short(day: date) -> str:
    """Return the month and the day for a narrow place."""
    return date_format(day, "MONTH_DAY_FORMAT")


def recent() -> Q:
    """Return the condition that an attempt is recent enough for the course until today."""
    return Q(last_at__gte=timezone.now() - timedelta(weeks=MAX_WEEKS))


def days_by_student(own: Q) -> dict[int, list[Period]]:
    """Return the work of each student (pk) on each day, in the attempts that `own` selects.

    Uses one query.
    """
    attempts = Attempt.objects.filter(own, next_step__gt=0)
    by_day = attempts.order_by().values_list("student", TruncDate("last_at"))
    totals = by_day.annotate(
        tries=Count("pk"), solved=Count("pk", filter=Q(has_solved=True)), time=Sum("seconds")
    )
    days: dict[int, list[Period]] = defaultdict(list)
    for student, *period in totals:
        days[student].append(Period(*period))
    return days


def course_of(days: Iterable[Period], last: date) -> Course:
    """Return the course from the first of the days to the last day.

    Days may come several times, from several students. Days without attempts are left out, because
    most classes have one or two lessons a week. At most the latest `MAX_WEEKS` are shown.
    """
    days = list(days)
    first = min((day.first_day for day in days), default=last)
    is_daily = (last - first).days < DAYS_SHOWN
    if is_daily:
        begins = sorted({day.first_day for day in days})
    else:
        monday = first - timedelta(days=first.weekday())
        weeks = (last - monday).days // 7 + 1
        begins = [monday + timedelta(weeks=week) for week in range(weeks)]
    periods = [Period(begin) for begin in begins]
    for day in days:
        period = periods[bisect_right(begins, day.first_day) - 1]
        period.tries += day.tries
        period.solved += day.solved
        period.seconds += day.seconds
    return Course(periods[-MAX_WEEKS:], is_daily)
