"""The study's search for non-attacking placements, written anew from its description.

The source is 松元隆二, 利かずの駒並べの全解探索 (2014), sections 4 to 7. The search places one
kind of piece after another in the study's order (飛 角 王 金 銀 歩 桂 香), and the pieces of a
kind on increasing squares, from the player's own side of the board forward. It skips attacked
squares, and keeps a count of the attacks on each square. It gives up a branch with fewer free
squares than pieces.
"""

from typing import NamedTuple

import numpy as np
from numba import njit

from solvers.kikazu.rules import PIECES, Position, attacks

ORDER = "RBKGSPNL"
PAWNS_LAST = "RBKLGSNP"
"""The order with which the study compares its own: it is said to be 2 to 3 times slower."""


def count_in_python(start: Position) -> int:
    """Return the number of ways to place the hand on an empty board, mirror images included."""
    rows, columns = start.rows, start.columns
    squares = [(row, column) for row in range(rows - 1, -1, -1) for column in range(columns)]
    number = {cell: at for at, cell in enumerate(squares)}
    reach = {
        piece: [
            [number[there] for there in attacks(piece, cell, rows, columns)] for cell in squares
        ]
        for piece in PIECES
    }
    hand = dict(zip(PIECES, start.hand))
    pieces = [piece for piece in ORDER for _ in range(hand[piece])]
    attacked = [0] * len(squares)
    taken = [False] * len(squares)

    def place(at: int, first: int, free: int) -> int:
        if at == len(pieces):
            return 1
        if free < len(pieces) - at:
            return 0
        piece, total = pieces[at], 0
        for square in range(first, len(squares)):
            if attacked[square] or taken[square]:
                continue
            reached = reach[piece][square]
            if any(taken[there] for there in reached):
                continue
            lost = 1
            for there in reached:
                lost += not attacked[there]
                attacked[there] += 1
            taken[square] = True
            alike = at + 1 < len(pieces) and pieces[at + 1] == piece
            total += place(at + 1, square + 1 if alike else 0, free - lost)
            taken[square] = False
            for there in reached:
                attacked[there] -= 1
        return total

    return place(0, 0, len(squares))


class Searched(NamedTuple):
    """The result of a search, and the work that it took."""

    ways: int
    boards: int
    """Boards that the search came to, the empty one included."""


def search(start: Position, order: str = ORDER) -> Searched:
    """Run the same search compiled, with the kinds of piece in any order."""
    rows, columns = start.rows, start.columns
    squares = [(row, column) for row in range(rows - 1, -1, -1) for column in range(columns)]
    hand = dict(zip(PIECES, start.hand))
    pieces = [piece for piece in order for _ in range(hand[piece])]
    reached = np.zeros((len(pieces), len(squares), len(squares)), np.bool_)
    for at, piece in enumerate(pieces):
        for square, cell in enumerate(squares):
            for there in attacks(piece, cell, rows, columns):
                reached[at, square, squares.index(there)] = True
    lists = np.full((*reached.shape[:2], int(reached.sum(axis=2).max()) + 1), -1, np.int64)
    for at, square, there in zip(*np.nonzero(reached)):
        places = lists[at, square]
        places[np.argmin(places)] = there
    alike = np.array([one == other for one, other in zip(pieces, [*pieces[1:], ""])])
    return Searched(*_search(lists, alike))


@njit(cache=True)
def _search(lists, alike):
    """Return the number of ways and of boards. `lists[piece, square]` are the squares that the
    piece attacks from there, up to -1; `alike[piece]`, whether the next piece is of its kind."""
    pieces, squares, _ = lists.shape
    attacked = np.zeros(squares, np.int64)
    taken = np.zeros(squares, np.bool_)
    stands = np.full(pieces, -1, np.int64)
    following = np.zeros(pieces, np.int64)
    free = np.full(pieces + 1, squares, np.int64)
    ways, boards, at = 0, 1, 0
    while at >= 0:
        if stands[at] >= 0:
            taken[stands[at]] = False
            for there in lists[at, stands[at]]:
                if there < 0:
                    break
                attacked[there] -= 1
            stands[at] = -1
        square = _next_square(lists[at], following[at], attacked, taken)
        if square == squares:
            at -= 1
            continue
        boards += 1
        lost = 1
        for there in lists[at, square]:
            if there < 0:
                break
            lost += attacked[there] == 0
            attacked[there] += 1
        taken[square] = True
        stands[at], following[at] = square, square + 1
        free[at + 1] = free[at] - lost
        if at + 1 == pieces:
            ways += 1
        elif free[at + 1] >= pieces - at - 1:
            following[at + 1] = square + 1 if alike[at] else 0
            at += 1
    return ways, boards


@njit(cache=True)
def _next_square(lists, first, attacked, taken):
    """Return the next square, from `first` on, where the piece neither is attacked nor attacks;
    the number of squares if there is none."""
    for square in range(first, len(attacked)):
        if attacked[square] or taken[square]:
            continue
        is_quiet = True
        for there in lists[square]:
            if there < 0:
                break
            if taken[there]:
                is_quiet = False
                break
        if is_quiet:
            return square
    return len(attacked)
