"""Driving a question: to its end, or until the time is up."""

import time
from collections.abc import Callable, Generator
from contextlib import closing
from typing import TypeVar

from solvers.kind import Answer, Progress, Run

T = TypeVar("T")


def finish(
    run: Generator[Progress, None, T], show: Callable[[Progress], object] | None = None
) -> T:
    """Return what the run returns; `show` is called with every sign of life."""
    while True:
        try:
            progress = next(run)
        except StopIteration as end:
            result: T = end.value
            return result
        if show:
            show(progress)


def limited(run: Run, seconds: float) -> Run:
    """Pass a run on until the time is up.

    Then it is cancelled, and the answer is the lower bound it has proven, if any.
    """
    deadline = time.monotonic() + seconds
    at_least = None
    with closing(run):
        while time.monotonic() < deadline:
            try:
                progress = next(run)
            except StopIteration as end:
                answer: Answer = end.value
                return answer
            if progress.at_least is not None:
                at_least = progress.at_least
            yield progress
    return Answer(at_least, proven=False)
