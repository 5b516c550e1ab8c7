"""Several threads for one answer: for compiled code that lets go of Python's lock (`nogil`)."""

import os
from collections.abc import Callable, Sequence
from concurrent.futures import ThreadPoolExecutor
from types import TracebackType
from typing import Self, TypeVar

from solvers.kind import PuzzleError

S = TypeVar("S")
R = TypeVar("R")

VARIABLE = "SOLVER_THREADS"
MOST_THREADS = 64


def setting() -> int:
    """Return the number that the environment sets; else that of the cores this process may use.

    Raises PuzzleError.
    """
    text = os.environ.get(VARIABLE)
    if not text:
        return min(_cores(), MOST_THREADS)
    if not text.isascii() or not text.isdecimal() or not 1 <= int(text) <= MOST_THREADS:
        raise PuzzleError(
            "{name} must be a whole number from {least} to {most}, not “{text}”.",
            name=VARIABLE,
            least=1,
            most=MOST_THREADS,
            text=text,
        )
    return int(text)


def _cores() -> int:
    # macOS can't say which of them this process may use.
    return len(os.sched_getaffinity(0)) if hasattr(os, "sched_getaffinity") else os.cpu_count() or 1


THREADS = setting()
"""Threads that one count works with, unless it is told otherwise."""


class Threads:
    """So many threads, this one among them; the others begin when they are first needed."""

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

    def each(self, task: Callable[[S], R], shares: Sequence[S]) -> list[R]:
        """Return what the task returns for each of the shares: a thread that is done with one takes
        the next. No share is worked on any more when this returns or raises what one has raised.
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
