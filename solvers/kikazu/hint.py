"""The question `hint`: help for a student, from the mildest level to the plainest."""

from collections.abc import Iterable
from itertools import combinations
from time import monotonic

from msgspec.structs import replace

from solvers.answers import CountAnswer, Exact, HintAnswer
from solvers.grid import write_cell
from solvers.hint import ALIVE, LIVE, NEXT, UNKNOWN, moves_to_keep, stages_of
from solvers.kikazu import rules
from solvers.kikazu.count import count
from solvers.kikazu.rules import BARRED, EMPTY, Move, Position
from solvers.kikazu.search import Problem, Race, problem_of
from solvers.kikazu.solutions import moves, placements
from solvers.kind import Cell, Kind
from solvers.message import Message
from solvers.question import Run, limited

SECONDS = 3.0
"""Seconds for one search, and for the count that selects the best move."""

COUNT_SECONDS = 0.2
"""Seconds for the count that is made at every level once a solution has been found. The whole set
on 9x9 takes 0.1 s."""

_PLACEABLE = Message("All the pieces can be placed.")
_TRAPPED = Message("This can't be solved any more, though no piece attacks another.")
_DOOMED = Message("This can't be solved any more: a piece attacks another.")
_NEVER = Message("The pieces can't all be placed.")
_SEARCHED = Message("All ways to place them were ruled out by a search.")


def hint(kind: Kind[Position, Move], position: Position, *, level: str) -> Run[HintAnswer]:
    """Tell whether the position can be solved and, if the `level` of `solvers.hint` allows it, how.

    Returns a `HintAnswer`. The state is "trapped" when no solution is left, and "doomed" when a
    piece attacks another. `region` lists the free squares around a move with the most solutions,
    where these can be counted quickly. At the level "next", `moves` has that move. In a lost
    position it has instead the first piece to take back, of the fewest that must be taken back.
    """
    if kind.judge(position).solved:
        return HintAnswer(Exact(1), note=LIVE, state="live", left=Exact(1))
    problem = problem_of(position)
    if problem is None:
        return (yield from _lost(kind, position, level))
    race = yield from _decided(problem)
    solution = next(race.leader.leaves(), None)
    if solution is None:
        return (yield from _lost(kind, position, level)) if race.leader.finished else UNKNOWN
    live = HintAnswer(Exact(1), note=LIVE if position.line else _PLACEABLE, state="live")
    if level == ALIVE:
        until = race.seconds + COUNT_SECONDS
        while not race.leader.finished and race.seconds < until:
            yield race.step()
        return replace(live, left=Exact(race.leader.total)) if race.leader.finished else live
    counted = yield from limited(count(kind, position), SECONDS, CountAnswer)
    by_move = counted.by_move
    # Strong pieces come first in `PIECES`, and they decide the most.
    move = (
        max(by_move, key=lambda move: by_move[move])
        if by_move
        else moves(problem, next(placements(problem, solution)))[0]
    )
    return replace(
        live,
        moves=(move,) if level == NEXT else (),
        left=counted.value if counted.proven else None,
        sure=by_move[move] == counted.value if by_move else None,
        region=tuple(map(write_cell, _around(position, kind.cell_of(kind.read_move(move))))),
    )


def _decided(problem: Problem) -> Run[Race]:
    """Return the race of the two searches, stopped at a first solution, at the proof that there is
    none, or when the time is up."""
    race = Race(problem, keep=1)
    while not race.leader.finished and not race.leader.kept and race.seconds < SECONDS:
        yield race.step()
    return race


def _lost(kind: Kind[Position, Move], position: Position, level: str) -> Run[HintAnswer]:
    doomed = bool(rules.conflicts(position))
    lost = HintAnswer(Exact(0), state="doomed" if doomed else "trapped")
    if position.line:
        keep = yield from moves_to_keep(stages_of(kind, position), _is_live)
        lost = replace(lost, note=_DOOMED if doomed else _TRAPPED, keep=keep)
    else:
        counted = yield from limited(count(kind, position), SECONDS, CountAnswer)
        lost = replace(lost, note=_NEVER, reason=counted.note or _SEARCHED)
    if level == ALIVE:
        return lost
    wrong = yield from _fewest_removals(kind, position)
    take_back = (f"{BARRED} {wrong[0]}",) if wrong and level == NEXT else ()
    return replace(lost, moves=take_back, wrong=wrong)


def _is_live(position: Position) -> Run[bool | None]:
    problem = problem_of(position)
    if problem is None:
        return False
    race = yield from _decided(problem)
    return bool(race.leader.kept) or (False if race.leader.finished else None)


def _around(position: Position, cell: Cell) -> list[Cell]:
    return [
        (row, column)
        for row in range(cell[0] - 1, cell[0] + 2)
        for column in range(cell[1] - 1, cell[1] + 2)
        if position.holds((row, column)) and position.board[position.index((row, column))] == EMPTY
    ]


def _fewest_removals(kind: Kind[Position, Move], position: Position) -> Run[tuple[str, ...] | None]:
    """Return the squares of the pieces to take back so that the rest can be completed.

    They are as few as possible, and later pieces are preferred to earlier ones. Where `SECONDS` do
    not suffice to search all smaller sets, there may be more than necessary. Returns None where the
    start has no solution.
    """
    start = kind.start(position)
    if not (yield from _is_live(start)):
        return None
    placed = standing(position)
    until = monotonic() + SECONDS
    sufficient = yield from _sufficient_removals(kind, start, placed)
    for size in range(1, len(sufficient)):
        for removed in combinations(reversed(placed), size):
            if monotonic() > until:
                return _squares(sufficient)
            rest = [move for move in placed if move not in removed]
            if (yield from _is_live(_set_up(kind, start, rest))):
                return _squares(removed[::-1])
    return _squares(sufficient)


def _sufficient_removals(
    kind: Kind[Position, Move], start: Position, placed: list[Move]
) -> Run[list[Move]]:
    """Return pieces to take back so that the rest can be completed; not always as few as possible.

    A piece is among them if it does not go with the pieces kept before it.
    """
    stage, removed = start, []
    for move in placed:
        after = kind.play(stage, move)
        if (yield from _is_live(after)):
            stage = after
        else:
            removed.append(move)
    return removed


def _set_up(kind: Kind[Position, Move], start: Position, placed: list[Move]) -> Position:
    for move in placed:
        start = kind.play(start, move)
    return start


def _squares(placed: Iterable[Move]) -> tuple[str, ...]:
    return tuple(write_cell(move.cell) for move in placed)


def standing(position: Position) -> list[Move]:
    """Return the moves that set the pieces now on the board, in the order they were made."""
    placed: dict[Cell, Move] = {}
    for move in position.line:
        if move.piece == BARRED:
            del placed[move.cell]
            continue
        if move.source:
            del placed[move.source]
        placed[move.cell] = Move(move.piece, move.cell)
    return list(placed.values())
