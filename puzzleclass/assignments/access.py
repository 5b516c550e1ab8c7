"""Access of teachers to what is assigned to their classes."""

from django.http import Http404
from django.shortcuts import get_object_or_404

from puzzleclass.accounts.models import User
from puzzleclass.assignments.models import AssignedPuzzle, Assignment, outside_bin
from puzzleclass.classes.access import Right, get_for_teacher, in_class_of


def get_assignment_for_teacher(teacher: User, pk: int, right: Right = Right.TEACH) -> Assignment:
    """Return an assignment of a class of the teacher's. Raises Http404 or PermissionDenied."""
    assignments = Assignment.objects.select_related("classroom", "teacher", "pace")
    return get_for_teacher(assignments, teacher, "classroom", right, pk=pk)


def get_assignment_to_watch(teacher: User, pk: int) -> Assignment:
    """Return an assignment of a class of the teacher's, for pages that ask for it all the time.

    Raises Http404.
    """
    assignments = Assignment.objects.select_related("classroom", "pace")
    return get_object_or_404(assignments.filter(in_class_of(teacher, "classroom")), pk=pk)


def get_changeable_assignment_for_teacher(teacher: User, pk: int) -> Assignment:
    """Return an assignment that the teacher may change as a whole.

    Raises Http404 or PermissionDenied; Http404 also for a gallery, which is changed puzzle by
    puzzle.
    """
    assignment = get_assignment_for_teacher(teacher, pk)
    if assignment.is_gallery:
        raise Http404
    return assignment


def get_assigned_puzzle_for_teacher(
    teacher: User, pk: int, right: Right = Right.TEACH
) -> AssignedPuzzle:
    """Return a puzzle assigned to a class of the teacher's. Raises Http404 or PermissionDenied."""
    puzzles = AssignedPuzzle.objects.select_related("assignment__classroom", "assignment__teacher")
    undeleted = puzzles.filter(outside_bin("assignment"))
    return get_for_teacher(undeleted, teacher, "assignment__classroom", right, pk=pk)
