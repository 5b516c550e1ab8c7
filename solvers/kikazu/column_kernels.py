"""The transfer from column to column, compiled with numba.

Kings, golds, silvers, knights, lances and pawns attack only squares of their own column and of the
two beside it, and the same rows on either side. A *word* is a column with its pieces. All that its
neighbours see of it is which squares it occupies and which of their rows it attacks. Two words may
stand side by side if neither attacks the other's squares:

    occupied1 & attacked2 == 0  and  occupied2 & attacked1 == 0

The columns are gone through from both sides up to the middle one. A state is (occupied, attacked),
its *key*; there is a value for each state and each *tally*, the number of pieces of each kind so
far. The sum over the states beside which a word may stand is taken over pairs or, where these are
many, over the subsets of all sets of squares at once (the zeta transform), tally by tally.

The same code adds and maximises: with `maximise`, + becomes the maximum and * becomes +. With
float64 values it adds weights instead of numbers; words of uint64 count modulo 2^64.

Complexity: for each column words^2 * tallies, or 2^b * b * tallies for b free squares in two
neighbouring columns, whichever is less. Largest safe size: 9 x 9.
"""
# Numba infers the types from the arguments: arrays of words or of int64.
# mypy: disable-error-code="no-untyped-def, call-arg, assignment, index, operator"

import numpy as np
from numba import njit, uint64

from solvers.kikazu.kernels import word_and_bit

MAX_VALUES = 1 << 24
"""The most values of one column, 128 MiB."""

BLOCK = 1 << 16
"""The values of one table of the zeta transform. They fit into the processor's cache."""

GUARD = 0x8080808080808080
"""The bits of packed numbers of pieces that are set where there are more than the hand has."""


@njit(cache=True, nogil=True)
def transfer(
    rows, columns, reach, own, side, units, offset, strides, packs, numbers, weights, one,
    nothing, maximise, placements, stop,
):  # fmt: skip
    """Return the sum (or the maximum) over all ways to place the kinds on some boards.

    reach       uint64[kinds, squares, 2]: the squares that each kind attacks
    own         int64[kinds, rows]: the rows of its own column that a kind attacks from a row
    side        int64[kinds, rows]: the rows that it attacks in each column beside
    units       uint64[kinds]: a packed number of pieces is a sum of units
    offset      with it added, a number has a bit of `GUARD` where the hand has fewer pieces
    strides     int64[kinds]: what each kind adds to the tally
    packs       uint64[tallies]: the packed number of each tally. The last one is that of the hand
    numbers     int64[tallies, 2]: the pieces of each tally, and those among them that attack the
                square ahead
    weights     [kinds]: the factor (or the summand) of each kind
    one         the value of an empty board
    nothing     the value of what is impossible
    placements  uint64[n, 4]: the occupied squares of each board, and those where nothing may stand
    stop        int64[1]: the kernel returns early when it is set, and sets it when it would need
                more than `MAX_VALUES`
    """
    kinds = len(units)
    total = weights[:1].copy()
    total[0] = nothing
    allowed = np.empty((columns + 2, kinds), np.int64)
    free = np.zeros(columns + 2, np.int64)
    middle = columns // 2 + 1
    for at in range(len(placements)):
        if stop[0]:
            break
        find_allowed(rows, columns, reach, placements[at], allowed, free)
        room = find_room(rows, columns, allowed, free, own)
        if (numbers[-1] > room[1:-1].sum(axis=0)).any():
            continue
        keys, sums, live = half(
            rows, 1, middle, 1, allowed, free, room, own, side, units, offset, strides, packs,
            numbers, weights, one, nothing, maximise, stop,
        )  # fmt: skip
        is_own_mirror = columns % 2 == 1
        for column in range(1, middle):
            for kind in range(kinds):
                if allowed[column, kind] != allowed[columns + 1 - column, kind]:
                    is_own_mirror = False
        other_keys, other_sums, other_live = keys, sums, live
        if not is_own_mirror:
            other_keys, other_sums, other_live = half(
                rows, columns, middle, -1, allowed, free, room, own, side, units, offset, strides,
                packs, numbers, weights, one, nothing, maximise, stop,
            )  # fmt: skip
        if not len(live) or not len(other_live):
            continue
        seen = free[middle - 1] | free[middle + 1]
        word_keys, tallies, word_packs, values = words_of(
            rows, allowed[middle], own, side, seen, units, offset, strides, weights, one, maximise
        )
        groups, starts = grouped(word_keys)
        left = beside(
            rows, keys, sums, free[middle - 1], groups, free[middle], nothing, maximise, stop
        )
        right = left
        if not is_own_mirror:
            right = beside(
                rows, other_keys, other_sums, free[middle + 1], groups, free[middle], nothing,
                maximise, stop,
            )  # fmt: skip
        where = np.full(len(packs), -1)
        where[other_live] = np.arange(len(other_live))
        last = len(packs) - 1
        for group in range(len(groups)):
            for word in range(starts[group], starts[group + 1]):
                for at in range(len(live)):
                    rest = last - tallies[word] - live[at]
                    if (
                        rest < 0
                        or where[rest] < 0
                        or (packs[live[at]] + word_packs[word] + offset) & uint64(GUARD)
                    ):
                        continue
                    one_side, other = left[group, at], right[group, where[rest]]
                    if maximise:
                        total[0] = max(total[0], one_side + other + values[word])
                    else:
                        total[0] += one_side * other * values[word]
    return total[0]


