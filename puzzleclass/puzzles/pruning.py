"""The boards that are stored. Answers about them are kept as long as they are."""

from collections.abc import Iterator

from puzzleclass.puzzles.models import Board
from solvers.kind import PuzzleError
from solvers.registry import kind_or_missing


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
