"""Pruning of the bin, and the boards that are stored: answers about them are kept with them."""

from collections.abc import Iterator

from puzzleclass.database.batches import delete_in_batches
from puzzleclass.database.bin import expired
from puzzleclass.puzzles.models import Board, Puzzle
from solvers.kind import PuzzleError
from solvers.registry import kind_or_missing


def prune_puzzles() -> Iterator[int]:
    """Delete puzzles from the bin whose time is over. Yields the number deleted, batch by batch."""
    yield from delete_in_batches(expired(Puzzle.every))


def stored_boards(*models: type[Board]) -> Iterator[tuple[str, str]]:
    """Yield the kind and the start of every board of the models.

    A board with a goal is also yielded without its goal, because the question for the best score is
    asked about that position.
    """
    for model in models:
        boards = model._base_manager.order_by().values_list("kind_slug", "position").distinct()
        for slug, position in boards.iterator():
            yield slug, position
            kind = kind_or_missing(slug)
            try:
                if kind.score:
                    yield slug, kind.write(kind.read(kind.score.with_goal(position, "")))
            except PuzzleError:
                continue  # The kind can't read the board any more.