@njit(cache=True, nogil=True)
def find_allowed(rows, columns, reach, placement, allowed, free):
    """Write into `allowed` the rows of each column, from 1 on, where each kind may stand, and into
    `free` those where any of them may."""
    allowed[:] = 0
    free[:] = 0
    for square in range(rows * columns):
        word, bit = word_and_bit(square, rows)
        if placement[2 + word] & bit:
            continue
        column, row = square // rows + 1, square % rows
        for kind in range(len(reach)):
            if not (reach[kind, square, 0] & placement[0] or reach[kind, square, 1] & placement[1]):
                allowed[column, kind] |= 1 << row
                free[column] |= 1 << row


@njit(cache=True, nogil=True)
def find_room(rows, columns, allowed, free, own):
    """Return for each column at most how many pieces fit, and how many that attack the square
    ahead. Two of these never stand one above the other."""
    room = np.zeros((columns + 2, 2), np.int64)
    for column in range(1, columns + 1):
        squares = 0
        for kind in range(len(own)):
            # From the last row, such a piece attacks the row before.
            if own[kind, rows - 1]:
                squares |= allowed[column, kind]
        for row in range(rows):
            room[column, 0] += free[column] >> row & 1
            if squares >> row & 1:
                room[column, 1] += 1
                squares &= ~(1 << row + 1)
    return room


@njit(cache=True, nogil=True)
def half(
    rows, first, middle, step, allowed, free, room, own, side, units, offset, strides, packs,
    numbers, weights, one, nothing, maximise, stop,
):  # fmt: skip
    """Return the states of the column beside the middle one, their values for each live tally, and
    the live tallies: those that occur and leave no more pieces than the other columns hold."""
    keys, live = np.zeros(1, np.int64), np.zeros(1, np.int64)
    sums = np.empty((1, 1), weights.dtype)
    sums[0, 0] = one
    needed, ahead = numbers[-1, 0] - room[:, 0].sum(), numbers[-1, 1] - room[:, 1].sum()
    for column in range(first, middle, step):
        needed += room[column, 0]
        ahead += room[column, 1]
        seen = free[column - 1] | free[column + 1]
        word_keys, tallies, word_packs, values = words_of(
            rows, allowed[column], own, side, seen, units, offset, strides, weights, one, maximise
        )
        groups, starts = grouped(word_keys)
        before = beside(
            rows, keys, sums, free[column - step], groups, free[column], nothing, maximise, stop
        )
        where = np.full(len(packs), -1)
        for word in range(len(word_keys)):
            for tally in live:
                after = tally + tallies[word]
                if (
                    after < len(packs)
                    and where[after] < 0
                    and numbers[after, 0] >= needed
                    and numbers[after, 1] >= ahead
                    and not (packs[tally] + word_packs[word] + offset) & uint64(GUARD)
                ):
                    where[after] = 0
        new = np.nonzero(where == 0)[0]
        where[new] = np.arange(len(new))
        if len(groups) * len(new) > MAX_VALUES:
            stop[0] = 1
            return keys, sums, new[:0]
        sums = np.empty((len(groups), len(new)), weights.dtype)
        sums[:] = nothing
        for group in range(len(groups)):
            for word in range(starts[group], starts[group + 1]):
                for at in range(len(live)):
                    after = live[at] + tallies[word]
                    if (
                        after >= len(packs)
                        or where[after] < 0
                        or (packs[live[at]] + word_packs[word] + offset) & uint64(GUARD)
                    ):
                        continue
                    place = where[after]
                    if maximise:
                        sums[group, place] = max(
                            sums[group, place], before[group, at] + values[word]
                        )
                    else:
                        sums[group, place] += before[group, at] * values[word]
        keys, live = groups, new
    return keys, sums, live


