"""What is wanted of new puzzles, and why it may not be had: known at once, without numpy."""

from dataclasses import dataclass

from solvers.kind import PuzzleError
from solvers.maxstrings.choices import ANY_BAND, STYLES
from solvers.maxstrings.plain import phases
from solvers.maxstrings.rules import HOLE, Board, Position, merged

WIDEST = 12
"""The shorter side of the boards that are made; a count takes 60 ms there."""


@dataclass(frozen=True, slots=True)
class Wish:
    """What is wanted of a puzzle."""

    style: str = next(iter(STYLES))
    """A name in `STYLES`."""
    last: int = 5
    """For "last": how many stones are missing."""
    holes: int = 0
    """Points taken out of the board, by lot."""
    band: str = ANY_BAND
    """A name in `rate.BANDS`, or any difficulty."""

    def check(self, board: Board) -> None:
        """Raise PuzzleError, saying why, for a wish that can't be fulfilled on this board."""
        points = sum(letter != HOLE for row in board for letter in row)
        if min(len(board), len(board[0])) > WIDEST:
            raise PuzzleError("Puzzles are made on boards up to {most} points wide.", most=WIDEST)
        if not 0 <= self.holes < points:
            raise PuzzleError(
                "{holes} points can't be taken out: the board has {points}.",
                holes=self.holes,
                points=points,
            )
        if not phases(board):
            raise PuzzleError("The stones that stand don't fit one checkerboard.")


def refuse_impossible(position: Position, *, many: int, seed: int, **wish: int | str) -> None:
    """Raise PuzzleError, saying why, for a wish that can't be fulfilled."""
    Wish(**wish).check(merged(position))  # type: ignore[arg-type]
