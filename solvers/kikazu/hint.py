"""The question `hint`: what a student may be told, from the mildest to the plainest."""

from msgspec.structs import replace

from solvers.answers import CountAnswer, Exact, HintAnswer
from solvers.grid import write_cell
from solvers.hint import ALIVE, LIVE, NEXT, UNKNOWN, moves_to_keep, stages_of
from solvers.kikazu import rules
from solvers.kikazu.count import count
from solvers.kikazu.rules import BARRED, EMPTY, Move, Position
from solvers.kikazu.search import Problem, Race, problem
from solvers.kikazu.solutions import moves, placements
from solvers.kind import Cell, Kind
from solvers.message import Message
from solvers.question import Run, limited

SECONDS = 3.0
"""For one search, and for the count by which the best move is chosen."""

COUNT_SECONDS = 0.2
"""For the count that every level makes, once a solution has been found: the whole set on 9x9
takes 0.1."""

_PLACEABLE = Message("All the pieces can be placed.")
_TRAPPED = Message("This can't be solved any more, though no piece attacks another.")
_DOOMED = Message("This can't be solved any more: a piece attacks another.")
_NEVER = Message("The pieces can't all be placed.")
_SEARCHED = Message("All ways to place them were ruled out by a search.")


def hint(kind: Kind[Position, Move], position: Position, *, level: str) -> Run[HintAnswer]:
    """Ask for help with the position, as much as the `level` (of `solvers.hint`) allows.

    It is trapped when no solution is left, doomed when a piece attacks another. The region is the
    free squares around a move with the most solutions, where these can be counted quickly; the
    next move is that one, or the first of the wrong pieces taken back.
    """
    if kind.judge(position).solved:
        return HintAnswer(Exact(1), note=LIVE, state="live", left=Exact(1))
    asked = problem(position)
    if asked is None:
        return (yield from _lost(kind, position, level))
    race = yield from _decided(asked)
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
    # Strong pieces come first in `PIECES`, and decide most.
    move = (
        max(by_move, key=lambda move: by_move[move])
        if by_move
        else moves(asked, next(placements(asked, solution)))[0]
    )
    return replace(
        live,
        moves=(move,) if level == NEXT else (),
        left=counted.value if counted.proven else None,
        sure=by_move[move] == counted.value if by_move else None,
        region=tuple(map(write_cell, _around(position, kind.cell_of(kind.read_move(move))))),
    )


def _decided(asked: Problem) -> Run[Race]:
    """Return the searches, as far as a first solution, the proof that there is none, or the end
    of the time."""
    race = Race(asked, keep=1)
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
    wrong = yield from _wrong(kind, position)
    take_back = (f"{BARRED} {wrong[0]}",) if wrong and level == NEXT else ()
    return replace(lost, moves=take_back, wrong=wrong)


def _is_live(position: Position) -> Run[bool | None]:
    asked = problem(position)
    if asked is None:
        return False
    race = yield from _decided(asked)
    return bool(race.leader.kept) or (False if race.leader.finished else None)


def _around(position: Position, cell: Cell) -> list[Cell]:
    return [
        (row, column)
        for row in range(cell[0] - 1, cell[0] + 2)
        for column in range(cell[1] - 1, cell[1] + 2)
        if position.holds((row, column)) and position.board[position.index((row, column))] == EMPTY
    ]


def _wrong(kind: Kind[Position, Move], position: Position) -> Run[tuple[str, ...] | None]:
    """Return the squares of pieces that must go, the later ones rather than the earlier; None
    where there never was a solution."""
    stage = kind.start(position)
    if not (yield from _is_live(stage)):
        return None
    wrong = []
    for move in standing(position):
        tried = kind.play(stage, move)
        if (yield from _is_live(tried)):
            stage = tried
        else:
            wrong.append(write_cell(move.cell))
    return tuple(wrong)


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
