"""The question `review`: which move of a line gave away the last solution. It suits every kind.

It asks the kind's own `solve` and `count`. In a sequence, a line that has lost its last solution
never regains one, so the move is found by bisection with about log2(moves) searches. In a
placement, where pieces can be taken back, the stages are examined from the last one backwards. The
move is then the one after the last stage that could still be solved.
"""

import time
from collections.abc import Hashable
from typing import Any

from solvers.answers import Exact, ReviewAnswer
from solvers.hint import stages_of
from solvers.kind import Kind
from solvers.message import Message
from solvers.question import Progress, Run, within
from solvers.reasons import reason_of

SEARCH_SECONDS = 10
"""The limit of one search, in seconds. An undecided position leaves the review undecided."""

COUNT_SECONDS = 3.0
"""The limit of all counts together, in seconds."""


def review(
    kind: Kind[Any, Any], position: Hashable, *, count_seconds: float = COUNT_SECONDS
) -> Run[ReviewAnswer]:
    """Find the move after which the line played to `position` had no solution any more.

    The solutions left after each move are counted from the end of the line backwards, for
    `count_seconds` in all.
    """
    stages = stages_of(kind, position)
    moves = len(stages) - 1
    first_lost = yield from _first_lost(kind, stages)
    if first_lost is None:
        note = Message(
            "The search reached no answer within {seconds} s.", {"seconds": SEARCH_SECONDS}
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
    why = yield from reason_of(kind, stages[first_lost])
    return ReviewAnswer(Exact(first_lost) if first_lost else None, left=tuple(left), why=why)


def _first_lost(kind: Kind[Any, Any], stages: list[Hashable]) -> Run[int | None]:
    """Return the first stage from which on no stage has a solution. Return len(stages) if the last
    stage has one, and None if that was not decided."""
    low, high = -1, len(stages)
    stage = high - 1
    takes_back = kind.family == "placement"
    # The progress that a search reports concerns only a part of this question.
    progress = Progress(0, len(stages) - 1)
    while low + 1 < high:
        run = kind.questions["solve"].ask(kind, stages[stage])
        answer = yield from within(run, SEARCH_SECONDS, lambda _: progress)
        if answer is None or not answer.proven:
            return None
        if answer.value:
            low = stage
        else:
            high = stage
        stage = high - 1 if takes_back else (low + high) // 2
    return high
