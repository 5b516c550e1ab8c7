"""Who may change a kind that is being made, and who may look at it."""

from uuid import UUID

from django.http import Http404
from django.shortcuts import get_object_or_404

from puzzleclass.accounts.models import User
from puzzleclass.classes.models import Classroom
from puzzleclass.kinds.models import Invention
from puzzleclass.workshop.inventing import handed_in, inventing_classes


def check_may_invent(user: User) -> None:
    """Raise Http404 for students no class of whom lets them make kinds."""
    if user.is_student and not inventing_classes(user).exists():
        raise Http404


def get_invention_for_owner(user: User, pk: int) -> Invention:
    """Return the user's own kind. Raise Http404 if it is missing or somebody else's, and for
    students who may not make kinds."""
    check_may_invent(user)
    return get_object_or_404(Invention.objects.select_related("owner"), pk=pk, owner=user)


def get_invention_of_class(classroom: Classroom, pk: int) -> Invention:
    """Return a kind that a student of the class has handed in. Raise Http404."""
    return get_object_or_404(handed_in(classroom.pk), pk=pk)


def get_shared_invention(key: UUID) -> Invention:
    """Return a teacher's saved kind by the word in its address, for every teacher who has the
    address. Raise Http404."""
    rows = Invention.objects.filter(versions__isnull=False, owner__role=User.Role.TEACHER)
    return get_object_or_404(rows.distinct().select_related("owner"), key=key)
