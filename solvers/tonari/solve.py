"""The question `solve`: a solution, a proof that there is none, or an honest "not decided"."""

from collections.abc import Generator
from itertools import pairwise

import numpy as np

from solvers.kind import Answer, Cell, Kind, Progress, Run
from solvers.message import Message
from solvers.tonari import kernels, rules
from solvers.tonari.layout import Words, layout
from solvers.tonari.obstacle import noted
from solvers.tonari.rules import Position

NODES = 50_000_000
"""Search nodes before the question is given up: about half a minute."""

FIRST_TRY = 20_000
"""Nodes before the search starts again in another order; each try is twice as long."""

_SLICE = 1 << 18
"""Search nodes of one call."""

_MEMO = 1 << 14, 1 << 22
"""Failed states remembered in the first try and in later ones."""


def solve(kind: Kind[Position, Cell], position: Position, *, nodes: int = NODES) -> Run:
    """Ask for one solution from the position on.

    Value 1 and its moves, value 0 when there is provably none (with the reason as `note` where
    one is known), value None and not proven when `nodes` search nodes did not decide it.
    """
    line = yield from find(position, nodes)
    if line is None:
        note = Message("Not decided after {nodes} steps of the search.", {"nodes": nodes})
        return Answer(None, proven=False, details={"note": note.to_json()})
    if line or kind.judge(position).solved:
        return Answer(1, tuple(map(kind.write_move, line)))
    return Answer(0, details=noted(position))


def find(
    position: Position, nodes: int = NODES, seed: int = 0
) -> Generator[Progress, None, list[Cell] | None]:
    """Return one order that reaches the target, [] if there is none, None if undecided.

    Failed states are kept from try to try, so starting again loses little.
    """
    if rules.doomed(position):
        return []
    lay = layout(position)
    occupied = np.uint64(position.occupied)
    shut = kernels.closed(lay, kernels.TARGET, occupied)
    if kernels.lost(lay, kernels.TARGET, occupied, shut):
        return []
    depths = position.rows * position.columns + 1
    path, open_moves = np.zeros(depths, np.uint64), np.zeros(depths, np.uint64)
    memo = np.zeros(_MEMO[0], np.uint64)
    path[0] = occupied | shut
    used, attempt = 0, 0
    while used < nodes:
        if attempt == 1:
            memo = np.zeros(_MEMO[1], np.uint64)
        open_moves[0] = kernels.choices(lay, kernels.TARGET, memo[:0], path[0])
        depth, budget = 0, min(FIRST_TRY << attempt, nodes - used)
        while budget > 0:
            outcome, depth, step = kernels.search(
                lay, path, open_moves, depth, memo, seed + attempt, min(budget, _SLICE)
            )
            if outcome >= 0:
                return _line(position, lay, path[: depth + 1]) if outcome else []
            budget -= step
            used += step
            yield Progress(used, nodes)
        attempt += 1
    return None


def _line(position: Position, lay: Words, path: Words) -> list[Cell]:
    """Return the moves behind the states of a path: closed cells are filled last.

    A step fills the cell that was played and those it closed.
    """
    line, late = [], _bits(int(path[0]) & ~position.occupied)
    for before, after in pairwise(path):
        new = _bits(int(after & ~before))
        playable = kernels.choices(lay, kernels.TARGET, path[:0], before)
        played = next(
            bit
            for bit in new
            if playable & bit
            and before | bit | kernels.closed(lay, kernels.TARGET, before | bit) == after
        )
        line.append(played)
        late += [bit for bit in new if bit != played]
    return [divmod(int(bit).bit_length() - 1, position.columns) for bit in line + late]


def _bits(cells: int) -> list[np.uint64]:
    found = []
    while cells:
        found.append(np.uint64(cells & -cells))
        cells &= cells - 1
    return found
