"""Counting many small boards one after the other, all in compiled code: for `generate`, `repair`.

Legend
    taken     bool[cells]: where stones stand, row by row; `columns` cells a row
    nodes     what an evaluation may cost: search nodes
    Work      the arrays that an evaluation needs, made once by `work`
    stamp     the number of the evaluation: entries of the memo with another one are free

Depth-first search with a direct-mapped memo of the counts of finished states, stopped as soon
as the count exceeds a cap: 5 to 20 microseconds for the boards that a climb looks at.
"""
# Types are inferred by numba from the arguments, arrays of the types above and int64.
# mypy: disable-error-code="no-untyped-def, call-arg, var-annotated"

from typing import Any

import numpy as np
from numba import njit

from solvers.goishi.kernels import FREE, MOST_STONES, NO_END, degree, nearest, place, step

MEMO = 1 << 15
_ONE = np.uint64(1)

Work = tuple[Any, ...]


def work() -> Work:
    """Return fresh work arrays: ahead, stack of rests and tags, widths, sums, memo, stamp."""
    return (
        np.zeros((MOST_STONES, 4), np.uint64),
        np.zeros((MOST_STONES + 1, MOST_STONES), np.uint64),
        np.zeros((MOST_STONES + 1, MOST_STONES), np.int64),
        np.zeros(MOST_STONES + 1, np.int64),
        np.zeros(MOST_STONES + 1, np.int64),
        np.zeros(MEMO, np.uint64),
        np.zeros(MEMO, np.uint64),
        np.zeros(MEMO, np.int64),
        np.zeros(1, np.uint64),
    )


@njit(cache=True)
def look(taken, columns, ahead):
    """Set what each stone sees; return the number of stones."""
    cells = np.empty(len(ahead), np.int64)
    n = 0
    for cell in range(len(taken)):
        if not taken[cell]:
            continue
        for direction in range(4):
            ahead[n, direction] = 0
        me = _ONE << np.uint64(n)
        for other in range(n):
            it = _ONE << np.uint64(other)
            if cells[other] // columns == cell // columns:
                ahead[other, 0] |= me
                ahead[n, 2] |= it
            elif cells[other] % columns == cell % columns:
                ahead[other, 1] |= me
                ahead[n, 3] |= it
        cells[n] = cell
        n += 1
    return n


@njit(cache=True)
def begin(ahead, n, rests, tags):
    """Enter the states after each first stone that are not visibly dead; return their number."""
    everything = ~np.uint64(0) >> np.uint64(64 - n)
    count = 0
    for stone in range(n):
        rest = everything & ~(_ONE << np.uint64(stone))
        end_1, end_2 = NO_END, NO_END
        dead = n > 1 and degree(ahead, stone, rest) == 0
        if n > 2:
            for other in range(n):
                if other == stone:
                    continue
                exits = degree(ahead, other, rest)
                if exits == 0 or (exits == 1 and end_2 != NO_END):
                    dead = True
                    break
                if exits == 1 and end_1 == NO_END:
                    end_1 = other
                elif exits == 1:
                    end_2 = other
        if end_2 != NO_END and not dead:
            dead = True
            for way in range(4):
                seen = rest & ahead[stone, way]
                if seen != 0 and nearest(seen, way) in (end_1, end_2):
                    dead = False
        if not dead:
            rests[count] = rest
            tags[count] = stone | FREE << 8 | end_1 << 16 | end_2 << 24
            count += 1
    return count


@njit(cache=True)
def evaluate(taken, columns, work, cap, nodes):
    """Return (number of solutions, whether that is exact, nodes used) of a board of 1 to 64
    stones. Not exact: a lower bound above the cap, or where the nodes were used up."""
    ahead, rests, tags, width, sums, memo_rests, memo_tags, memo_counts, stamp = work
    n = look(taken, columns, ahead)
    stamp[0] += _ONE
    mask = np.uint64(len(memo_rests) - 1)
    depth = 0
    width[0] = begin(ahead, n, rests[0], tags[0])
    sums[0] = 0
    total = 0
    used = 0
    while True:
        if width[depth] == 0:
            if depth == 0:
                return total, True, used
            depth -= 1
            rest, tag = rests[depth, width[depth]], tags[depth, width[depth]]
            slot = place(rest, tag) & mask
            memo_rests[slot] = rest
            memo_tags[slot] = np.uint64(tag) | stamp[0] << np.uint64(32)
            memo_counts[slot] = sums[depth + 1]
            sums[depth] += sums[depth + 1]
            continue
        width[depth] -= 1
        rest, tag = rests[depth, width[depth]], tags[depth, width[depth]]
        slot = place(rest, tag) & mask
        found = -1
        if rest == 0:
            found = 1
        elif memo_rests[slot] == rest and memo_tags[slot] == (
            np.uint64(tag) | stamp[0] << np.uint64(32)
        ):
            found = memo_counts[slot]
        if found >= 0:
            sums[depth] += found
            total += found
            if total > cap:
                return total, False, used
            continue
        used += 1
        if used > nodes:
            return total, False, used
        depth += 1
        sums[depth] = 0
        count = 0
        for direction in range(4):
            next_rest, next_tag = step(ahead, rest, tag, direction)
            if next_tag >= 0:
                rests[depth, count] = next_rest
                tags[depth, count] = next_tag
                count += 1
        width[depth] = count
