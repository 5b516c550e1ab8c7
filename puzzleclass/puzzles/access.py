"""Access to the puzzles and saved searches of a library."""

from django.shortcuts import get_object_or_404

from puzzleclass.accounts.models import User
from puzzleclass.puzzles.models import Puzzle, SavedSearch


def get_puzzle_for_owner(user: User, pk: int) -> Puzzle:
    """Return the user's own puzzle. Raise Http404 if it is missing or somebody else's."""
    return get_object_or_404(Puzzle, pk=pk, owner=user)


def get_search_for_owner(user: User, pk: int) -> SavedSearch:
    """Return the user's own saved search. Raise Http404 if it is missing or somebody else's."""
    return get_object_or_404(SavedSearch, pk=pk, owner=user)
