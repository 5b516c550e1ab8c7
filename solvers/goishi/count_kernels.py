"""The compiled inner loops of the exact count, layer by layer. `layers` calls them.

Legend (in addition to the legend of `kernels`)
    low, high the two words of a number of ways, which is at most n * 4 * 3^(n-2) < 2^107
    layer     uint64[states, 4]: rest, tag, low, high of the states with the same number of stones
              left. A row of zeros is a hole, which is no state
    slots     int32[2^k]: open-addressing hash table of the following layer. An entry is VACANT or
              the index of a state in that layer. The table is never more than half full
    counters  int64[3]: NEXT, the number of the batch to be expanded next; PLACES, the number of
              places in the following layer that threads have received; FULL, whether there were
              too few places
    places    int64[2]: the first and the end (exclusive) of the places that a thread has received
              and not filled yet
    choices   uint8[states, 2]: LEGAL, the number of steps the rules allow; GOOD, the number of
              those that are not visibly dead
    batches   int32: the numbers of the batches that a thread has expanded
    links     int32: the indices of the states to which the good steps of these batches lead

The count goes from layer to layer, up to the symmetries of the board:
    ways(S) = sum of ways(P) over the states P one step before S.
The way back computes
    completions(S) = sum of completions(T) over the states T one step after S,
and likewise the chances of a player who chooses without a plan, as means over the choices.

Time and memory grow with the number of states only. The count handles 10 to 20 million states a
second. It needs 32 bytes for each state of the two layers in use, 12 to 24 more for its place in
the table, and 8 to 13 for each state that is kept for the way back. On a symmetric board, a state
takes up to twice as much work, but there are up to eight times fewer states.

Two measures make it fast. The processor can't predict whether a step is good, so the loops that
determine it have no branches: they write every result and advance by one place or none. The states
found before exceed every cache, so a batch of steps is made first, and the memory that they will
read is prefetched long before it is read. The memory then serves many reads at a time.

Folding merges the states that a symmetry of the board maps to each other. Legend, for the
symmetries s, including the identity
    images      uint64[s, bytes, 256]: the mask of the images of the stones in a byte of a mask
    stones      int64[s, 65]: the image of a stone; NO_END is its own image
    directions  int64[s, 5]: the image of a direction; FREE is its own image
    leading     uint64[n]: a symmetry that maps a stone to the least of its images
    fixing      int64[n, s]: the other symmetries that leave a stone in place, then -1

Of all images of a state, the one with the least current stone represents them. For most stones
there is only one. For a stone on an axis, the symmetries that leave it in place are applied as
well, and the least result is taken.
"""
# Numba infers the types from the arguments: arrays of the types above, and int64.
# mypy: disable-error-code="no-untyped-def, call-arg"

from typing import Any

import numpy as np
from numba import njit
from numpy.typing import NDArray

from solvers.bits import (
    atomic_add,
    atomic_load,
    atomic_swap,
    borrowed,
    pick,
    prefetch,
    prefetch_to_read,
)
from solvers.goishi.kernels import FREE, NO_END, arrive, choice, hash_state
from solvers.goishi.network import Network, StoneSymmetry

REST, TAG, LOW, HIGH = 0, 1, 2, 3
LEGAL, GOOD = 0, 1
NEXT, PLACES, FULL = np.uint64(0), np.uint64(1), np.uint64(2)
VACANT = -1
HOLE = 0
"""The tag of a hole. The tag of a state is never 0, because at least one of its ends is above 0."""
BATCH = 512
"""The number of states whose steps are made together. They fit into the fastest cache."""
CAPACITY = 4 * BATCH
"""The most steps of a batch."""
BLOCK = 64
"""The number of places that a thread receives at a time when several threads work. The places that
it has not filled at the end of a layer are holes."""
AHEAD = 32
"""The number of links by which prefetching runs ahead on the way back."""

Tables = tuple[NDArray[Any], ...]

_ONE = np.uint64(1)
_NO_TABLES = (
    np.empty((0, 0, 256), np.uint64),
    np.empty((0, 65), np.int64),
    np.empty((0, 5), np.int64),
    np.empty(0, np.uint64),
    np.empty((0, 0), np.int64),
)


