"""How the tables are measured and written."""

import time
from collections.abc import Callable, Sequence
from enum import IntEnum
from typing import TypeVar

T = TypeVar("T")


class Length(IntEnum):
    """How much is measured; also the place in what goes by it: (short, usual, long)."""

    SHORT = 0
    """A little of everything, to see that it works: some seconds."""
    USUAL = 1
    """What the page shows: about eight minutes on two quiet cores."""
    LONG = 2
    """The largest boards as well."""


def measure(task: Callable[[], T], enough: float = 0.2) -> tuple[T, float]:
    """Return the task's result and the shortest of its times in seconds.

    It is run again until `enough` seconds have gone by: what takes less than a thousandth of
    a second, some hundred times, so that its time is not that of an interruption.
    """
    times: list[float] = []
    while True:
        began = time.perf_counter()
        result = task()
        times.append(time.perf_counter() - began)
        if sum(times) > enough:
            return result, min(times)


def on_threads(task: Callable[[int], T], turns: int) -> tuple[T, list[str]]:
    """Return the result of a task that is told its number of threads, and as cells of a table the
    shortest of its times on one thread, on two, and their ratio.

    The numbers take turns, so that other work on the machine slows both down alike.
    """
    results: dict[int, T] = {}
    times: dict[int, list[float]] = {1: [], 2: []}
    for _ in range(turns):
        for threads, taken in times.items():
            began = time.perf_counter()
            results[threads] = task(threads)
            taken.append(time.perf_counter() - began)
    check(results[2], results[1])
    one, two = map(min, times.values())
    return results[1], [seconds(one), seconds(two), ratio(one, two)]


def check(found: object, expected: object) -> None:
    """Raise AssertionError unless the programs agree."""
    if found != expected:
        raise AssertionError(f"the programs disagree: {found} and {expected}")


def seconds(value: float | None) -> str:
    """Return a time with two figures that count, or a dash where nothing was measured."""
    if value is None:
        return "–"
    if value < 1:
        return f"{value * 1000:.2g} ms" if value < 0.0995 else f"{value * 1000:.0f} ms"
    return f"{value:.1f} s"


def ratio(slow: float | None, fast: float) -> str:
    """Return how many times faster, with two figures that count."""
    if slow is None:
        return "–"
    times = slow / fast
    return f"{times:.1f}" if times < 10 else f"{float(f'{times:.2g}'):,.0f}"


def table(head: Sequence[str], rows: Sequence[Sequence[str]]) -> str:
    """Return a Markdown table with its columns right-aligned."""
    lines = [head, ["--:"] * len(head), *rows]
    return "\n".join("| " + " | ".join(line) + " |" for line in lines)
