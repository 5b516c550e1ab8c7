"""The best checkerboard form in plain Python: for the judge, who must do without numpy, and as
the slow twin of `form`. 5 ms on 7 x 7, 0.05 s on 9 x 9, 0.1 s on 10 x 10.
"""

from functools import lru_cache

from solvers.maxstrings.known import most_strings
from solvers.maxstrings.rules import EMPTY, FREE, HOLE, STONES, Board, Position

WIDEST = 10
"""The shorter side of the boards that the judge looks through for a goal of his own."""


def goal(position: Position) -> int | None:
    """Return how many strings solve the puzzle.

    The start's mark. Without one the most there can be, as far as it is known without a long
    search: on whole rectangles, and on boards up to 10 wide for which a checkerboard form
    exists. None otherwise: such a board is for trying out, and never solved.
    """
    if position.mark is not None:
        return position.mark
    if all(letter == FREE for row in position.points for letter in row):
        return most_strings(position.rows, position.columns)
    if min(position.rows, position.columns) > WIDEST:
        return None
    return most_stones(position.points)


def optimum(board: Board) -> int | None:
    """Return the most strings on a board, where that is certain without a long search.

    On whole rectangles, and on boards up to 10 wide where a checkerboard form has as many as any
    board. None otherwise.
    """
    if all(letter == FREE for row in board for letter in row):
        return most_strings(len(board), len(board[0]))
    if min(len(board), len(board[0])) > WIDEST:
        return None
    most = most_stones(board)
    return most if most == bound(board) else None


def phases(board: Board) -> list[int]:
    """Return the checkerboards into which the stones' colours fit.

    On checkerboard 0 black stands where row + column is even, on 1 white does.
    """
    seen = {
        (row + column + STONES.index(letter)) % 2
        for row, letters in enumerate(board)
        for column, letter in enumerate(letters)
        if letter in STONES
    }
    return [phase for phase in (0, 1) if seen <= {phase}]


@lru_cache(256)
def most_stones(board: Board) -> int | None:
    """Return the most stones of a checkerboard form, or None when there is none.

    Letters of the frontier as in `frontier`: 0 empty, 1 content stone or no point, 2 needy stone.
    """
    if not phases(board):
        return None
    if len(board[0]) > len(board):
        board = tuple(map("".join, zip(*board)))
    width = len(board[0])
    # Words as integers, two bits a letter. Of words alike but for the last point the one with the
    # lower letter is the better: if it is no dearer, the other is left out.
    frontier = {sum(1 << 2 * column for column in range(width)): 0}
    for row in board:
        for column, letter in enumerate(row):
            here, left = 2 * column, 2 * column - 2
            after: dict[int, int] = {}
            for word, empty in frontier.items():
                above = word >> here & 3
                beside = word >> left & 3 if column else 1
                rest = word & ~(3 << here)
                if letter in (FREE, EMPTY):
                    new = rest ^ 3 << left if beside == 2 else rest
                    if after.get(new, 999) > empty + 1:
                        after[new] = empty + 1
                if letter != EMPTY and above != 2:
                    content = letter == HOLE or above == 0 or beside == 0
                    new = rest | (1 if content else 2) << here
                    if after.get(new, 999) > empty:
                        after[new] = empty
            step, mask = 1 << here, 3 << here
            frontier = {
                word: empty
                for word, empty in after.items()
                if not (word & mask and after.get(word - step, 999) <= empty)
            }
    needy = sum(2 << 2 * column for column in range(width))
    least = min((empty for word, empty in frontier.items() if not word & needy), default=None)
    points = sum(letter != HOLE for row in board for letter in row)
    return None if least is None else points - least


def bound(board: Board) -> int:
    """Return a number of strings that no board with these points exceeds.

    Exact, whatever stones are given, up to 10 wide: of the strings of any board single stones may
    be kept so that each still has a liberty, and these make a checkerboard form. On wider
    boards an empty point serves five points at most.
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
