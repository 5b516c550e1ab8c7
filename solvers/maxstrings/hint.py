"""The questions `hint` and `review`: whether the goal can be reached, and where it was lost."""

from msgspec.structs import replace

from solvers.answers import Exact, HintAnswer, ReviewAnswer
from solvers.grid import CLEAR, write_cell
from solvers.hint import ALIVE, NEXT, UNKNOWN, moves_to_keep, stages_of
from solvers.kind import Kind
from solvers.maxstrings.best import BestBoard, find, reaches
from solvers.maxstrings.maximum import NO_GOAL, goal_of, most_strings
from solvers.maxstrings.rules import EITHER, FREE, Move, Position, around, merged
from solvers.message import Message
from solvers.question import Progress, Run, relayed, within
from solvers.reasons import reason_of

WIDEST = 14
"""The largest shorter side of the boards that are searched after every step, which takes a tenth of
a second. 19x19 would take ten seconds."""

SEARCH_SECONDS = 1.0
"""The most seconds for one search after a step."""

_REACHABLE = Message("The strings asked for can be reached.")
_LIVE = Message("The strings asked for can still be reached.")
_LOST = Message("With the stones on the board, the strings asked for can't be reached any more.")
_ILLEGAL = Message("With the stones on the board, no legal board can be reached.")
_NEVER = Message("The strings asked for can't be reached on this board.")
_WIDE = Message("This board is too large to look ahead at once.")

_optimum_by_start: dict[Position, int] = {}
"""The start -> the most strings. A class plays few puzzles at a time, so few starts are kept."""

_MAX_OPTIMA = 100


def hint(kind: Kind[Position, Move], position: Position, *, level: str) -> Run[HintAnswer]:
    """Return help with the position, as much as the `level` (see `solvers.hint`) allows.

    The note has no numbers, because they would reveal the optimum. The move is a stone of a best
    board.
    """
    wanted = goal_of(position)
    if level == ALIVE and min(position.rows, position.columns) > WIDEST:
        return _hint_on_wide_board(position, wanted)
    best_answer = yield from _best(position, level)
    reach = best_answer.strings if best_answer and best_answer.proven else None
    optimum = yield from _optimum(kind.start(position), level)
    known = replace(UNKNOWN, goal=wanted, reach=reach, optimum=optimum)
    if wanted is None:
        return replace(known, note=NO_GOAL)
    live = yield from _is_live(position, wanted, best_answer)
    if live is None:
        return known
    if not live:
        lost = replace(known, value=Exact(0), proven=True, state="trapped", note=_NEVER)
        if not position.line:
            return lost
        note = _ILLEGAL if reach is None and best_answer and best_answer.proven else _LOST
        keep = yield from moves_to_keep(
            stages_of(kind, position), lambda stage: _is_live(stage, wanted)
        )
        why = None if level == ALIVE else (yield from reason_of(kind, position))
        return replace(lost, note=note, keep=keep, why=why)
    note = _LIVE if position.line else _REACHABLE
    known = replace(known, value=Exact(1), proven=True, state="live", note=note)
    if level == ALIVE or not best_answer or not best_answer.moves:
        return known
    moves = best_answer.moves[:1]
    cell = kind.cell_of(kind.read_move(moves[0]))
    near = around(merged(position), [cell], FREE + EITHER) | {cell}
    region = tuple(map(write_cell, sorted(near)))
    return replace(known, moves=moves if level == NEXT else (), region=region)


def _is_live(position: Position, wanted: int, best: BestBoard | None = None) -> Run[bool | None]:
    """Return whether the goal can be reached, or None if undecided. `best` is the best board, if it
    is known already."""
    if best is None:
        return (yield from within(reaches(position, wanted), SEARCH_SECONDS))
    return best.reaches(wanted)


def _hint_on_wide_board(position: Position, wanted: int | None) -> HintAnswer:
    """Return what is known about a large board without a search. Everything is known about a start
    without stones."""
    known = replace(UNKNOWN, note=_WIDE, goal=wanted)
    if any(letter != FREE for row in position.points for letter in row):
        return known
    most = most_strings(position.rows, position.columns)
    if position.line:
        return replace(known, optimum=most)
    return HintAnswer(
        Exact(1), note=_REACHABLE, state="live", goal=wanted, reach=most, optimum=most
    )


def _best(position: Position, level: str) -> Run[BestBoard | None]:
    """Return the best board that keeps the stones, or None if that would take long after a step."""
    if level == ALIVE:
        return (yield from within(find(position), SEARCH_SECONDS))
    return (yield from find(position))


def _optimum(start: Position, level: str) -> Run[int | None]:
    if start not in _optimum_by_start:
        best_answer = yield from _best(start, level)
        if best_answer is None or not best_answer.proven or best_answer.strings is None:
            return None
        if len(_optimum_by_start) >= _MAX_OPTIMA:
            _optimum_by_start.clear()
        _optimum_by_start[start] = best_answer.strings
    return _optimum_by_start[start]


def review(kind: Kind[Position, Move], position: Position) -> Run[ReviewAnswer]:
    """Find out where the line played to `position` lost the goal.

    The review of other kinds asks only for solutions. Here, the most strings left after each move
    tell more. They are None where they were not needed. Solutions are not counted.
    """
    wanted = goal_of(position)
    if wanted is None:
        return ReviewAnswer(None, proven=False, note=NO_GOAL)
    stages = stages_of(kind, position)
    reach: list[int | None] = [None] * len(stages)
    lost = yield from first_lost(stages, wanted, reach)
    value = 0 if lost == len(stages) else lost or None
    is_lost = lost is not None and lost < len(stages)
    why = (yield from reason_of(kind, stages[lost or 0])) if is_lost else None
    return ReviewAnswer(
        None if value is None else Exact(value),
        proven=lost is not None,
        left=(None,) * len(stages),
        reach=tuple(reach),
        goal=wanted,
        why=why,
    )


def first_lost(stages: list[Position], wanted: int, reach: list[int | None]) -> Run[int | None]:
    """Return the stage from which on no stage can reach the goal. Return len(stages) if the last
    one can, and None if a search was not decided. Store the scores found in `reach`.

    As long as stones are only added, a lost goal stays lost, so such a run of stages is searched by
    bisection. Before a stone was cleared or recoloured, the goal may have been in reach again, so
    the runs are examined from the last one backwards.
    """
    # The progress that a search reports concerns only a part of this question.
    report = Progress(0, len(stages) - 1)

    def is_live(stage: int) -> Run[bool | None]:
        best_answer = yield from relayed(find(stages[stage]), lambda _: report)
        reach[stage] = best_answer.strings if best_answer.proven else None
        return best_answer.reaches(wanted)

    last = len(stages) - 1
    while last >= 0:
        live = yield from is_live(last)
        if live or live is None:
            return last + 1 if live else None
        first = last
        while first and _adds(stages[first - 1], stages[first].line[-1]):
            first -= 1
        low, high = first - 1, last
        while low + 1 < high:
            stage = first if low < first else (low + high) // 2
            live = yield from is_live(stage)
            if live is None:
                return None
            low, high = (stage, high) if live else (low, stage)
        if low >= first:
            return high
        last = first - 1
    return 0


def _adds(position: Position, move: Move) -> bool:
    """Return whether the move sets a stone on a free point."""
    row, column = move.cell
    return move.tool != CLEAR and position.now[row][column] == FREE
