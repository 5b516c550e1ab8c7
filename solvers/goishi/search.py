"""The questions `solve` and `solutions`, which search through the games one by one."""

import numpy as np
from numpy.typing import NDArray

from solvers.answers import Answer, Exact, SolutionsAnswer
from solvers.goishi import kernels, plain
from solvers.goishi.network import Network, State, network
from solvers.goishi.rules import Position
from solvers.kind import Cell, Kind
from solvers.message import Message
from solvers.question import Progress, Run
from solvers.solutions import last_number, page_of

NODES = 50_000_000
"""The most search nodes before the question is given up, which take about half a minute."""

FIRST_ATTEMPT_NODES = 50_000
"""The nodes of the first attempt. Each attempt uses another order and has twice as many nodes."""

Words = NDArray[np.uint64]
Tags = NDArray[np.uint32]
Memo = tuple[Words, Tags]

_MEMO_SLOTS = 1 << 15, 1 << 22
"""The numbers of failed states remembered in the first attempt and in later ones."""

LIST_NODES = 100_000_000
"""The most search nodes before the list is given up, which take about half a minute."""

_LIST_MEMO_SLOTS = 1 << 20


def solve(kind: Kind[Position, Cell], position: Position, *, nodes: int = NODES) -> Run[Answer]:
    """Search for one solution from the position.

    The value is 1, with its moves, or 0 if there is provably none. It is None and not proven if
    `nodes` search nodes did not decide it.
    """
    if kind.judge(position).solved:
        return Answer(Exact(1))
    board, starts = network(position)
    stones = yield from find(board, starts, nodes)
    if stones is None:
        note = Message("The search reached no answer after {nodes} steps.", {"nodes": nodes})
        return Answer(None, proven=False, note=note)
    return Answer(Exact(bool(stones)), board.line(stones))


def find(board: Network, starts: list[State], nodes: int) -> Run[list[int] | None]:
    """Return the stones of one solution in order, [] if there is none, or None if undecided."""
    if not starts:
        return []
    # The stones with the fewest exits come last in the list and are examined first.
    starts = sorted(starts, key=lambda state: -board.degree(state.stone, state.rest))
    if len(board.cells) > kernels.MAX_STONES:
        return (yield from plain.search(board, starts, nodes))
    rests = np.array([state.rest for state in starts], np.uint64)
    search = SolutionSearch(np.array(board.ahead, np.uint64), rests, tags(starts))
    used, attempt = 0, 0
    while used < nodes:
        search.restart(attempt)
        budget = min(FIRST_ATTEMPT_NODES << attempt, nodes - used)
        while budget > 0:
            outcome, step = search.resume(min(budget, kernels.SLICE_NODES))
            if outcome is not None:
                return outcome
            budget -= step
            used += step
            yield Progress(used, nodes)
        attempt += 1
    return None


class SolutionSearch:
    """A depth-first search that can be stopped, resumed, and restarted in another order."""

    def __init__(self, ahead: Words, rests: Words, tags: Tags, memo: Memo | None = None) -> None:
        """Begin at the states. Searches of one board may share a memo."""
        depths, children = len(ahead), max(4, len(rests))
        self._ahead = ahead
        self._roots = rests, tags
        self._rests = np.empty((depths, children), np.uint64)
        self._tags = np.empty((depths, children), np.uint32)
        self._width = np.zeros(depths, np.int64)
        self._memo = memo or empty_memo()
        self.restart(0)

    def restart(self, seed: int) -> None:
        """Go back to the roots. A seed other than 0 shuffles the order. Failed states are kept."""
        if seed == 1:
            self._memo = empty_memo(_MEMO_SLOTS[1])
        self._seed, self._depth = seed, 0
        rests, tags = self._roots
        self._width[0] = len(rests)
        self._rests[0, : len(rests)], self._tags[0, : len(tags)] = rests, tags

    def resume(self, nodes: int) -> tuple[list[int] | None, int]:
        """Search up to `nodes` more nodes. Return the result of `find` and the nodes used."""
        outcome, self._depth, used = kernels.search(
            self._ahead,
            self._rests,
            self._tags,
            self._width,
            self._depth,
            *self._memo,
            self._seed,
            nodes,
        )
        if outcome < 0:
            return None, used
        if outcome == 0:
            return [], used
        depths = np.arange(self._depth + 1)
        return (self._tags[depths, self._width[depths]] & 255).tolist(), used


def tags(states: list[State]) -> Tags:
    """Return the kernels' tags of the states."""
    packed = []
    for state in states:
        end_1, end_2 = (*state.ends, kernels.NO_END, kernels.NO_END)[:2]
        packed.append(state.stone | state.back << 8 | end_1 << 16 | end_2 << 24)
    return np.array(packed, np.uint32)


def empty_memo(slots: int = _MEMO_SLOTS[0]) -> Memo:
    """Return a memo in which no state has failed yet."""
    # A state in which no stone is left never fails, so zeros mean an empty slot.
    return np.zeros(slots, np.uint64), np.zeros(slots, np.uint32)


def solutions(
    kind: Kind[Position, Cell], position: Position, *, first: int, limit: int
) -> Run[SolutionsAnswer]:
    """List the solutions from the position: `limit` of them, from number `first`, counted from 1.

    They are in the order of the rules: the starts row by row, then right, down, left, up. The value
    is the number of solutions up to the end of the page, proven if there are no others.
    """
    if kind.judge(position).solved:
        lines: list[list[int]] | None = [[]]
        board, starts = network(kind.start(position))
    else:
        board, starts = network(position)
        # One more than wanted tells whether there are more.
        lines = yield from list_solutions(board, starts, last_number(first, limit) + 1)
    if lines is None:
        undecided = Message(
            "The search reached no answer after {nodes} steps.", {"nodes": LIST_NODES}
        )
        return SolutionsAnswer(None, proven=False, note=undecided)
    return page_of([" ".join(board.line(line)) for line in lines], first, limit)


def list_solutions(board: Network, starts: list[State], most: int) -> Run[list[list[int]] | None]:
    """Return up to `most` solutions as stones in order, or None if that took too many nodes."""
    if not starts:
        return []
    if len(board.cells) > kernels.MAX_STONES:
        return (yield from plain.list_solutions(board, starts, most, LIST_NODES))
    depths, children = len(board.cells), max(4, len(starts))
    rests = np.zeros((depths + 1, children), np.uint64)
    packed = np.zeros((depths + 1, children), np.uint32)
    rests[0, : len(starts)] = [state.rest for state in reversed(starts)]
    packed[0, : len(starts)] = tags(starts)[::-1]
    width = np.zeros(depths + 1, np.int64)
    width[0] = len(starts)
    before = np.zeros(depths + 1, np.int64)
    memo = empty_memo(_LIST_MEMO_SLOTS)
    lines = np.zeros((most, len(board.cells)), np.uint8)
    ahead = np.array(board.ahead, np.uint64)
    depth, number = 0, 0
    for used in range(0, LIST_NODES, kernels.SLICE_NODES):
        depth, number = kernels.list_solutions(
            ahead, rests, packed, width, before, depth, *memo, lines, number, kernels.SLICE_NODES
        )
        if depth < 0 or number == most:
            return [line.tolist() for line in lines[:number]]
        yield Progress(used, LIST_NODES, at_least=number)
    return None
