"""How far the questions go that look at every target of a board. Loads no kernels."""

from solvers.kind import PuzzleError
from solvers.tonari.rules import Position

MOST_FREE = 24
"""Empty points: 16.8 million targets, some ten seconds."""


def refuse_large(position: Position) -> None:
    """Raise PuzzleError for a board with too many targets to look at each."""
    free = position.rows * position.columns - position.starts.bit_count()
    if free > MOST_FREE:
        raise PuzzleError(
            "All targets can be looked at up to {most} empty points, like 5x5 with one start "
            "stone. Here there are {free}.",
            most=MOST_FREE,
            free=free,
        )
