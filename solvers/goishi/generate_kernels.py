"""Compiled code for boards by the thousand: counting solutions up to a cap, and making boards.

Legend
    taken     bool[cells]: whether a cell has a stone, row by row, with `columns` cells a row
    nodes     the most search nodes of an evaluation
    Work      the arrays that an evaluation needs, made once by `work`
    stamp     the number of the evaluation: entries of the memo with another number are free
    allowed   bool[cells]: whether a stone may stand on a cell
    groups    int64[g, 4]: cells that have stones together, for the wanted symmetry; -1 is none
    sizes     int64[g]: the number of cells of a group
    chosen    bool[g]: whether a group has stones
    miss      the distance of a board from what is wanted: 0 in the range, else the logarithm of
              the factor by which its count is outside. It is `UNDECIDED` if that was not found out,
              and more for a board without a solution

An evaluation is a depth-first search with a direct-mapped memo of the counts of finished states. It
stops as soon as the count exceeds a cap. Boards that are annealed take 5 to 50 microseconds each.

A board is made backwards from a solution, then annealed to the wanted count and number of stones.
Backwards means: put the last stone, then again and again a stone from which there is a legal step
to the stone put before it. Annealing (Kirkpatrick, Gelatt, Vecchi, Science 220, 1983) changes one
group at a time. With many stones hardly any board has few solutions, so a board may lack stones on
the way: its energy is its miss plus a price for each stone that it lacks, and a change that
increases the energy by x is kept with probability exp(-x / TEMPERATURE).
"""
# Numba infers the types from the arguments: arrays of the types above, and int64.
# mypy: disable-error-code="no-untyped-def, call-arg, var-annotated"

import math
from typing import Any

import numpy as np
from numba import njit

from solvers.goishi.kernels import (
    FREE,
    MAX_STONES,
    NO_END,
    degree,
    enter,
    hash_state,
    nearest,
    next_random,
    random_below,
    step,
)

MEMO = 1 << 15
UNDECIDED = 900.0
HUGE = 1 << 60
ANNEALING_MEMO = 1 << 12
"""The size of the memo for boards that are annealed. It fits the cache of a processor."""

TEMPERATURE = 0.18
LACKING_STONE = 0.6
"""The energy of a stone that a board lacks."""

FLIPS_PERCENT = 15
"""How many of the changes put or take stones. The others move them."""

BOARD_NODES = 20_000
"""The most search nodes for one board. A board that needs more is taken to have too many
solutions."""

BOARD_COST_NODES = 50
"""The cost of examining a board in addition to its search nodes, in nodes."""

_ONE = np.uint64(1)

Work = tuple[Any, ...]


def work(memo: int = MEMO) -> Work:
    """Return new work arrays: ahead, stacks of rests and tags, widths, sums, memo, stamp."""
    return (
        np.zeros((MAX_STONES, 4), np.uint64),
        np.zeros((MAX_STONES + 1, MAX_STONES), np.uint64),
        np.zeros((MAX_STONES + 1, MAX_STONES), np.int64),
        np.zeros(MAX_STONES + 1, np.int64),
        np.zeros(MAX_STONES + 1, np.int64),
        np.zeros(memo, np.uint64),
        np.zeros(memo, np.uint64),
        np.zeros(memo, np.int64),
        np.zeros(1, np.uint64),
    )


@njit(cache=True)
def set_visibility(taken, columns, ahead):
    """Set `ahead` to what each stone sees. Return the number of stones."""
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
def first_states(ahead, n, rests, tags, weights):
    """Enter the states after each first stone that are not visibly dead. Return their number.

    The last of them begins with the stone that has the fewest exits.
    """
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
            ends = int(end_1 != NO_END) + int(end_2 != NO_END)
            weight = 4 * degree(ahead, stone, everything) + ends
            tag = stone | FREE << 8 | end_1 << 16 | end_2 << 24
            enter(rests, tags, weights, 0, count, rest, tag, weight)
            count += 1
    return count


