"""The compiled steps and the searches that make them. `network` explains states and pruning.

Legend
    ahead     uint64[n, 4]: the stones that each stone sees to the right, down, left and up
    rest      uint64: the stones left; n <= 64
    tag       uint32: stone | back << 8 | end << 16 | end << 24, the smaller end first, NO_END
              where there is none. The ends follow from `rest`, so equal games have equal tags

`search` finds a solution by depth-first search, fewest exits first, with a direct-mapped memo of
failed states. `list_solutions` searches in the order of the rules and does not end at the first
solution. The exact count is in `count_kernels.expand`, the estimate in `crowds.crowd`.
"""
# Numba infers the types from the arguments: arrays of the types above, and int64.
# mypy: disable-error-code="no-untyped-def, call-arg, var-annotated"

import numpy as np
from numba import njit

from solvers.bits import highest, lowest, pick

FREE = 4
NO_END = 64
MAX_STONES = 64
BLOCKED = -1
"""The tag after a direction in which the rules allow no step."""
DEAD = -2
"""The tag after a step that the rules allow but that can't lead to a solution."""
SLICE_NODES = 1 << 17
"""The number of search nodes of one call, which takes well under a second."""

_NONE = np.uint64(0)
_ONE = np.uint64(1)


@njit(cache=True, forceinline=True)
def degree(ahead, stone, rest):
    """Return the number of directions in which the stone sees stones of `rest`."""
    return (
        int((rest & ahead[stone, 0]) != 0)
        + int((rest & ahead[stone, 1]) != 0)
        + int((rest & ahead[stone, 2]) != 0)
        + int((rest & ahead[stone, 3]) != 0)
    )


@njit(cache=True, forceinline=True)
def nearest(seen, direction):
    """Return the nearest of the stones seen in a direction. There must be at least one."""
    return lowest(seen) if direction < 2 else highest(seen)


@njit(cache=True, forceinline=True)
def choice(ahead, rest, tag, direction):
    """Return (stone, legal, good): the stone reached in a direction, whether the rules allow the
    step, and whether it also does not pass by two forced ends. The stone is meaningless if the step
    is not legal."""
    end_1 = (tag >> 16) & 255
    end_2 = (tag >> 24) & 255
    seen = rest & ahead[tag & 255, direction]
    there = nearest(seen, direction)
    legal = (seen != 0) & (direction != (tag >> 8) & 255)
    return there, legal, legal & ((end_2 == NO_END) | (there == end_1) | (there == end_2))


@njit(cache=True, forceinline=True)
def arrive(ahead, rest, tag, there, direction):
    """Return (rest, tag) after the step of a good `choice`. The tag is DEAD, which is negative, if
    the state is visibly dead.

    Sets of stones are masks here, and conditions keep or clear them, so that there is no branch.
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
    # If there is just one neighbour along an axis, picking the stone robs it of a direction.
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
    """Return a stone as a mask, which is empty for NO_END."""
    return np.uint64(stone != NO_END) << np.uint64(stone & 63)


@njit(cache=True)
def step(ahead, rest, tag, direction):
    """Return (rest, tag) after a step in a direction. The tag is BLOCKED or DEAD, which are
    negative, if the step leads nowhere."""
    there, legal, good = choice(ahead, rest, tag, direction)
    if not good:
        return rest, DEAD if legal else BLOCKED
    return arrive(ahead, rest, tag, there, direction)


@njit(cache=True, forceinline=True)
def hash_state(rest, tag):
    """Return a hash of the state. All its bits are usable."""
    mixed = (rest ^ (np.uint64(tag) * np.uint64(0x9E3779B97F4A7C15))) * np.uint64(
        0xD6E8FEB86659FD93
    )
    return mixed ^ (mixed >> np.uint64(32))


@njit(cache=True)
def next_random(random):
    """Return the next of a sequence of random words, never 0 (xorshift64, Marsaglia 2003)."""
    random ^= random << np.uint64(13)
    random ^= random >> np.uint64(7)
    return random ^ (random << np.uint64(17))


@njit(cache=True)
def random_below(random, bound):
    """Return a whole number below `bound` (at most 2^31) made from a random word."""
    return np.int64(((random >> np.uint64(32)) * np.uint64(bound)) >> np.uint64(32))


@njit(cache=True, forceinline=True)
def enter(rests, tags, weights, depth, count, rest, tag, weight):
    """Enter a state into the `count` states of a depth, which stand heaviest first."""
    spot = count
    while spot > 0 and weights[spot - 1] < weight:
        weights[spot] = weights[spot - 1]
        rests[depth, spot] = rests[depth, spot - 1]
        tags[depth, spot] = tags[depth, spot - 1]
        spot -= 1
    weights[spot] = weight
    rests[depth, spot] = rest
    tags[depth, spot] = tag


@njit(cache=True)
def search(ahead, child_rests, child_tags, width, depth, memo_rests, memo_tags, noise, nodes):
    """Continue a depth-first search for at most `nodes` nodes.

    The children still to be examined at each depth are the first width[depth] of child_rests[depth]
    and child_tags[depth], the last of them first. The child being examined is just behind them. The
    caller sets up those of depth 0. A `noise` above 0 is a seed that shuffles the order.

    Return (outcome, depth, nodes used). The outcome is 1 for a solution, whose states are just
    behind the widths of depths 0 to `depth`. It is 0 if everything was examined, and -1 if the
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
            slot = hash_state(rest, tag) & mask
            memo_rests[slot] = rest
            memo_tags[slot] = tag
            continue
        width[depth] -= 1
        rest = child_rests[depth, width[depth]]
        tag = np.int64(child_tags[depth, width[depth]])
        if rest == 0:
            return 1, depth, used
        slot = hash_state(rest, tag) & mask
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
                random = next_random(random)
                weight += np.int64(random & np.uint64(15))
            enter(child_rests, child_tags, weights, depth, count, next_rest, next_tag, weight)
            count += 1
        width[depth] = count
    return -1, depth, nodes


@njit(cache=True)
def list_solutions(
    ahead, child_rests, child_tags, width, before, depth, memo_rests, memo_tags, lines, found, nodes
):
    """Continue to list solutions for at most `nodes` nodes or until `lines` is full.

    The stack is that of `search`, but always in the order right, down, left, up. `before` contains
    for each depth the number found when its state was entered. Only states without any solution
    are remembered as failed. lines[k] are the stones of the k-th solution in order. Return (depth,
    found). The depth is -1 if everything was examined.
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
                slot = hash_state(rest, tag) & mask
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
        slot = hash_state(rest, tag) & mask
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
