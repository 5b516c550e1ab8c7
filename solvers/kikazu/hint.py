"""The question `hint`: what a student may be told, from the mildest to the plainest."""

from collections.abc import Generator

from solvers.asking import limited
from solvers.grid import write_cell
from solvers.hint import ALIVE, LIVE, NEXT, moves_to_keep, stages_of, undecided
from solvers.kikazu import rules
from solvers.kikazu.count import count
from solvers.kikazu.rules import BARRED, EMPTY, Move, Position
from solvers.kikazu.search import Problem, Race, problem
from solvers.kikazu.solutions import moves, placements
from solvers.kind import Answer, Cell, Kind, Progress, Run
from solvers.message import Message

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


def hint(kind: Kind[Position, Move], position: Position, *, level: str) -> Run:
    """Ask for help with the position, as much as the `level` (of `solvers.hint`) allows.

    Value 1 while it can still be solved, 0 when not, None and not proven when a search of
    `SECONDS` did not decide it. details: `state`, "live", "trapped" (no solution is left) or
    "doomed" (a piece attacks another); `note`, the state in words; `left`, the number of ways to
    place the rest (decimal string), where it was counted in time. When lost: `keep`, how many of
    the moves made may stay (null when there never was a solution, or when that was not decided);
    of a start the `reason`. From "region" on, when live: `region`, the free squares around a move
    with the most solutions, where these can be counted quickly; `sure`, whether every solution
    has it; when lost: `wrong`, squares whose pieces, taken back, make it solvable again (null
    when it never was). At "next": the answer's move, that one, or the first of the wrong ones
    taken back.
    """
    if kind.judge(position).solved:
        return Answer(1, details={"state": "live", "note": LIVE.to_json(), "left": "1"})
    asked = problem(position)
    if asked is None:
        return (yield from _lost(kind, position, level))
    race = yield from _decided(asked)
    solution = next(race.leader.leaves(), None)
    if solution is None:
        if race.leader.finished:
            return (yield from _lost(kind, position, level))
        return undecided()
    note = LIVE if position.line else _PLACEABLE
    details: dict[str, object] = {"state": "live", "note": note.to_json()}
    if level == ALIVE:
        until = race.seconds + COUNT_SECONDS
        while not race.leader.finished and race.seconds < until:
            yield race.step()
        if race.leader.finished:
            details["left"] = str(race.leader.total)
        return Answer(1, details=details)
    counted = yield from limited(count(kind, position), SECONDS)
    if counted.proven:
        details["left"] = str(counted.value)
    by_move = {move: int(number) for move, number in counted.details.get("by_move", {}).items()}
    if by_move:
        # Strong pieces come first in `PIECES`, and decide most.
        move = max(by_move, key=lambda move: by_move[move])
    else:
        move = moves(asked, next(placements(asked, solution)))[0]
    details["sure"] = by_move[move] == counted.value if by_move else None
    details["region"] = [write_cell(cell) for cell in _around(position, kind.read_move(move).cell)]
    return Answer(1, (move,) if level == NEXT else (), details=details)


def _decided(asked: Problem) -> Generator[Progress, None, Race]:
    """Return the searches, as far as a first solution, the proof that there is none, or the end
    of the time."""
    race = Race(asked, keep=1)
    while not race.leader.finished and not race.leader.kept and race.seconds < SECONDS:
        yield race.step()
    return race


def _lost(kind: Kind[Position, Move], position: Position, level: str) -> Run:
    doomed = bool(rules.conflicts(position))
    details: dict[str, object] = {"state": "doomed" if doomed else "trapped", "keep": None}
    if position.line:
        details["note"] = (_DOOMED if doomed else _TRAPPED).to_json()
        details["keep"] = yield from moves_to_keep(stages_of(kind, position), _is_live)
    else:
        counted = yield from limited(count(kind, position), SECONDS)
        reason = counted.details.get("note", _SEARCHED.to_json())
        details |= {"note": _NEVER.to_json(), "reason": reason}
    if level == ALIVE:
        return Answer(0, details=details)
    wrong = yield from _wrong(kind, position)
    take_back = (f"{BARRED} {wrong[0]}",) if wrong and level == NEXT else ()
    return Answer(0, take_back, details=details | {"wrong": wrong})


def _is_live(position: Position) -> Generator[Progress, None, bool | None]:
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


def _wrong(
    kind: Kind[Position, Move], position: Position
) -> Generator[Progress, None, list[str] | None]:
    """Return the squares of pieces that must go, the later ones rather than the earlier."""
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
    return wrong


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
