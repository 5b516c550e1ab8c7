"""The transfer from column to column, compiled with numba.

Kings, golds, silvers, knights, lances and pawns attack only squares of their own column and of the
two beside it, and the same rows on either side. A *word* is a column with its pieces. All that its
neighbours see of it is which squares it occupies and which of their rows it attacks. Two words may
stand side by side if neither attacks the other's squares:

    occupied1 & attacked2 == 0  and  occupied2 & attacked1 == 0

Rooks are lines: where the rows that hold one are chosen beforehand, nothing else stands on these
rows or beside the rook in its column. So each such row is a kind of its own, of one piece.

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
from numba import njit

from solvers.kikazu.kernels import word_and_bit

MAX_VALUES = 1 << 24
"""The most values of one column, 128 MiB."""

USUAL_WORDS = 1 << 12
"""The words of a column for which there is room at first."""

BLOCK = 1 << 16
"""The values of one table of the zeta transform. They fit into the processor's cache."""


@njit(cache=True, nogil=True)
def transfer(
    rows, columns, reach, own, side, lines, units, offset, guard, strides, packs, numbers, weights,
    one, nothing, maximise, placements, stop,
):  # fmt: skip
    """Return the sum (or the maximum) over all ways to place the kinds on each of some boards.

    reach       uint64[kinds, squares, 2]: the squares that each kind attacks
    own         int64[kinds, rows]: the rows of its own column that a kind attacks from a row
    side        int64[kinds, rows]: the rows that it attacks in each column beside
    lines       how many of the kinds, the last ones, are the rooks of one row each
    units       uint64[kinds]: a packed number of pieces is a sum of units
    offset      with it added, a number has a bit of `guard` where the hand has fewer pieces
    guard       a bit for each kind
    strides     int64[kinds]: what each kind adds to the tally
    packs       uint64[tallies]: the packed number of each tally. The last one is that of the hand
    numbers     int64[tallies, 2]: the pieces of each tally, and those among them that attack the
                square ahead
    weights     [kinds]: the factor (or the summand) of each kind
    one         the value of an empty board
    nothing     the value of what is impossible
    placements  uint64[n, 5]: the occupied squares of each board, those where nothing may stand, and
                the rows of the rooks that are to be placed
    stop        int64[1]: the kernel returns early when it is set, and sets it when it would need
                more than `MAX_VALUES`
    """
    kinds = len(units)
    totals = np.empty(len(placements), weights.dtype)
    totals[:] = nothing
    allowed = np.empty((columns + 2, kinds), np.int64)
    free = np.zeros(columns + 2, np.int64)
    middle = columns // 2 + 1
    for board in range(len(placements)):
        if stop[0]:
            break
        find_allowed(rows, columns, reach, lines, placements[board], allowed, free)
        room = find_room(rows, columns, allowed, free, own)
        if (numbers[-1] > room[1:-1].sum(axis=0)).any():
            continue
        keys, sums, live = half(
            rows, 1, middle, 1, allowed, free, room, own, side, units, offset, guard, strides,
            packs, numbers, weights, one, nothing, maximise, stop,
        )  # fmt: skip
        is_own_mirror = columns % 2 == 1
        for column in range(1, middle):
            for kind in range(kinds):
                if allowed[column, kind] != allowed[columns + 1 - column, kind]:
                    is_own_mirror = False
        other_keys, other_sums, other_live = keys, sums, live
        if not is_own_mirror:
            other_keys, other_sums, other_live = half(
                rows, columns, middle, -1, allowed, free, room, own, side, units, offset, guard,
                strides, packs, numbers, weights, one, nothing, maximise, stop,
            )  # fmt: skip
        if not len(live) or not len(other_live):
            continue
        seen = free[middle - 1] | free[middle + 1]
        word_keys, tallies, word_packs, values = words_of(
            rows,
            allowed[middle],
            own,
            side,
            seen,
            units,
            offset,
            guard,
            strides,
            weights,
            one,
            maximise,
        )
        groups, starts = grouped(word_keys)
        left = beside(rows, keys, sums, free[middle - 1], groups, nothing, maximise, stop)
        right = left
        if not is_own_mirror:
            right = beside(
                rows, other_keys, other_sums, free[middle + 1], groups, nothing, maximise, stop
            )  # fmt: skip
        which, ends, sources, targets = shifts(
            tallies, word_packs, live, packs, offset, guard, stop
        )
        last = len(packs) - 1
        place = np.full(len(packs), -1)
        place[last - other_live] = np.arange(len(other_live))
        keep_placed(ends, sources, targets, place)
        for group in range(len(groups)):
            one_side, other = left[group], right[group]
            for word in range(starts[group], starts[group + 1]):
                shift = which[word]
                for pair in range(ends[shift], ends[shift + 1]):
                    if maximise:
                        both = one_side[sources[pair]] + other[targets[pair]]
                        totals[board] = max(totals[board], both + values[word])
                    else:
                        both = one_side[sources[pair]] * other[targets[pair]]
                        totals[board] += both * values[word]
    return totals


