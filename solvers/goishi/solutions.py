"""The question `solutions`: every order of picking, page by page."""

from collections.abc import Generator
from itertools import pairwise

import numpy as np

from solvers.goishi import kernels, plain
from solvers.goishi.network import Network, State, network
from solvers.goishi.rules import Position
from solvers.goishi.solve import empty_memo, tags
from solvers.kind import Answer, Cell, Kind, Progress, Run
from solvers.message import Message

MOST = 10_000
"""Solutions that can be listed at all."""

NODES = 100_000_000
"""Search nodes before it is given up, about half a minute."""

_MEMO = 1 << 20


def solutions(kind: Kind[Position, Cell], position: Position, *, first: int, limit: int) -> Run:
    """Ask for the solutions from the position on, `limit` of them from number `first` (from 1).

    They come in the order of the rules: the starts row by row, then right, down, left, up.
    Value: the number of solutions, proven when it is all of them. details: `solutions`, the
    lines of the page as texts; `differs`, for each line but the first the step (from 1) where
    it leaves the one before; `more`, whether solutions follow the page.
    """
    last = min(first + limit - 1, MOST)
    if kind.judge(position).solved:
        lines: list[list[int]] | None = [[]]
        board, starts = network(kind.start(position))
    else:
        board, starts = network(position)
        # One more than wanted tells whether there are more.
        lines = yield from listed(board, starts, last + 1)
    if lines is None:
        note = Message("Not decided after {nodes} steps of the search.", {"nodes": NODES})
        return Answer(None, proven=False, details={"note": note.to_json()})
    page = lines[first - 1 : last]
    details: dict[str, object] = {
        "solutions": [" ".join(board.line(line)) for line in page],
        "differs": [_leaves(one, other) for one, other in pairwise(page)],
        "more": len(lines) > last,
    }
    if len(lines) > MOST:
        note = Message("There are more than {most} solutions. They are not listed.", {"most": MOST})
        details["note"] = note.to_json()
    return Answer(min(len(lines), last), proven=len(lines) <= last, details=details)


def _leaves(one: list[int], other: list[int]) -> int:
    return next(step for step, pair in enumerate(zip(one, other), 1) if pair[0] != pair[1])


def listed(
    board: Network, starts: list[State], most: int
) -> Generator[Progress, None, list[list[int]] | None]:
    """Return up to `most` solutions as stones in order; None if that took too many nodes."""
    if not starts:
        return []
    if len(board.cells) > kernels.MOST_STONES:
        return (yield from plain.list_solutions(board, starts, most, NODES))
    depths, children = len(board.cells), max(4, len(starts))
    rests = np.zeros((depths + 1, children), np.uint64)
    packed = np.zeros((depths + 1, children), np.uint32)
    rests[0, : len(starts)] = [state.rest for state in reversed(starts)]
    packed[0, : len(starts)] = tags(starts)[::-1]
    width = np.zeros(depths + 1, np.int64)
    width[0] = len(starts)
    before = np.zeros(depths + 1, np.int64)
    memo = empty_memo(_MEMO)
    lines = np.zeros((most, len(board.cells)), np.uint8)
    ahead = np.array(board.ahead, np.uint64)
    depth, found = 0, 0
    for used in range(0, NODES, kernels.SLICE):
        depth, found = kernels.list_solutions(
            ahead, rests, packed, width, before, depth, *memo, lines, found, kernels.SLICE
        )
        if depth < 0 or found == most:
            return [line.tolist() for line in lines[:found]]
        yield Progress(used, NODES, at_least=found)
    return None
