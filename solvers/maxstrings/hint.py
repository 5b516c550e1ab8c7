"""The questions `hint` and `review`: can the goal still be reached, and where was it lost?"""

from collections.abc import Generator

from solvers.grid import neighbours, write_cell
from solvers.hint import ALIVE, NEXT, moves_to_keep, stages_of, undecided, within
from solvers.kind import Answer, Kind, Progress, Run
from solvers.maxstrings import rules
from solvers.maxstrings.best import Best, find, reaches
from solvers.maxstrings.maximum import goal_of, most_strings, without_goal
from solvers.maxstrings.rules import FREE, Move, Position
from solvers.message import Message

WIDEST = 14
"""The shorter side of the boards that are looked through after every step: a tenth of a second.
On 19x19 it is ten seconds."""

SECONDS = 1.0
"""For one search after a step."""

_REACHABLE = Message("The strings asked for can be reached.")
_LIVE = Message("The strings asked for can still be reached.")
_LOST = Message("With the stones that stand, the strings asked for can't be reached any more.")
_ILLEGAL = Message("With the stones that stand no legal board is left.")
_NEVER = Message("The strings asked for can't be reached on this board.")
_WIDE = Message("This board is too large to look ahead at once.")

_optima: dict[Position, int] = {}
"""Start -> the most strings. One class plays few puzzles at a time."""

_MOST_OPTIMA = 100


def hint(kind: Kind[Position, Move], position: Position, *, level: str) -> Run:
    """Ask for help with the position, as much as the `level` (of `solvers.hint`) allows.

    Value 1 while the goal can be reached by adding stones, 0 when not, None and not proven when
    that was not decided. details: `reach`, the most strings that are left, and `optimum`, the
    most of the start, each where it is known; `goal`; `state`, "live" or "trapped"; `note`, it in
    words, without numbers: they would tell the optimum. When lost: `keep`, how many of the moves
    played may stay (null when none of them is to blame, or that was not decided). From "region"
    on, when live: `region`, points (`row,column`) of which one gets a stone in a best board. At
    "next": the answer's move, that stone.
    """
    wanted = goal_of(position)
    if level == ALIVE and min(position.rows, position.columns) > WIDEST:
        return _wide(position, wanted)
    found = yield from _best(position, level)
    reach = found.strings if found and found.proven else None
    optimum = yield from _optimum(kind.start(position), level)
    details: dict[str, object] = {"goal": wanted, "reach": reach, "optimum": optimum}
    if wanted is None:
        note = without_goal().details["note"]
        return Answer(None, proven=False, details=details | {"note": note})
    live = yield from _is_live(position, wanted, found)
    if live is None:
        return undecided(**details)
    if not live:
        details |= {"state": "trapped", "keep": None, "note": _NEVER.to_json()}
        if position.line:
            note = _ILLEGAL if reach is None and found and found.proven else _LOST
            details["note"] = note.to_json()
            details["keep"] = yield from moves_to_keep(
                stages_of(kind, position), lambda stage: _is_live(stage, wanted)
            )
        return Answer(0, details=details)
    note = _LIVE if position.line else _REACHABLE
    details |= {"state": "live", "note": note.to_json()}
    if level == ALIVE or found is None:
        return Answer(1, details=details)
    moves = found.moves[:1]
    details["region"] = _region(position, kind.read_move(moves[0])) if moves else []
    return Answer(1, moves if level == NEXT else (), details=details)


def _is_live(
    position: Position, wanted: int, best: Best | None = None
) -> Generator[Progress, None, bool | None]:
    """Return whether the goal can be reached, None if undecided; `best` is what is known."""
    if best is None:
        return (yield from within(reaches(position, wanted), SECONDS))
    if best.strings is not None and best.strings >= wanted:
        return True
    return False if best.bound < wanted else None


def _wide(position: Position, wanted: int | None) -> Answer:
    """Return what is known of a large board without looking: all of a start without stones."""
    details: dict[str, object] = {"goal": wanted, "note": _WIDE.to_json()}
    if any(letter != FREE for row in position.points for letter in row):
        return Answer(None, proven=False, details=details)
    details["optimum"] = most_strings(position.rows, position.columns)
    if position.line:
        return Answer(None, proven=False, details=details)
    details |= {"reach": details["optimum"], "state": "live", "note": _REACHABLE.to_json()}
    return Answer(1, details=details)


def _best(position: Position, level: str) -> Generator[Progress, None, Best | None]:
    """Return the best board that keeps the stones, None where that would take long after a step."""
    if level == ALIVE:
        return (yield from within(find(position), SECONDS))
    return (yield from find(position))


def _optimum(start: Position, level: str) -> Generator[Progress, None, int | None]:
    if start not in _optima:
        found = yield from _best(start, level)
        if found is None or not found.proven or found.strings is None:
            return None
        if len(_optima) >= _MOST_OPTIMA:
            _optima.clear()
        _optima[start] = found.strings
    return _optima[start]


def _region(position: Position, move: Move) -> list[str]:
    """Return the open points at and around a move's point."""
    near = {move.cell, *neighbours(move.cell, position.rows, position.columns)}
    return [
        write_cell((row, column))
        for row, column in sorted(near)
        if rules.merged(position)[row][column] in (FREE, rules.EITHER)
    ]


def review(kind: Kind[Position, Move], position: Position) -> Run:
    """Ask where the line played to `position` lost the goal.

    Value: the number of that move, counted from 1; 0 while the goal can be reached; None when
    it never could, or, not proven, when a search was not decided. details: `left`, null for
    each position (solutions are not counted); `reach`, for 0, 1, ... moves the most strings that
    were left, null where that was not needed; `goal`.
    """
    wanted = goal_of(position)
    if wanted is None:
        return without_goal()
    stages = stages_of(kind, position)
    reach: list[int | None] = [None] * len(stages)
    lost = yield from first_lost(stages, wanted, reach)
    details = {"left": [None] * len(stages), "reach": reach, "goal": wanted}
    if lost is None:
        return Answer(None, proven=False, details=details)
    return Answer(0 if lost == len(stages) else lost or None, details=details)


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
