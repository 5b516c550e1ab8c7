"""Access to the puzzles that students write."""

from django.shortcuts import get_object_or_404

from puzzleclass.accounts.models import User
from puzzleclass.assignments.models import WrittenPuzzle


def get_written_for_author(author: User, pk: int, *, editable: bool = False) -> WrittenPuzzle:
    """Return the student's own puzzle. With `editable`, return it only while it can be changed.

    Raises Http404.
    """
    own = author.written_puzzles.select_related("shown_as")
    return get_object_or_404(own.editable() if editable else own, pk=pk)
