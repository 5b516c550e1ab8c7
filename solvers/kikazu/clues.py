"""The question `clues`: the least number of given pieces that leave one solution only."""

from collections import Counter

import numpy as np
from numba import njit

from solvers.answers import AnswerTable, Exact, ShownAnswer, ShownBoard
from solvers.bits import popcount
from solvers.kikazu.kernels import FINISHED, FULL, RUNNING, Words
from solvers.kikazu.rules import Move, Position
from solvers.kikazu.search import problem
from solvers.kikazu.solutions import LISTED, Placement, SolutionSets, all_solutions, given
from solvers.kind import Kind
from solvers.message import Message
from solvers.question import Progress, Run

NODES = 500_000
"""Of one kernel call: with 10,000 solutions half a second."""


def clues(kind: Kind[Position, Move], position: Position) -> Run[ShownAnswer]:
    """Ask for the smallest sets of pieces of the hand that, given, leave a single solution.

    Value: the size of the smallest of all. The table says how many solutions need how many clues;
    the boards are, for each of these numbers, a start with so many pieces given and something
    left to place. No value where there is no solution or more than `LISTED`.
    """
    asked = problem(position)
    solutions = yield from all_solutions(position)
    if not solutions or asked is None:
        note = Message(
            "Clues can be looked for when there are 1 to {most} solutions.", {"most": LISTED}
        )
        return ShownAnswer(None, proven=False, note=note)
    sets = SmallestSets(solutions)
    sizes: Counter[int] = Counter()
    examples: dict[int, Position] = {}
    for target in range(len(solutions)):
        chosen = yield from sets.smallest(target)
        sizes[len(chosen)] += 1
        if len(chosen) < sum(position.hand):
            examples.setdefault(len(chosen), given(asked, position, chosen))
        yield Progress(target + 1, len(solutions))
    note = Message(
        "Solutions: {solutions}. The least number of pieces to be given so that only one is left: "
        "{least}.",
        {"solutions": len(solutions), "least": min(sizes)},
    )
    head = (Message("Pieces given"), Message("Solutions"))
    return ShownAnswer(
        Exact(min(sizes)),
        note=note,
        tables=(AnswerTable(head, tuple(sorted(sizes.items()))),),
        boards=tuple(
            ShownBoard(kind.write(start), Message("Pieces given: {number}", {"number": size}))
            for size, start in sorted(examples.items())
        ),
    )


class SmallestSets:
    """Finds for solutions the smallest sets of pieces that no other of them has."""

    def __init__(self, solutions: list[Placement]) -> None:
        self._solutions = solutions
        words = -(-len(solutions) // 64)
        table = SolutionSets(solutions)
        self._has = {put: _words(bits, words) for put, bits in table.having.items()}
        self._counts = {put: bits.bit_count() for put, bits in table.having.items()}
        self._everything = _words(table.everything, words)

    def smallest(self, target: int) -> Run[Placement]:
        """Return a smallest set of pieces that only this solution has."""
        total = len(self._solutions)
        if total == 1:
            return ()
        puts = sorted(self._solutions[target], key=lambda put: self._counts[put])
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
                outcome = force(has, outs, size, chosen, left, state, NODES)
                yield Progress(target, total)
            if outcome == FULL:
                return tuple(puts[clue] for clue in chosen[: state[0] + 1])


def _words(bits: int, number: int) -> Words:
    return np.frombuffer(bits.to_bytes(8 * number, "little"), np.uint64)


@njit(cache=True)
def force(has, outs, size, chosen, left, state, nodes):  # type: ignore[no-untyped-def]
    """Look for `size` clues that no solution but the target has; go on for `nodes` nodes.

    has[clue]: the solutions, as bits, that have the clue, those with the fewest first;
    outs[clue]: how many don't. left[depth]: solutions with the first `depth` clues. A clue
    that rules nothing more out belongs to no smallest set, and `size` clues rule out at most
    `size` times what the best does. state[0]: the depth. Returns RUNNING, FINISHED (there are
    none) or FULL (found: `chosen`).
    """
    words = has.shape[1]
    depth = state[0]
    used = 0
    while depth >= 0:
        if used >= nodes:
            state[0] = depth
            return RUNNING
        used += 1
        clue = chosen[depth] + 1
        alive = 0
        for i in range(words):
            alive += popcount(left[depth, i])  # type: ignore[call-arg]
        if clue == len(has) or (size - depth) * outs[clue] < alive - 1:
            depth -= 1
            continue
        chosen[depth] = clue
        after = 0
        for i in range(words):
            left[depth + 1, i] = left[depth, i] & has[clue, i]
            after += popcount(left[depth + 1, i])  # type: ignore[call-arg]
        if after == 1:
            state[0] = depth
            return FULL
        if after < alive and depth + 1 < size:
            depth += 1
            chosen[depth] = clue
    state[0] = depth
    return FINISHED
