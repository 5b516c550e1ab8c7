"""The frontier of the checkerboard form: its words, and one step over one point.

In the checkerboard form the colour of a stone follows from its point and every stone is a string
of its own, so a board is legal when in every closed neighbourhood of a stone a point is empty.
Points are decided one by one, row by row, odd rows from right to left (so that the two directions
share all code). Of the points decided so far only the last one of each column matters:

    0   empty
    1   a stone that has its liberty, or no point
    2   a stone that still needs one: from below, the only neighbour left

An empty point gives its neighbours in the row a liberty, so no 0 stands beside a 2. Words of
length n with this rule, in the order

    0 · words(n-1) that don't begin with 2,   1 · words(n-1),   2 · words(n-1) that don't with 0

make three blocks, each a slice of the shorter list, since the words that begin with 2 are its end
and those with 0 its start: ranks need no table. With T words in all and A that begin with 0,

    A' = A + B,   B' = T,   T' = 2 A' + B'      from A, B, T = 0, 1, 1,

T(n) = (1 + sqrt 2)^(n+1) / 2 rounded: 41 at 4, 3363 at 9, 22,619,537 at 19.

While a row is under way the frontier is a suffix (old row, read away from the point at hand) and
a prefix (new row, also read away from it): two words, so tables are arrays [suffix, prefix]. At the
end of a row the prefix is the whole word, read from the side where the next row begins.
"""

from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

ANY, STONE, NONE, VOID = 0, 1, 2, 3
"""What a point may be: anything, a stone, empty (at no cost), or no point."""

IMPOSSIBLE = 230
"""Cost of what can't be, in uint8. A minimal dominating set of 361 points is smaller, and one row
adds at most 19 before costs are cut back to this."""

LONGEST = 22
"""The longest words that are numbered: 22 takes 1 GB for a table and what it is made from."""

_COUNTS = [(0, 1, 1)]
for _ in range(LONGEST):
    _a, _b, _t = _COUNTS[-1]
    _COUNTS.append((_a + _b, _t, 2 * (_a + _b) + _t))

FIRST = [a for a, _, _ in _COUNTS]
"""Length -> number of words that begin with 0, and of those that begin with 2."""
WORDS = [t for _, _, t in _COUNTS]
"""Length -> number of words."""

Costs = NDArray[np.uint8]
Table = NDArray[Any]


def letters(length: int) -> Table:
    """Return all words of a length in their order, as an array [rank, place]."""
    words = np.zeros((1, 0), np.uint8)
    for n in range(1, length + 1):
        a = FIRST[n - 1]
        parts = ((0, words[: len(words) - a]), (1, words), (2, words[a:]))
        words = np.vstack(
            [np.hstack([np.full((len(part), 1), v, np.uint8), part]) for v, part in parts]
        )
    return words


def rank_of_ones(length: int) -> int:
    """Return the rank of 111...: the frontier above the first row."""
    return sum(FIRST[n] for n in range(1, length + 1))


def last_costs(width: int) -> Costs:
    """Return the costs when no point is left: impossible wherever a liberty is missing."""
    costs = np.zeros(1, np.uint8)
    for n in range(1, width + 1):
        a = FIRST[n - 1]
        needs = np.full(len(costs) - a, IMPOSSIBLE, np.uint8)
        costs = np.concatenate([costs[: len(costs) - a], costs, needs])
    return costs


@dataclass(frozen=True, slots=True)
class Views:
    """The table after a point, by the letter it got, and where the prefixes' blocks end."""

    empty: Table
    """Columns: the prefixes that don't begin with 2."""
    stone: Table
    """Columns: all prefixes; the stone has its liberty."""
    needy: Table
    """Columns: the prefixes that don't begin with 0; the stone has none yet."""
    zero: int
    """Columns of prefixes that begin with 0."""
    two: int
    """The first column of the prefixes that begin with 2."""
    fed: slice
    """Where the prefixes 2·u are found as 1·u, once their 2 has got its liberty."""


def views(after: Table, decided: int) -> Views:
    """Return the parts of a table [suffix, prefix of decided + 1 letters]."""
    a, total = FIRST[decided], WORDS[decided]
    two = total - a
    # The empty word begins with nothing.
    ones = a + FIRST[decided - 1] if decided else two
    return Views(
        empty=after[:, :two],
        stone=after[:, two : two + total],
        needy=after[:, two + total :],
        zero=a,
        two=two,
        fed=slice(ones, two),
    )


def step(after: Costs, decided: int, left: int, code: int) -> Costs:
    """Return the costs before a point from those after it: its row has `decided` points before
    it and `left` from it on.

    cost(s) = min(1 + cost(s with the point empty), cost(s with a stone on it)); a word whose
    suffix begins with 0, 1 or 2 has an empty point, a content stone or a needy one above.
    """
    view = views(after, decided)
    cut, shorter, zeros = FIRST[left - 1], WORDS[left - 1], FIRST[left]
    order = "C" if after.flags.c_contiguous else "F"
    before: Costs = np.empty((WORDS[left], WORDS[decided]), np.uint8, order=order)  # type: ignore[call-overload]
    above_0, above_1, above_2 = (
        before[:zeros],
        before[zeros : zeros + shorter],
        before[zeros + shorter :],
    )
    if code == VOID:
        above_0[:] = view.stone[:zeros]
        above_1[:] = view.stone
        above_2[:] = IMPOSSIBLE
        return before
    if code != NONE:
        if code == ANY:
            np.add(view.empty, 1, out=above_1[:, : view.two])
            np.add(view.empty[:, view.fed], 1, out=above_1[:, view.two :])
        else:
            above_1[:] = IMPOSSIBLE
        above_2[:] = above_1[cut:]
        np.minimum(above_1[:zeros], view.stone[:zeros], out=above_0)
        zero = above_1[:, : view.zero]
        np.minimum(zero, view.stone[:, : view.zero], out=zero)
        rest = above_1[:, view.zero :]
        np.minimum(rest, view.needy, out=rest)
        return before
    above_1[:, : view.two] = view.empty
    above_1[:, view.two :] = view.empty[:, view.fed]
    above_0[:] = above_1[:zeros]
    above_2[:] = above_1[cut:]
    return before


def row_step(table: Costs, codes: tuple[int, ...]) -> Costs:
    """Return the costs at a row's start from those at its end; `codes` in the row's direction.

    Both are one-dimensional, over words read from where this row and the next begin.
    """
    width = len(codes)
    array = table.reshape(1, -1)
    for decided in range(width - 1, -1, -1):
        if decided + 1 == (width + 1) // 2:
            # From here on the suffixes are the longer words: keep them contiguous.
            array = np.asfortranarray(array)
        array = step(array, decided, width - decided, codes[decided])
    costs: Costs = np.minimum(array.reshape(-1), IMPOSSIBLE)
    return costs
