"""The question `solve`: a solution, a proof that there is none, or the statement that it is
undecided."""

from itertools import pairwise

import numpy as np
from numba import njit

from solvers.answers import Answer, Exact
from solvers.kind import Cell, Kind
from solvers.message import Message
from solvers.question import Progress, Run
from solvers.tonari import bitboard, rules
from solvers.tonari.bitboard import FULL, NONE, ONE, TARGET, Words
from solvers.tonari.rules import Position

NODES = 50_000_000
"""Search nodes after which the question is given up. They take about half a minute."""

FIRST_ATTEMPT = 20_000
"""Nodes after which the search starts again with its moves in another order. Each attempt has twice
the nodes of the one before."""

_SLICE = 1 << 18
"""Search nodes of one kernel call."""

_MEMO = 1 << 14, 1 << 22
"""The number of failed states remembered in the first attempt, and in each later one."""


def solve(kind: Kind[Position, Cell], position: Position, *, nodes: int = NODES) -> Run[Answer]:
    """Find one solution from the position on.

    Returns an `Answer`. Its value is 1, with the moves of a solution, or 0 when there is provably
    none; `note` is then the reason, if one is seen without a search. The value is None and not
    proven when `nodes` search nodes did not decide it.
    """
    line = yield from find(position, nodes)
    if line is None:
        note = Message("The search reached no answer after {nodes} steps.", {"nodes": nodes})
        return Answer(None, proven=False, note=note)
    if line or kind.judge(position).solved:
        return Answer(Exact(1), tuple(map(kind.write_move, line)))
    return Answer(Exact(0), note=rules.obstacle(position))


def find(position: Position, nodes: int = NODES, seed: int = 0) -> Run[list[Cell] | None]:
    """Return one order that reaches the target, [] if there is none, or None if that is undecided.

    The search is depth-first, and starts again with its moves in another order when it takes long.
    It remembers failed states from attempt to attempt, so little work is repeated.
    """
    if rules.doomed(position):
        return []
    layout = bitboard.layout(position)
    occupied = np.uint64(position.occupied)
    closed_cells = bitboard.closed(layout, TARGET, occupied)
    if bitboard.lost(layout, TARGET, occupied, closed_cells):
        return []
    depths = position.rows * position.columns + 1
    path, open_moves = np.zeros(depths, np.uint64), np.zeros(depths, np.uint64)
    memo = np.zeros(_MEMO[0], np.uint64)
    path[0] = occupied | closed_cells
    used, attempt = 0, 0
    while used < nodes:
        if attempt == 1:
            memo = np.zeros(_MEMO[1], np.uint64)
        open_moves[0] = bitboard.choices(layout, TARGET, memo[:0], path[0])
        depth, budget = 0, min(FIRST_ATTEMPT << attempt, nodes - used)
        while budget > 0:
            outcome, depth, step = search(
                layout, path, open_moves, depth, memo, seed + attempt, min(budget, _SLICE)
            )
            if outcome >= 0:
                return _line(position, layout, path[: depth + 1]) if outcome else []
            budget -= step
            used += step
            yield Progress(used, nodes)
        attempt += 1
    return None


def _line(position: Position, layout: Words, path: Words) -> list[Cell]:
    """Return the moves that lead through the states of a path. Closed cells are filled last.

    Each step of the path fills the cell that was played and the cells that it closed.
    """
    line, late = [], _bits(int(path[0]) & ~position.occupied)
    for before, after in pairwise(path):
        new = _bits(int(after & ~before))
        playable = bitboard.choices(layout, TARGET, path[:0], before)
        played = next(
            bit
            for bit in new
            if playable & bit
            and before | bit | bitboard.closed(layout, TARGET, before | bit) == after
        )
        line.append(played)
        late += [bit for bit in new if bit != played]
    return [divmod(int(bit).bit_length() - 1, position.columns) for bit in line + late]


def _bits(cells: int) -> list[np.uint64]:
    bits = []
    while cells:
        bits.append(np.uint64(cells & -cells))
        cells &= cells - 1
    return bits


# Numba infers the kernels' types: arrays as in `bitboard`, and int64.
@njit(cache=True)
def search(layout, path, open_moves, depth, memo, seed, nodes):  # type: ignore[no-untyped-def]
    """Continue a depth-first search for an order that reaches the target.

    path        uint64[cells + 1]: the states from the root on. `open_moves`, of the same shape, has
                the moves of each state that are not searched yet. `depth` is the current state
    memo        uint64[2^k]: states known to fail, each at the position of its hash
    seed        if it is not 0, the moves are searched in another order

    Returns (outcome, depth, nodes used). The outcome is 1 for found, 0 for none, -1 for undecided.
    """
    mask = np.uint64(memo.size - 1)
    none_before = np.empty(0, np.uint64)
    for used in range(nodes):
        if path[depth] == layout[FULL]:
            return 1, depth, used
        moves = open_moves[depth]
        if moves == NONE:
            memo[bitboard.hash_of(path[depth]) & mask] = path[depth]
            if depth == 0:
                return 0, depth, used
            depth -= 1
            continue
        move = moves & (~moves + ONE)
        if seed != 0:
            mixed = bitboard.hash_of(
                path[depth] ^ (np.uint64(seed) * np.uint64(0x9E3779B97F4A7C15))
            )
            skip = np.int64(mixed % np.uint64(bitboard.size(moves)))
            rest = moves
            for _ in range(skip):
                rest &= rest - ONE
            move = rest & (~rest + ONE)
        open_moves[depth] = moves ^ move
        occupied = path[depth] | move
        closed_cells = bitboard.closed(layout, TARGET, occupied)
        state = occupied | closed_cells
        failed = memo[bitboard.hash_of(state) & mask] == state
        if failed or bitboard.lost(layout, TARGET, occupied, closed_cells):
            continue
        depth += 1
        path[depth] = state
        open_moves[depth] = bitboard.choices(layout, TARGET, none_before, state)
    return -1, depth, nodes
