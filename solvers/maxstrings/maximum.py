"""The most strings of a board, as far as they are known without numpy: by table, by formula, and
by a search in plain Python.

In a checkerboard form every stone needs an empty neighbour, so the empty points are a dominating
set of the grid. The maximum is rows * columns - gamma(rows, columns), where gamma is the grid's
domination number: OEIS A104519 for squares, and for both sides from 16 on

    gamma = floor((rows + 2)(columns + 2) / 5) - 4

(Goncalves, Pinlou, Rao, Thomasse, "The domination number of grids", SIAM J. Discrete Math. 25,
2011). The table for smaller boards was computed with `checkerboard`, and a test computes it again.
On thin boards of any length, the frontier's costs return, after some rows, to what they were plus a
constant. So gamma repeats with a period and a rise, which `_LONG` lists. The test that finds the
periods is the proof.

Boards with stones, holes and points that must stay empty are searched in plain Python here. The
judge uses this search, because it must work without numpy. It is also the reference implementation
of `checkerboard`: 5 ms on 7 x 7, 0.05 s on 9 x 9, 0.1 s on 10 x 10.
"""

from functools import cache, lru_cache

from solvers.grid import neighbours
from solvers.maxstrings.rules import EITHER, EMPTY, FREE, HOLE, STONES, Board, Position, cells
from solvers.message import Message

LARGEST = 19
"""The most rows and columns of boards that can be played and are solved exactly."""

FORMULA_FROM = 16
"""The least shorter side for which the formula holds."""

_GAMMA = {
    1: (1, 1, 1, 2, 2, 2, 3, 3, 3, 4, 4, 4, 5, 5, 5, 6, 6, 6, 7),
    2: (2, 2, 3, 3, 4, 4, 5, 5, 6, 6, 7, 7, 8, 8, 9, 9, 10, 10),
    3: (3, 4, 4, 5, 6, 7, 7, 8, 9, 10, 10, 11, 12, 13, 13, 14, 15),
    4: (4, 6, 7, 7, 8, 10, 10, 11, 12, 13, 14, 15, 16, 17, 18, 19),
    5: (7, 8, 9, 11, 12, 13, 14, 16, 17, 18, 19, 20, 22, 23, 24),
    6: (10, 11, 12, 14, 16, 17, 18, 20, 21, 22, 24, 26, 27, 28),
    7: (12, 14, 16, 17, 19, 21, 22, 24, 26, 27, 29, 31, 32),
    8: (16, 18, 20, 22, 24, 26, 28, 29, 31, 33, 35, 37),
    9: (20, 22, 24, 26, 29, 31, 33, 35, 37, 39, 41),
    10: (24, 27, 29, 31, 34, 36, 38, 41, 43, 45),
    11: (29, 32, 35, 37, 40, 42, 45, 47, 50),
    12: (35, 38, 40, 43, 46, 49, 51, 54),
    13: (40, 44, 47, 49, 53, 55, 58),
    14: (47, 50, 53, 56, 60, 63),
    15: (53, 57, 60, 64, 67),
}
"""The shorter side -> gamma for each longer side from the shorter side to 19."""


_LONG = {
    1: (1, 2, 3, ()),
    2: (1, 2, 2, ()),
    3: (3, 4, 4, ()),
    4: (1, 0, 1, ()),
    5: (6, 8, 5, ()),
    6: (10, 12, 7, (1,)),
    7: (5, 3, 3, ()),
    8: (15, 14, 8, ()),
    9: (23, 20, 11, ()),
    10: (30, 27, 13, (10,)),
    11: (38, 36, 15, ()),
    12: (80, 66, 29, ()),
    13: (98, 86, 33, (13, 16, 18, 19)),
    14: (70, 60, 22, (7,)),
    15: (88, 80, 26, (5,)),
}
"""The shorter side -> rise, summand, period, remainders. For a longer side n from 20 on, gamma is
(rise * n + summand) / period rounded down, and 1 less if n leaves one of the remainders."""

_SMALLER_BY_ONE = {(11, 20), (11, 22), (11, 33)}
"""The (shorter, longer) sides, before the period of `_LONG` begins, for which gamma is 1 less."""


def most_strings(rows: int, columns: int) -> int:
    """Return the maximum on an empty rectangle. Rows and columns must be positive."""
    shorter, longer = sorted((rows, columns))
    if shorter >= FORMULA_FROM:
        return rows * columns - (rows + 2) * (columns + 2) // 5 + 4
    if longer <= LARGEST:
        return rows * columns - _GAMMA[shorter][longer - shorter]
    rise, summand, period, remainders = _LONG[shorter]
    is_smaller = longer % period in remainders or (shorter, longer) in _SMALLER_BY_ONE
    return rows * columns - (rise * longer + summand) // period + is_smaller


NO_GOAL = Message(
    "Write behind the board how many strings are asked for. For this board the maximum is "
    "not known before it is computed."
)
"""The message of a question about the goal if no goal is known."""

WIDEST = 10
"""The largest shorter side of boards that the judge searches for a goal that the start omits."""


