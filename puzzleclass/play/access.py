"""What a student may open: the puzzles given to their classes, and their own tries."""

from uuid import UUID

from django.http import Http404

from puzzleclass.accounts.models import User
from puzzleclass.assignments.models import AssignedPuzzle
from puzzleclass.play.models import Attempt


def get_puzzle_for_student(student: User, pk: int) -> AssignedPuzzle:
    """Return the puzzle if it was given to a class of the student's. Raises Http404."""
    puzzle = (
        AssignedPuzzle.objects.select_related("assignment__classroom")
        .filter(pk=pk, assignment__classroom__students=student)
        .first()
    )
    if puzzle is None:
        raise Http404
    return puzzle


def get_attempt_for_student(student: User, key: UUID) -> Attempt:
    """Return the student's own try, while they are in the class. Raises Http404."""
    attempt = (
        Attempt.objects.select_related("puzzle__assignment__classroom")
        .filter(key=key, student=student, puzzle__assignment__classroom__students=student)
        .first()
    )
    if attempt is None:
        raise Http404
    return attempt
