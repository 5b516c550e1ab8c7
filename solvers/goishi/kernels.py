"""The compiled steps, and the searches that make them; `network` explains states and pruning.

Legend
    ahead     uint64[n, 4]: what each stone sees; the directions right, down, left, up
    rest      uint64: the stones left; n <= 64
    tag       uint32: stone | back << 8 | end << 16 | end << 24, the smaller end first, NO_END
              where there is none. The ends follow from `rest`, so equal games have equal tags

Solve: depth-first search, fewest exits first, with a direct-mapped memo of failed states.
All solutions: the same in the order of the rules, without an end at the first.
Estimate: random walks; the product of the choices on a walk that ends well, else 0, has the
number of solutions as its mean (Knuth, Mathematics of Computation 29, 1975).
The exact count stands in `expand`.
"""
# Types are inferred by numba from the arguments, arrays of the types above and int64.
# mypy: disable-error-code="no-untyped-def, call-arg, var-annotated"

import numpy as np
from numba import njit

from solvers.bits import highest, lowest, pick

FREE = 4
NO_END = 64
MOST_STONES = 64
BLOCKED = -1
"""As a tag: the rules allow no step in this direction."""
DEAD = -2
"""They do, but nothing good comes of it."""
SLICE = 1 << 17
"""Search nodes of one call: well under a second."""

_NONE = np.uint64(0)
_ONE = np.uint64(1)


@njit(cache=True, forceinline=True)
def degree(ahead, stone, rest):
    """Return in how many directions the stone sees stones of `rest`."""
    return (
        int((rest & ahead[stone, 0]) != 0)
        + int((rest & ahead[stone, 1]) != 0)
        + int((rest & ahead[stone, 2]) != 0)
        + int((rest & ahead[stone, 3]) != 0)
    )


@njit(cache=True, forceinline=True)
def nearest(seen, direction):
    """Return the nearest of the stones seen in a direction, one at least."""
    return lowest(seen) if direction < 2 else highest(seen)


@njit(cache=True, forceinline=True)
def choice(ahead, rest, tag, direction):
    """Return (stone, legal, good): what is reached in a direction, whether the rules allow it,
    and whether it also does not pass by two forced ends. The stone has no meaning otherwise."""
    end_1 = (tag >> 16) & 255
    end_2 = (tag >> 24) & 255
    seen = rest & ahead[tag & 255, direction]
    there = nearest(seen, direction)
    legal = (seen != 0) & (direction != (tag >> 8) & 255)
    return there, legal, legal & ((end_2 == NO_END) | (there == end_1) | (there == end_2))


@njit(cache=True, forceinline=True)
def arrive(ahead, rest, tag, there, direction):
    """Return (rest, tag) after the step of a good `choice`; the tag is DEAD, below 0, where
    that is seen to lead nowhere.

    Sets of stones are masks here, and conditions keep or clear them: there is no jump in it.
    """
    ends = _bit((tag >> 16) & 255) | _bit((tag >> 24) & 255)
    rest &= ~(_ONE << np.uint64(there))
    right = _first(rest & ahead[there, 0])
    down = _first(rest & ahead[there, 1])
    left = _last(rest & ahead[there, 2])
    up = _last(rest & ahead[there, 3])
    behind = (
        pick(direction == 0, left, _NONE)
        | pick(direction == 1, up, _NONE)
        | pick(direction == 2, right, _NONE)
        | pick(direction == 3, down, _NONE)
    )
    exits = (right | down | left | up) ^ behind
    # Along each axis the only neighbour, if there is just one, loses the picked stone.
    robbed_1 = pick((right == 0) != (left == 0), right | left, _NONE)
    robbed_2 = pick((down == 0) != (up == 0), down | up, _NONE)
    degree_1 = degree(ahead, lowest(robbed_1) & 63, rest)
    degree_2 = degree(ahead, lowest(robbed_2) & 63, rest)
    several = (rest & (rest - _ONE)) != 0
    ends &= rest
    ends |= pick(degree_1 == 1, robbed_1, _NONE)
    ends |= pick(degree_2 == 1, robbed_2, _NONE)
    ends = pick(several, ends, _NONE)
    end_1 = _first(ends)
    end_2 = _first(ends ^ end_1)
    dead = (rest != 0) & (exits == 0)
    dead |= several & (robbed_1 != 0) & (degree_1 == 0)
    dead |= several & (robbed_2 != 0) & (degree_2 == 0)
    dead |= ends != end_1 | end_2
    dead |= (end_2 != 0) & ((exits & ends) == 0)
    back = pick(behind != 0, direction ^ 2, FREE)
    after = np.int64(there) | back << 8 | lowest(end_1) << 16 | lowest(end_2) << 24
    return rest, pick(dead, DEAD, after)


@njit(cache=True, forceinline=True)
def _first(mask):
    """Return the lowest set bit of a mask, as a mask."""
    return mask & (~mask + _ONE)


@njit(cache=True, forceinline=True)
def _last(mask):
    """Return the highest set bit of a mask, as a mask."""
    return np.uint64(mask != 0) << np.uint64(highest(mask) & 63)


@njit(cache=True, forceinline=True)
def _bit(stone):
    """Return a stone as a mask; none for NO_END."""
    return np.uint64(stone != NO_END) << np.uint64(stone & 63)


@njit(cache=True)
def step(ahead, rest, tag, direction):
    """Return (rest, tag) after going in a direction; the tag is BLOCKED or DEAD, both negative,
    when that leads nowhere."""
    there, legal, good = choice(ahead, rest, tag, direction)
    if not good:
        return rest, DEAD if legal else BLOCKED
    return arrive(ahead, rest, tag, there, direction)


