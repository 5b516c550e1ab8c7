"""The question `clues`: the least number of given pieces that leave one solution only."""

from collections import Counter
from collections.abc import Generator

import numpy as np

from solvers.kikazu import kernels
from solvers.kikazu.count import LISTED
from solvers.kikazu.kernels import FULL, RUNNING, Words
from solvers.kikazu.placements import Placement, placements
from solvers.kikazu.rules import PIECES, Move, Position
from solvers.kikazu.search import Problem, problem, race
from solvers.kind import Answer, Kind, Progress, Run
from solvers.message import Message

NODES = 500_000
"""Of one kernel call: with 10,000 solutions half a second."""


def clues(kind: Kind[Position, Move], position: Position) -> Run:
    """Ask for the smallest sets of pieces of the hand that, given, leave a single solution.

    Value: the size of the smallest of all. details: `solutions`, how many solutions need how
    many clues (decimal string -> number); `examples`, for each of these numbers a start with
    so many pieces given and something left to place. No value, but a `note`, where there is no
    solution or more than `LISTED`.
    """
    asked = problem(position)
    search = None if asked is None else (yield from race(asked, keep=LISTED))
    if asked is None or search is None or not 1 <= search.total <= LISTED:
        note = Message(
            "Clues can be looked for when there are 1 to {most} solutions.", {"most": LISTED}
        )
        return Answer(None, proven=False, details={"note": note.to_json()})
    ways = [way for leaf in search.leaves() for way in placements(asked, leaf)]
    sets = _Sets(ways)
    sizes: Counter[int] = Counter()
    examples: dict[str, str] = {}
    for target in range(len(ways)):
        chosen = yield from sets.smallest(target)
        sizes[len(chosen)] += 1
        if len(chosen) < sum(position.hand):
            examples.setdefault(str(len(chosen)), kind.write(given(asked, position, chosen)))
        yield Progress(target + 1, len(ways))
    by_size = {str(size): sizes[size] for size in sorted(sizes)}
    return Answer(min(sizes), details={"solutions": by_size, "examples": examples})


class _Sets:
    """The solutions that have a piece on a square, as bits."""

    def __init__(self, ways: list[Placement]) -> None:
        self._ways = ways
        words = -(-len(ways) // 64)
        self._has: dict[tuple[str, int], Words] = {}
        for number, way in enumerate(ways):
            for put in way:
                row = self._has.setdefault(put, np.zeros(words, np.uint64))
                row[number // 64] |= np.uint64(1 << number % 64)
        self._counts = Counter(put for way in ways for put in way)
        self._everything = np.bitwise_or.reduce(list(self._has.values()))

    def smallest(self, target: int) -> Generator[Progress, None, Placement]:
        """Return a smallest set of pieces that only this solution has."""
        total = len(self._ways)
        if total == 1:
            return ()
        puts = sorted(self._ways[target], key=lambda put: self._counts[put])
        puts = [put for put in puts if self._counts[put] < total]
        has = np.array([self._has[put] for put in puts])
        outs = np.array([total - self._counts[put] for put in puts])
        size = 0
        while True:
            size += 1
            left = np.empty((size + 1, has.shape[1]), np.uint64)
            left[0] = self._everything
            chosen = np.full(size, -1)
            state = np.zeros(1, np.int64)
            outcome = RUNNING
            while outcome == RUNNING:
                outcome = kernels.force(has, outs, size, chosen, left, state, NODES)
                yield Progress(target, total)
            if outcome == FULL:
                return tuple(puts[clue] for clue in chosen[: state[0] + 1])


def given(asked: Problem, position: Position, chosen: Placement) -> Position:
    """Return the board as it stands as a new start, with these pieces of the hand given."""
    board, hand = list(position.board), list(position.hand)
    for piece, square in chosen:
        board[position.index(asked.cell(square))] = piece
        hand[PIECES.index(piece)] -= 1
    return Position(position.rows, position.columns, "".join(board), tuple(hand))
