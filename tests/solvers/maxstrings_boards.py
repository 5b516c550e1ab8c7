"""Boards and known figures of Max Strings, for its tests."""

import random

from solvers.maxstrings import checkerboard
from solvers.question import finish

MSP = (0, 2, 6, 12, 18, 26, 37, 48, 61, 76, 92, 109, 129, 149, 172, 196, 221, 248, 277, 308, 340,
       373)  # fmt: skip
"""The maxima for n = 1, 2, ...: OEIS A104519 subtracted from n * n."""

FORMS = (1, 6, 10, 2, 22, 288, 2, 52, 32, 4, 32, 21600, 18, 540360)
"""The numbers of the best forms for n = 1, 2, ..."""

SEVEN = "xo.o.ox/.xoxox./xox.xox/o.oxo.o/xox.xox/.xoxox./xo.o.ox"
"""A board with 37 strings, where the study prints 36 as the most."""


def best_form(board):
    """Return the most stones of a checkerboard form on the board; None if no form fits."""
    found = finish(checkerboard.best_form(checkerboard.codes_of(board)))
    return found and found.stones


def free(rows: int, columns: int):
    """Return the rows of a board on which every point is free."""
    return ("." * columns,) * rows


def random_boards(seed: int, number: int, letters: str, largest: int):
    """Yield boards of these letters, with at most `largest` rows and columns."""
    rng = random.Random(seed)
    for _ in range(number):
        rows, columns = rng.randint(1, largest), rng.randint(1, largest)
        yield tuple("".join(rng.choices(letters, k=columns)) for _ in range(rows))
