"""Whose assignment it is: the teachers' of the class it was given to."""

from django.http import Http404

from puzzleclass.accounts.models import User
from puzzleclass.assignments.models import AssignedPuzzle, Assignment


def get_assignment_for_teacher(teacher: User, pk: int) -> Assignment:
    """Return an assignment of a class the teacher teaches. Raises Http404."""
    assignments = Assignment.objects.select_related("classroom", "teacher")
    assignment = assignments.filter(pk=pk, classroom__teachers=teacher).first()
    if assignment is None:
        raise Http404
    return assignment


def get_assigned_puzzle_for_teacher(teacher: User, pk: int) -> AssignedPuzzle:
    """Return a puzzle given to a class the teacher teaches. Raises Http404."""
    puzzles = AssignedPuzzle.objects.select_related("assignment__classroom", "assignment__teacher")
    puzzle = puzzles.filter(pk=pk, assignment__classroom__teachers=teacher).first()
    if puzzle is None:
        raise Http404
    return puzzle
