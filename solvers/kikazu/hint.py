"""The question `hint`: what a student may be told, from the mildest to the plainest."""

from collections.abc import Generator

from solvers.asking import limited
from solvers.grid import write_cell
from solvers.kikazu import rules
from solvers.kikazu.rules import BARRED, EMPTY, Move, Position
from solvers.kind import Answer, Cell, Kind, Progress, Run
from solvers.message import Message

SECONDS = 3.0
"""For one search, and for the count by which the best move is chosen."""

_LIVE = Message("This can still be solved.")
_TRAPPED = Message("This can't be solved any more, though no piece attacks another.")
_DOOMED = Message("This can't be solved any more: a piece attacks another.")


def hint(kind: Kind[Position, Move], position: Position) -> Run:
    """Ask for help with the position.

    Value 1 while it can still be solved, 0 when not, None and not proven when a search of
    `SECONDS` did not decide it. details: `state`, "live", "trapped" (no solution is left) or
    "doomed" (a piece attacks another); `note`, the state in words. When live: the answer's
    move, one with the most solutions where these can be counted quickly; `region`, the free
    squares around it; `sure`, whether every solution has it. When lost: `wrong`, squares whose
    pieces, taken back, make it solvable again (null when it never was), and the answer's move
    takes the first of them back.
    """
    answer = yield from limited(kind.questions["solve"].ask(kind, position), SECONDS)
    if not answer.proven:
        note = Message("It could not be found out in time whether this can still be solved.")
        return Answer(None, proven=False, details={"note": note.to_json()})
    if kind.judge(position).solved:
        return Answer(1, details={"state": "live", "note": _LIVE.to_json(), "region": []})
    if answer.value:
        move, sure = yield from _best(kind, position, answer.moves[0])
        region = [write_cell(cell) for cell in _around(position, kind.read_move(move).cell)]
        details = {"state": "live", "note": _LIVE.to_json(), "region": region, "sure": sure}
        return Answer(1, (move,), details=details)
    doomed = bool(rules.conflicts(position))
    wrong = yield from _wrong(kind, position)
    details = {
        "state": "doomed" if doomed else "trapped",
        "note": (_DOOMED if doomed else _TRAPPED).to_json(),
        "wrong": wrong,
    }
    return Answer(0, (f"{BARRED} {wrong[0]}",) if wrong else (), details=details)


def _best(
    kind: Kind[Position, Move], position: Position, fallback: str
) -> Generator[Progress, None, tuple[str, bool | None]]:
    """Return a move that leads on, and whether every solution has it, if that is known."""
    counted = yield from limited(kind.questions["count"].ask(kind, position), SECONDS)
    by_move = {move: int(number) for move, number in counted.details.get("by_move", {}).items()}
    if not by_move:
        return fallback, None
    # Strong pieces come first in `PIECES`, and decide most.
    move = max(by_move, key=lambda move: by_move[move])
    return move, by_move[move] == counted.value


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
    answer = yield from limited(kind.questions["solve"].ask(kind, stage), SECONDS)
    if not answer.value:
        return None
    wrong = []
    for move in standing(position):
        tried = kind.play(stage, move)
        answer = yield from limited(kind.questions["solve"].ask(kind, tried), SECONDS)
        if answer.value:
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