def goal_of(position: Position) -> int | None:
    """Return the number of strings that solves the puzzle, or None if it is not known.

    It is the start's goal. Without one it is the maximum, if that is known without a long search:
    on whole rectangles, and on boards up to 10 wide for which a checkerboard form exists. A board
    without a known goal is for exploring and is never solved.
    """
    if position.goal is not None:
        return position.goal
    if all(letter == FREE for row in position.points for letter in row):
        return most_strings(position.rows, position.columns)
    if min(position.rows, position.columns) > WIDEST:
        return None
    return most_stones(position.points)


def optimum(board: Board) -> int | None:
    """Return the most strings on a board, or None if they are not certain without a long search.

    They are certain on whole rectangles, and on boards up to 10 wide where a checkerboard form has
    as many as any board.
    """
    if all(letter == FREE for row in board for letter in row):
        return most_strings(len(board), len(board[0]))
    if min(len(board), len(board[0])) > WIDEST:
        return None
    most = most_stones(board)
    return most if most == bound(board) else None


def phases(board: Board) -> list[int]:
    """Return the checkerboards that the stones' colours fit.

    On checkerboard 0 black stands where row + column is even, and on checkerboard 1 white does.
    """
    seen = {
        (row + column + STONES.index(letter)) % 2
        for row, letters in enumerate(board)
        for column, letter in enumerate(letters)
        if letter in STONES
    }
    return [phase for phase in (0, 1) if seen <= {phase}]


@lru_cache(256)
def are_forms(board: Board) -> bool:
    """Return whether every solution that contains the stones of a board is a checkerboard form."""
    return bool(phases(board)) and not any(
        board[row][column] == EITHER and board[r][c] in (*STONES, EITHER)
        for row, column in cells(board)
        for r, c in neighbours((row, column), len(board), len(board[0]))
    )


@lru_cache(256)
def most_stones(board: Board) -> int | None:
    """Return the most stones of a checkerboard form, or None if there is none.

    The letters of the frontier are those of `checkerboard`: 0 for an empty point, 1 for a content
    stone or no point, 2 for a needy stone.
    """
    if not phases(board):
        return None
    if len(board[0]) > len(board):
        board = tuple(map("".join, zip(*board)))
    width = len(board[0])
    # A word is a number whose base-3 digits are its letters. A set of words is an integer with a
    # bit for each. `found[k]` are the words with `k` empty points so far and no cheaper way.
    rows_found = [1 << sum(3**column for column in range(width))]
    for row in board:
        for column, letter in enumerate(row):
            after = [0] * (len(rows_found) + 1)
            for k, words in enumerate(rows_found):
                if not words:
                    continue
                empty, stone = _extended(words, letter, column, width)
                after[k + 1] |= empty
                after[k] |= stone
            seen = 0
            for k, words in enumerate(after):
                after[k] = words & ~seen
                seen |= words
            rows_found = after
    needy = 0
    for column in range(width):
        needy |= _having(2, column, width)
    least = next((k for k, words in enumerate(rows_found) if words & ~needy), None)
    points = sum(letter != HOLE for row in board for letter in row)
    return None if least is None else points - least


def _extended(words: int, letter: str, column: int, width: int) -> tuple[int, int]:
    """Return the words made from these if the point is left empty, and if it is a stone or no
    point. Each letter of the frontier describes the last point in its column."""
    unit = 3**column
    below = words & _having(0, column, width)
    content = (words & _having(1, column, width)) >> unit
    needy = (words & _having(2, column, width)) >> 2 * unit
    empty = stone = 0
    if letter in (FREE, EMPTY):
        empty = below | content | needy
        if column:
            served = empty & _having(2, column - 1, width)
            empty = empty & ~served | served >> unit // 3
    if letter == HOLE:
        stone = (below | content) << unit
    elif letter != EMPTY:
        breathes = content & _having(0, column - 1, width) if column else 0
        stone = (below | breathes) << unit | (content ^ breathes) << 2 * unit
    return empty, stone


@cache
def _having(letter: int, column: int, width: int) -> int:
    """Return the set of the words with a letter in a column."""
    unit: int = 3**column
    words, length = ((1 << unit) - 1) << letter * unit, 3 * unit
    for _ in range(column + 1, width):
        words |= words << length | words << 2 * length
        length *= 3
    return words


def bound(board: Board) -> int:
    """Return a number of strings that no board with these points exceeds.

    Up to 10 wide it is exact for any clues: if one suitable stone of each string of a board is
    kept, each still has a liberty, and these stones make a checkerboard form. On wider boards it
    follows from the fact that an empty point serves at most five points.
    """
    freed = tuple("".join(p if p in (EMPTY, HOLE) else FREE for p in row) for row in board)
    if all(letter == FREE for row in freed for letter in row):
        return most_strings(len(board), len(board[0]))
    if min(len(board), len(board[0])) <= WIDEST:
        most = most_stones(freed)
        if most is not None:
            return most
    points = sum(letter != HOLE for row in board for letter in row)
    barred = sum(letter == EMPTY for row in board for letter in row)
    return min(points - -(-points // 5), points - barred)
