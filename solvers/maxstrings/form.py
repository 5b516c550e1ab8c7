"""The best checkerboard form of a board, with a proof: costs to go, row by row, from the end.

The checkerboard form needs every stone to be a string of its own; which colour it has follows
from its point. `frontier` explains the words; here rows are put together. The tables at the rows'
starts are kept, and the board is found by walking forward through them, one row at a time.
Time and memory follow WORDS[shorter side]: 19 x 19 keeps 18 tables of 22.6 MB.
"""

from collections.abc import Generator
from typing import NamedTuple

import numpy as np

from solvers.kind import Progress
from solvers.maxstrings import frontier
from solvers.maxstrings.frontier import ANY, FIRST, IMPOSSIBLE, NONE, STONE, VOID, WORDS, Costs
from solvers.maxstrings.rules import EITHER, EMPTY, FREE, HOLE, STONES, Board
from solvers.message import Message

Codes = tuple[tuple[int, ...], ...]
"""What each point may be, row by row, in the words of `frontier`."""

_CODE = {FREE: ANY, EITHER: STONE, EMPTY: NONE, HOLE: VOID} | dict.fromkeys(STONES, STONE)


class Best(NamedTuple):
    """The most stones a checkerboard form can have, and where they stand."""

    stones: int
    board: tuple[tuple[bool, ...], ...]


def codes(board: Board) -> Codes:
    """Return what each point may be; colours are left aside."""
    return tuple(tuple(_CODE[letter] for letter in row) for row in board)


def snake(board: Codes) -> Codes:
    """Return the rows along the shorter side, each in the direction in which it is decided."""
    if len(board[0]) > len(board):
        board = tuple(zip(*board))
    return tuple(row[::-1] if number % 2 else row for number, row in enumerate(board))


def best(board: Codes) -> Generator[Progress, None, Best | None]:
    """Return the best form, or None when there is none. A step is a row of the shorter side."""
    rows = snake(board)
    tables = [frontier.last_costs(len(rows[0]))]
    for row in rows[:0:-1]:
        tables.append(frontier.row_step(tables[-1], row))
        yield Progress(len(tables) - 1, len(rows), note(len(tables) - 1, len(rows)))
    word = np.ones(len(rows[0]), np.uint8)
    stands: list[list[bool]] = []
    for number, (row, table) in enumerate(zip(rows, reversed(tables))):
        found = _walk(word, row, table)
        if found is None:
            return None
        stones, word = found
        stands.append(stones[::-1] if number % 2 else stones)
    if len(board[0]) > len(board):
        stands = [list(column) for column in zip(*stands)]
    return Best(sum(map(sum, stands)), tuple(map(tuple, stands)))


def most(board: Codes) -> Generator[Progress, None, int | None]:
    """Return the most stones of a form, None when there is none; without a board, so that no more
    than one table is kept: 22 x 22 in 2 GB."""
    rows = snake(board)
    costs = frontier.last_costs(len(rows[0]))
    for number, row in enumerate(reversed(rows), 1):
        costs = frontier.row_step(costs, row)
        yield Progress(number, len(rows), note(number, len(rows)))
    least = int(costs[frontier.rank_of_ones(len(rows[0]))])
    may_hold = sum(code in (ANY, STONE) for row in rows for code in row)
    return None if least >= IMPOSSIBLE else may_hold - least


def note(done: int, rows: int) -> Message:
    """Return what is said while it works."""
    return Message("Rows done: {done} of {rows}", {"done": done, "rows": rows})


def _walk(word: Costs, row: tuple[int, ...], table: Costs) -> tuple[list[bool], Costs] | None:
    """Return the stones of a best row below a word, and the word it leaves for the next row.

    All 2^width rows are laid out at once, their costs and ranks grown point by point.
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
    to_end = costs + table[ranks]
    cheapest = int(np.argmin(to_end))
    if table[ranks[cheapest]] >= IMPOSSIBLE:
        return None
    stones = [bool(int(bits[cheapest]) >> place & 1) for place in range(len(row) - 1, -1, -1)]
    return stones, _next_word(word, row, stones)


def _next_word(word: Costs, row: tuple[int, ...], stones: list[bool]) -> Costs:
    """Return the letters a decided row leaves, read from where the next row begins."""
    empty = [not stone and code != VOID for stone, code in zip(stones, row)]
    after = []
    for place, (stone, above) in enumerate(zip(stones, word.tolist())):
        beside = empty[max(place - 1, 0) : place + 2]
        if empty[place]:
            after.append(0)
        else:
            after.append(2 if stone and above and not any(beside) else 1)
    return np.array(after[::-1], np.uint8)
