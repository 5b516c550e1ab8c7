"""The figures of the page on the non-attacking pieces: computed once a process, in a second."""

from collections import Counter
from collections.abc import Iterable
from dataclasses import dataclass
from functools import cache
from math import comb
from pathlib import Path
from time import monotonic

from solvers.kikazu.formats import Draft, read_draft, write_draft
from solvers.kikazu.rules import EMPTY, PIECES
from solvers.kikazu.study import (
    Board,
    Skeleton,
    always,
    boards,
    fillings,
    head_pawns,
    skeletons,
    up_to_mirror,
)

SIDE = 9
LANCES = 4
BARE = {"R": 2, "B": 2, "N": 4, "P": 32}
WITHOUT_LANCES = {"R": 2, "B": 2, "K": 2, "G": 4, "S": 4, "N": 4, "P": 22}
WHOLE = WITHOUT_LANCES | {"L": LANCES, "P": 18}

CLUES = Path(__file__).with_name("kikazu_clues.txt")
"""For each of the 1,860 boards, in the order of their texts, row and column of its clues."""

LADDER = (
    "3/3/3/3 2G2S2NP",
    "4/4/4/4 RBKGSL2P",
    "4/4/4/4 RBG2N4P",
    "5/5/5/5/5 RBKG2SN2L5P",
    "5/5/5/5/5 RBKG2SN3L4P",
    "5/5/5/5/5/5 2R2BK2GS3NL2P",
    "6/6/6/6/6/6 2R2B4N10P",
    "6/6/6/6/6/6 R2BK2GS2N3L7P",
    "7/7/7/7/7/7/7 2R2B4N17P",
    "7/7/7/7/7/7/7 2R2BK3G3S2N3L8P",
    "8/8/8/8/8/8/8/8 2R2B2K3G4S2N4L11P",
)
"""Crowded small boards of our own, nearly all with hardly a way."""


@dataclass(frozen=True, slots=True)
class Bones:
    """A skeleton, its mirror image left out."""

    number: int
    skeleton: Skeleton
    without_lances: int
    """How many boards have it."""
    whole: int

    @property
    def name(self) -> str:
        return chr(ord("A") + self.number)


@dataclass(frozen=True, slots=True)
class Heads:
    """The boards without lances that have so many pawns with nothing ahead."""

    pawns: int
    boards: int
    choices: int
    """Ways to choose the pawns that become lances."""

    @property
    def whole(self) -> int:
        return self.boards * self.choices


@dataclass(frozen=True, slots=True)
class Rung:
    """A small board of the ladder."""

    rows: int
    columns: int
    text: str
    """The empty board and the hand, as a puzzle is written."""
    found: int
    up_to_mirror: int
    shown: Board


@dataclass(frozen=True, slots=True)
class Solution:
    """One of the 1,860, numbered from 1."""

    number: int
    board: Board
    skeleton: str
    clues: tuple[int, ...]
    """Squares of pieces that no other of the boards and their mirror images has: the fewest."""

    @property
    def puzzle(self) -> str:
        """The puzzle in which these pieces are given, as it is written: this board solves it."""
        given = "".join(sign if at in self.clues else EMPTY for at, sign in enumerate(self.board))
        stock = tuple(self.board.count(piece) - given.count(piece) for piece in PIECES)
        return write_draft(Draft(SIDE, SIDE, given, stock))


@dataclass(frozen=True, slots=True)
class Figures:
    """What the page tells. Of two mirror images the one is meant whose left rook is higher."""

    bones: tuple[Bones, ...]
    heads: tuple[Heads, ...]
    solutions: tuple[Solution, ...]
    without_lances: int
    fixed: Board
    """The pieces that stand at the same place in all solutions."""
    fixed_without_lances: Board
    always_taken: int
    """Squares on which some piece stands in every solution."""
    clues: tuple[tuple[int, int], ...]
    """How many clues the boards need, and how many boards need so many."""
    ladder: tuple[Rung, ...]
    seconds: float
    """What it took here to find all that, the clues apart."""

    @property
    def complete(self) -> tuple[Bones, ...]:
        """The skeletons on which the whole set stands."""
        return tuple(bones for bones in self.bones if bones.whole)


@cache
def figures() -> Figures:
    """Return the figures, found from the rules alone; but for the clues, which are stored."""
    start = monotonic()
    bones, solutions, bare = [], [], []
    found = [each for each in skeletons(SIDE, SIDE, BARE) if left_rook_is_higher(each.board)]
    of_skeleton = [
        (each, *(sorted(fillings(each, SIDE, hand)) for hand in (WITHOUT_LANCES, WHOLE)))
        for each in found
    ]
    of_skeleton.sort(key=lambda row: (-len(row[2]), row[0].board))
    clues = clue_sets(board for _, _, whole in of_skeleton for board in whole)
    for number, (skeleton, without, whole) in enumerate(of_skeleton):
        bones.append(Bones(number, skeleton, len(without), len(whole)))
        bare += without
        solutions += [
            Solution(len(solutions) + at, board, bones[-1].name, clues[board])
            for at, board in enumerate(whole, 1)
        ]
    standing = [solution.board for solution in solutions]
    histogram = Counter(head_pawns(board, SIDE) for board in bare)
    return Figures(
        tuple(bones),
        tuple(Heads(n, many, comb(n, LANCES)) for n, many in sorted(histogram.items())),
        tuple(solutions),
        len(bare),
        always(standing),
        always(bare),
        sum(EMPTY not in signs for signs in zip(*standing, strict=True)),
        tuple(sorted(Counter(map(len, clues.values())).items())),
        tuple(map(_rung, LADDER)),
        monotonic() - start,
    )


def clue_sets(standing: Iterable[Board]) -> dict[Board, tuple[int, ...]]:
    """Return board -> squares of pieces that no other board has all of, as few as there can be.

    `standing`: the 1,860 boards. Read from what `python -m bench.kikazu_clues` has found.
    """
    lines = CLUES.read_text(encoding="ascii").splitlines()
    return {
        board: tuple((int(row) - 1) * SIDE + int(column) - 1 for row, column in line.split())
        for board, line in zip(sorted(standing), lines, strict=True)
    }


def where(found: list[Board], piece: str) -> dict[int, int]:
    """Return square -> how many of the boards have the piece there, squares row by row."""
    counted = {at: signs.count(piece) for at, signs in enumerate(zip(*found, strict=True))}
    return {at: number for at, number in counted.items() if number}


def left_rook_is_higher(board: Board) -> bool:
    """Two rooks never share a row or column, so that this tells a board from its mirror image."""
    return board.index("R") % SIDE < board.rindex("R") % SIDE


def _rung(text: str) -> Rung:
    draft = read_draft(text)
    hand = dict(zip(PIECES, draft.stock))
    found = boards(draft.rows, draft.columns, hand)
    return Rung(
        draft.rows,
        draft.columns,
        text,
        len(found),
        up_to_mirror(found, draft.columns),
        found[0],
    )
