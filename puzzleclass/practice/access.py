"""Who may practise, in which class, and what."""

from collections.abc import Sequence

from django.core.exceptions import PermissionDenied
from django.http import Http404, HttpRequest
from django.shortcuts import get_object_or_404

from puzzleclass.accounts.models import User
from puzzleclass.accounts.sign_in import CLASS_CODE, SignedInRequest
from puzzleclass.assignments.models import AssignedPuzzle
from puzzleclass.classes.models import Classroom
from puzzleclass.play.access import PRACTICE_IS_OFF
from puzzleclass.play.records import shows_records
from puzzleclass.practice.models import ReturningPosition
from puzzleclass.seen_kinds import seen_kinds
from solvers.message import Message
from solvers.registry import AnyKind, is_known


def class_for(student: User, code: str | None) -> Classroom:
    """Return the class in which the student practises: the one of the sign-in, else the first.

    One query. Archived classes do not count. Raise PermissionDenied if the student has no class, or
    a teacher of one of the classes has switched practice off.
    """
    classroom, running = _running_classes(student, code)
    if not all_let_practise(running):
        raise PermissionDenied(PRACTICE_IS_OFF)
    return classroom


def garden_class_of(request: SignedInRequest) -> Classroom:
    """Return the class whose garden the student of the request sees. It has one also without
    practice. One query. Raise Http404 if the class's switch hides it."""
    classroom = _running_classes(request.user, request.session.get(CLASS_CODE))[0]
    if not classroom.garden:
        raise Http404
    return classroom


def _running_classes(student: User, code: str | None) -> tuple[Classroom, list[Classroom]]:
    running = list(Classroom.objects.filter(students=student, archived_at=None))
    if not running:
        raise PermissionDenied
    return next((each for each in running if each.code == code), running[0]), running


def all_let_practise(classrooms: Sequence[Classroom]) -> bool:
    """Return whether a student whose classes these are may practise."""
    return bool(classrooms) and all(classroom.practice for classroom in classrooms)


def class_of(request: HttpRequest) -> Classroom | None:
    """Return the class in which the student of the request practises.

    Return None for teachers and guests, who only try practice out. Raise PermissionDenied if
    practice is switched off.
    """
    if not request.user.is_authenticated or not request.user.is_student:
        return None
    return class_for(request.user, request.session.get(CLASS_CODE))


def class_of_student(request: SignedInRequest) -> Classroom:
    """Return the class in which the student of the request practises. Raise PermissionDenied as
    `class_for` does."""
    return class_for(request.user, request.session.get(CLASS_CODE))


def check_seen(request: HttpRequest, kind: AnyKind, *, or_assigned: bool = False) -> None:
    """Raise Http404 if the request is of a student whose class does not see the kind, or of a guest
    and the site does not show it.

    With `or_assigned`, a kind of which the student has been assigned a puzzle is seen, too.
    """
    user = request.user
    if (user.is_authenticated and not user.is_student) or kind.slug in seen_kinds():
        return
    own = AssignedPuzzle.objects.filter(kind_slug=kind.slug)
    if not (
        or_assigned
        and user.is_authenticated
        and own.filter(assignment__classroom__students=user).exists()
    ):
        raise Http404


CHALLENGES_ARE_OFF = Message("Your class has no challenges.")


def challenges_class(request: SignedInRequest) -> Classroom | None:
    """Return the class whose challenges the student of the request is offered. Two queries.

    Return None if one of the student's classes shows no records or lets nobody practise, or if the
    class in which the student practises has no challenges.
    """
    try:
        classroom = class_of_student(request)
    except PermissionDenied:
        return None
    return classroom if classroom.has_challenges and shows_records(request.user) else None


def get_challenges_class(request: SignedInRequest) -> Classroom:
    """Return the class whose challenges the student is offered, or raise PermissionDenied."""
    if classroom := challenges_class(request):
        return classroom
    raise PermissionDenied(CHALLENGES_ARE_OFF)


def get_position_for_student(student: User, pk: int) -> ReturningPosition:
    """Return the student's own position, once it is known. Otherwise raise Http404. One query."""
    positions = ReturningPosition.objects.select_related("puzzle")
    own = get_object_or_404(positions, pk=pk, student=student, kept__isnull=False)
    if not is_known(own.puzzle.kind_slug):
        raise Http404
    return own
