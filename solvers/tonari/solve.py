"""The question `solve`: a solution, a proof that there is none, or an honest "not decided"."""

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
"""Search nodes before the question is given up: about half a minute."""

FIRST_TRY = 20_000
"""Nodes before the search starts again in another order; each try is twice as long."""

_SLICE = 1 << 18
"""Search nodes of one call."""

_MEMO = 1 << 14, 1 << 22
"""Failed states remembered in the first try and in later ones."""


def solve(kind: Kind[Position, Cell], position: Position, *, nodes: int = NODES) -> Run[Answer]:
    """Ask for one solution from the position on.

    Value 1 and its moves, value 0 when there is provably none (with the reason as `note` where
    one is known), value None and not proven when `nodes` search nodes did not decide it.
    """
    line = yield from find(position, nodes)
    if line is None:
        note = Message("Not decided after {nodes} steps of the search.", {"nodes": nodes})
        return Answer(None, proven=False, note=note)
    if line or kind.judge(position).solved:
        return Answer(Exact(1), tuple(map(kind.write_move, line)))
    return Answer(Exact(0), note=rules.obstacle(position))


def find(position: Position, nodes: int = NODES, seed: int = 0) -> Run[list[Cell] | None]:
    """Return one order that reaches the target, [] if there is none, None if undecided.

    Failed states are kept from try to try, so starting again loses little.
    """
    if rules.doomed(position):
        return []
    lay = bitboard.layout(position)
    occupied = np.uint64(position.occupied)
    shut = bitboard.closed(lay, TARGET, occupied)
    if bitboard.lost(lay, TARGET, occupied, shut):
        return []
    depths = position.rows * position.columns + 1
    path, open_moves = np.zeros(depths, np.uint64), np.zeros(depths, np.uint64)
    memo = np.zeros(_MEMO[0], np.uint64)
    path[0] = occupied | shut
    used, attempt = 0, 0
    while used < nodes:
        if attempt == 1:
            memo = np.zeros(_MEMO[1], np.uint64)
        open_moves[0] = bitboard.choices(lay, TARGET, memo[:0], path[0])
        depth, budget = 0, min(FIRST_TRY << attempt, nodes - used)
        while budget > 0:
            outcome, depth, step = search(
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
        playable = bitboard.choices(lay, TARGET, path[:0], before)
        played = next(
            bit
            for bit in new
            if playable & bit and before | bit | bitboard.closed(lay, TARGET, before | bit) == after
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


# Numba infers the kernels' types: arrays as in `bitboard`, and int64.
@njit(cache=True)
def search(lay, path, open_moves, depth, memo, seed, nodes):  # type: ignore[no-untyped-def]
    """Go on with a depth-first search for an order that reaches the target.

    path        uint64[cells + 1]: the states from the root on; open_moves beside them: the
                moves still to try. `depth` is where the search stands.
    memo        uint64[2^k]: states known to fail, each at the place of its hash
    seed        other than 0: the moves are tried in another order

    Returns (outcome, depth, nodes used): outcome 1 found, 0 none, -1 not decided yet.
    """
    mask = np.uint64(memo.size - 1)
    none_before = np.empty(0, np.uint64)
    for used in range(nodes):
        if path[depth] == lay[FULL]:
            return 1, depth, used
        moves = open_moves[depth]
        if moves == NONE:
            memo[bitboard.place(path[depth]) & mask] = path[depth]
            if depth == 0:
                return 0, depth, used
            depth -= 1
            continue
        move = moves & (~moves + ONE)
        if seed != 0:
            mixed = bitboard.place(path[depth] ^ (np.uint64(seed) * np.uint64(0x9E3779B97F4A7C15)))
            skip = np.int64(mixed % np.uint64(bitboard.size(moves)))
            rest = moves
            for _ in range(skip):
                rest &= rest - ONE
            move = rest & (~rest + ONE)
        open_moves[depth] = moves ^ move
        occupied = path[depth] | move
        shut = bitboard.closed(lay, TARGET, occupied)
        state = occupied | shut
        failed = memo[bitboard.place(state) & mask] == state
        if failed or bitboard.lost(lay, TARGET, occupied, shut):
            continue
        depth += 1
        path[depth] = state
        open_moves[depth] = bitboard.choices(lay, TARGET, none_before, state)
    return -1, depth, nodes
