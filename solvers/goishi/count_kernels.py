"""The compiled inner loops of the exact count, layer by layer; `layers` drives them.

Legend, beside that of `kernels`
    low, high the two words of a number of ways. It is at most n * 4 * 3^(n-2) < 2^107
    layer     uint64[states, 4]: rest, tag, low, high of the states with as many stones left
    slots     int32[2^k]: open-addressing hash table of the following layer; -1 is free, else
              the index of a state there; never more than half full
    choices   uint8[states, 2]: LEGAL, the number of steps the rules allow; GOOD, the number of
              those that are not visibly dead
    homes     uint8: the parts of the following layer to which the good steps lead, one state's
              after those of another; empty when there is one part only
    links     int32: the indices there of the states to which they lead, in the same order, those
              of each part together

Count, from layer to layer and up to the symmetries of the board,
    ways(S) = sum of ways(P) over the states P one step before S,
and backwards
    completions(S) = sum of completions(T) over the states T one step after S,
and likewise the chances of a player who chooses without a plan, as means over his choices.

Time and memory grow with the number of states only: 10 to 20 million states a second; 32 bytes
for each state of the two layers at work, 12 to 24 more for its place in the table, 8 to 13 for
one of those kept for the way back. Where a board is symmetric there is up to twice as much to do
for a state, and up to eight times fewer of them.

Two things make it fast. Whether a step is good can't be foretold, so the loops that find it out
have no jumps: they write every result and go on by one place or none. And the states found
before fill more than any cache, so a batch of steps is made first, and what each of them will
want to read is asked for long before it is read: the memory answers many at a time.

Folding makes one state of those that a symmetry of the board turns into each other. Legend, for
the symmetries s, the identity among them
    images      uint64[s, bytes, 256]: where the stones of a byte of a mask go, as a mask
    stones      int64[s, 65]: where a stone goes; NO_END stays
    directions  int64[s, 5]: where a direction goes; FREE stays
    leading     uint64[n]: a symmetry that takes a stone to the least of its images
    fixing      int64[n, s]: the other symmetries that leave a stone where it is, then -1

Of all images of a state the one with the least current stone is taken. For most stones there is
only one; for a stone on an axis the symmetries that leave it there are tried as well, and the
least outcome is taken.
"""
# Types are inferred by numba from the arguments, arrays of the types above and int64.
# mypy: disable-error-code="no-untyped-def, call-arg"

from typing import Any

import numpy as np
from numba import njit
from numpy.typing import NDArray

from solvers.bits import borrowed, pick, prefetch
from solvers.goishi.kernels import FREE, NO_END, arrive, choice, place
from solvers.goishi.network import Network, Symmetry

REST, TAG, LOW, HIGH = 0, 1, 2, 3
LEGAL, GOOD = 0, 1
BATCH = 512
"""States whose steps are made together: few enough to stay in the fastest cache."""
MOST = 4 * BATCH
"""Steps of a batch, at most."""
SLICE = 1 << 15
"""States of one call: some thousandths of a second."""
AHEAD = 32
"""Links that are asked for before they are needed, on the way back."""

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
def expand(ahead, symmetries, states, buckets, choices, homes):
    """Sort the good steps from some states of a layer into buckets, one for each part of the
    following layer; set the choices of these states and the homes of their steps.

    Stops where a bucket may run over. Returns how many states were expanded, and how many of
    their steps are in each bucket.
    """
    ahead, states = borrowed(ahead), borrowed(states)
    choices, homes = borrowed(choices), borrowed(homes)
    images, stones, directions, leading, fixing = symmetries
    images, stones, directions = borrowed(images), borrowed(stones), borrowed(directions)
    leading, fixing = borrowed(leading), borrowed(fixing)
    rests, tags, sources = buckets
    parts = len(rests)
    filled = np.zeros(parts, np.int64)
    # One place more than needed: every result is written before it is judged.
    batch_sources = np.empty(MOST + 1, np.uint64)
    batch_theres = np.empty(MOST + 1, np.uint64)
    batch_directions = np.empty(MOST + 1, np.int64)
    batch_rests = np.empty(MOST + 1, np.uint64)
    batch_tags = np.empty(MOST + 1, np.int64)
    written = 0
    for begin in range(0, len(states), BATCH):
        if filled.max() + MOST > rests.shape[1]:
            return begin, filled
        batch = states[begin : begin + BATCH]
        counts = choices[begin : begin + BATCH]
        count = _choose(ahead, batch, batch_sources, batch_theres, batch_directions, counts)
        count = _arrive(
            ahead,
            batch,
            count,
            batch_sources,
            batch_theres,
            batch_directions,
            batch_rests,
            batch_tags,
            counts,
        )
        if len(images) > 0:
            folded = batch_rests[:count], batch_tags[:count]
            fold(*folded, images, stones, directions, leading, fixing)
        for k in range(count):
            rest, tag = batch_rests[k], batch_tags[k]
            part = part_of(rest, tag, parts)
            spot = filled[part]
            filled[part] += 1
            rests[part, spot] = rest
            tags[part, spot] = tag
            sources[part, spot] = begin + batch_sources[k]
            if parts > 1:
                homes[written + k] = part
        written += count
    return len(states), filled


@njit(cache=True, forceinline=True)
def part_of(rest, tag, parts):
    """Return the part of its layer in which a state stands."""
    return ((place(rest, tag) >> np.uint64(32)) * np.uint64(parts)) >> np.uint64(32)


