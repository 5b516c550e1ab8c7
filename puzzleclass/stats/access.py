"""Whose tries a teacher may see: those of students in a class they teach."""

from uuid import UUID

from django.db.models import F
from django.http import Http404
from django.shortcuts import get_object_or_404

from puzzleclass.accounts.models import User
from puzzleclass.assignments.models import AssignedPuzzle
from puzzleclass.classes.models import Enrolment
from puzzleclass.play.models import Attempt


def get_attempt_for_teacher(teacher: User, key: UUID) -> Attempt:
    """Return a try of a student who is still in the teacher's class. Raises Http404."""
    attempts = Attempt.objects.select_related(
        "student", "puzzle__assignment__classroom", "puzzle__assignment__teacher"
    )
    attempt = attempts.filter(
        key=key,
        puzzle__assignment__classroom__teachers=teacher,
        puzzle__assignment__classroom__students=F("student"),
    ).first()
    if attempt is None:
        raise Http404
    return attempt


def get_enrolment_for_puzzle(puzzle: AssignedPuzzle, student: int) -> Enrolment:
    """Return the place of a student (pk) in the class that has the puzzle. Raises Http404."""
    return get_object_or_404(
        Enrolment.objects.select_related("student"),
        classroom=puzzle.assignment.classroom_id,
        student=student,
    )
