"""Threads that share the work on one answer, for compiled code that releases the GIL (`nogil`)."""

import os
from collections.abc import Callable, Sequence
from concurrent.futures import ThreadPoolExecutor
from types import TracebackType
from typing import Self, TypeVar

from solvers.kind import PuzzleError

S = TypeVar("S")
R = TypeVar("R")

VARIABLE = "SOLVER_THREADS"
MAX_THREADS = 64


def read_setting() -> int:
    """Return the number of threads that the environment sets, or the number of cores that this
    process may use.

    Raise PuzzleError if the setting is invalid.
    """
    text = os.environ.get(VARIABLE)
    if not text:
        return min(_cores(), MAX_THREADS)
    if not text.isascii() or not text.isdecimal() or not 1 <= int(text) <= MAX_THREADS:
        raise PuzzleError(
            "{name} must be a whole number from {least} to {most}, not “{text}”.",
            name=VARIABLE,
            least=1,
            most=MAX_THREADS,
            text=text,
        )
    return int(text)


def _cores() -> int:
    # macOS can't tell which cores this process may use.
    return len(os.sched_getaffinity(0)) if hasattr(os, "sched_getaffinity") else os.cpu_count() or 1


THREADS = read_setting()
"""The default number of threads of one count."""


class Threads:
    """A group of threads with the current one among them. The others start when they are needed."""

    def __init__(self, number: int) -> None:
        self.number = number
        self._others: ThreadPoolExecutor | None = None

    def __enter__(self) -> Self:
        return self

    def __exit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        trace: TracebackType | None,
    ) -> None:
        if self._others:
            self._others.shutdown()

    def map(self, task: Callable[[S], R], shares: Sequence[S]) -> list[R]:
        """Return the task's results for the shares, in the order of the shares.

        A thread that has finished a share takes the next one. All threads have stopped working
        when this method returns or raises a task's exception.
        """
        threads = min(self.number, len(shares))
        if threads < 2:
            return [task(share) for share in shares]
        left = iter(enumerate(shares))
        results: dict[int, R] = {}

        def take_on() -> None:
            for number, share in left:
                results[number] = task(share)

        self._others = self._others or ThreadPoolExecutor(self.number - 1)
        others = [self._others.submit(take_on) for _ in range(threads - 1)]
        try:
            take_on()
        finally:
            errors = [other.exception() for other in others]
        for error in filter(None, errors):
            raise error
        return [results[number] for number in range(len(shares))]