@njit(cache=True)
def evaluate(taken, columns, work, cap, nodes):
    """Return (number of solutions, whether it is exact, nodes used) of a board of 1 to 64 stones.

    A number that is not exact is a lower bound. It exceeds the cap, or the nodes were used up.
    """
    ahead, rests, tags, width, sums, memo_rests, memo_tags, memo_counts, stamp = work
    n = set_visibility(taken, columns, ahead)
    stamp[0] += _ONE
    mask = np.uint64(len(memo_rests) - 1)
    depth = 0
    weights = np.empty(MAX_STONES, np.int64)
    width[0] = first_states(ahead, n, rests, tags, weights)
    sums[0] = 0
    total = 0
    used = 0
    while True:
        if width[depth] == 0:
            if depth == 0:
                return total, True, used
            depth -= 1
            rest, tag = rests[depth, width[depth]], tags[depth, width[depth]]
            slot = hash_state(rest, tag) & mask
            memo_rests[slot] = rest
            memo_tags[slot] = np.uint64(tag) | stamp[0] << np.uint64(32)
            memo_counts[slot] = sums[depth + 1]
            sums[depth] += sums[depth + 1]
            continue
        width[depth] -= 1
        rest, tag = rests[depth, width[depth]], tags[depth, width[depth]]
        slot = hash_state(rest, tag) & mask
        ways_on = -1
        if rest == 0:
            ways_on = 1
        elif memo_rests[slot] == rest and memo_tags[slot] == (
            np.uint64(tag) | stamp[0] << np.uint64(32)
        ):
            ways_on = memo_counts[slot]
        if ways_on >= 0:
            sums[depth] += ways_on
            total += ways_on
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
                weight = degree(ahead, next_tag & 255, next_rest)
                enter(rests, tags, weights, depth, count, next_rest, next_tag, weight)
                count += 1
        width[depth] = count


@njit(cache=True)
def backwards(allowed, rows, columns, stones, random, taken):
    """Set `taken` to a solvable board with this number of stones. Return whether that worked."""
    taken[:] = False
    here = -1
    while here < 0:
        random[0] = next_random(random[0])
        cell = random_below(random[0], len(allowed))
        if allowed[cell]:
            here = cell
    taken[here] = True
    # The direction from `here` to the stone put before it. The walk may not arrive from there.
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
        random[0] = next_random(random[0])
        chosen = random_below(random[0], count)
        here, onwards = points[chosen], (ways[chosen] + 2) & 3
        taken[here] = True
    return True


@njit(cache=True)
def penalty(taken, columns, ahead):
    """Return three times the number of stones that see no other, plus the dead ends beyond two."""
    n = set_visibility(taken, columns, ahead)
    everything = ~np.uint64(0) >> np.uint64(64 - n)
    cut_off, ends = 0, 0
    for stone in range(n):
        exits = degree(ahead, stone, everything)
        cut_off += exits == 0
        ends += exits == 1
    return 3 * cut_off + max(0, ends - 2)


@njit(cache=True)
def measure_miss(taken, columns, work, low, high, cap):
    """Return (miss, nodes used) of a board. The miss is `UNDECIDED` for more than `cap`
    solutions."""
    count, exact, used = evaluate(taken, columns, work, cap, BOARD_NODES)
    if not exact:
        return UNDECIDED, used
    if count == 0:
        return UNDECIDED + 1 + penalty(taken, columns, work[0]), used
    if count < low:
        return math.log(low / count), used
    return (math.log(count / high) if count > high else 0.0), used


@njit(cache=True)
def anneal(groups, sizes, chosen, columns, taken, work, low, high, random, miss, lacking, nodes):
    """Change the board until its miss is 0 and it has all stones, or the nodes are used up.

    `lacking` is the number of stones that the board lacks. Return (miss, lacking, nodes used).
    `chosen` and `taken` are changed together.
    """
    used = 0
    stones = lacking + taken.sum()
    while (miss > 0 or lacking > 0) and used < nodes:
        used += 1
        random[0] = next_random(random[0])
        one = random_below(random[0], len(sizes))
        random[0] = next_random(random[0])
        other = random_below(random[0], len(sizes))
        random[0] = next_random(random[0])
        if random_below(random[0], 100) < FLIPS_PERCENT:
            other = one
        elif chosen[one] == chosen[other]:
            continue
        fewer = sizes[one] if chosen[one] else -sizes[one]
        if other != one:
            fewer += sizes[other] if chosen[other] else -sizes[other]
        if not 0 <= lacking + fewer < stones:
            continue
        used += BOARD_COST_NODES
        random[0] = next_random(random[0])
        chance = (random_below(random[0], 1 << 30) + 1) / (1 << 30)
        bound = miss - fewer * LACKING_STONE - TEMPERATURE * math.log(chance)
        if bound < 0:
            continue
        cap = int(high * math.exp(bound) + 0.5) if bound < 30 else HUGE
        flip(groups, chosen, taken, one)
        if other != one:
            flip(groups, chosen, taken, other)
        other_miss, cost = measure_miss(taken, columns, work, low, high, cap)
        used += cost
        if other_miss <= bound:
            miss = other_miss
            lacking += fewer
        else:
            flip(groups, chosen, taken, one)
            if other != one:
                flip(groups, chosen, taken, other)
    return miss, lacking, used


@njit(cache=True)
def flip(groups, chosen, taken, group):
    """Put stones on the points of a group, or take them away."""
    chosen[group] = not chosen[group]
    for k in range(groups.shape[1]):
        if groups[group, k] >= 0:
            taken[groups[group, k]] = chosen[group]
