"""Making boards in compiled code: backwards from a solution, then uphill to a wanted count.

Legend
    allowed   bool[cells]: the points that stones may stand on
    groups    int64[g, 4]: points that are taken together, for the wanted symmetry; -1 is none
    sizes     int64[g]: how many points of a group there are
    chosen    bool[g]: the groups that bear stones
    miss      how far a board is from what is wanted: 0 in the window, else the logarithm of the
              factor by which its count is outside, `OPEN` where that was not found out, above
              it for a board without solution

Backwards: put the last stone, then again and again one from which it is a legal step to the
stone put before. The climb moves one group at a time and keeps what misses by no more.
"""
# Types are inferred by numba from the arguments, arrays of the types above and int64.
# mypy: disable-error-code="no-untyped-def, call-arg, var-annotated"

import math

import numpy as np
from numba import njit

from solvers.goishi.capped import evaluate, look
from solvers.goishi.kernels import below, degree, shuffle

OPEN = 900.0
_HUGE = 1 << 60
UPHILL = 50
"""One in so many worse boards is kept all the same."""

NODES = 20_000
"""Search nodes for one board; one that needs more is taken for one with too many solutions."""

COST = 50
"""In nodes, what looking at a board costs besides."""

_TRIES = 64


@njit(cache=True)
def backwards(allowed, rows, columns, stones, random, taken):
    """Take points on which so many stones have a solution; return whether that worked."""
    taken[:] = False
    here = -1
    while here < 0:
        random[0] = shuffle(random[0])
        cell = below(random[0], len(allowed))
        if allowed[cell]:
            here = cell
    taken[here] = True
    # The direction from `here` to the stone put before it; the walk may not come from there.
    onwards = -1
    points = np.empty(rows + columns, np.int64)
    ways = np.empty(rows + columns, np.int64)
    for _ in range(stones - 1):
        count = 0
        for way in range(4):
            if way == onwards:
                continue
            down = 1 if way == 1 else -1 if way == 3 else 0
            right = 1 if way == 0 else -1 if way == 2 else 0
            row, column = here // columns + down, here % columns + right
            while 0 <= row < rows and 0 <= column < columns:
                cell = row * columns + column
                if taken[cell]:
                    break
                if allowed[cell]:
                    points[count], ways[count] = cell, way
                    count += 1
                row += down
                column += right
        if count == 0:
            return False
        random[0] = shuffle(random[0])
        chosen = below(random[0], count)
        here, onwards = points[chosen], (ways[chosen] + 2) & 3
        taken[here] = True
    return True


@njit(cache=True)
def faults(taken, columns, ahead):
    """Return how many stones see no other, three times, and dead ends beyond the second."""
    n = look(taken, columns, ahead)
    everything = ~np.uint64(0) >> np.uint64(64 - n)
    cut_off, ends = 0, 0
    for stone in range(n):
        exits = degree(ahead, stone, everything)
        cut_off += exits == 0
        ends += exits == 1
    return 3 * cut_off + max(0, ends - 2)


@njit(cache=True)
def rank(taken, columns, work, low, high, cap):
    """Return (miss, nodes used) of a board; one with more than `cap` solutions is left open."""
    count, exact, used = evaluate(taken, columns, work, cap, NODES)
    if not exact:
        return OPEN, used
    if count == 0:
        return OPEN + 1 + faults(taken, columns, work[0]), used
    if count < low:
        return math.log(low / count), used
    return (math.log(count / high) if count > high else 0.0), used


@njit(cache=True)
def climb(groups, sizes, chosen, columns, taken, work, low, high, random, miss, nodes):
    """Change the board until it misses by 0 or the nodes are used up; return (miss, used).

    `chosen` and `taken` are changed in step. A negative miss stands for one not known yet.
    """
    used = 0
    if miss < 0:
        miss, used = rank(taken, columns, work, low, high, _HUGE)
    while miss > 0 and used < nodes:
        used += COST
        gone = come = -1
        for _ in range(_TRIES):
            random[0] = shuffle(random[0])
            one = below(random[0], len(sizes))
            random[0] = shuffle(random[0])
            other = below(random[0], len(sizes))
            if chosen[one] and not chosen[other] and sizes[one] == sizes[other]:
                gone, come = one, other
                break
        if gone < 0:
            continue
        for k in range(sizes[gone]):
            taken[groups[gone, k]] = False
            taken[groups[come, k]] = True
        random[0] = shuffle(random[0])
        lenient = miss < OPEN and below(random[0], UPHILL) == 0
        bound = miss + 1.0 if lenient else miss
        cap = int(high * math.exp(bound) + 0.5) if bound < 30 else _HUGE
        other_miss, cost = rank(taken, columns, work, low, high, cap)
        used += cost
        if other_miss <= bound:
            miss = other_miss
            chosen[gone] = False
            chosen[come] = True
            continue
        for k in range(sizes[gone]):
            taken[groups[come, k]] = False
            taken[groups[gone, k]] = True
    return miss, used
