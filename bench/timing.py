"""Helpers that measure times and write tables."""

import time
from collections.abc import Callable, Sequence
from enum import IntEnum
from typing import TypeVar

T = TypeVar("T")


class Length(IntEnum):
    """How much is measured. It is also the index into tuples of (short, usual, long)."""

    SHORT = 0
    """A little of everything, to see that it works. This takes some seconds."""
    USUAL = 1
    """Everything that the page shows. This takes about ten minutes on two quiet cores."""
    LONG = 2
    """Everything that the page shows, and the largest boards as well."""


_only_once = False


def measure_only_once() -> None:
    """Run every task only once from now on. The short form checks only that tasks work."""
    global _only_once
    _only_once = True


def measure(
    task: Callable[[], T], enough: float = 0.2, *, forget: Callable[[], object] | None = None
) -> tuple[T, float]:
    """Return the task's result and the shortest of its times in seconds.

    A task that keeps its result needs `forget`, which is called before each run and is not timed.
    Without it, the shortest time would be that of looking the result up.

    The task is repeated until `enough` seconds have passed. A task that takes less than a
    thousandth of a second runs some hundred times, so that an interruption does not decide its
    time.
    """
    times: list[float] = []
    while True:
        if forget:
            forget()
        began = time.perf_counter()
        result = task()
        times.append(time.perf_counter() - began)
        if _only_once or sum(times) > enough:
            return result, min(times)


def on_threads(task: Callable[[int], T], turns: int) -> tuple[T, list[str]]:
    """Return the result of a task that takes a number of threads, and the cells of a table.

    The cells are its shortest times on one thread and on two, and their ratio. Runs on one thread
    and on two alternate, so that other work on the machine slows both down alike.
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
    """Return a time with two significant figures, or a dash if nothing was measured."""
    if value is None:
        return "–"
    if value < 1:
        return f"{value * 1000:.2g} ms" if value < 0.0995 else f"{value * 1000:.0f} ms"
    return f"{value:.1f} s"


def ratio(slow: float | None, fast: float) -> str:
    """Return how many times faster the second time is, with two significant figures."""
    if slow is None:
        return "–"
    times = slow / fast
    return f"{times:.1f}" if times < 10 else f"{float(f'{times:.2g}'):,.0f}"


def table(head: Sequence[str], rows: Sequence[Sequence[str]]) -> str:
    """Return a Markdown table with its columns right-aligned."""
    lines = [head, ["--:"] * len(head), *rows]
    return "\n".join("| " + " | ".join(line) + " |" for line in lines)
