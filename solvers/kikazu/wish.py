"""What can be wanted of a new puzzle."""

from dataclasses import dataclass
from typing import Any

from solvers.kikazu.bands import BANDS
from solvers.kikazu.bounds import obstacle
from solvers.kikazu.formats import read_start
from solvers.kikazu.rules import Position
from solvers.kind import PuzzleError
from solvers.message import gettext_noop

STYLES = {
    "clues": gettext_noop("Some pieces are given"),
    "silhouette": gettext_noop("The squares are given; which piece stands where is asked"),
    "maximum": gettext_noop("As many pieces of a kind as fit"),
}

ANY = "any"
DIFFICULTIES = {ANY: gettext_noop("any")} | {name: name for _, name in BANDS}


OWN = "own"

BOARDS = {
    OWN: gettext_noop("The board drawn below"),
    "4x4": gettext_noop("4 × 4, one piece of each kind"),
    "5x5": gettext_noop("5 × 5, 14 pieces"),
    "6x6": gettext_noop("6 × 6, 16 pieces"),
    "8x8": gettext_noop("8 × 8, 31 pieces"),
    "9x9": gettext_noop("9 × 9, all 40 pieces of a shogi game"),
}
_STARTS = {
    "4x4": "4/4/4/4 RBKGSNLP",
    "5x5": "5/5/5/5/5 RBKG2SN2L5P",
    "6x6": "6/6/6/6/6/6 2RBKGS2N2L6P",
    "8x8": "8/8/8/8/8/8/8/8 2R2B2K3G4S2N4L11P",
    "9x9": "9/9/9/9/9/9/9/9/9 2R2B2K4G4S4N4L18P",
}
"""Crowded boards: a few given pieces are enough to leave a single solution."""


def base(position: Position, chosen: str) -> Position:
    """Return the start that puzzles are made from: one of `BOARDS`, or the board as it stands."""
    if chosen in _STARTS:
        return read_start(_STARTS[chosen])
    return Position(position.rows, position.columns, position.board, position.hand)


def check(position: Position, *, board: str, many: int, seed: int, **wish: Any) -> None:
    """Raise PuzzleError, saying why, for an order that can't be carried out."""
    Wish(**wish).check(base(position, board))


@dataclass(frozen=True, slots=True)
class Wish:
    """What is wanted of a puzzle."""

    style: str = "clues"
    """A name in `STYLES`."""
    piece: str = "P"
    """For "maximum": the piece of which as many as possible are to be placed."""
    clues: int = 0
    """How many pieces are given, besides those of the position; 0: as many as it takes."""
    solutions: tuple[int, int] = (1, 1)
    """At least and at most."""
    band: str = ANY
    """A name in `DIFFICULTIES`."""

    def check(self, position: Position, *, is_final: bool = False) -> None:
        """Raise PuzzleError, saying why, for a wish that makes no sense.

        For a maximum the hand is still going to grow, unless the position `is_final`.
        """
        pieces = sum(position.hand)
        if self.style not in STYLES:
            raise PuzzleError("There is no style “{name}”.", name=self.style[:20])
        if self.band not in DIFFICULTIES:
            raise PuzzleError("There is no difficulty “{name}”.", name=self.band[:20])
        if not 1 <= self.solutions[0] <= self.solutions[1]:
            raise PuzzleError("The number of solutions goes from 1 up, the smaller bound first.")
        is_final = is_final or self.style != "maximum"
        never = obstacle(position) if is_final else None
        if never:
            raise PuzzleError(never.text, **dict[str, Any](never.values))
        if is_final and not 0 <= self.clues < pieces:
            raise PuzzleError(
                "{clues} pieces can't be given: the hand has {pieces}, and one at least must be "
                "left to place.",
                clues=self.clues,
                pieces=pieces,
            )