@njit(cache=True, nogil=True)
def expand(
    ahead, symmetries, layer, following, slots, counters, places, threads, choices, batches, links
):
    """Expand batches of a layer: enter the states to which their good steps lead into the following
    layer, add up the ways, and note where the steps lead.

    Take one batch after the other, as other threads do at the same time. Stop when no batch is left
    or when there may be no room for the results of another batch: in the following layer, which
    sets counters[FULL], in `batches` or in `links`. Return the numbers of batches and links
    written.
    """
    is_shared = threads > 1
    ahead, layer, choices = borrowed(ahead), borrowed(layer), borrowed(choices)
    following, slots, links = borrowed(following), borrowed(slots), borrowed(links)
    images, stones, directions, leading, fixing = symmetries
    images, stones, directions = borrowed(images), borrowed(stones), borrowed(directions)
    leading, fixing = borrowed(leading), borrowed(fixing)
    words = borrowed(following.reshape(-1))
    mask = np.uint64(slots.size - 1)
    room = min(len(following), len(slots) // 2)
    most = 4 * min(BATCH, len(layer))
    block = BLOCK if is_shared else 1
    free, end = places[0], places[1]
    # The arrays have one place more than needed, as every result is written before it is judged.
    sources = np.empty(CAPACITY + 1, np.uint64)
    theres = np.empty(CAPACITY + 1, np.uint64)
    steps = np.empty(CAPACITY + 1, np.int64)
    rests = np.empty(CAPACITY + 1, np.uint64)
    tags = np.empty(CAPACITY + 1, np.int64)
    spots = np.empty(CAPACITY, np.uint64)
    taken = written = 0
    while taken < len(batches) and written + most <= len(links):
        if atomic_load(counters, PLACES) + threads * (most + block) > room:
            counters[FULL] = 1
            break
        number = atomic_add(counters, NEXT, np.int64(1))
        begin = number * BATCH
        if begin >= len(layer):
            break
        batches[taken] = number
        taken += 1
        batch, counts = layer[begin : begin + BATCH], choices[begin : begin + BATCH]
        count = _choose(ahead, batch, sources, theres, steps, counts)
        count = _arrive(ahead, batch, count, sources, theres, steps, rests, tags, counts)
        if len(images) > 0:
            fold(rests[:count], tags[:count], images, stones, directions, leading, fixing)
        for k in range(count):
            spot = hash_state(rests[k], tags[k]) & mask
            spots[k] = spot
            prefetch(slots, spot)
        for k in range(count):
            prefetch(following, np.uint64(max(slots[spots[k]], 0)))
        for k in range(count):
            rest, tag, spot = rests[k], np.uint64(tags[k]), spots[k]
            low, high = batch[sources[k], LOW], batch[sources[k], HIGH]
            j = atomic_load(slots, spot)
            while True:
                while j >= 0 and (following[j, REST] != rest or following[j, TAG] != tag):
                    spot = (spot + _ONE) & mask
                    j = atomic_load(slots, spot)
                if j >= 0:
                    at = np.uint64(4) * np.uint64(j)
                    if is_shared:
                        before = atomic_add(words, at + np.uint64(LOW), low)
                    else:
                        before = following[j, LOW]
                        following[j, LOW] = before + low
                    high += np.uint64(before + low < before)
                    if high != 0:
                        atomic_add(words, at + np.uint64(HIGH), high)
                    break
                if free == end:
                    free = atomic_add(counters, PLACES, np.int64(block))
                    end = free + block
                # Write the whole state before other threads can find it.
                following[free, REST] = rest
                following[free, TAG] = tag
                following[free, LOW] = low
                following[free, HIGH] = high
                j = np.int32(VACANT)
                if is_shared:
                    j = atomic_swap(slots, spot, np.int32(VACANT), np.int32(free))
                else:
                    slots[spot] = free
                if j == VACANT:
                    j = np.int32(free)
                    free += 1
                    break
                # Another thread has taken the slot, perhaps for the same state.
            links[written + k] = j
        written += count
    places[0], places[1] = free, end
    return taken, written


@njit(cache=True, nogil=True)
def refill(states, slots, first, last):
    """Enter states that are not in the hash table into it. Other threads may do so as well."""
    states, slots = borrowed(states), borrowed(slots)
    mask = np.uint64(slots.size - 1)
    for i in range(first, last):
        if states[i, TAG] == HOLE:
            continue
        spot = hash_state(states[i, REST], states[i, TAG]) & mask
        while atomic_swap(slots, spot, np.int32(VACANT), np.int32(i)) != VACANT:
            spot = (spot + _ONE) & mask


@njit(cache=True)
def _choose(ahead, batch, sources, theres, directions, choices):
    """List the good choices in the states of a batch. Return their number."""
    count = 0
    for i in range(len(batch)):
        rest, tag = batch[i, REST], np.int64(batch[i, TAG])
        legal_steps = 0
        for direction in range(4):
            there, legal, good = choice(ahead, rest, tag, direction)
            sources[count] = i
            theres[count] = there
            directions[count] = direction
            legal_steps += legal
            count += good
        choices[i, LEGAL] = legal_steps
        choices[i, GOOD] = 0
    return count


@njit(cache=True)
def _arrive(ahead, batch, count, sources, theres, directions, rests, tags, choices):
    """Make the listed steps and list those that are not dead. Return their number."""
    alive = 0
    for k in range(count):
        i = sources[k]
        rest, tag = arrive(ahead, batch[i, REST], np.int64(batch[i, TAG]), theres[k], directions[k])
        sources[alive] = i
        rests[alive] = rest
        tags[alive] = tag
        choices[i, GOOD] += tag >= 0
        alive += tag >= 0
    return alive


@njit(cache=True, nogil=True)
def gather(choices, batches, links, following, completions):
    """Set the completions of the states of some batches from those of the states they reach.

    Both arrays of completions are low and high words, uint64[states, 2]. `links` are the links of
    the batches in order.
    """
    links, following = borrowed(links), borrowed(following)
    step = 0
    for number in batches:
        for i in range(number * BATCH, min((number + 1) * BATCH, len(completions))):
            low = np.uint64(0)
            high = np.uint64(0)
            for _ in range(choices[i, GOOD]):
                reached = _reached(links, step, following)
                step += 1
                low += reached[0]
                high += reached[1] + np.uint64(low < reached[0])
            completions[i, 0] = low
            completions[i, 1] = high


@njit(cache=True, nogil=True)
def gather_chances(choices, batches, links, following, chances):
    """Set the chances of the states of some batches from those of the states they reach.

    Both arrays of chances are float64[states, 2]. The first chance is that of a player who chooses
    uniformly among the legal moves, the second that of a player who chooses among those that are
    not visibly dead. `links` are the links of the batches in order.
    """
    links, following = borrowed(links), borrowed(following)
    step = 0
    for number in batches:
        for i in range(number * BATCH, min((number + 1) * BATCH, len(chances))):
            lucky, careful = 0.0, 0.0
            for _ in range(choices[i, GOOD]):
                reached = _reached(links, step, following)
                step += 1
                lucky += reached[0]
                careful += reached[1]
            chances[i, 0] = lucky / max(1, choices[i, LEGAL])
            chances[i, 1] = careful / max(1, choices[i, GOOD])


@njit(cache=True, forceinline=True)
def _reached(links, step, following):
    """Return the two numbers of the state to which a step leads. Prefetch those of a later one."""
    prefetch_to_read(following, np.uint64(links[min(step + AHEAD, len(links) - 1)]))
    j = links[step]
    return following[j, 0], following[j, 1]


def fold_tables(board: Network) -> Tables:
    """Return the tables images, stones, directions, leading, fixing. Without symmetries, they are
    empty."""
    others = board.symmetries()
    if not others:
        return _NO_TABLES
    n = len(board.cells)
    symmetries = [StoneSymmetry(tuple(range(n)), (0, 1, 2, 3)), *others]
    stones = np.full((len(symmetries), 65), NO_END)
    directions = np.full((len(symmetries), 5), FREE)
    single = np.zeros((len(symmetries), -(-n // 8) * 8), np.uint64)
    for s, symmetry in enumerate(symmetries):
        stones[s, :n] = symmetry.stones
        directions[s, :4] = symmetry.directions
        single[s, :n] = [1 << image for image in symmetry.stones]
    # The image of a byte is the sum of the images of its bits.
    bits = np.arange(256, dtype=np.uint64)[:, None] >> np.arange(8, dtype=np.uint64) & _ONE
    images = single.reshape(len(symmetries), -1, 8) @ bits.T
    leading = stones[:, :n].argmin(0).astype(np.uint64)
    numbers = np.arange(len(symmetries))[:, None]
    fixes = (numbers > 0) & (stones[:, :n] == np.arange(n))
    fixing = -np.sort(-np.where(fixes, numbers, -1), axis=0).T
    return images, stones, directions, leading, np.ascontiguousarray(fixing)


@njit(cache=True)
def fold(rests, tags, images, stones, directions, leading, fixing):
    """Replace each state by the one that represents it and all its images.

    Two rounds avoid unpredictable branches: the first handles all states, the second those whose
    stone is on an axis.
    """
    on_axis = np.empty(len(rests) + 1, np.uint64)
    count = 0
    for i in range(len(rests)):
        first = leading[tags[i] & 255]
        rests[i], tags[i] = _image(rests[i], tags[i], images, stones, directions, first)
        on_axis[count] = i
        count += fixing[tags[i] & 255, 0] >= 0
    for i in on_axis[:count]:
        rest, tag = rests[i], tags[i]
        for s in fixing[tag & 255]:
            if s < 0:
                break
            image = _image(rest, tag, images, stones, directions, np.uint64(s))
            less = (image[0] < rests[i]) | ((image[0] == rests[i]) & (image[1] < tags[i]))
            rests[i] = pick(less, image[0], rests[i])
            tags[i] = pick(less, image[1], tags[i])


@njit(cache=True, forceinline=True)
def _image(rest, tag, images, stones, directions, s):
    """Return the (rest, tag) to which a symmetry maps a state."""
    image = np.uint64(0)
    for byte in range(images.shape[1]):
        image |= images[s, byte, (rest >> np.uint64(8 * byte)) & np.uint64(255)]
    end_1 = stones[s, (tag >> 16) & 255]
    end_2 = stones[s, (tag >> 24) & 255]
    ends = min(end_1, end_2) << 16 | max(end_1, end_2) << 24
    return image, stones[s, tag & 255] | directions[s, (tag >> 8) & 255] << 8 | ends
