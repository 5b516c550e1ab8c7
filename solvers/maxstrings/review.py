"""The question `review`: with which move a line left the boards that reach the goal.

The kinds' common review asks for solutions only; here the most strings that are left say more.
"""

from collections.abc import Generator

from solvers.hint import stages_of
from solvers.kind import Answer, Kind, Progress, Run
from solvers.maxstrings.best import Best, find
from solvers.maxstrings.plain import goal
from solvers.maxstrings.rules import Move, Position
from solvers.message import Message


def review(kind: Kind[Position, Move], position: Position) -> Run:
    """Ask where the line played to `position` lost the goal.

    Value: the number of that move, counted from 1; 0 while the goal can be reached; None when
    it never could, or, not proven, when a search was not decided. details: `left`, null for
    each position (solutions are not counted); `reach`, for 0, 1, ... moves the most strings that
    were left, null where that was not needed; `goal`.
    """
    wanted = goal(position)
    if wanted is None:
        return without_goal()
    stages = stages_of(kind, position)
    reach: list[int | None] = [None] * len(stages)
    lost = yield from first_lost(stages, wanted, reach)
    details = {"left": [None] * len(stages), "reach": reach, "goal": wanted}
    if lost is None:
        return Answer(None, proven=False, details=details)
    return Answer(0 if lost == len(stages) else lost or None, details=details)


def without_goal() -> Answer:
    """Return the answer to a question about the goal where none is known."""
    note = Message(
        "Write behind the board how many strings are asked for. For this board the maximum is "
        "not known before it is computed."
    )
    return Answer(None, proven=False, details={"note": note.to_json()})


def first_lost(
    stages: list[Position], wanted: int, reach: list[int | None]
) -> Generator[Progress, None, int | None]:
    """Return the stage with which the goal was lost; len(stages) while it is not, 0 when it never
    was in reach, None when a search was not decided.

    By halving, so that the last stage before it can reach the goal and it can't; who cleared
    points may have lost it more than once. What is found out goes into `reach`.
    """
    low, high = -1, len(stages)
    stage = high - 1
    while low + 1 < high:
        found = yield from _quietly(find(stages[stage]), len(stages) - 1)
        reach[stage] = found.strings if found.proven else None
        if found.strings is not None and found.strings >= wanted:
            if stage == len(stages) - 1:
                return len(stages)
            low = stage
        elif found.bound < wanted:
            high = stage
        else:
            return None
        stage = (low + high) // 2
    return high


def _quietly(run: Generator[Progress, None, Best], stages: int) -> Generator[Progress, None, Best]:
    """Pass signs of life on, but not what they say: it is about a part of this question."""
    while True:
        try:
            next(run)
        except StopIteration as end:
            found: Best = end.value
            return found
        yield Progress(0, stages)
