"""The number of checkerboard forms with the most stones, and with a few stones less.

In addition to the costs to go of `checkerboard`, a table holds for each slack k the number of ways
that cost k more than the least. If the dearer of the two choices at a point costs d >= 0 more than
the cheaper one,

    ways_k(before) = ways_(k)(cheaper choice) + ways_(k - d)(dearer choice).

The numbers are exact. float64 holds integers up to 2^53, and the parts of a total never exceed the
total, so a total below 2^53 is correct whatever was rounded elsewhere. Larger totals are combined
from remainders. In uint64, with moduli below 2^62, sums never overflow.

A table for 19 x 19 takes 200 MB. If every point went over the whole table, the processor would wait
for the memory most of the time, and a second thread would not help. So each row is decided in two
halves. While the points of one half are decided, the letters of the other half are idle. A table
[letters at the points of this half, idle letters] can therefore be cut into strips of columns, and
no strip needs another. A thread takes one strip through all points of the half while the strip is
in the processor's cache:

    words at the row's end
        -> strips through the second half -> table [first half, second half]
        -> strips through the first half  -> words at the row's start

One letter is not quite idle: an empty point at the start of the second half gives the point on its
left a liberty, which makes a 2 a 1. So a strip of the second half holds the words 0·u, 1·u and 2·u
for the same u, in a block each.
"""

from functools import partial
from math import gcd, log2
from typing import NamedTuple

import numpy as np
from numba import njit
from numpy.typing import NDArray

from solvers.maxstrings import checkerboard
from solvers.maxstrings.checkerboard import ANY, FIRST, IMPOSSIBLE, NONE, VOID, WORDS
from solvers.question import Progress, Run
from solvers.threads import THREADS, Threads

_EXACT = 2.0**53
_LARGEST_MODULUS = 2**62

_BLOCK = 64
"""The columns of a block. A strip has three blocks, and takes up to 6 MB for 15 x 15."""

_WORDS_PER_REPORT = 1 << 22
"""The words of a row's half that are decided between two reports of progress."""

_SINGLE_THREAD_WORDS = 1 << 15
"""The most words for which one thread is faster than several."""

_SHARES_PER_THREAD = 4
"""With several shares for each thread, none waits long for the slowest."""

_FIRST, _WORDS = np.array(FIRST), np.array(WORDS)


class FormCounts(NamedTuple):
    """The least number of empty points of a form, and for each k the number of forms that have k
    more. Points that must stay empty are not counted."""

    empty: int
    forms: list[int]


class FormTables:
    """The tables of a count: where the words stand that the rows leave, and the ways from there."""

    def __init__(self) -> None:
        self.moduli: list[int] = []
        """The moduli of the passes. Empty if one pass in floats is exact."""
        self.passes: list[list[_Ways]] = []
        """The tables at the end of each row of `checkerboard.snake` in each pass, the last row
        first."""

    def numbers(self, row: int, ranks: NDArray[np.int64], spare: NDArray[np.int64]) -> list[int]:
        """Return the numbers of ways to go on from the end of a row with at most so many points
        left empty, for each of some words."""
        columns = []
        for tables in self.passes:
            costs, numbers = tables[-1 - row]
            slack = np.arange(len(numbers))[:, np.newaxis]
            fits = costs[ranks] + slack <= spare
            columns.append([[*map(int, column)] for column in (numbers[:, ranks] * fits).T])
        if not self.moduli:
            return list(map(sum, columns[0]))
        return [
            sum(_from_remainders(list(each), self.moduli) for each in zip(*word))
            for word in zip(*columns)
        ]


