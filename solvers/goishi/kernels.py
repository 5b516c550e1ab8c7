"""The compiled inner loops of the questions about one board; `network` explains states and pruning.

Legend
    ahead     uint64[n, 4]: what each stone sees; the directions right, down, left, up
    rest      uint64: the stones left; n <= 64
    tag       uint32: stone | back << 8 | end << 16 | end << 24, the smaller end first, NO_END
              where there is none. The ends follow from `rest`, so equal games have equal tags
    low, high the two words of a number of ways. It is at most n * 4 * 3^(n-2) < 2^107
    layer     uint64[states, 4]: rest, tag, low, high of the states with as many stones left
    slots     int32[2^k]: open-addressing hash table of the next layer; -1 is free, else the
              index of a state in its arrays; never more than half full

Count, from layer to layer and up to the symmetries of the board (`fold`),
    ways(S) = sum of ways(P) over the states P one step before S,
and backwards
    completions(S) = sum of completions(T) over the states T one step after S.
Time and memory grow with the number of states only: 5 to 10 million states a second,
40 bytes for a state of the two layers at work, 16 for one of those kept for the way back.

and likewise the chances of a player who chooses without a plan, as means over his choices.

Solve: depth-first search, fewest exits first, with a direct-mapped memo of failed states.
All solutions: the same in the order of the rules, without an end at the first.
Estimate: random walks; the product of the choices on a walk that ends well, else 0, has the
number of solutions as its mean (Knuth, Mathematics of Computation 29, 1975).
"""
# Types are inferred by numba from the arguments, arrays of the types above and int64.
# mypy: disable-error-code="no-untyped-def, call-arg, var-annotated"

import numpy as np
from numba import njit

from solvers.bits import highest, lowest

FREE = 4
NO_END = 255
MOST_STONES = 64
REST, TAG, LOW, HIGH = 0, 1, 2, 3
BATCH = 256
BLOCKED = -1
"""As a tag or a link: the rules allow no step in this direction."""
DEAD = -2
"""They do, but nothing good comes of it."""
SLICE = 1 << 17
"""States, or search nodes, of one call: well under a second."""


@njit(cache=True)
def degree(ahead, stone, rest):
    """Return in how many directions the stone sees stones of `rest`."""
    return (
        int((rest & ahead[stone, 0]) != 0)
        + int((rest & ahead[stone, 1]) != 0)
        + int((rest & ahead[stone, 2]) != 0)
        + int((rest & ahead[stone, 3]) != 0)
    )


@njit(cache=True)
def nearest(seen, direction):
    """Return the nearest of the stones seen in a direction, one at least."""
    return lowest(seen) if direction < 2 else highest(seen)


@njit(cache=True)
def step(ahead, rest, tag, direction):
    """Return (rest, tag) after going in a direction; the tag is BLOCKED or DEAD, both negative,
    when that leads nowhere."""
    stone = tag & 255
    end_1 = (tag >> 16) & 255
    end_2 = (tag >> 24) & 255
    seen = rest & ahead[stone, direction]
    if seen == 0 or direction == (tag >> 8) & 255:
        return rest, BLOCKED
    there = nearest(seen, direction)
    if end_2 != NO_END and there != end_1 and there != end_2:
        return rest, DEAD
    rest &= ~(np.uint64(1) << np.uint64(there))
    if rest == 0:
        return rest, there | FREE << 8 | NO_END << 16 | NO_END << 24
    back = (direction + 2) & 3
    if (rest & ahead[there, back]) == 0:
        back = FREE
    if degree(ahead, there, rest) == (back != FREE):
        return rest, DEAD
    if (rest & (rest - np.uint64(1))) == 0:
        return rest, there | back << 8 | NO_END << 16 | NO_END << 24
    if end_1 == there:
        end_1 = end_2
        end_2 = NO_END
    elif end_2 == there:
        end_2 = NO_END
    for axis in range(2):
        one = rest & ahead[there, axis]
        other = rest & ahead[there, axis + 2]
        if (one == 0) != (other == 0):
            robbed = highest(other) if one == 0 else lowest(one)
            exits = degree(ahead, robbed, rest)
            if exits == 0 or (exits == 1 and end_2 != NO_END):
                return rest, DEAD
            if exits == 1:
                end_2 = max(robbed, end_1) if end_1 != NO_END else NO_END
                end_1 = min(robbed, end_1)
    if end_2 != NO_END:
        for way in range(4):
            seen = rest & ahead[there, way]
            if way != back and seen != 0:
                following = nearest(seen, way)
                if following in (end_1, end_2):
                    return rest, there | back << 8 | end_1 << 16 | end_2 << 24
        return rest, DEAD
    return rest, there | back << 8 | end_1 << 16 | end_2 << 24


@njit(cache=True)
def place(rest, tag):
    """Return a hash of the state."""
    mixed = (rest ^ (np.uint64(tag) * np.uint64(0x9E3779B97F4A7C15))) * np.uint64(
        0xD6E8FEB86659FD93
    )
    mixed ^= mixed >> np.uint64(32)
    mixed *= np.uint64(0xD6E8FEB86659FD93)
    return mixed ^ (mixed >> np.uint64(32))


