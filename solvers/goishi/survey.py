"""The question `survey`: what random boards are like, by their number of stones.

The question that the school's study asks of its random boards, without its flaw of drawing a
point twice: how often can they be solved, how many solutions have they, how hard are they?
"""

import math
import random
import statistics
from collections.abc import Iterator
from itertools import combinations

import numpy as np

from solvers.goishi import kernels
from solvers.goishi.capped import evaluate, work
from solvers.goishi.order import refuse_survey
from solvers.goishi.rules import Position
from solvers.kind import Answer, Cell, Kind, Progress, Run
from solvers.message import Message

RATED = 20
"""Solvable boards of each number of stones whose difficulty is measured."""

_NODES = 2_000_000
"""Search nodes for one board: a fraction of a second."""

_CAP = 1 << 60


def survey(
    kind: Kind[Position, Cell],
    position: Position,
    *,
    size: list[int],
    stones: list[int],
    boards: int,
    seed: int,
) -> Run:
    """Ask what random boards are like; the position does not matter.

    `size` is [rows, columns], `stones` [least, most], `boards` how many random boards of each
    number of stones are looked at; where no more exist, all of them. The same seed looks at
    the same boards. Value: the number of boards looked at. details, also of every sign of
    life: `survey`, for each number of stones `stones`, `boards`, `is_all` (whether these are
    all there are), `solvable`, `unique`, `undecided` (boards of which not even that is known),
    `median` (of the numbers of solutions of the solvable boards, null without any),
    `is_bound` (whether the median is only a lower bound), `careful_level` and `random_level`
    (see `rate`; means over up to `RATED` solvable boards, null without any).
    Raises PuzzleError at once for more stones than the board has points.
    """
    rows, columns = size
    least, most = stones
    refuse_survey(position, size=size, stones=stones)
    numbers = range(least, min(most, rows * columns, kernels.MOST_STONES) + 1)
    found: list[dict[str, object]] = []
    looked_at = 0
    for done, number in enumerate(numbers):
        note = Message("Boards with this many stones: {stones}", {"stones": number})
        row = _Row(number, min(boards, math.comb(rows * columns, number)))
        looking = row.look(kind, rows, columns, random.Random(f"{seed} {number}"))
        for _ in looking:
            yield Progress(done, len(numbers), note, details={"survey": list(found)})
        found.append(row.details())
        looked_at += row.boards
    return Answer(looked_at, details={"survey": found})


class _Row:
    """What the boards with one number of stones are like."""

    def __init__(self, stones: int, boards: int) -> None:
        self.stones = stones
        self.boards = boards
        """How many there are to look at."""
        self._counts: list[int] = []
        self._levels: list[tuple[float, float]] = []
        self._undecided = 0
        self._is_bound = False
        self._is_all = False

    def look(
        self, kind: Kind[Position, Cell], rows: int, columns: int, rng: random.Random
    ) -> Iterator[Progress]:
        """Look at the boards, with signs of life."""
        points = rows * columns
        self._is_all = self.boards == math.comb(points, self.stones)
        arrays = work()
        for cells in _boards(points, self.stones, self.boards, rng):
            yield Progress(0, 1)
            taken = np.zeros(points, np.bool_)
            taken[list(cells)] = True
            count, exact, _ = evaluate(taken, columns, arrays, _CAP, _NODES)
            self._is_bound |= not exact
            self._undecided += not count and not exact
            if count:
                self._counts.append(int(count))
            if count and exact and len(self._levels) < RATED:
                board = Position(rows, columns, sum(1 << cell for cell in cells))
                rated = yield from kind.questions["rate"].ask(kind, board)
                if rated.value is not None:
                    levels = rated.details["careful_level"], rated.details["random_level"]
                    self._levels.append(levels)

    def details(self) -> dict[str, object]:
        """Return what was found, as in the answer's details."""
        counts = self._counts
        careful, lucky = zip(*self._levels) if self._levels else ((), ())
        return {
            "stones": self.stones,
            "boards": self.boards,
            "is_all": self._is_all,
            "solvable": len(counts),
            "unique": counts.count(1),
            "undecided": self._undecided,
            "median": str(statistics.median_low(counts)) if counts else None,
            "is_bound": self._is_bound,
            "careful_level": round(statistics.fmean(careful), 3) if careful else None,
            "random_level": round(statistics.fmean(lucky), 3) if lucky else None,
        }


def _boards(points: int, stones: int, boards: int, rng: random.Random) -> Iterator[tuple[int, ...]]:
    """Yield the points that bear stones, for all boards or for so many random ones."""
    if math.comb(points, stones) <= boards:
        # In random order: the first ones are rated, and must not be of one sort.
        everything = list(combinations(range(points), stones))
        yield from rng.sample(everything, len(everything))
        return
    for _ in range(boards):
        yield tuple(rng.sample(range(points), stones))