def count_forms(
    board: checkerboard.Codes, slack: int, threads: int = THREADS, tables: FormTables | None = None
) -> Run[FormCounts]:
    """Return the counts for k = 0 up to the slack. All numbers are 0 if there is no form.

    The tables behind an exact count are kept in `tables`, which takes their size for each row.
    """
    passes = 1
    empty, floats = yield from _total(board, slack, 0, 0, passes, threads, tables)
    largest = max(floats)
    if largest < _EXACT:
        return FormCounts(empty, [int(number) for number in floats])
    if tables:
        tables.passes.clear()
    passes += int(log2(largest)) // 61 + 1
    moduli: list[int] = []
    candidate = _LARGEST_MODULUS
    while len(moduli) < passes - 1:
        if all(gcd(candidate, modulus) == 1 for modulus in moduli):
            moduli.append(candidate)
        candidate -= 1
    remainders = []
    for number, modulus in enumerate(moduli, 1):
        _, total = yield from _total(board, slack, modulus, number, passes, threads, tables)
        remainders.append([int(remainder) for remainder in total])
    if tables:
        tables.moduli = moduli
    return FormCounts(
        empty, [_from_remainders(list(column), moduli) for column in zip(*remainders)]
    )


def memory_needed(board: checkerboard.Codes, slack: int) -> int:
    """Return how many bytes the tables of `count_forms` take, without the strips."""
    width = min(len(board), len(board[0]))
    first, second = _halves(width)
    return (WORDS[width] + WORDS[first] * WORDS[second]) * (1 + 8 * (slack + 1))


def _from_remainders(remainders: list[int], moduli: list[int]) -> int:
    """Return the least number with these remainders (Chinese remainder theorem)."""
    number, product = 0, 1
    for remainder, modulus in zip(remainders, moduli):
        number += product * ((remainder - number) * pow(product, -1, modulus) % modulus)
        product *= modulus
    return number


class _Ways(NamedTuple):
    """The least costs to go, and the numbers of ways [slack, ...] on the same axes."""

    costs: checkerboard.Costs
    numbers: checkerboard.Table

    @classmethod
    def none(cls, shape: tuple[int, ...], slack: int, dtype: type[np.generic]) -> "_Ways":
        """Return tables without any way."""
        return cls(np.zeros(shape, np.uint8), np.zeros((slack + 1, *shape), dtype))


class _Ranks(NamedTuple):
    """Where the words stand that begin with each near word. The rank of such a word is `base` plus
    the rank of its idle rest, which goes from `low` up to and without `high`: with another rest, a
    0 would stand beside a 2."""

    base: NDArray[np.int64]
    low: NDArray[np.int64]
    high: NDArray[np.int64]

    @classmethod
    def of(cls, near: int, idle: int) -> "_Ranks":
        """Return the ranks for all near words of a length, whose rests have the length `idle`."""
        last_letters = np.array([0, 1, 2] if near else [1])
        for length in range(1, near):
            cut = FIRST[length]
            uncut = len(last_letters) - cut
            last_letters = np.concatenate([last_letters[:uncut], last_letters, last_letters[cut:]])
        low = np.where(last_letters == 2, FIRST[idle], 0)
        high = np.where(last_letters == 0, WORDS[idle] - FIRST[idle], WORDS[idle])
        return cls(np.cumsum(high - low) - high, low, high)


