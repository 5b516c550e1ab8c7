"""The best checkerboard form of a board, with a proof: costs to go, row by row, from the end.

In a checkerboard form the colour of a stone follows from its point, and every stone is a string of
its own. Thus a board is legal if the closed neighbourhood of every stone contains an empty point.
Points are decided one by one, row by row, odd rows from right to left (so that the two directions
share all code). Of the points decided so far only the last one of each column matters:

    0   an empty point
    1   a content stone, which has its liberty, or no point
    2   a needy stone, which still needs a liberty; only its neighbour below can provide it

An empty point gives its neighbours in the row a liberty, so no 0 stands beside a 2. Words of
length n with this rule, in the order

    0 · words(n-1) that don't begin with 2,   1 · words(n-1),   2 · words(n-1) that don't with 0

make three blocks. Each block is a slice of the shorter list, since the words that begin with 2 are
its end and those with 0 its start, so ranks need no table. With T words in all and A that begin
with 0,

    A' = A + B,   B' = T,   T' = 2 A' + B'      from A, B, T = 0, 1, 1,

T(n) = (1 + sqrt 2)^(n+1) / 2 rounded: 41 at 4, 3363 at 9, 22,619,537 at 19.

Within a row the frontier is a suffix (the old row, read away from the current point) and a prefix
(the new row, also read away from it). These are two words, so tables are arrays [suffix, prefix].
At the end of a row the prefix is the whole word, read from the side where the next row begins.

The tables at the starts of the rows are kept, and the board is found by walking forward through
them, one row at a time. Time and memory are proportional to WORDS[shorter side]: 19 x 19 keeps 18
tables of 22.6 MB.
"""

from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from solvers.kind import PuzzleError
from solvers.maxstrings.rules import EITHER, EMPTY, FREE, HOLE, STONES, Board
from solvers.memory import MEMORY
from solvers.message import Message
from solvers.question import Progress, Run

ANY, STONE, NONE, VOID = 0, 1, 2, 3
"""The codes of a point: it may be empty or a stone, must be a stone, must be empty (at no cost), or
is no point."""

IMPOSSIBLE = 230
"""The cost of an impossible word, in uint8. A minimal dominating set of 361 points is smaller, and
one row adds at most 19 before costs are cut back to this."""

LONGEST = 22
"""The longest words that are numbered. For 22, a table and the arrays for making it take 1 GB."""

_COUNTS = [(0, 1, 1)]
for _ in range(LONGEST):
    _a, _b, _t = _COUNTS[-1]
    _COUNTS.append((_a + _b, _t, 2 * (_a + _b) + _t))

FIRST = [a for a, _, _ in _COUNTS]
"""The length -> the number of words that begin with 0, which equals that of words with 2."""
WORDS = [t for _, _, t in _COUNTS]
"""The length -> the number of words."""

Costs = NDArray[np.uint8]
Table = NDArray[Any]


def rank_of_ones(length: int) -> int:
    """Return the rank of 111..., which is the frontier above the first row."""
    return sum(FIRST[n] for n in range(1, length + 1))


def last_costs(width: int) -> Costs:
    """Return the costs when no point is left: IMPOSSIBLE for words with a missing liberty."""
    costs = np.zeros(1, np.uint8)
    for n in range(1, width + 1):
        a = FIRST[n - 1]
        needs = np.full(len(costs) - a, IMPOSSIBLE, np.uint8)
        costs = np.concatenate([costs[: len(costs) - a], costs, needs])
    return costs