@njit(cache=True, nogil=True)
def shifts(tallies, word_packs, live, packs, offset, guard, stop):
    """Return how words change the tallies: the number of each word's shift, where the pairs of
    each shift start, with the end, and for each pair the place of a tally in `live` and the tally
    after it. Words with one tally have one shift."""
    number = np.full(len(packs), -1)
    which, firsts = np.empty(len(tallies), np.int64), np.empty(len(tallies), np.int64)
    used = 0
    for word in range(len(tallies)):
        tally = tallies[word]
        if number[tally] < 0:
            number[tally], firsts[used] = used, word
            used += 1
        which[word] = number[tally]
    if used * len(live) > MAX_VALUES // 4:
        stop[0] = 1
        used = 0
    ends = np.zeros(len(tallies) + 1, np.int64)
    sources, targets = np.empty(used * len(live), np.int64), np.empty(used * len(live), np.int64)
    end = 0
    for shift in range(used):
        word = firsts[shift]
        for at in range(len(live)):
            if not (packs[live[at]] + word_packs[word] + offset) & guard:
                sources[end], targets[end] = at, live[at] + tallies[word]
                end += 1
        ends[shift + 1] = end
    return which, ends, sources, targets[:end]


@njit(cache=True, nogil=True)
def keep_placed(ends, sources, targets, place):
    """Keep those pairs whose tally has a place, and write the place over the tally."""
    end = start = 0
    for shift in range(len(ends) - 1):
        for pair in range(start, ends[shift + 1]):
            if place[targets[pair]] >= 0:
                sources[end], targets[end] = sources[pair], place[targets[pair]]
                end += 1
        start, ends[shift + 1] = ends[shift + 1], end


@njit(cache=True, nogil=True)
def find_allowed(rows, columns, reach, lines, placement, allowed, free):
    """Write into `allowed` the rows of each column, from 1 on, where each kind may stand, and into
    `free` those where any of them may."""
    allowed[:] = 0
    free[:] = 0
    kinds, rooks = len(reach), np.int64(placement[4])
    for square in range(rows * columns):
        word, bit = word_and_bit(square, rows)
        if placement[2 + word] & bit:
            continue
        column, row = square // rows + 1, square % rows
        first, last = 0, kinds - lines
        if rooks >> row & 1:
            for before in range(row):
                last += rooks >> before & 1
            first, last = last, last + 1
        for kind in range(first, last):
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
    rows, first, middle, step, allowed, free, room, own, side, units, offset, guard, strides, packs,
    numbers, weights, one, nothing, maximise, stop,
):  # fmt: skip
    """Return the states of the column beside the middle one, their values for each live tally, and
    the live tallies: those that occur and leave no more pieces than the other columns hold."""
    keys, live = np.zeros(1, np.int64), np.zeros(1, np.int64)
    sums = np.empty((1, 1), weights.dtype)
    sums[0, 0] = one
    known = -1
    needed, ahead = numbers[-1, 0] - room[:, 0].sum(), numbers[-1, 1] - room[:, 1].sum()
    for column in range(first, middle, step):
        needed += room[column, 0]
        ahead += room[column, 1]
        seen = free[column - 1] | free[column + 1]
        # On an empty board, most columns have the same words.
        if seen != known or (allowed[column] != allowed[column - step]).any():
            word_keys, tallies, word_packs, values = words_of(
                rows, allowed[column], own, side, seen, units, offset, guard, strides, weights, one,
                maximise,
            )  # fmt: skip
            groups, starts = grouped(word_keys)
            known = seen
        before = beside(rows, keys, sums, free[column - step], groups, nothing, maximise, stop)
        which, ends, sources, targets = shifts(
            tallies, word_packs, live, packs, offset, guard, stop
        )
        place = np.full(len(packs), -1)
        for after in targets:
            if numbers[after, 0] >= needed and numbers[after, 1] >= ahead:
                place[after] = 0
        new = np.nonzero(place == 0)[0]
        place[new] = np.arange(len(new))
        keep_placed(ends, sources, targets, place)
        if len(groups) * len(new) > MAX_VALUES:
            stop[0] = 1
            return keys, sums, new[:0]
        sums = np.empty((len(groups), len(new)), weights.dtype)
        sums[:] = nothing
        for group in range(len(groups)):
            old, into = before[group], sums[group]
            for word in range(starts[group], starts[group + 1]):
                shift, value = which[word], values[word]
                for pair in range(ends[shift], ends[shift + 1]):
                    after = targets[pair]
                    if maximise:
                        into[after] = max(into[after], old[sources[pair]] + value)
                    else:
                        into[after] += old[sources[pair]] * value
        keys, live = groups, new
    return keys, sums, live


