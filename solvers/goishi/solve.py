"""The question `solve`: a solution, a proof that there is none, or an honest "not decided"."""

from collections.abc import Generator

import numpy as np
from numpy.typing import NDArray

from solvers.goishi import kernels, plain
from solvers.goishi.network import Network, State, network
from solvers.goishi.rules import Position
from solvers.kind import Answer, Cell, Kind, Progress, Run
from solvers.message import Message

NODES = 50_000_000
"""Search nodes before the question is given up, about half a minute."""

FIRST_TRY = 50_000
"""Nodes before the search starts again in another order; each try is twice as long."""

Words = NDArray[np.uint64]
Tags = NDArray[np.uint32]
Memo = tuple[Words, Tags]

_MEMO = 1 << 15, 1 << 22
"""Failed states remembered in the first try and in later ones."""


def solve(kind: Kind[Position, Cell], position: Position, *, nodes: int = NODES) -> Run:
    """Ask for one solution from the position on.

    Value 1 and its moves, value 0 when there is provably none, value None and not proven
    when `nodes` search nodes did not decide it.
    """
    if kind.judge(position).solved:
        return Answer(1)
    board, starts = network(position)
    stones = yield from find(board, starts, nodes)
    if stones is None:
        note = Message("Not decided after {nodes} steps of the search.", {"nodes": nodes})
        return Answer(None, proven=False, details={"note": note.to_json()})
    return Answer(int(bool(stones)), board.line(stones))


def find(
    board: Network, starts: list[State], nodes: int
) -> Generator[Progress, None, list[int] | None]:
    """Return the stones of one solution in order, [] if there is none, None if undecided."""
    if not starts:
        return []
    # The stones with the fewest ways out come last in the list and are tried first.
    starts = sorted(starts, key=lambda state: -board.degree(state.stone, state.rest))
    if len(board.cells) > kernels.MOST_STONES:
        found = yield from plain.search(board, starts, nodes)
        return found
    rests = np.array([state.rest for state in starts], np.uint64)
    search = Search(np.array(board.ahead, np.uint64), rests, tags(starts))
    used, attempt = 0, 0
    while used < nodes:
        search.restart(attempt)
        budget = min(FIRST_TRY << attempt, nodes - used)
        while budget > 0:
            outcome, step = search.go_on(min(budget, kernels.SLICE))
            if outcome is not None:
                return outcome
            budget -= step
            used += step
            yield Progress(used, nodes)
        attempt += 1
    return None


class Search:
    """A depth-first search that can be stopped, resumed and started again in another order."""

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
        """Go back to the roots; a seed other than 0 shuffles the order. Failures are kept."""
        if seed == 1:
            self._memo = empty_memo(_MEMO[1])
        self._seed, self._depth = seed, 0
        rests, tags = self._roots
        self._width[0] = len(rests)
        self._rests[0, : len(rests)], self._tags[0, : len(tags)] = rests, tags

    def go_on(self, nodes: int) -> tuple[list[int] | None, int]:
        """Return what `find` returns after up to `nodes` more nodes, and how many it took."""
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
    """Return the kernels' tags of some states."""
    packed = []
    for state in states:
        end_1, end_2 = (*state.ends, kernels.NO_END, kernels.NO_END)[:2]
        packed.append(state.stone | state.back << 8 | end_1 << 16 | end_2 << 24)
    return np.array(packed, np.uint32)


def empty_memo(slots: int = _MEMO[0]) -> Memo:
    """Return a memo in which no state has failed yet."""
    # Where no stone is left nothing has failed.
    return np.zeros(slots, np.uint64), np.zeros(slots, np.uint32)
