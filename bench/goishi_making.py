"""Goishi Hiroi: making boards."""

import time
from statistics import median

from bench.timing import Length, seconds, table
from solvers.goishi import Goishi
from solvers.question import finish

KIND = Goishi()
QUESTION = KIND.questions["generate"]

ORDERS = (
    ("12 on 5x5, 1 solution", {"stones": [12, 12], "size": [5, 5], "solutions": [1, 1]}),
    ("20 on 8x8, 1 solution", {"stones": [20, 20], "size": [8, 8], "solutions": [1, 1]}),
    ("30 on 10x10, 1 solution", {"stones": [30, 30], "size": [10, 10], "solutions": [1, 1]}),
    ("20 on 8x8, 100 solutions", {"stones": [20, 20], "size": [8, 8], "solutions": [100, 100]}),
    ("20 on 8x8, 1 solution, very hard",
     {"stones": [20, 20], "size": [8, 8], "solutions": [1, 1], "band": [4, 4]}),
    ("14 in an 8x8 ring, 1 solution",
     {"stones": [14, 14], "size": [8, 8], "shape": "ring", "solutions": [1, 1]}),
    ("20 on 8x8, left and right alike, 2 solutions",
     {"stones": [20, 20], "size": [8, 8], "look": "left-right", "solutions": [2, 2]}),
)  # fmt: skip

SEEDS = (range(1), range(9), range(9))
"""By the length of the run."""

TEXT = """## Goishi Hiroi: making boards

One board to order, with its count, difficulty and a solution; the median and the longest of nine
seeds. “Very hard” throws boards of other bands away.
"""


def section(length: Length) -> str:
    """Measure; return the text and the table."""
    orders = ORDERS[: None if length else 2]
    made = [[name, *_times(order, SEEDS[length])] for name, order in orders]
    return f"{TEXT}\n{table(['board', 'median', 'longest'], made)}\n"


def _times(order: dict[str, object], seeds: range) -> list[str]:
    times = []
    for seed in seeds:
        began = time.perf_counter()
        answer = finish(QUESTION.ask(KIND, KIND.read(QUESTION.position), **order, seed=seed))
        times.append(time.perf_counter() - began)
        if not answer.proven:
            raise AssertionError(f"no board for {order}")
    return [seconds(median(times)), seconds(max(times))]
