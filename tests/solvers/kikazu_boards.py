"""Boards of the non-attacking pieces for the tests, and all their solutions by a slow reference."""

import random
from itertools import combinations

from solvers.kikazu.rules import PIECES, Position
from solvers.kikazu.search import Search

FULL_SET = "9/9/9/9/9/9/9/9/9 2R2B2K4G4S4N4L18P"


def board(columns: int, rows: int, hand: str) -> str:
    """Return the text of an empty board with these pieces in hand."""
    return f"{'/'.join([str(columns)] * rows)} {hand}"


STEPS = {
    "R": ([1, -1, 1j, -1j], 9),
    "B": ([1 + 1j, 1 - 1j, -1 + 1j, -1 - 1j], 9),
    "L": ([-1j], 9),
    "K": ([1, -1, 1j, -1j, 1 + 1j, 1 - 1j, -1 + 1j, -1 - 1j], 1),
    "G": ([1, -1, 1j, -1j, 1 - 1j, -1 - 1j], 1),
    "S": ([-1j, 1 + 1j, 1 - 1j, -1 + 1j, -1 - 1j], 1),
    "N": ([1 - 2j, -1 - 2j], 1),
    "P": ([-1j], 1),
}
"""Piece -> its directions (x to the right, y downwards) and its longest distance: a second
statement of the moves of shogi."""


def peaceful(pieces: dict[complex, str]) -> bool:
    """Return whether no piece could capture another by the moves of shogi, where pieces block."""
    for here, piece in pieces.items():
        steps, far = STEPS[piece]
        for step in steps:
            if any(here + step * distance in pieces for distance in range(1, far + 1)):
                # The first piece on the way is captured, so those behind it don't matter.
                return False
    return True


def reference(position: Position) -> list[dict[complex, str]]:
    """Return all solutions of a start, found by `STEPS` and `peaceful` alone."""
    given, free = {}, []
    for index, sign in enumerate(position.board):
        point = complex(index % position.columns, index // position.columns)
        if sign == ".":
            free.append(point)
        elif sign != "-":
            given[point] = sign
    hand = [piece for piece, number in zip(PIECES, position.hand) for _ in range(number)]
    found = []

    def go_on(pieces: dict[complex, str], left: list[str]) -> None:
        if not peaceful(pieces):
            return
        if not left:
            found.append(pieces)
            return
        number = left.count(left[0])
        rest = [point for point in free if point not in pieces]
        for points in combinations(rest, number):
            go_on(pieces | dict.fromkeys(points, left[0]), left[number:])

    go_on(given, hand)
    return found


def middling(seed: int) -> Position:
    """Return a start that is more crowded than a sample, with every kind of piece possible."""
    rng = random.Random(seed)
    rows, columns = rng.randint(3, 4), rng.randint(3, 5)
    hand = [0] * len(PIECES)
    for _ in range(rng.randint(3, rows * columns // 2)):
        hand[rng.choice([0, 1, 2, 3, 4, 5, 6, 7, 7, 7, 6])] += 1
    given = ["."] * (rows * columns)
    for _ in range(rng.randrange(3)):
        given[rng.randrange(len(given))] = "-"
    return Position(rows, columns, "".join(given), tuple(hand))


def run(search: Search) -> Search:
    """Run the search to its end and return it."""
    while not search.finished:
        search.go_on(500)
    return search
