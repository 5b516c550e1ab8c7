"""Goishi Hiroi: our count beside the poster's, and the generation of boards."""

import random
import time
from collections.abc import Iterator
from functools import partial
from statistics import median

from bench.study_goishi import count_in_numba, count_in_python
from bench.timing import Length, check, measure, on_threads, ratio, seconds, table
from solvers.answers import CountAnswer
from solvers.goishi import Goishi, plain
from solvers.goishi.network import network
from solvers.goishi.rules import Position, cells
from solvers.question import finish
from solvers.warm import warm

KIND = Goishi()
SIZES = ((8, 5), (10, 5), (12, 6), (14, 6), (16, 8), (18, 8), (20, 8), (25, 10), (30, 8), (30, 10),
         (31, 9), (33, 9), (34, 10), (35, 10), (35, 8), (40, 10), (40, 9), (45, 10),
         (40, 8))  # fmt: skip
"""The number of stones and the side of each random board."""
FULL = ((3, 4), (4, 4), (4, 5), (5, 6), (6, 6))
"""The rows and columns of each full board."""
BOARDS = (1, 18, 19)
"""How many of `SIZES` and `FULL` are measured, by the length of the run."""

LARGEST_IN_PYTHON = 18
LARGEST_IN_NUMBA = 20
"""The most stones for which the poster's algorithm is run, in plain Python and compiled."""
LARGEST_PLAIN = 500_000
"""The most situations for which our own algorithm is run in Python."""

MEMORY = 6 << 30
"""The most bytes that a count may take here."""

OURS_AGAIN = (0.0, 1.0, 3.0)
"""For how many seconds our count is repeated, to find its shortest time, by the run's length."""

TEXT = """## Goishi Hiroi: counting all solutions

The school poster 碁石拾い counts with a table of all 2^n sets of picked stones, times n stones,
times 4 directions. `bench/study_goishi.py` is that algorithm written anew from the poster's
description, in plain Python as there and, so that the language does not decide, compiled by
numba as well. Ours (`solvers/goishi/count_kernels.py`) keeps only the sets that can be reached and
are not visibly dead, joins those that can't be told apart any more, and folds the board's
symmetries; “ours in Python” is the same without numba and without folding
(`solvers/goishi/plain.py`).

Random boards that have a solution, the full boards below them; one core, compiled code warm, the
shortest of several runs; all programs agree on every count. “–”: not measured, because it takes
too long or too much memory (the poster's table has 2^n · n · 4 numbers: 3 GB for 22 stones).
Ours also counts the solutions that begin with each stone and gives one solution; here it may
take 6 GB (2 GB otherwise, enough for all but the largest). Situations are counted when those
that are alike have been joined; “a second” are those that ours gets through, in millions. Where
they are few, most of the time goes into getting ready: about half a millisecond. The random
boards go on up to what ends within a minute, the largest only with `python -m bench --long`.
"""


THREADS_TEXT = """### On several cores

The same counts on one thread and on two (`SOLVER_THREADS`), measured in turn, the shortest of
several runs: all threads enter what they find into one hash table.
"""

TURNS = (1, 5, 5)
"""How often each number of threads is run, by the length of the run."""

ORDERS = (
    ("12 on 5x5, 1 solution", {"stones": [12, 12], "size": [5, 5], "solutions": [1, 1]}),
    ("20 on 8x8, 1 solution", {"stones": [20, 20], "size": [8, 8], "solutions": [1, 1]}),
    ("30 on 10x10, 1 solution", {"stones": [30, 30], "size": [10, 10], "solutions": [1, 1]}),
    ("36 on 10x10, 1 solution", {"stones": [36, 36], "size": [10, 10], "solutions": [1, 1]}),
    ("38 on 10x10, 1 solution", {"stones": [38, 38], "size": [10, 10], "solutions": [1, 1]}),
    ("20 on 8x8, 100 solutions", {"stones": [20, 20], "size": [8, 8], "solutions": [100, 100]}),
    ("20 on 8x8, 1 solution, very hard",
     {"stones": [20, 20], "size": [8, 8], "solutions": [1, 1], "band": [4, 4]}),
    ("14 in an 8x8 ring, 1 solution",
     {"stones": [14, 14], "size": [8, 8], "shape": "ring", "solutions": [1, 1]}),
    ("20 on 8x8, left and right alike, 2 solutions",
     {"stones": [20, 20], "size": [8, 8], "look": "left-right", "solutions": [2, 2]}),
)  # fmt: skip

