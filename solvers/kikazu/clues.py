"""The question `clues`: the least number of given pieces that leave one solution only."""

from collections import Counter
from collections.abc import Generator

import numpy as np

from solvers.kikazu import kernels
from solvers.kikazu.kernels import FULL, RUNNING, Words
from solvers.kikazu.placements import Placement, given
from solvers.kikazu.rules import Move, Position
from solvers.kikazu.search import problem
from solvers.kikazu.ways import LISTED, Ways, all_ways
from solvers.kind import Answer, Kind, Progress, Run
from solvers.message import Message

NODES = 500_000
"""Of one kernel call: with 10,000 solutions half a second."""


def clues(kind: Kind[Position, Move], position: Position) -> Run:
    """Ask for the smallest sets of pieces of the hand that, given, leave a single solution.

    Value: the size of the smallest of all. details: `table`, how many solutions need how many
    clues; `boards`, for each of these numbers a start with so many pieces given and something
    left to place; `note`, the answer in words. No value, but a `note`, where there is no solution
    or more than `LISTED`.
    """
    asked = problem(position)
    ways = yield from all_ways(position)
    if not ways or asked is None:
        note = Message(
            "Clues can be looked for when there are 1 to {most} solutions.", {"most": LISTED}
        )
        return Answer(None, proven=False, details={"note": note.to_json()})
    sets = SmallestSets(ways)
    sizes: Counter[int] = Counter()
    examples: dict[int, Position] = {}
    for target in range(len(ways)):
        chosen = yield from sets.smallest(target)
        sizes[len(chosen)] += 1
        if len(chosen) < sum(position.hand):
            examples.setdefault(len(chosen), given(asked, position, chosen))
        yield Progress(target + 1, len(ways))
    note = Message(
        "Solutions: {solutions}. The least number of pieces to be given so that only one is left: "
        "{least}.",
        {"solutions": len(ways), "least": min(sizes)},
    )
    details = {
        "table": {
            "head": [Message("Pieces given").to_json(), Message("Solutions").to_json()],
            "rows": [[str(size), str(sizes[size])] for size in sorted(sizes)],
        },
        "boards": [
            {
                "position": kind.write(examples[size]),
                "caption": Message("Pieces given: {number}", {"number": size}).to_json(),
            }
            for size in sorted(examples)
        ],
        "note": note.to_json(),
    }
    return Answer(min(sizes), details=details)


class SmallestSets:
    """Finds for solutions the smallest sets of pieces that no other of them has."""

    def __init__(self, ways: list[Placement]) -> None:
        self._ways = ways
        words = -(-len(ways) // 64)
        table = Ways(ways)
        self._has = {put: _words(bits, words) for put, bits in table.having.items()}
        self._counts = {put: bits.bit_count() for put, bits in table.having.items()}
        self._everything = _words(table.everything, words)

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


def _words(bits: int, number: int) -> Words:
    return np.frombuffer(bits.to_bytes(8 * number, "little"), np.uint64)
