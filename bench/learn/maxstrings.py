"""Max Strings: the maximum of square boards, by the search and by comparing all checkerboards."""

from time import process_time

from puzzleclass.learn.figures import BestStrings, MaxStringsFigures
from solvers.maxstrings import KIND, maximum
from solvers.maxstrings.maximum import LARGEST
from solvers.question import finish
from solvers.warm import warm


def figures(largest: int = LARGEST) -> MaxStringsFigures:
    """Return the figures of boards up to so many lines, times in seconds of a processor."""
    warm()
    return MaxStringsFigures(tuple(best(n) for n in range(1, largest + 1)))


def best(n: int) -> BestStrings:
    """Return the most strings on n lines; where both can say, the two ways agree."""
    board = KIND.read(f"{n}x{n}")
    began = process_time()
    answer = finish(KIND.questions["best"].ask(KIND, board))
    seconds = process_time() - began
    assert answer.proven
    compared = maximum.most_stones(("." * n,) * n) if n <= maximum.WIDEST else None
    assert compared in (None, answer.value)
    return BestStrings(n, int(answer.value), float(f"{seconds:.2g}"), compared)
