"""Boards of Goishi Hiroi for questions."""

import random
from collections.abc import Container


def full(rows: int, columns: int) -> str:
    """Return a full board."""
    return "/".join(["o" * columns] * rows)


LONG = f"{full(5, 6)}/ooo..."
"""A board whose count takes some seconds."""
LONG_COUNT = 285_366_308
"""Its result, computed without any interruption."""
LONGER = f"{full(5, 6)}/ooooo."
"""A board whose count takes half a minute or more."""


def board_of(stones: Container[int], rows: int, columns: int) -> str:
    """Return the board with stones on these points, which are numbered row by row from 0."""
    signs = "".join(".o"[point in stones] for point in range(rows * columns))
    return "/".join(signs[row * columns :][:columns] for row in range(rows))


def random_board(rng: random.Random, rows: int, columns: int, stones: int) -> str:
    """Return a board with that many stones on random points."""
    return board_of(set(rng.sample(range(rows * columns), stones)), rows, columns)