@njit(cache=True, nogil=True)
def beside(rows, keys, sums, free, groups, nothing, maximise, stop):
    """Return for each group of words, and each tally, the sum over the states that may stand
    beside it. `free` is the free rows of the states' column."""
    size = sums.shape[1]
    result = np.empty((len(groups), size), sums.dtype)
    bits = 0
    for row in range(rows):
        bits += free >> row & 1
    places, fitting = np.empty(len(keys), np.int64), np.empty(len(keys), np.int64)
    for state in range(len(keys)):
        places[state] = packed(keys[state] >> rows, free, rows)
    block = max(1, BLOCK >> bits)
    for first in range(0, size, block):
        if stop[0]:
            break
        wide = min(block, size - first)
        table = np.empty(wide << bits, sums.dtype)
        end = 0
        while end < len(groups):
            start, occupied = end, groups[end] >> rows
            while end < len(groups) and groups[end] >> rows == occupied:
                end += 1
            fit = 0
            for state in range(len(keys)):
                if not keys[state] & occupied:
                    fitting[fit] = state
                    fit += 1
            if fit * (end - start) <= (bits << bits) * 4:
                for group in range(start, end):
                    into = result[group, first : first + wide]
                    into[:] = nothing
                    for at in range(fit):
                        state = fitting[at]
                        if not keys[state] >> rows & groups[group]:
                            add(into, sums[state, first : first + wide], maximise)
                continue
            table[:] = nothing
            for at in range(fit):
                state = fitting[at]
                place = places[state] * wide
                add(table[place : place + wide], sums[state, first : first + wide], maximise)
            for bit in range(bits):
                halves = table.reshape(-1, 2, wide << bit)
                for pair in range(len(halves)):
                    add(halves[pair, 1], halves[pair, 0], maximise)
            for group in range(start, end):
                place = packed(~groups[group], free, rows) * wide
                result[group, first : first + wide] = table[place : place + wide]
    return result


@njit(cache=True, nogil=True)
def add(into, more, maximise):
    """Add the values `more` to `into`, or keep the greater ones."""
    if maximise:
        for at in range(len(into)):
            into[at] = max(into[at], more[at])
    else:
        for at in range(len(into)):
            into[at] += more[at]


@njit(cache=True, nogil=True)
def packed(squares, free, rows):
    """Return the bits of `squares` in the rows of `free`, without gaps."""
    result = at = 0
    for row in range(rows):
        if free >> row & 1:
            result |= (squares >> row & 1) << at
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
def words_of(rows, allowed, own, side, seen, units, offset, guard, strides, weights, one, maximise):
    """Return the words of a column sorted by key: keys, tallies, packed numbers and values.

    Words with one key and one tally are a single word. `seen` is the rows of the columns beside
    where something may stand; only attacks on these matter.
    """
    number, size = USUAL_WORDS, 0
    while number > size:
        size = number
        words = np.empty((size, 2), np.int64)
        packs, values = np.empty(size, np.uint64), np.empty(size, weights.dtype)
        number = write_words(
            rows, allowed, own, side, seen, units, offset, guard, strides, weights, one, maximise,
            words, packs, values,
        )  # fmt: skip
    words = words[:number]
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
    rows, allowed, own, side, seen, units, offset, guard, strides, weights, one, maximise,
    found, packs, values,
):  # fmt: skip
    """Write the key and the tally of each word into `found`, with its packed number and its value,
    as long as there is room. Return the number of words."""
    kinds = len(allowed)
    choice = np.empty(rows + 1, np.int64)
    occupied, blocked = np.zeros(rows + 1, np.int64), np.zeros(rows + 1, np.int64)
    attacked = np.zeros(rows + 1, np.int64)
    tally, pack = np.zeros(rows + 1, np.int64), np.zeros(rows + 1, np.uint64)
    value = np.empty(rows + 1, weights.dtype)
    value[0] = one
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
        if number < len(values):
            found[number, 0] = occupied[rows] << rows | attacked[rows] & seen
            found[number, 1] = tally[rows]
            packs[number] = pack[rows]
            values[number] = value[rows]
        number += 1
    return number
