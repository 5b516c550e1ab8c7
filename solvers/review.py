"""The question `review`: which move of a line gave the last solution away. For every kind.

It asks the kind's own `solve` and `count`. Where moves stay, what a line has lost it never
wins back, so the move is found by halving: about log2(moves) searches. Where pieces can be
taken back, the stages are tried from the last one backwards, and the move is the one after
the last stage that could still be solved.
"""

import time
from collections.abc import Hashable
from typing import Any

from solvers.answers import Exact, ReviewAnswer
from solvers.hint import stages_of
from solvers.kind import Kind
from solvers.message import Message
from solvers.question import Progress, Run, within

SEARCH_SECONDS = 10
"""For one search. A position not decided by then leaves the review undecided."""

COUNT_SECONDS = 3.0
"""For all counts together."""


def review(
    kind: Kind[Any, Any], position: Hashable, *, count_seconds: float = COUNT_SECONDS
) -> Run[ReviewAnswer]:
    """Ask where the line played to `position` lost its last solution.

    The positions at the end of the line are counted first, for `count_seconds` in all.
    """
    stages = stages_of(kind, position)
    moves = len(stages) - 1
    first_lost = yield from _first_lost(kind, stages)
    if first_lost is None:
        note = Message(
            "Not decided: a search took longer than {seconds} s.", {"seconds": SEARCH_SECONDS}
        )
        return ReviewAnswer(None, proven=False, note=note, left=(None,) * len(stages))
    left: list[Exact | None] = [None] * first_lost + [Exact(0)] * (len(stages) - first_lost)
    deadline = time.monotonic() + count_seconds
    for stage in range(first_lost - 1, -1, -1):
        run = kind.questions["count"].ask(kind, stages[stage])
        counted = yield from within(run, deadline - time.monotonic(), lambda _: Progress(0, moves))
        if counted is None or not counted.proven:
            break
        left[stage] = counted.value
    if first_lost > moves:
        return ReviewAnswer(Exact(0), left=tuple(left))
    return ReviewAnswer(Exact(first_lost) if first_lost else None, left=tuple(left))


def _first_lost(kind: Kind[Any, Any], stages: list[Hashable]) -> Run[int | None]:
    """Return the first stage from which on none has a solution, len(stages) if the last one has
    one, None if undecided."""
    low, high = -1, len(stages)
    stage = high - 1
    takes_back = kind.family == "placement"
    # What a search says on the way is about a part of this question only.
    sign = Progress(0, len(stages) - 1)
    while low + 1 < high:
        run = kind.questions["solve"].ask(kind, stages[stage])
        answer = yield from within(run, SEARCH_SECONDS, lambda _: sign)
        if answer is None or not answer.proven:
            return None
        if answer.value:
            low = stage
        else:
            high = stage
        stage = high - 1 if takes_back else (low + high) // 2
    return high