def step(after: Costs, decided: int, left: int, code: int) -> Costs:
    """Return the costs before a point from those after it.

    The point's row has `decided` points before it and `left` points from it on. `code` is what the
    point may be.

    cost(s) = min(1 + cost(s with the point empty), cost(s with a stone on it)). A word whose suffix
    begins with 0, 1 or 2 has an empty point, a content stone or a needy stone above the point.
    """
    # The table after the point: the parts for an empty point, a content stone and a needy stone.
    zero, total = FIRST[decided], WORDS[decided]
    two = total - zero
    empty, stone, needy = after[:, :two], after[:, two : two + total], after[:, two + total :]
    # A prefix 2·u becomes 1·u, because its 2 gets its liberty. The empty word has no first letter.
    fed = empty[:, zero + FIRST[decided - 1] if decided else two :]
    cut, shorter, zeros = FIRST[left - 1], WORDS[left - 1], FIRST[left]
    order = "C" if after.flags.c_contiguous else "F"
    before: Costs = np.empty((WORDS[left], WORDS[decided]), np.uint8, order=order)  # type: ignore[call-overload]
    above_0, above_1, above_2 = (
        before[:zeros],
        before[zeros : zeros + shorter],
        before[zeros + shorter :],
    )
    if code == VOID:
        above_0[:] = stone[:zeros]
        above_1[:] = stone
        above_2[:] = IMPOSSIBLE
        return before
    if code != NONE:
        if code == ANY:
            np.add(empty, 1, out=above_1[:, :two])
            np.add(fed, 1, out=above_1[:, two:])
        else:
            above_1[:] = IMPOSSIBLE
        above_2[:] = above_1[cut:]
        np.minimum(above_1[:zeros], stone[:zeros], out=above_0)
        with_zero = above_1[:, :zero]
        np.minimum(with_zero, stone[:, :zero], out=with_zero)
        rest = above_1[:, zero:]
        np.minimum(rest, needy, out=rest)
        return before
    above_1[:, :two] = empty
    above_1[:, two:] = fed
    above_0[:] = above_1[:zeros]
    above_2[:] = above_1[cut:]
    return before


def row_step(table: Costs, codes: tuple[int, ...]) -> Costs:
    """Return the costs at a row's start from those at its end. `codes` follow the row's direction.

    Both are one-dimensional, over words read from where this row and the next begin.
    """
    width = len(codes)
    array = table.reshape(1, -1)
    for decided in range(width - 1, -1, -1):
        if decided + 1 == (width + 1) // 2:
            # From here on the suffixes are the longer words, so keep them contiguous.
            array = np.asfortranarray(array)
        array = step(array, decided, width - decided, codes[decided])
    costs: Costs = np.minimum(array.reshape(-1), IMPOSSIBLE)
    return costs


Codes = tuple[tuple[int, ...], ...]
"""The code of each point (`ANY`, `STONE`, `NONE`, `VOID`), row by row."""

_CODE = {FREE: ANY, EITHER: STONE, EMPTY: NONE, HOLE: VOID} | dict.fromkeys(STONES, STONE)


_STEP_TABLES = 4
"""The number of tables in memory while a step makes a new one."""


class Form(NamedTuple):
    """A checkerboard form with the most stones: their number, and whether each point has one."""

    stones: int
    board: tuple[tuple[bool, ...], ...]


def codes_of(board: Board) -> Codes:
    """Return what each point may be, without regard to colours."""
    return tuple(tuple(_CODE[letter] for letter in row) for row in board)


def snake(board: Codes) -> Codes:
    """Return the rows along the shorter side, each in the direction in which it is decided."""
    if len(board[0]) > len(board):
        board = tuple(zip(*board))
    return tuple(row[::-1] if number % 2 else row for number, row in enumerate(board))


def best_form(board: Codes) -> Run[Form | None]:
    """Return the best form, or None if there is none. It reports progress after each row.

    Raise PuzzleError if the tables of the board don't fit into the memory.
    """
    rows = snake(board)
    tables = yield from row_tables(rows)
    word = np.ones(len(rows[0]), np.uint8)
    stands: list[list[bool]] = []
    for row, table in zip(rows, tables):
        best_row = _best_row(word, row, table)
        if best_row is None:
            return None
        stones, word = best_row
        stands.append(stones)
    return Form(sum(map(sum, stands)), as_board(stands, board))


def row_tables(rows: Codes) -> Run[list[Costs]]:
    """Return the costs at the end of each row of `snake`. It reports progress after each row.

    Raise PuzzleError if the tables of the board don't fit into the memory.
    """
    _check_memory(len(rows), len(rows[0]))
    tables = [last_costs(len(rows[0]))]
    for row in rows[:0:-1]:
        tables.append(row_step(tables[-1], row))
        yield Progress(len(tables) - 1, len(rows), progress_note(len(tables) - 1, len(rows)))
    return tables[::-1]


