"""What a student has reached in practice: boards solved, stars, days and weeks with practice."""

from dataclasses import dataclass
from datetime import date, timedelta

from django.db.models import Count, Max, Q
from django.db.models.functions import TruncDate

from puzzleclass.accounts.models import User
from puzzleclass.play.models import BEGUN, Attempt
from puzzleclass.play.path import Result
from puzzleclass.play.result_models import FoundSolution
from puzzleclass.puzzles.worlds import BoardKey

MAX_WEEKS = 60
"""The most weeks in a row that are counted."""


def results_of(student: User) -> dict[BoardKey, Result]:
    """Return the student's results in the practice of all classes. Two queries."""
    board = ("puzzle__kind_slug", "puzzle__position")
    of_practice = {"student": student, "puzzle__assignment__is_practice": True}
    solutions = FoundSolution.objects.filter(**of_practice).order_by().values_list(*board)
    numbers = {
        (slug, position): number
        for slug, position, number in solutions.annotate(Count("text", distinct=True))
    }
    attempts = Attempt.objects.filter(BEGUN, **of_practice).order_by().values_list(*board)
    alone = Count("pk", filter=Q(has_solved=True, hints=None))
    played = {
        (slug, position): Result(0, solved > 0, last_at)
        for slug, position, last_at, solved in attempts.annotate(Max("last_at"), alone=alone)
    }
    return played | {
        key: played.get(key, Result())._replace(found=number) for key, number in numbers.items()
    }


@dataclass(frozen=True, slots=True)
class Rhythm:
    """How regularly a student practises. A week with one day of practice counts like a full one."""

    weeks: int
    """The number of weeks in a row with practice, up to this week or the last one."""
    days: int
    """The number of days with practice in this week."""


def rhythm_of(student: User, today: date) -> Rhythm:
    """Return the student's rhythm. One query."""
    monday = today - timedelta(days=today.weekday())
    since = monday - timedelta(weeks=MAX_WEEKS)
    days = set(
        FoundSolution.objects.filter(
            student=student, puzzle__assignment__is_practice=True, found_at__date__gte=since
        )
        .order_by()
        .values_list(TruncDate("found_at"), flat=True)
        .distinct()
    )
    weeks = {(monday - (day - timedelta(days=day.weekday()))).days // 7 for day in days}
    # The student may not have practised yet this week, which does not end the row of weeks.
    latest = 0 if 0 in weeks else 1
    weeks_in_a_row = (
        next(week for week in range(latest, MAX_WEEKS + 2) if week not in weeks) - latest
    )
    return Rhythm(weeks_in_a_row, sum(day >= monday for day in days))
