"""The question `clues`: the least number of pieces that, when given, leave only one solution."""

from collections import Counter

import numpy as np
from numba import njit

from solvers.answers import AnswerTable, Exact, ShownAnswer, ShownBoard
from solvers.bits import popcount
from solvers.kikazu.kernels import FINISHED, FULL, RUNNING, Words
from solvers.kikazu.rules import Move, Position
from solvers.kikazu.search import problem_of
from solvers.kikazu.solutions import Placement, SolutionSets, all_solutions, with_clues
from solvers.kind import Kind
from solvers.message import Message
from solvers.question import Progress, Run
from solvers.solutions import MAX_SOLUTIONS

NODES = 500_000
"""Search nodes of one kernel call, which take half a second with 10,000 solutions."""


def clues(kind: Kind[Position, Move], position: Position) -> Run[ShownAnswer]:
    """Find the smallest sets of pieces of the hand that leave a single solution when they are
    given.

    Returns a `ShownAnswer` whose value is the size of the smallest of these sets. The table has,
    for each number of clues, how many solutions need that many. The boards are one example for each
    of these numbers: a start with so many pieces given and something left to place. The answer has
    no value where there is no solution, or more than `MAX_SOLUTIONS`.
    """
    problem = problem_of(position)
    solutions = yield from all_solutions(position)
    if not solutions or problem is None:
        note = Message(
            "Clues can be looked for when there are 1 to {most} solutions.", {"most": MAX_SOLUTIONS}
        )
        return ShownAnswer(None, proven=False, note=note)
    sets = SmallestSets(solutions)
    sizes: Counter[int] = Counter()
    examples: dict[int, Position] = {}
    for target in range(len(solutions)):
        chosen = yield from sets.smallest(target)
        sizes[len(chosen)] += 1
        if len(chosen) < sum(position.hand):
            examples.setdefault(len(chosen), with_clues(problem, position, chosen))
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
    """The smallest sets of pieces that tell each of some solutions from all the others."""

    def __init__(self, solutions: list[Placement]) -> None:
        self._solutions = solutions
        words = -(-len(solutions) // 64)
        table = SolutionSets(solutions)
        self._has = {placed: _words(bits, words) for placed, bits in table.having.items()}
        self._counts = {placed: bits.bit_count() for placed, bits in table.having.items()}
        self._everything = _words(table.everything, words)

    def smallest(self, target: int) -> Run[Placement]:
        """Return a smallest set of pieces that only the solution with this number has."""
        total = len(self._solutions)
        if total == 1:
            return ()
        placed_pieces = sorted(self._solutions[target], key=lambda placed: self._counts[placed])
        placed_pieces = [placed for placed in placed_pieces if self._counts[placed] < total]
        has = np.array([self._has[placed] for placed in placed_pieces])
        outs = np.array([total - self._counts[placed] for placed in placed_pieces])
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
                return tuple(placed_pieces[clue] for clue in chosen[: state[0] + 1])


def _words(bits: int, number: int) -> Words:
    return np.frombuffer(bits.to_bytes(8 * number, "little"), np.uint64)


@njit(cache=True)
def force(has, outs, size, chosen, left, state, nodes):  # type: ignore[no-untyped-def]
    """Search for `size` clues that only the target has, for at most `nodes` nodes.

    has         uint64[clues, words]: the solutions, as bits, that have the clue. The clues that the
                fewest solutions have come first
    outs        int64[clues]: the number of solutions that don't have the clue
    chosen      int64[size]: the clue chosen at each depth
    left        uint64[size + 1, words]: the solutions that have the first `depth` clues
    state       int64[1]: the depth

    Returns RUNNING, FINISHED (there are no such clues) or FULL (`chosen` has them). Two bounds cut
    the search: a clue that rules out no further solution belongs to no smallest set, and `size`
    clues rule out at most `size` times as many solutions as the best of them.
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
