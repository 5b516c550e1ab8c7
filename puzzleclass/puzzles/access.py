"""Whose puzzle it is: a library is its owner's alone."""

from django.shortcuts import get_object_or_404

from puzzleclass.accounts.models import User
from puzzleclass.puzzles.models import Puzzle


def get_puzzle_for_owner(user: User, pk: int) -> Puzzle:
    """Return the user's own puzzle; anybody else's answers as a missing one (404)."""
    return get_object_or_404(Puzzle, pk=pk, owner=user)