@njit(cache=True)
def fold(rest, tag, images, stones, directions):
    """Return the least of the states that a symmetry of the board makes of this one.

    For each symmetry but the identity: images[s, b, v] is where the stones v of byte b of a
    mask go, stones[s, i] where stone i goes (NO_END stays), directions[s, d] likewise.
    """
    best_rest, best_tag = rest, tag
    for s in range(len(images)):
        image = np.uint64(0)
        for byte in range(images.shape[1]):
            image |= images[s, byte, (rest >> np.uint64(8 * byte)) & np.uint64(255)]
        if image > best_rest:
            continue
        end_1 = stones[s, (tag >> 16) & 255]
        end_2 = stones[s, (tag >> 24) & 255]
        ends = min(end_1, end_2) << 16 | max(end_1, end_2) << 24
        image_tag = stones[s, tag & 255] | directions[s, (tag >> 8) & 255] << 8 | ends
        if image < best_rest or image_tag < best_tag:
            best_rest, best_tag = image, image_tag
    return best_rest, best_tag


@njit(cache=True)
def refill(states, first, last, slots):
    """Enter states, each different from all in the hash table, into it."""
    mask = np.uint64(slots.size - 1)
    for i in range(first, last):
        slot = place(states[i, REST], states[i, TAG]) & mask
        while slots[slot] >= 0:
            slot = (slot + np.uint64(1)) & mask
        slots[slot] = i


@njit(cache=True)
def expand(ahead, symmetries, layer, first, last, following, size, slots, links):
    """Add the steps from states `first` to `last` to the following layer of `size` states.

    links[i, d] becomes the index of the state that state i reaches in direction d, or BLOCKED
    or DEAD.
    Returns where it stopped, for want of room or at `last`, and the new size.

    The table is larger than any cache, so a batch of steps is made first, then all their
    slots are looked at, then all the states found there: the processor waits for many reads
    at a time. The values read early only warm the cache; the last loop reads anew.
    """
    mask = np.uint64(slots.size - 1)
    rests = np.empty(4 * BATCH, np.uint64)
    tags = np.empty(4 * BATCH, np.int64)
    places = np.empty(4 * BATCH, np.uint64)
    early = np.empty(4 * BATCH, np.uint64)
    for begin in range(first, last, BATCH):
        end = min(begin + BATCH, last)
        if size + 4 * BATCH > len(following):
            return begin, size
        count = 0
        for i in range(begin, end):
            for direction in range(4):
                rest, tag = step(ahead, layer[i, REST], np.int64(layer[i, TAG]), direction)
                links[i, direction] = tag
                if tag >= 0:
                    rest, tag = fold(rest, tag, *symmetries)
                    # The index in the batch, until the state's index is known.
                    links[i, direction] = count
                    rests[count] = rest
                    tags[count] = tag
                    places[count] = place(rest, tag) & mask
                    count += 1
        for k in range(count):
            early[k] = np.uint64(max(slots[places[k]], 0))
        for k in range(count):
            early[k] = following[early[k], REST]
        for i in range(begin, end):
            for direction in range(4):
                k = links[i, direction]
                if k < 0:
                    continue
                slot = places[k]
                j = slots[slot]
                while j >= 0 and (
                    following[j, REST] != rests[k] or np.int64(following[j, TAG]) != tags[k]
                ):
                    slot = (slot + np.uint64(1)) & mask
                    j = slots[slot]
                if j < 0:
                    j = size
                    size += 1
                    slots[slot] = j
                    following[j, REST] = rests[k]
                    following[j, TAG] = tags[k]
                    following[j, LOW] = layer[i, LOW]
                    following[j, HIGH] = layer[i, HIGH]
                else:
                    total = following[j, LOW] + layer[i, LOW]
                    following[j, HIGH] += layer[i, HIGH] + np.uint64(total < layer[i, LOW])
                    following[j, LOW] = total
                links[i, direction] = j
    return last, size


@njit(cache=True)
def gather(links, first, last, following, completions):
    """Set the completions of states `first` to `last` from those of the states they reach.

    Both are uint64[states, 2], low and high words.
    """
    for i in range(first, last):
        low = np.uint64(0)
        high = np.uint64(0)
        for direction in range(4):
            j = links[i, direction]
            if j >= 0:
                low += following[j, 0]
                high += following[j, 1] + np.uint64(low < following[j, 0])
        completions[i, 0] = low
        completions[i, 1] = high


@njit(cache=True)
def gather_chances(links, first, last, following, chances):
    """Set the chances of states `first` to `last` from those of the states they reach.

    Both are float64[states, 2]: the chance to pick everything of a player who chooses evenly
    among the legal moves, and of one who chooses among those that are not visibly dead.
    """
    for i in range(first, last):
        legal, good = 0, 0
        lucky, careful = 0.0, 0.0
        for direction in range(4):
            j = links[i, direction]
            legal += j != BLOCKED
            if j >= 0:
                good += 1
                lucky += following[j, 0]
                careful += following[j, 1]
        chances[i, 0] = lucky / legal if good else 0.0
        chances[i, 1] = careful / good if good else 0.0


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