@njit(cache=True, forceinline=True)
def place(rest, tag):
    """Return a hash of the state; all its bits are good."""
    mixed = (rest ^ (np.uint64(tag) * np.uint64(0x9E3779B97F4A7C15))) * np.uint64(
        0xD6E8FEB86659FD93
    )
    return mixed ^ (mixed >> np.uint64(32))


@njit(cache=True)
def shuffle(random):
    """Return the next of a sequence of random words; never 0 (xorshift64, Marsaglia 2003)."""
    random ^= random << np.uint64(13)
    random ^= random >> np.uint64(7)
    return random ^ (random << np.uint64(17))


@njit(cache=True)
def below(random, bound):
    """Return a whole number from 0 up to but not `bound` (at most 2^31) from a random word."""
    return np.int64(((random >> np.uint64(32)) * np.uint64(bound)) >> np.uint64(32))


@njit(cache=True)
def search(ahead, child_rests, child_tags, width, depth, memo_rests, memo_tags, noise, nodes):
    """Go on with a depth-first search for at most `nodes` nodes.

    The children still to be tried at each depth are the first width[depth] of
    child_rests[depth] and child_tags[depth], the last of them first; the one in work stands
    just behind them. The caller sets up those of depth 0. `noise` above 0 is a seed that
    shuffles the order. Returns (outcome, depth, nodes used): outcome 1 for a solution, which
    stands behind the widths of depths 0 to `depth`; 0 when all has been tried; -1 when the
    nodes are used up and the search can be resumed at `depth`.
    """
    mask = np.uint64(memo_rests.size - 1)
    weights = np.empty(4, np.int64)
    random = np.uint64(noise)
    for used in range(nodes):
        if width[depth] == 0:
            if depth == 0:
                return 0, depth, used
            depth -= 1
            rest = child_rests[depth, width[depth]]
            tag = child_tags[depth, width[depth]]
            slot = place(rest, tag) & mask
            memo_rests[slot] = rest
            memo_tags[slot] = tag
            continue
        width[depth] -= 1
        rest = child_rests[depth, width[depth]]
        tag = np.int64(child_tags[depth, width[depth]])
        if rest == 0:
            return 1, depth, used
        slot = place(rest, tag) & mask
        if memo_rests[slot] == rest and memo_tags[slot] == tag:
            continue
        depth += 1
        count = 0
        for direction in range(4):
            next_rest, next_tag = step(ahead, rest, tag, direction)
            if next_tag < 0:
                continue
            weight = 8 * degree(ahead, next_tag & 255, next_rest)
            if noise > 0:
                random = shuffle(random)
                weight += np.int64(random & np.uint64(15))
            spot = count
            while spot > 0 and weights[spot - 1] < weight:
                weights[spot] = weights[spot - 1]
                child_rests[depth, spot] = child_rests[depth, spot - 1]
                child_tags[depth, spot] = child_tags[depth, spot - 1]
                spot -= 1
            weights[spot] = weight
            child_rests[depth, spot] = next_rest
            child_tags[depth, spot] = next_tag
            count += 1
        width[depth] = count
    return -1, depth, nodes


@njit(cache=True)
def list_solutions(
    ahead, child_rests, child_tags, width, before, depth, memo_rests, memo_tags, lines, found, nodes
):
    """Go on listing solutions for at most `nodes` nodes, or until `lines` is full.

    The stack is that of `search`, but always in the order right, down, left, up. `before`
    holds for each depth the number found when its state was entered: only states without any
    are remembered as failed. lines[k] are the stones of the k-th solution in order. Returns
    (depth, found); the depth is -1 when all has been tried.
    """
    mask = np.uint64(memo_rests.size - 1)
    for _ in range(nodes):
        if width[depth] == 0:
            if depth == 0:
                return -1, found
            depth -= 1
            if before[depth] == found:
                rest = child_rests[depth, width[depth]]
                tag = child_tags[depth, width[depth]]
                slot = place(rest, tag) & mask
                memo_rests[slot] = rest
                memo_tags[slot] = tag
            continue
        if found == len(lines):
            return depth, found
        width[depth] -= 1
        rest = child_rests[depth, width[depth]]
        tag = np.int64(child_tags[depth, width[depth]])
        if rest == 0:
            for k in range(depth + 1):
                lines[found, k] = child_tags[k, width[k]] & 255
            found += 1
            continue
        slot = place(rest, tag) & mask
        if memo_rests[slot] == rest and memo_tags[slot] == tag:
            continue
        before[depth] = found
        depth += 1
        count = 0
        for direction in range(3, -1, -1):
            next_rest, next_tag = step(ahead, rest, tag, direction)
            if next_tag >= 0:
                child_rests[depth, count] = next_rest
                child_tags[depth, count] = next_tag
                count += 1
        width[depth] = count
    return depth, found


@njit(cache=True)
def probe(ahead, rests, tags, random, probes):
    """Walk at random from the starts so many times; return the sums of the products of the
    choices and of their squares, and the random word to go on with."""
    total, squares = 0.0, 0.0
    ways_rest = np.empty(4, np.uint64)
    ways_tag = np.empty(4, np.int64)
    for _ in range(probes):
        random = shuffle(random)
        chosen = below(random, len(rests))
        rest, tag = rests[chosen], np.int64(tags[chosen])
        weight = float(len(rests))
        while rest != 0:
            count = 0
            for direction in range(4):
                next_rest, next_tag = step(ahead, rest, tag, direction)
                if next_tag >= 0:
                    ways_rest[count], ways_tag[count] = next_rest, next_tag
                    count += 1
            if count == 0:
                weight = 0.0
                break
            random = shuffle(random)
            chosen = below(random, count)
            rest, tag = ways_rest[chosen], ways_tag[chosen]
            weight *= count
        total += weight
        squares += weight * weight
    return total, squares, random
