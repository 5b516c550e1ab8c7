"""The questions of the kind and the options of its generator. This module loads no numba."""

from dataclasses import dataclass, replace
from typing import Any

from solvers import answers
from solvers.answers import BANDS, ShownAnswer
from solvers.defaults import GROUPS, REVIEW, usual
from solvers.kikazu.editor import SIGNS, KikazuEditor
from solvers.kikazu.formats import read_start
from solvers.kikazu.rules import LARGEST, PIECES, Position, obstacle
from solvers.kind import PuzzleError
from solvers.message import gettext_noop
from solvers.options import ANY, choice, difficulty, many, seed, solutions, whole
from solvers.question import Question
from solvers.reasons import REASON
from solvers.samples import SAMPLE

STYLES = {
    "clues": gettext_noop("Some pieces are given"),
    "silhouette": gettext_noop("The squares are given; which piece stands where is asked"),
    "maximum": gettext_noop("As many pieces of a kind as fit"),
}

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
"""Crowded boards, on which a few given pieces are enough to leave a single solution."""


def base_position(position: Position, chosen: str) -> Position:
    """Return the start from which puzzles are made: one of `BOARDS`, or the board as it stands."""
    if chosen in _STARTS:
        return read_start(_STARTS[chosen])
    return Position(position.rows, position.columns, position.board, position.hand)


def refuse_impossible(
    position: Position, *, board: str, many: int, seed: int, **options: Any
) -> None:
    """Raise PuzzleError, with the reason, for options that can't be met."""
    WantedPuzzle(**options).check(base_position(position, board))


@dataclass(frozen=True, slots=True)
class WantedPuzzle:
    """The properties of a wanted puzzle."""

    style: str = "clues"
    """A name in `STYLES`."""
    piece: str = "P"
    """The piece of which as many as possible are placed, in the style "maximum"."""
    clues: int = 0
    """The number of pieces given, besides those of the position; 0 for as many as necessary."""
    solutions: tuple[int, int] = (1, 1)
    """The least and the greatest number of solutions."""
    band: str = ANY
    """One of `BANDS`, or `ANY`."""

    def check(self, position: Position, *, is_final: bool = False) -> None:
        """Raise PuzzleError, with the reason, for options that can't be met.

        In the style "maximum" the hand is not known yet, unless the position `is_final`.
        """
        pieces = sum(position.hand)
        if self.style not in STYLES:
            raise PuzzleError("There is no style “{name}”.", name=self.style[:20])
        if self.band not in (ANY, *BANDS):
            raise PuzzleError("There is no difficulty “{name}”.", name=self.band[:20])
        if not 1 <= self.solutions[0] <= self.solutions[1]:
            raise PuzzleError("The number of solutions goes from 1 up, the smaller bound first.")
        is_final = is_final or self.style != "maximum"
        never = obstacle(position) if is_final else None
        if never:
            raise PuzzleError(never)
        if is_final and not 0 <= self.clues < pieces:
            raise PuzzleError(
                "Pieces to be given: {clues}. The hand has only {pieces}, and at least one must "
                "be left to place.",
                clues=self.clues,
                pieces=pieces,
            )


class SolveAnswer(answers.Answer, frozen=True, kw_only=True):
    """Whether the pieces can be placed. The value is 1, with a way as moves, or 0."""

    unique: bool | None = None
    """Whether there is no other way; None when that was not decided, or when there is no way."""
    second: tuple[str, ...] = ()
    """The moves of another way."""


class CommonAnswer(ShownAnswer, frozen=True, kw_only=True):
    """What all solutions have in common."""

    fixed: tuple[str, ...] = ()
    """The moves that all solutions have."""
    occupied: int = 0
    """The number of squares that are occupied in all solutions."""
    skeletons: int = 0
    """The number of different sets of squares that solutions fill."""


class MostAnswer(ShownAnswer, frozen=True, kw_only=True):
    """The most pieces of a kind that fit, as the value."""

    pieces: int = 0
    """The number of all pieces on the board with that many."""


_TITLES = {
    sign: KikazuEditor.brushes[name] for name, sign in reversed(SIGNS.items()) if sign in PIECES
}
"""Piece -> its name in a list. The pawn, of which there are the most, comes first."""

QUESTIONS = {
    "count": usual("count", "solvers.kikazu.count:count"),
    "solve": usual("solve", "solvers.kikazu.count:solve", answer=SolveAnswer),
    "solutions": usual(
        "solutions", "solvers.kikazu.solutions:solutions", title=gettext_noop("All solutions")
    ),
    "common": Question(
        gettext_noop("What do all solutions have in common?"),
        "solvers.kikazu.solutions:common",
        CommonAnswer,
        about=gettext_noop(
            "The pieces that stand on the same square in every solution, and the squares that "
            "are taken whichever piece stands there."
        ),
    ),
    "most": Question(
        gettext_noop("How many pieces of a kind fit?"),
        "solvers.kikazu.count:most",
        MostAnswer,
        about=gettext_noop(
            "The most pieces of one kind that the hand can hold, the other pieces staying as "
            "they are, and a board with all of them."
        ),
        options={"piece": choice(gettext_noop("Piece"), _TITLES)},
    ),
    "clues": Question(
        gettext_noop("How few given pieces force one solution?"),
        "solvers.kikazu.clues:clues",
        ShownAnswer,
        about=gettext_noop(
            "The fewest pieces to be given so that a single solution is left, with examples "
            "for your class."
        ),
    ),
    "generate": usual(
        "generate",
        "solvers.kikazu.generate:generate",
        # This start has fourteen solutions without a clue.
        position="5/5/5/5/5 RBNKG2S2L5P",
        check="solvers.kikazu.questions:refuse_impossible",
        options={
            "board": choice(gettext_noop("Board and pieces"), BOARDS),
            "style": choice(gettext_noop("Style"), STYLES),
            "piece": choice(gettext_noop("Piece, for as many as fit"), _TITLES),
            "clues": whole(
                gettext_noop("Number of given pieces; 0 means as few as possible"), 0, 0, LARGEST**2
            ),
            "solutions": solutions(1000),
            "band": difficulty(
                gettext_noop(
                    "How often a careful player who chooses at random solves it: easy from 1 in "
                    "10, medium from 1 in 1,000, hard from 1 in 10 million."
                )
            ),
            "many": many(),
            "seed": seed(),
        },
    ),
    "estimate": usual("estimate", "solvers.kikazu.estimate:estimate"),
    "rate": usual("rate", "solvers.kikazu.rate:rate"),
    "hint": usual("hint", "solvers.kikazu.hint:hint"),
    "review": REVIEW,
    "groups": GROUPS,
    "reason": replace(REASON, solver="solvers.kikazu.reason:reason"),
    "sample": SAMPLE,
}