def as_board(stands: list[list[bool]], board: Codes) -> tuple[tuple[bool, ...], ...]:
    """Return the stones of the rows of `snake` as rows of the board."""
    rows = [row[::-1] if number % 2 else row for number, row in enumerate(stands)]
    return tuple(zip(*rows)) if len(board[0]) > len(board) else tuple(map(tuple, rows))


def most_stones(board: Codes) -> Run[int | None]:
    """Return the most stones of a form, or None if there is none.

    Because no board is returned, only one table is kept: 22 x 22 needs 2 GB. Raise PuzzleError if
    it does not fit into the memory.
    """
    rows = snake(board)
    _check_memory(0, len(rows[0]))
    costs = last_costs(len(rows[0]))
    for number, row in enumerate(reversed(rows), 1):
        costs = row_step(costs, row)
        yield Progress(number, len(rows), progress_note(number, len(rows)))
    least = int(costs[rank_of_ones(len(rows[0]))])
    return None if least >= IMPOSSIBLE else stone_capacity(rows) - least


def stone_capacity(rows: Codes) -> int:
    """Return the number of points on which a stone may stand."""
    return sum(code in (ANY, STONE) for row in rows for code in row)


def _check_memory(tables: int, width: int) -> None:
    """Raise PuzzleError unless `tables` tables and those of a step fit into the memory."""
    needed = (tables + _STEP_TABLES) * WORDS[width]
    if needed > MEMORY:
        raise PuzzleError(
            "This board is too large: it takes {needed} MB of memory, and a question may take "
            "{most} MB here.",
            needed=(needed >> 20) + 1,
            most=MEMORY >> 20,
        )


def progress_note(done: int, rows: int) -> Message:
    """Return the note of a progress report."""
    return Message("Rows done: {done} of {rows}", {"done": done, "rows": rows})


def _best_row(word: Costs, row: tuple[int, ...], table: Costs) -> tuple[list[bool], Costs] | None:
    """Return the stones of a best row below a word, and the word that they leave for the next row,
    or None if there is no such row."""
    laid = next_rows(word, row)
    if laid is None:
        return None
    costs, ranks, bits = laid
    cheapest = int(np.argmin(costs + table[ranks]))
    if table[ranks[cheapest]] >= IMPOSSIBLE:
        return None
    stones = stones_of(int(bits[cheapest]), len(row))
    return stones, next_word(word, row, stones)


def next_rows(word: Costs, row: tuple[int, ...]) -> tuple[Table, Table, Table] | None:
    """Return the rows that may stand below a word: the cost of each, the rank of the word that it
    leaves, and its stones as bits. Return None if there is no such row.

    The arrays for all rows, up to 2^width, grow point by point.
    """
    costs, ranks, bits = np.zeros(1, np.int16), np.zeros(1, np.int64), np.zeros(1, np.int32)
    for decided, (above, code) in enumerate(zip(word.tolist(), row)):
        zero = FIRST[decided]
        total = WORDS[decided]
        two = total - zero
        ones = zero + FIRST[decided - 1] if decided else two
        empty = np.where(ranks < two, ranks, ranks - two + ones)
        content = two + ranks
        needy = np.where(ranks < zero, content, content + total - zero)
        parts = []
        if code in (ANY, NONE):
            parts.append((costs + (code == ANY), empty, bits * 2))
        if code in (ANY, STONE) and above != 2:
            parts.append((costs, needy if above else content, bits * 2 + 1))
        if code == VOID and above != 2:
            parts.append((costs, content, bits * 2))
        if not parts:
            return None
        costs, ranks, bits = (np.concatenate(column) for column in zip(*parts))
    return costs, ranks, bits


def stones_of(bits: int, width: int) -> list[bool]:
    """Return whether each point of a row has a stone, from the bits of `next_rows`."""
    return [bool(bits >> place & 1) for place in range(width - 1, -1, -1)]


def next_word(word: Costs, row: tuple[int, ...], stones: list[bool]) -> Costs:
    """Return the word that a decided row leaves, read from where the next row begins."""
    empty = [not stone and code != VOID for stone, code in zip(stones, row)]
    after = []
    for place, (stone, above) in enumerate(zip(stones, word.tolist())):
        beside = empty[max(place - 1, 0) : place + 2]
        if empty[place]:
            after.append(0)
        else:
            after.append(2 if stone and above and not any(beside) else 1)
    return np.array(after[::-1], np.uint8)
