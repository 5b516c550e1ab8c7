"""The compiled inner loop of `sift`: targets by the million, each counted as far as needed.

Legend
    orbits    uint64[n]: sets of cells that get their colour together; the targets are the 2^n
              ways to choose some of them to be white, besides `base`. Number k stands for the
              target whose orbits are the bits of k * factor + offset: with an odd factor that
              runs through all of them, in an order that looks like chance
    least, most   how many orders a target must have to be found
    images    as in `kernels`, of the board and its start stones: of mirror images only the
              least set of white cells is looked at, and stands for all of them
    memo, worth   uint64[2^k, 2], float64[2^k]: states whose orders are known, each at the place
              of its hash, beside the number of its target, and how many orders they are
    path, open_moves, weight, before   a stack, uint64 and float64[cells + 1]: the states from
              the start on, the moves still to try, how many orders each order of the states
              stands for, and what had been counted on the way there

A state stands for as many orders as its closed cells can be slipped in (see `kernels`), so the
first one or two solutions of a target with many orders show that it has too many: a microsecond
for most targets. Numbers above 2^53 are never needed: everything stops beyond `most`.
"""
# Types are inferred by numba from the arguments, arrays of the types above and int64.
# mypy: disable-error-code="no-untyped-def, call-arg"

import numpy as np
from numba import njit

from solvers.tonari.kernels import (
    FULL,
    NONE,
    ONE,
    TARGET,
    WHITE,
    choices,
    closed,
    image_of,
    lost,
    place,
    size,
)

LOOKED, REACHABLE, UNDECIDED = range(3)
"""What `tally`, int64[3], counts."""


@njit(cache=True)
def orders_up_to(lay, start, most, memo, worth, number, nodes, path, open_moves, weight, before):
    """Return how many orders reach the target, more than `most` where there are more.

    -1 where `nodes` search nodes did not tell.
    """
    mask = np.uint64(memo.shape[0] - 1)
    cells = size(lay[FULL])
    none_before = memo[:0, 0]
    shut = closed(lay, TARGET, start)
    if lost(lay, TARGET, start, shut):
        return 0.0
    depth = 0
    found = 0.0
    path[0] = start | shut
    weight[0] = slipped_in(cells, path[0], shut)
    before[0] = 0.0
    open_moves[0] = choices(lay, TARGET, none_before, path[0])
    for _ in range(nodes):
        moves = open_moves[depth]
        if path[depth] == lay[FULL]:
            found += weight[depth]
            if found > most:
                return found
        elif moves != NONE:
            move = moves & (~moves + ONE)
            open_moves[depth] = moves ^ move
            occupied = path[depth] | move
            shut = closed(lay, TARGET, occupied)
            state = occupied | shut
            slot = place(state) & mask
            ways = weight[depth] * slipped_in(cells, state, shut)
            if memo[slot, 0] == state and memo[slot, 1] == number:
                found += ways * worth[slot]
                if found > most:
                    return found
            elif not lost(lay, TARGET, occupied, shut):
                depth += 1
                path[depth] = state
                weight[depth] = ways
                before[depth] = found
                open_moves[depth] = choices(lay, TARGET, none_before, state)
            continue
        else:
            slot = place(path[depth]) & mask
            memo[slot, 0] = path[depth]
            memo[slot, 1] = number
            worth[slot] = (found - before[depth]) / weight[depth]
        if depth == 0:
            return found
        depth -= 1
    return -1.0


@njit(cache=True)
def slipped_in(cells, state, shut):
    """Return in how many ways the cells just closed can be slipped in among those left."""
    ways = 1.0
    left = cells - size(state)
    for more in range(1, size(shut) + 1):
        ways *= left + more
    return ways


@njit(cache=True)
def sift(
    lay, start, images, orbits, base, factor, offset, first, last, least, most,
    memo, worth, nodes, path, open_moves, weight, before, found, tally,
):  # fmt: skip
    """Look at the targets numbered `first` to `last`; write those wanted into `found`.

    Returns their number and the target to go on with; stops early when `found` is full.
    """
    kept = 0
    mask = (ONE << np.uint64(orbits.size)) - ONE
    for number in range(first, last):
        if kept == found.size:
            return kept, number
        chosen = (np.uint64(number) * factor + offset) & mask
        white = base
        for i in range(orbits.size):
            if (chosen >> np.uint64(i)) & ONE != NONE:
                white |= orbits[i]
        alike = 1
        for g in range(images.shape[0]):
            image = image_of(images[g], white)
            if image < white:
                alike = 0
                break
            alike += image == white
        tally[LOOKED] += 1
        if alike == 0:
            continue
        lay[WHITE] = white
        orders = orders_up_to(
            lay, start, most, memo, worth, np.uint64(number + 1), nodes,
            path, open_moves, weight, before,
        )  # fmt: skip
        if orders > 0:
            tally[REACHABLE] += (images.shape[0] + 1) // alike
        tally[UNDECIDED] += orders < 0
        if least <= orders <= most:
            found[kept] = white
            kept += 1
    return kept, last