@njit(cache=True, nogil=True)
def merge(states, buckets, part, following, size, slots, links):
    """Add the steps of a bucket, as many as links, to a part of the following layer, of `size`
    states so far, and note where they lead; return its new size.

    The part must have room for all of them, and be the owner's alone.
    """
    states, following = borrowed(states), borrowed(following)
    slots, links = borrowed(slots), borrowed(links)
    rests, tags, sources = buckets
    rests, tags, sources = rests[part], tags[part], sources[part]
    mask = np.uint64(slots.size - 1)
    places = np.empty(MOST, np.uint64)
    for begin in range(0, len(links), MOST):
        end = min(begin + MOST, len(links))
        for k in range(begin, end):
            slot = place(rests[k], np.int64(tags[k])) & mask
            places[k - begin] = slot
            prefetch(slots, slot)
        for k in range(begin, end):
            prefetch(following, np.uint64(max(slots[places[k - begin]], 0)))
        for k in range(begin, end):
            i, rest, tag, slot = sources[k], rests[k], np.uint64(tags[k]), places[k - begin]
            j = slots[slot]
            while j >= 0 and (following[j, REST] != rest or following[j, TAG] != tag):
                slot = (slot + _ONE) & mask
                j = slots[slot]
            if j < 0:
                j = size
                size += 1
                slots[slot] = j
                following[j, REST] = rest
                following[j, TAG] = tag
                following[j, LOW] = states[i, LOW]
                following[j, HIGH] = states[i, HIGH]
            else:
                total = following[j, LOW] + states[i, LOW]
                following[j, HIGH] += states[i, HIGH] + np.uint64(total < states[i, LOW])
                following[j, LOW] = total
            links[k] = j
    return size


@njit(cache=True)
def _choose(ahead, batch, sources, theres, directions, choices):
    """List the good choices in the states of a batch; return their number."""
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
    """Make the steps listed and list those that are not dead; return their number."""
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
def refill(states, first, last, slots):
    """Enter states, each different from all in the hash table, into it."""
    mask = np.uint64(slots.size - 1)
    for i in range(first, last):
        slot = place(states[i, REST], states[i, TAG]) & mask
        while slots[slot] >= 0:
            slot = (slot + _ONE) & mask
        slots[slot] = i


@njit(cache=True, nogil=True)
def gather(choices, homes, links, ends, following, completions):
    """Set the completions of states from those of the states they reach.

    Both are low and high words: uint64[index * parts + part, 2] and uint64[states, 2]. The links
    of a part stand in `links` before its end.
    """
    links, homes, following = borrowed(links), borrowed(homes), borrowed(following)
    spots = _starts(ends)
    step = 0
    for i in range(len(choices)):
        low = np.uint64(0)
        high = np.uint64(0)
        for _ in range(choices[i, GOOD]):
            part = homes[step] if len(homes) > 0 else 0
            step += 1
            reached = _next(links, ends, spots, part, following)
            low += reached[0]
            high += reached[1] + np.uint64(low < reached[0])
        completions[i, 0] = low
        completions[i, 1] = high


@njit(cache=True, nogil=True)
def gather_chances(choices, homes, links, ends, following, chances):
    """Set the chances of states from those of the states they reach.

    Both are float64[..., 2], as in `gather`: the chance to pick everything of a player who chooses
    evenly among the legal moves, and of one who chooses among those that are not visibly dead.
    """
    links, homes, following = borrowed(links), borrowed(homes), borrowed(following)
    spots = _starts(ends)
    step = 0
    for i in range(len(choices)):
        lucky, careful = 0.0, 0.0
        for _ in range(choices[i, GOOD]):
            part = homes[step] if len(homes) > 0 else 0
            step += 1
            reached = _next(links, ends, spots, part, following)
            lucky += reached[0]
            careful += reached[1]
        chances[i, 0] = lucky / max(1, choices[i, LEGAL])
        chances[i, 1] = careful / max(1, choices[i, GOOD])


@njit(cache=True)
def _starts(ends):
    """Return where the links of each part begin."""
    starts = np.zeros(len(ends), np.int64)
    starts[1:] = ends[:-1]
    return starts


@njit(cache=True, forceinline=True)
def _next(links, ends, spots, part, following):
    """Return the two numbers of the state to which the next link of a part leads; ask for those of
    a later one."""
    spot = spots[part]
    spots[part] += 1
    later = np.uint64(links[min(spot + AHEAD, ends[part] - 1)])
    prefetch(following, later * np.uint64(len(ends)) + np.uint64(part))
    row = np.uint64(links[spot]) * np.uint64(len(ends)) + np.uint64(part)
    return following[row, 0], following[row, 1]


def fold_tables(board: Network) -> Tables:
    """Return images, stones, directions, leading, fixing; all empty when there is no symmetry."""
    others = board.symmetries()
    if not others:
        return _NO_TABLES
    n = len(board.cells)
    symmetries = [Symmetry(tuple(range(n)), (0, 1, 2, 3)), *others]
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
    """Put in the place of each state the one that stands for it and all its images.

    In two rounds without jumps that can't be foretold: all at first, then those on an axis.
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
    """Return the (rest, tag) into which a symmetry turns a state."""
    image = np.uint64(0)
    for byte in range(images.shape[1]):
        image |= images[s, byte, (rest >> np.uint64(8 * byte)) & np.uint64(255)]
    end_1 = stones[s, (tag >> 16) & 255]
    end_2 = stones[s, (tag >> 24) & 255]
    ends = min(end_1, end_2) << 16 | max(end_1, end_2) << 24
    return image, stones[s, tag & 255] | directions[s, (tag >> 8) & 255] << 8 | ends