@njit(cache=True, nogil=True)
def beside(rows, keys, sums, free, groups, own_free, nothing, maximise, stop):
    """Return for each group of words, and each tally, the sum over the states that may stand
    beside it. `free` and `own_free` are the free rows of the states' column and of the words'."""
    size = sums.shape[1]
    result = np.empty((len(groups), size), sums.dtype)
    result[:] = nothing
    low = (1 << rows) - 1
    bits = 0
    for row in range(rows):
        bits += (free >> row & 1) + (own_free >> row & 1)
    if len(keys) * len(groups) <= (2 * bits + 4) << bits:
        for group in range(len(groups)):
            for state in range(len(keys)):
                if groups[group] >> rows & keys[state] or groups[group] & keys[state] >> rows:
                    continue
                into, more = result[group], sums[state]
                if maximise:
                    for tally in range(size):
                        into[tally] = max(into[tally], more[tally])
                else:
                    for tally in range(size):
                        into[tally] += more[tally]
        return result
    places, wanted = np.empty(len(keys), np.int64), np.empty(len(groups), np.int64)
    for state in range(len(keys)):
        places[state] = packed(keys[state] >> rows, keys[state] & low, free, own_free, rows)
    for group in range(len(groups)):
        wanted[group] = packed(
            ~groups[group] & low, ~(groups[group] >> rows) & low, free, own_free, rows
        )
    block = max(1, BLOCK >> bits)
    for first in range(0, size, block):
        if stop[0]:
            break
        wide = min(block, size - first)
        table = np.empty(wide << bits, sums.dtype)
        table[:] = nothing
        for state in range(len(keys)):
            place = places[state] * wide
            for at in range(wide):
                if maximise:
                    table[place + at] = max(table[place + at], sums[state, first + at])
                else:
                    table[place + at] += sums[state, first + at]
        for bit in range(bits):
            halves = table.reshape(-1, 2, wide << bit)
            for pair in range(len(halves)):
                without, containing = halves[pair, 0], halves[pair, 1]
                if maximise:
                    for at in range(len(without)):
                        containing[at] = max(containing[at], without[at])
                else:
                    for at in range(len(without)):
                        containing[at] += without[at]
        for group in range(len(groups)):
            place = wanted[group] * wide
            for at in range(wide):
                result[group, first + at] = table[place + at]
    return result


@njit(cache=True, nogil=True)
def packed(occupied, attacked, free, own_free, rows):
    """Return the bits of `occupied` in the rows of `free` and those of `attacked` in the rows of
    `own_free`, without gaps."""
    result = at = 0
    for row in range(rows):
        if free >> row & 1:
            result |= (occupied >> row & 1) << at
            at += 1
    for row in range(rows):
        if own_free >> row & 1:
            result |= (attacked >> row & 1) << at
            at += 1
    return result


