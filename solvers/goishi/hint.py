"""The question `hint`: what a student may be told, from the mildest to the plainest."""

from collections.abc import Generator

from solvers.asking import limited
from solvers.goishi.network import network
from solvers.goishi.rules import Position
from solvers.goishi.solve import find
from solvers.grid import write_cell
from solvers.kind import Answer, Cell, Kind, Progress, Run
from solvers.message import Message

NODES = 3_000_000
"""Search nodes for one position: a second or two."""

COUNT_SECONDS = 1.0
"""For the count by which the best stone is chosen, before any that leads on is taken."""

LEVELS = ("alive", "region", "next")
"""Each tells what the one before tells, and more."""

_LIVE = Message("This can still be solved.")
_LOST = Message("This can't be solved any more. Undo some moves.")
_NEVER = Message("This board has no solution.")
_OPEN = Message("It could not be found out in time whether this can still be solved.")


def hint(kind: Kind[Position, Cell], position: Position, *, level: str) -> Run:
    """Ask for help with the position, as much as the `level` (of `LEVELS`) allows.

    Value 1 while it can still be solved, 0 when not, None and not proven when a search of
    `NODES` nodes did not decide it. details: `state`, "live" or "trapped"; `note`, it in words.
    From "region" on, when live: `region`, the points (`row,column`) of a part of the board in
    which the next good stone lies; when lost: `keep`, how many of the moves played may stay
    (null when there never was a solution, or when that was not decided). At "next", when live:
    `next` and the answer's move, that stone: of all moves the one with the most solutions,
    where these can be counted quickly.
    """
    line = yield from _solution(kind, position)
    if line is None:
        return Answer(None, proven=False, details={"note": _OPEN.to_json()})
    wanted = LEVELS.index(level)
    if not line and not kind.judge(position).solved:
        keep = yield from _keep(kind, position)
        note = _NEVER if keep is None and not position.picked else _LOST
        details: dict[str, object] = {"state": "trapped", "note": note.to_json()}
        return Answer(0, details=details | ({"keep": keep} if wanted >= 1 else {}))
    details = {"state": "live", "note": _LIVE.to_json()}
    if not line or wanted == 0:
        return Answer(1, details=details)
    move = yield from _best(kind, position, line[0])
    details["region"] = [write_cell(cell) for cell in _quarter(position, kind.read_move(move))]
    if wanted == 1:
        return Answer(1, details=details)
    return Answer(1, (move,), details=details | {"next": move})


def _solution(
    kind: Kind[Position, Cell], position: Position
) -> Generator[Progress, None, tuple[str, ...] | None]:
    """Return the moves that solve the position, none if nothing does, None if undecided."""
    board, starts = network(position)
    stones = yield from find(board, starts, NODES)
    return None if stones is None else board.line(stones)


def _best(
    kind: Kind[Position, Cell], position: Position, fallback: str
) -> Generator[Progress, None, str]:
    run = kind.questions["count"].ask(kind, position)
    answer: Answer = yield from limited(run, COUNT_SECONDS)
    by_move = answer.details.get("by_move")
    return max(by_move, key=lambda move: int(by_move[move])) if by_move else fallback


def _quarter(position: Position, cell: Cell) -> list[Cell]:
    """Return the points of the quarter of the board in which a cell lies."""
    middle_row, middle_column = (position.rows + 1) // 2, (position.columns + 1) // 2
    return [
        (row, column)
        for row in range(position.rows)
        for column in range(position.columns)
        if (row < middle_row) == (cell[0] < middle_row)
        and (column < middle_column) == (cell[1] < middle_column)
    ]


def _keep(kind: Kind[Position, Cell], position: Position) -> Generator[Progress, None, int | None]:
    """Return the number of moves after which a solution was left last: what is lost stays lost."""
    for keep in range(len(position.picked) - 1, -1, -1):
        stage = Position(position.rows, position.columns, position.stones, position.picked[:keep])
        line = yield from _solution(kind, stage)
        if line is None:
            return None
        if line:
            return keep
    return None
