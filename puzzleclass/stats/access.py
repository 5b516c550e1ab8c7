"""Access of teachers to the work of their students."""

from uuid import UUID

from django.core.exceptions import PermissionDenied
from django.db.models import F
from django.http import Http404
from django.shortcuts import get_object_or_404

from puzzleclass.accounts.models import User
from puzzleclass.assignments.models import AssignedPuzzle, outside_bin
from puzzleclass.classes.access import Right, get_for_teacher, in_class_of
from puzzleclass.classes.models import Enrolment
from puzzleclass.play.models import Attempt


def get_attempt_for_teacher(teacher: User, key: UUID, right: Right = Right.LOOK) -> Attempt:
    """Return an attempt of a student who is still in the teacher's class. Raises Http404."""
    attempts = Attempt.objects.select_related(
        "student", "puzzle__assignment__classroom", "puzzle__assignment__teacher"
    )
    in_class = attempts.filter(
        outside_bin("puzzle__assignment"), puzzle__assignment__classroom__students=F("student")
    )
    return get_for_teacher(in_class, teacher, "puzzle__assignment__classroom", right, key=key)


def get_enrolment_for_puzzle(puzzle: AssignedPuzzle, student: int) -> Enrolment:
    """Return the enrolment of a student (pk) in the class that has the puzzle. Raises Http404."""
    return get_object_or_404(
        Enrolment.objects.select_related("student"),
        classroom=puzzle.assignment.classroom_id,
        student=student,
    )


def get_student_for_teacher(teacher: User, student: int, right: Right = Right.LOOK) -> Enrolment:
    """Return the student's latest enrolment in a class in which the teacher has this right.

    Raises Http404 when the student is in none of the teacher's classes, and PermissionDenied when
    the teacher's part in them does not include the right.
    """
    enrolments = Enrolment.objects.filter(
        in_class_of(teacher, "classroom"), student=student
    ).select_related("classroom", "student")
    best = enrolments.filter(in_class_of(teacher, "classroom", right)).order_by("-pk").first()
    if best:
        return best
    if enrolments.exists():
        raise PermissionDenied
    raise Http404