@njit(cache=True, nogil=True)
def grouped(keys):
    """Return the different keys of sorted ones, and where those alike start, with the end."""
    groups, starts = np.empty(len(keys), np.int64), np.empty(len(keys) + 1, np.int64)
    number = 0
    for at in range(len(keys)):
        if at == 0 or keys[at] != keys[at - 1]:
            groups[number], starts[number] = keys[at], at
            number += 1
    starts[number] = len(keys)
    return groups[:number], starts[: number + 1]


@njit(cache=True, nogil=True)
def words_of(rows, allowed, own, side, seen, units, offset, strides, weights, one, maximise):
    """Return the words of a column sorted by key: keys, tallies, packed numbers and values.

    Words with one key and one tally are a single word. `seen` is the rows of the columns beside
    where something may stand; only attacks on these matter.
    """
    empty = np.empty((0, 2), np.int64), np.empty(0, np.uint64), np.empty(0, weights.dtype)
    number = write_words(
        rows, allowed, own, side, seen, units, offset, strides, weights, one, maximise, *empty
    )
    words = np.empty((number, 2), np.int64)
    packs, values = np.empty(number, np.uint64), np.empty(number, weights.dtype)
    write_words(
        rows, allowed, own, side, seen, units, offset, strides, weights, one, maximise,
        words, packs, values,
    )  # fmt: skip
    order = np.argsort(words[:, 0] * (1 + words[:, 1].max()) + words[:, 1])
    keys, tallies = np.empty(number, np.int64), np.empty(number, np.int64)
    sorted_packs, merged = np.empty(number, np.uint64), np.empty(number, weights.dtype)
    written = 0
    for word in order:
        last = written - 1
        if last >= 0 and keys[last] == words[word, 0] and tallies[last] == words[word, 1]:
            value = values[word]
            merged[last] = max(merged[last], value) if maximise else merged[last] + value
            continue
        keys[written], tallies[written] = words[word, 0], words[word, 1]
        sorted_packs[written], merged[written] = packs[word], values[word]
        written += 1
    return keys[:written], tallies[:written], sorted_packs[:written], merged[:written]


@njit(cache=True, nogil=True)
def write_words(
    rows, allowed, own, side, seen, units, offset, strides, weights, one, maximise,
    found, packs, values,
):  # fmt: skip
    """Write the key and the tally of each word into `found`, with its packed number and its value,
    unless these have no elements. Return the number of words."""
    kinds = len(allowed)
    choice = np.empty(rows + 1, np.int64)
    occupied, blocked = np.zeros(rows + 1, np.int64), np.zeros(rows + 1, np.int64)
    attacked = np.zeros(rows + 1, np.int64)
    tally, pack = np.zeros(rows + 1, np.int64), np.zeros(rows + 1, np.uint64)
    value = np.empty(rows + 1, weights.dtype)
    value[0] = one
    guard = uint64(GUARD)
    number = level = 0
    choice[0] = -1
    while level >= 0:
        choice[level] += 1
        kind = choice[level] - 1
        if kind == kinds:
            level -= 1
            continue
        above = level + 1
        if kind < 0:
            occupied[above], blocked[above] = occupied[level], blocked[level]
            attacked[above], tally[above] = attacked[level], tally[level]
            pack[above], value[above] = pack[level], value[level]
        else:
            bit = 1 << level
            if (
                not allowed[kind] & bit
                or blocked[level] & bit
                or own[kind, level] & occupied[level]
                or (pack[level] + units[kind] + offset) & guard
            ):
                continue
            occupied[above] = occupied[level] | bit
            blocked[above] = blocked[level] | own[kind, level]
            attacked[above] = attacked[level] | side[kind, level]
            tally[above] = tally[level] + strides[kind]
            pack[above] = pack[level] + units[kind]
            if maximise:
                value[above] = value[level] + weights[kind]
            else:
                value[above] = value[level] * weights[kind]
        if above < rows:
            level = above
            choice[level] = -1
            continue
        if len(values):
            found[number, 0] = occupied[rows] << rows | attacked[rows] & seen
            found[number, 1] = tally[rows]
            packs[number] = pack[rows]
            values[number] = value[rows]
        number += 1
    return number