def _total(
    board: checkerboard.Codes,
    slack: int,
    modulus: int,
    done: int,
    passes: int,
    threads: int,
    tables: FormTables | None,
) -> Run[tuple[int, list[float]]]:
    """Return the least cost, and the number of forms for each slack, as floats or, with a modulus
    other than 0, as remainders."""
    rows = checkerboard.snake(board)
    width = len(rows[0])
    first, second = _halves(width)
    dtype = np.uint64 if modulus else np.float64
    words = _Ways.none((WORDS[width],), slack, dtype)
    words.costs[:] = checkerboard.last_costs(width)
    words.numbers[0] = words.costs == 0
    between = _Ways.none((WORDS[first], WORDS[second]), slack, dtype)
    ways: list[_Ways] = []
    if tables:
        tables.passes.append(ways)
    divisor = np.uint64(modulus)
    second_ranks, first_ranks = _Ranks.of(second, first), _Ranks.of(first, second)

    def decide_second(codes: NDArray[np.int64], strips: range) -> None:
        _decide_second(*words, *second_ranks, *between, codes, divisor, strips.start, strips.stop)

    def decide_first(codes: NDArray[np.int64], strips: range) -> None:
        _decide_first(*between, *first_ranks, *words, codes, divisor, strips.start, strips.stop)

    seconds = _split(range(-(-WORDS[first - 1] // _BLOCK)), WORDS[width] // _WORDS_PER_REPORT + 1)
    firsts = _split(range(-(-WORDS[second] // (3 * _BLOCK))), len(seconds))
    step, steps = done * len(rows) * 2 * len(seconds), passes * len(rows) * 2 * len(seconds)
    with Threads(threads if WORDS[width] > _SINGLE_THREAD_WORDS else 1) as workers:
        shares = workers.number * _SHARES_PER_THREAD
        for number, row in enumerate(reversed(rows)):
            codes = np.array(row)
            if tables:
                ways.append(_Ways(words.costs.copy(), words.numbers.copy()))
            for decide, points, parts in (
                (decide_second, codes[first:], seconds),
                (decide_first, codes[:first], firsts),
            ):
                for strips in parts:
                    workers.map(partial(decide, points), _split(strips, shares))
                    step += 1
                    yield Progress(step, steps, checkerboard.progress_note(number, len(rows)))
    start = checkerboard.rank_of_ones(width)
    return int(words.costs[start]), words.numbers[:, start].tolist()


def _halves(width: int) -> tuple[int, int]:
    """Return the numbers of points in the first and the second half of a row."""
    return (width + 1) // 2, width // 2


def _split(whole: range, parts: int) -> list[range]:
    """Return the range in as many parts of about the same length."""
    ends = [whole.start + len(whole) * part // parts for part in range(parts + 1)]
    return list(map(range, ends, ends[1:]))


# Numba infers the kernels' types: costs and numbers as in `_Ways`, and int64. Kernels that work on
# whole lines are functions of their own, because Numba then uses the processor's vectors.
@njit(cache=True, nogil=True)
def _decide_second(  # type: ignore[no-untyped-def]
    words, counted, base, low, high, between, counted_between, codes, modulus, strip, stop
):
    """Decide the second half of a row for some strips: from the words at the row's end to a table
    [word of the new row's first half, word of the old row's second half]."""
    near, slacks, lines = len(codes), len(counted), _WORDS[len(codes)]
    rest = _length(len(between)) - 1
    here, there, numbers, others = _strip(near, slacks, counted.dtype)
    for first in range(strip * _BLOCK, min(stop * _BLOCK, _WORDS[rest]), _BLOCK):
        for block in range(3):
            start, end, shift = _block(block, first, rest)
            for word in range(len(base)):
                one, other, at = max(start, low[word]), min(end, high[word]), base[word]
                if one < other:
                    part, columns = slice(at + one, at + other), slice(shift + one, shift + other)
                    _add(words[part], 0, here[word, columns])
                    for slack in range(slacks):
                        _add(counted[slack, part], 0, numbers[slack, word, columns])
        for decided in range(near - 1, -1, -1):
            # Beside the idle letters, each block of a line is a line of its own.
            blocks = 1 if decided else 3
            shape = len(here) * blocks, 3 * _BLOCK // blocks
            shapes = slacks, len(here) * blocks, 3 * _BLOCK // blocks
            _decide_point(here.reshape(shape), numbers.reshape(shapes), there.reshape(shape),
                          others.reshape(shapes), decided, near - decided, codes[decided], blocks,
                          modulus)  # fmt: skip
            here, there, numbers, others = there, here, others, numbers
        for block in range(3):
            start, end, shift = _block(block, first, rest)
            if start < end:
                columns = slice(shift + start, shift + end)
                _transpose(here[:lines, columns], between[start:end])
                for slack in range(slacks):
                    _transpose(numbers[slack, :lines, columns], counted_between[slack, start:end])


@njit(cache=True, nogil=True)
def _decide_first(  # type: ignore[no-untyped-def]
    between, counted_between, base, low, high, words, counted, codes, modulus, strip, stop
):
    """Decide the first half of a row for some strips: from the table that `_decide_second` has
    filled to the words at the row's start."""
    near, slacks, width = len(codes), len(counted), 3 * _BLOCK
    here, there, numbers, others = _strip(near, slacks, counted.dtype)
    for start in range(strip * width, min(stop * width, between.shape[1]), width):
        end = min(start + width, between.shape[1])
        for word in range(len(between)):
            _add(between[word, start:end], 0, here[word, : end - start])
            for slack in range(slacks):
                _add(
                    counted_between[slack, word, start:end], 0, numbers[slack, word, : end - start]
                )
        for decided in range(near - 1, -1, -1):
            _decide_point(here, numbers, there, others, decided, near - decided, codes[decided], 1,
                          modulus)  # fmt: skip
            here, there, numbers, others = there, here, others, numbers
        for word in range(len(base)):
            one, other, at = max(start, low[word]), min(end, high[word]), base[word]
            if one < other:
                for rank in range(one, other):
                    words[at + rank] = min(here[word, rank - start], np.uint8(IMPOSSIBLE))
                for slack in range(slacks):
                    _add(numbers[slack, word, one - start : other - start], 0,
                         counted[slack, at + one : at + other])  # fmt: skip


@njit(cache=True, nogil=True)
def _length(words):  # type: ignore[no-untyped-def]
    """Return the length of the words of which there are so many."""
    length = 0
    while _WORDS[length] < words:
        length += 1
    return length


@njit(cache=True, nogil=True)
def _strip(near, slacks, dtype):  # type: ignore[no-untyped-def]
    """Return two tables of costs and two of numbers for a strip: after a point, and before it."""
    lines = 1
    for decided in range(near + 1):
        lines = max(lines, _WORDS[decided] * _WORDS[near - decided])
    costs = np.zeros((2, lines, 3 * _BLOCK), np.uint8)
    numbers = np.zeros((2, slacks, lines, 3 * _BLOCK), dtype)
    return costs[0], costs[1], numbers[0], numbers[1]


@njit(cache=True, nogil=True)
def _block(block, first, rest):  # type: ignore[no-untyped-def]
    """Return the first rank and the end of the ranks of the words block·u in a strip, and what
    added to such a rank makes its column. The strip begins with the word u of rank `first`."""
    # Behind 0 there is no u that begins with 2, and behind 2 none that begins with 0.
    start = max(first, _FIRST[rest]) if block == 2 else first
    end = min(first + _BLOCK, _WORDS[rest] - _FIRST[rest] if block == 0 else _WORDS[rest])
    shift = (0, _FIRST[rest + 1], _FIRST[rest + 1] + _WORDS[rest] - _FIRST[rest])[block]
    return start + shift, end + shift, block * _BLOCK - first - shift


@njit(cache=True, nogil=True)
def _decide_point(  # type: ignore[no-untyped-def]
    after, counted_after, before, counted, decided, left, code, blocks, modulus
):
    """Fill a strip before a point from that after it. `checkerboard.step` explains the recurrence.

    A line is for a word of the `left` points of the half that are not decided yet, this one first,
    and for a word of the `decided` ones. If there are three blocks, it is also for one of them:
    then the idle letters are beside this point, and the block is the letter on its left.
    """
    zero, total = _FIRST[decided], _WORDS[decided]
    two = total - zero
    ones = zero + _FIRST[decided - 1] if decided else total
    cut, shorter, zeros = _FIRST[left - 1], _WORDS[left - 1], _FIRST[left]
    slacks = len(counted)
    for suffix in range(shorter):
        lines = suffix * _WORDS[decided + 1]
        for prefix in range(total):
            # An empty point makes a 2 on its left a 1.
            fed = prefix if prefix < two else prefix - two + ones
            for block in range(blocks):
                empty = (lines + fed) * blocks + (1 if block == 2 else block)
                content = (lines + two + prefix) * blocks + block
                is_beside_empty = block == 0 if blocks > 1 else prefix < zero
                needy = content if is_beside_empty else content + (total - zero) * blocks
                for above in range(3):
                    if (above == 0 and suffix >= shorter - cut) or (above == 2 and suffix < cut):
                        continue
                    place = suffix + (0, zeros, zeros + shorter - cut)[above]
                    line = (place * total + prefix) * blocks + block
                    stone = needy if above == 1 and code != VOID else content
                    if code == ANY and above < 2:
                        _choose(
                            after[empty],
                            counted_after[0, empty],
                            after[stone],
                            counted_after[0, stone],
                            before[line],
                            counted[0, line],
                        )
                        for slack in range(1, slacks):
                            _add_dearer(
                                after[empty],
                                counted_after[:, empty],
                                after[stone],
                                counted_after[:, stone],
                                slack,
                                counted[slack, line],
                            )
                        if modulus:
                            for slack in range(slacks):
                                _reduce(counted[slack, line], modulus)
                    elif code in (ANY, NONE):
                        _add(after[empty], int(code == ANY), before[line])
                        for slack in range(slacks):
                            _add(counted_after[slack, empty], 0, counted[slack, line])
                    elif above < 2:
                        _add(after[stone], 0, before[line])
                        for slack in range(slacks):
                            _add(counted_after[slack, stone], 0, counted[slack, line])
                    else:
                        before[line] = IMPOSSIBLE
                        counted[:, line] = 0


@njit(cache=True, nogil=True)
def _choose(  # type: ignore[no-untyped-def]
    empty_costs, empty_numbers, stone_costs, stone_numbers, before, counted
):
    """Write the lesser costs of an empty point and a stone, and the numbers of ways at these costs.

    Impossible costs grow by 1 for each point until the row's start, which uint8 holds, and have no
    ways.
    """
    for column in range(len(before)):
        empty, stone = empty_costs[column] + np.uint8(1), stone_costs[column]
        before[column] = min(empty, stone)
        if empty == stone:
            counted[column] = empty_numbers[column] + stone_numbers[column]
        else:
            counted[column] = empty_numbers[column] if empty < stone else stone_numbers[column]


@njit(cache=True, nogil=True)
def _add_dearer(  # type: ignore[no-untyped-def]
    empty_costs, empty_numbers, stone_costs, stone_numbers, slack, counted
):
    """Write the numbers of ways that cost `slack` more than the lesser costs."""
    # This zero has the numbers' type, because numba converts mixed uint64 and int64 to floats.
    none = counted.dtype.type(0)
    for column in range(len(counted)):
        gap = int(empty_costs[column]) + 1 - int(stone_costs[column])
        number = none
        if gap <= slack:
            number += empty_numbers[slack - max(gap, 0), column]
        if -gap <= slack:
            number += stone_numbers[slack - max(-gap, 0), column]
        counted[column] = number


@njit(cache=True, nogil=True)
def _add(source, price, target):  # type: ignore[no-untyped-def]
    """Write the costs plus a price, or the numbers plus 0."""
    added = target.dtype.type(price)
    for column in range(len(target)):
        target[column] = source[column] + added


@njit(cache=True, nogil=True)
def _transpose(table, other):  # type: ignore[no-untyped-def]
    """Write a table with lines and columns exchanged, eight columns at a time: one cache line."""
    for start in range(0, table.shape[1], 8):
        for line in range(len(table)):
            for column in range(start, min(start + 8, table.shape[1])):
                other[column, line] = table[line, column]


@njit(cache=True, nogil=True)
def _reduce(numbers, modulus):  # type: ignore[no-untyped-def]
    for column in range(len(numbers)):
        numbers[column] %= modulus
