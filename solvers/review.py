"""The question `review`: which move of a line gave the last solution away. For every kind.

It asks the kind's own `solve` and `count`. Where moves stay, what a line has lost it never
wins back, so the move is found by halving: about log2(moves) searches. Where pieces can be
taken back, the stages are tried from the last one backwards, and the move is the one after
the last stage that could still be solved.
"""

import time
from collections.abc import Generator, Hashable
from typing import Any

from solvers.asking import limited
from solvers.hint import stages_of
from solvers.kind import Answer, Kind, Progress, Run
from solvers.message import Message

SEARCH_SECONDS = 10
"""For one search. A position not decided by then leaves the review undecided."""

COUNT_SECONDS = 3.0
"""For all counts together."""


def review(
    kind: Kind[Any, Any], position: Hashable, *, count_seconds: float = COUNT_SECONDS
) -> Run:
    """Ask where the line played to `position` lost its last solution.

    Value: the number of that move, counted from 1; 0 when a solution is left or reached; None
    when there never was one, or, not proven, when a search was not decided. details["left"]:
    for 0, 1, ... moves the number of solutions left, null where it was not counted in time;
    the last positions are counted first.
    """
    stages = stages_of(kind, position)
    moves = len(stages) - 1
    first_lost = yield from _first_lost(kind, stages)
    if first_lost is None:
        note = Message(
            "Not decided: a search took longer than {seconds} s.", {"seconds": SEARCH_SECONDS}
        )
        details = {"left": [None] * len(stages), "note": note.to_json()}
        return Answer(None, proven=False, details=details)
    left: list[str | None] = [None] * first_lost + ["0"] * (len(stages) - first_lost)
    deadline = time.monotonic() + count_seconds
    for stage in range(first_lost - 1, -1, -1):
        run = kind.questions["count"].ask(kind, stages[stage])
        counted = yield from _within(limited(run, deadline - time.monotonic()), moves)
        if not counted.proven:
            break
        left[stage] = str(counted.value)
    value = 0 if first_lost > moves else first_lost or None
    return Answer(value, details={"left": left})


def _first_lost(
    kind: Kind[Any, Any], stages: list[Hashable]
) -> Generator[Progress, None, int | None]:
    """Return the first stage from which on none has a solution, len(stages) if the last one has
    one, None if undecided."""
    low, high = -1, len(stages)
    stage = high - 1
    takes_back = kind.family == "placement"
    while low + 1 < high:
        run = kind.questions["solve"].ask(kind, stages[stage])
        answer = yield from _within(limited(run, SEARCH_SECONDS), len(stages) - 1)
        if not answer.proven:
            return None
        if answer.value:
            low = stage
        else:
            high = stage
        stage = high - 1 if takes_back else (low + high) // 2
    return high


def _within(run: Run, moves: int) -> Run:
    """Pass signs of life on, but not what they say: it is about a part of this question."""
    while True:
        try:
            next(run)
        except StopIteration as end:
            answer: Answer = end.value
            return answer
        yield Progress(0, moves)
