"""First attempts: what they say about a student and about a board, and when they say it."""

from collections.abc import Collection
from datetime import timedelta

from django.db.models import Exists, OuterRef, QuerySet
from django.utils import timezone

from puzzleclass.play.models import Attempt, HintUse
from puzzleclass.play.progress import StudentAndPuzzle

MEASURED_AFTER = timedelta(days=1)
"""The time after its beginning when a first attempt counts. All of them wait for the same time,
because solved attempts end sooner than the others: figures of those that have ended would be too
good."""


def old_enough(attempts: QuerySet[Attempt]) -> QuerySet[Attempt]:
    """Return those of the attempts that count by now."""
    return attempts.filter(next_step__gt=0, started_at__lt=timezone.now() - MEASURED_AFTER)


def first_results(assignments: Collection[int]) -> dict[StudentAndPuzzle, bool]:
    """Return whether each student has solved each puzzle of the assignments (pks) in the first
    attempt and without a hint, once the first attempt counts. One query."""
    first = old_enough(Attempt.objects.filter(puzzle__assignment__in=assignments, number=1))
    rows = first.order_by().annotate(
        has_hint=Exists(HintUse.objects.filter(attempt=OuterRef("pk")))
    )
    values = rows.values_list("student_id", "puzzle_id", "has_solved", "has_hint")
    return {(student, puzzle): solved and not hint for student, puzzle, solved, hint in values}
