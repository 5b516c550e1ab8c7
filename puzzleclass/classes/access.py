"""Which teacher may do what in a class: the one place that every view asks.

A class has owners, teachers and substitutes. What belongs to a class the teacher has no part in
answers as what is missing; what goes beyond the teacher's part is refused (403).
"""

from enum import Enum
from typing import TypeVar

from django.core.exceptions import PermissionDenied
from django.db.models import F, Model, Q, QuerySet
from django.http import Http404

from puzzleclass.accounts.models import User
from puzzleclass.classes.models import Classroom, Enrolment, Teaching
from solvers.message import Message

M = TypeVar("M", bound=Model)
Role = Teaching.Role


class Right(Enum):
    """What can be done in a class, by the parts that one needs for it."""

    LOOK = frozenset(Role)
    TEACH = frozenset({Role.OWNER, Role.TEACHER})
    """Change the list, the PINs, the assignments."""
    OWN = frozenset({Role.OWNER})
    """Delete or archive the class, export its data, say who teaches it."""


def in_class_of(teacher: User, path: str = "", right: Right = Right.LOOK) -> Q:
    """Return the condition that the class at `path` gives the teacher the right.

    >>> Assignment.objects.filter(in_class_of(teacher, "classroom"))  # doctest: +SKIP
    """
    place = f"{path}__teachings" if path else "teachings"
    return Q(**{f"{place}__teacher": teacher, f"{place}__role__in": sorted(right.value)})


def get_for_teacher(
    rows: QuerySet[M], teacher: User, path: str = "", right: Right = Right.TEACH, **lookup: object
) -> M:
    """Return the one row, of the class at `path`; the teacher's part in it is its `role`.

    Raises Http404 where the teacher has no part in the class, PermissionDenied where it is not
    enough for what is asked.
    """
    place = f"{path}__teachings" if path else "teachings"
    found = rows.filter(**{f"{place}__teacher": teacher}, **lookup)
    row = found.annotate(role=F(f"{place}__role")).first()
    if row is None:
        raise Http404
    if not may(row, right):
        raise PermissionDenied
    return row


def get_classroom_for_teacher(teacher: User, pk: int, right: Right = Right.TEACH) -> Classroom:
    """Return a class in which the teacher has the right. Raises as `get_for_teacher`."""
    return get_for_teacher(Classroom.objects.all(), teacher, right=right, pk=pk)


def get_enrolment_for_teacher(
    teacher: User, classroom: int, pk: int, right: Right = Right.TEACH
) -> Enrolment:
    """Return a student's place in this class of the teacher's. Raises as `get_for_teacher`."""
    places = Enrolment.objects.select_related("classroom", "student")
    return get_for_teacher(places, teacher, "classroom", right, pk=pk, classroom=classroom)


def check_not_over(classroom: Classroom) -> None:
    """Raise PermissionDenied, saying what to do, for a class that is archived: nobody of it can
    sign in, so it is given no puzzles, PINs or cards."""
    if classroom.archived_at is not None:
        raise PermissionDenied(
            Message(
                "“{name}” is archived. Take it out of the archive first.", {"name": classroom.name}
            )
        )


def may(row: Model, right: Right) -> bool:
    """Return whether the part of the teacher who asked for the row gives the right."""
    return getattr(row, "role", None) in right.value
