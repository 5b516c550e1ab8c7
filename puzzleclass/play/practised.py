"""What a student has reached in practice: boards solved, stars, days and weeks with practice."""

from collections.abc import Iterable
from dataclasses import dataclass
from datetime import date, timedelta

from django.db.models import Count
from django.db.models.functions import TruncDate

from puzzleclass.accounts.models import User
from puzzleclass.play.models import Attempt
from puzzleclass.play.result_models import FoundSolution
from puzzleclass.puzzles.worlds import BoardKey, PracticeBoard

MAX_WEEKS = 60
"""The most weeks in a row that are counted."""

MAX_DAYS = 100
"""The most days in a row that are counted."""

Solved = dict[BoardKey, int]
"""The number of solutions found, by kind and position."""


@dataclass(frozen=True, slots=True)
class PracticeProgress:
    """The practice boards that a student or a guest has solved."""

    solved: Solved
    solved_without_hint: set[BoardKey]
    """The kinds and positions of the boards solved in an attempt without a hint."""

    def stars(self, board: PracticeBoard) -> int:
        """Return how many stars the board has won.

        One is for a solution, one for solving it without a hint, and one for a second solution.
        """
        found = self.solved.get(board.key, 0)
        has_second = found > 1 and board.most_stars > 2
        return bool(found) + (board.key in self.solved_without_hint) + has_second

    def in_level(self, boards: Iterable[PracticeBoard]) -> int:
        """Return how many of the boards are solved."""
        return sum(board.key in self.solved for board in boards)


def progress_of(student: User) -> PracticeProgress:
    """Return the student's progress in the practice of all classes. Two queries."""
    where = {"student": student, "puzzle__assignment__is_practice": True}
    board = ("puzzle__kind_slug", "puzzle__position")
    found = FoundSolution.objects.filter(**where).order_by().values_list(*board)
    solved_without_hint = Attempt.objects.filter(**where, has_solved=True, hints=None).order_by()
    return PracticeProgress(
        {
            (slug, position): number
            for slug, position, number in found.annotate(Count("text", distinct=True))
        },
        set(solved_without_hint.values_list(*board).distinct()),
    )


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


def days_in_a_row(student: User, today: date) -> int:
    """Return on how many days in a row, up to today, the student has solved something. One query.

    A Saturday or Sunday without a solution does not end the row, because there is no school.
    """
    since = today - timedelta(days=MAX_DAYS)
    found = FoundSolution.objects.filter(student=student, found_at__date__gte=since).order_by()
    days = set(found.values_list(TruncDate("found_at"), flat=True).distinct())
    number, day = 0, today
    while day in days or (day.weekday() > 4 and day > since):
        number += day in days
        day -= timedelta(days=1)
    return number