SEEDS = (range(1), range(9), range(9))
"""The seeds of the generated boards, by the length of the run."""

MAKING_TEXT = """## Goishi Hiroi: making boards

One board to order, with its count, difficulty and a solution; the median and the longest of nine
seeds. “Very hard” throws boards of other bands away.
"""


def section(length: Length) -> str:
    """Measure, and return the section with its texts and tables."""
    warm()
    count_in_numba((0, 1), (0, 0))
    again = OURS_AGAIN[length]
    end = BOARDS[length]
    rows = [_row(f"{n} on {side}x{side}", solvable(n, side), again) for n, side in SIZES[:end]]
    rows += [_row(f"{r * c}, full {r}x{c}", _full(r, c), again) for r, c in FULL[:end]]
    head = ["stones", "solutions", "situations", "poster, Python", "poster, numba",
            "ours in Python", "ours", "a second", "poster, Python : ours", "poster, numba : ours",
            "ours in Python : ours"]  # fmt: skip
    two = ["stones", "solutions", "one thread", "two threads", "one : two"]
    large = {"full 5x6": _full(5, 6)}
    if length > Length.SHORT:
        large = {"full 6x6": _full(6, 6), "40 on 10x10": solvable(40, 10)}
    if length == Length.LONG:
        large["40 on 9x9"] = solvable(40, 9)
    threads = [_on_threads(name, position, TURNS[length]) for name, position in large.items()]
    made = [
        [name, *_times(order, SEEDS[length])] for name, order in ORDERS[: None if length else 2]
    ]
    making = f"{MAKING_TEXT}\n{table(['board', 'median', 'longest'], made)}\n"
    return f"{TEXT}\n{table(head, rows)}\n\n{THREADS_TEXT}\n{table(two, threads)}\n\n{making}"


def _full(rows: int, columns: int) -> Position:
    return KIND.read("/".join(["o" * columns] * rows))


def _row(name: str, position: Position, again: float) -> list[str]:
    stones = position.stones.bit_count()
    ours, our_time = measure(lambda: _count(position, 1), again)
    assert ours.proven and ours.value is not None and ours.states is not None
    states = ours.states
    xs, ys = zip(*((column, -row) for row, column in cells(position, position.stones)))
    python_time = numba_time = plain_time = None
    if stones <= LARGEST_IN_PYTHON:
        study_count, python_time = measure(lambda: count_in_python(xs, ys))
        check(study_count, ours.value)
    if stones <= LARGEST_IN_NUMBA:
        study_count, numba_time = measure(lambda: count_in_numba(xs, ys))
        check(study_count, ours.value)
    if states <= LARGEST_PLAIN:
        (study_count, _), plain_time = measure(
            lambda: finish(plain.ways(*network(position), 1 << 40))
        )
        check(study_count, ours.value)
    others = (python_time, numba_time, plain_time)
    return [
        name,
        f"{ours.value:,}",
        f"{states:,}",
        *(seconds(time) for time in (*others, our_time)),
        f"{states / our_time / 1e6:.2g}",
        *(ratio(time, our_time) for time in others),
    ]


def _on_threads(name: str, position: Position, turns: int) -> list[str]:
    answer, times = on_threads(partial(_count, position), turns)
    return [name, f"{answer.value:,}", *times]


def _count(position: Position, threads: int) -> CountAnswer:
    question = KIND.questions["count"]
    answer: CountAnswer = finish(question.ask(KIND, position, memory=MEMORY, threads=threads))
    return answer


def solvable(stones: int, side: int) -> Position:
    """Return a random board that has a solution."""
    return next(
        position
        for position in random_boards(stones, side)
        if finish(KIND.questions["solve"].ask(KIND, position)).value
    )


def random_boards(stones: int, side: int) -> Iterator[Position]:
    rng = random.Random(f"{stones} on {side}")
    while True:
        chosen = rng.sample(range(side * side), stones)
        yield Position(side, side, sum(1 << cell for cell in chosen))


def _times(order: dict[str, object], seeds: range) -> list[str]:
    question, times = KIND.questions["generate"], []
    for seed in seeds:
        began = time.perf_counter()
        answer = finish(
            question.ask(KIND, KIND.read(question.position), **order, many=1, seed=seed)
        )
        times.append(time.perf_counter() - began)
        if not answer.proven:
            raise AssertionError(f"no board for {order}")
    return [seconds(median(times)), seconds(max(times))]
