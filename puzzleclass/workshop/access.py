"""Who may change a kind that is being made, and who may look at it."""

from uuid import UUID

from django.shortcuts import get_object_or_404

from puzzleclass.accounts.models import User
from puzzleclass.kinds.models import Invention


def get_invention_for_owner(user: User, pk: int) -> Invention:
    """Return the teacher's own kind. Raise Http404 if it is missing or somebody else's."""
    return get_object_or_404(Invention, pk=pk, owner=user)


def get_shared_invention(key: UUID) -> Invention:
    """Return a saved kind by the word in its address, for every teacher who has the address. Raise
    Http404."""
    rows = Invention.objects.filter(versions__isnull=False).distinct()
    return get_object_or_404(rows.select_related("owner"), key=key)
