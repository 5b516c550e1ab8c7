"""Access of teachers to the work of their students."""

from uuid import UUID

from django.core.exceptions import PermissionDenied
from django.db.models import BooleanField, ExpressionWrapper, F, Q, QuerySet
from django.http import Http404
from django.shortcuts import get_object_or_404

from puzzleclass.accounts.models import User
from puzzleclass.assignments.dealing import assigned_to
from puzzleclass.assignments.models import AssignedPuzzle, Assignment, outside_bin
from puzzleclass.classes.access import Right, get_for_teacher, in_class_of
from puzzleclass.classes.models import Classroom, Enrolment
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


def assignments_of_student(
    teacher: User, student: User, *, gallery: bool = False
) -> QuerySet[Assignment]:
    """Return the assignments at which the teacher sees the student's work, the latest first.

    Those are the assignments in the teacher's own classes (`is_mine`), and the work that the
    student brings along from classes that are archived or that the student has left. Work in a
    colleague's current class is for the colleague to show. With `gallery`, galleries count, too.
    """
    mine = Classroom.objects.filter(in_class_of(teacher)).values("pk")
    current_classes = student.enrolments.order_by().values("classroom")
    left = Q(classroom__archived_at__isnull=False) | ~Q(classroom__in=current_classes)
    begun = Attempt.objects.filter(student=student).order_by().values("puzzle__assignment")
    assigned = assigned_to(student) & Q(classroom__in=mine, classroom__students=student)
    brought_along = Q(pk__in=begun, classroom__deleted_at=None) & left
    return (
        Assignment.objects.counted(gallery=gallery)
        .filter(assigned | brought_along)
        .annotate(is_mine=ExpressionWrapper(Q(classroom__in=mine), BooleanField()))
        .distinct()
        .select_related("classroom")
        .prefetch_related("puzzles")
        .order_by("-due_at", "-pk")
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
