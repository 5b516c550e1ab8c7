"""The figures about Max Strings: the maximum of square boards, computed in two ways."""

from time import process_time

from puzzleclass.studies.figures import BestStrings, MaxStringsFigures
from solvers.maxstrings import KIND, maximum
from solvers.maxstrings.maximum import LARGEST
from solvers.question import finish
from solvers.warm import warm


def figures(largest: int = LARGEST) -> MaxStringsFigures:
    """Return the figures of boards up to `largest` lines, with processor times in seconds."""
    warm()
    return MaxStringsFigures(tuple(best(n) for n in range(1, largest + 1)))


def best(n: int) -> BestStrings:
    """Return the maximum on n lines, by the search and, if n is small, by comparing checkerboards.

    Raises AssertionError if the two results differ.
    """
    board = KIND.read(f"{n}x{n}")
    began = process_time()
    answer = finish(KIND.questions["best"].ask(KIND, board))
    seconds = process_time() - began
    assert answer.proven
    compared = maximum.most_stones(("." * n,) * n) if n <= maximum.WIDEST else None
    assert compared in (None, answer.value)
    return BestStrings(n, int(answer.value), float(f"{seconds:.2g}"), compared)
