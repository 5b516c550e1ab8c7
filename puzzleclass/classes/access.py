"""Whose class it is: its teachers', all with the same rights."""

from django.http import Http404
from django.shortcuts import get_object_or_404

from puzzleclass.accounts.models import User
from puzzleclass.classes.models import Classroom, Enrolment


def get_classroom_for_teacher(teacher: User, pk: int) -> Classroom:
    """Return a class the teacher teaches; anybody else's answers as a missing one (404)."""
    return get_object_or_404(Classroom, pk=pk, teachers=teacher)


def get_enrolment_for_teacher(teacher: User, classroom: int, pk: int) -> Enrolment:
    """Return a student's place in this class of the teacher's. Raises Http404."""
    enrolments = Enrolment.objects.select_related("classroom", "student")
    enrolment = enrolments.filter(pk=pk, classroom=classroom, classroom__teachers=teacher).first()
    if enrolment is None:
        raise Http404
    return enrolment
