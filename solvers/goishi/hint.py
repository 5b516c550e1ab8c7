"""The question `hint`: what a student may be told, from the mildest to the plainest."""

from collections.abc import Generator

from solvers.asking import limited
from solvers.goishi import kernels
from solvers.goishi.count import Layers
from solvers.goishi.network import network
from solvers.goishi.repair import diagnose
from solvers.goishi.rules import Position
from solvers.goishi.search import find
from solvers.grid import write_cell
from solvers.hint import ALIVE, LIVE, NEXT, moves_to_keep, stages_of, undecided
from solvers.kind import Answer, Cell, Kind, Progress, Run
from solvers.message import Message

NODES = 3_000_000
"""Search nodes for one position: a second or two."""

COUNT_SECONDS = 1.0
"""For the count by which the best stone is chosen, before any that leads on is taken."""

COUNTED = 30
"""Stones left up to which the solutions are counted at every level: a tenth of a second on full
boards, where there are most states."""

COUNTED_MEMORY = 64 << 20

_SOLVABLE = Message("This board can be solved.")
_LOST = Message("This can't be solved any more. Undo some moves.")
_NEVER = Message("This board has no solution.")
_SEARCHED = Message("All ways were searched: none picks up every stone.")


def hint(kind: Kind[Position, Cell], position: Position, *, level: str) -> Run:
    """Ask for help with the position, as much as the `level` (of `solvers.hint`) allows.

    Value 1 while it can still be solved, 0 when not, None and not proven when a search of
    `NODES` nodes did not decide it. details: `state`, "live" or "trapped"; `note`, it in words;
    `left`, the number of solutions (decimal string) where few stones are left or it was counted
    anyway. When lost: `keep`, how many of the moves played may stay (null when there never was a
    solution, or when that was not decided); of a start the `reason`. From "region" on, when live:
    `region`, the points (`row,column`) of a part of the board in which the next good stone lies.
    At "next": `next` and the answer's move, that stone: of all moves the one with the most
    solutions, where these can be counted quickly.
    """
    line = yield from _solution(kind, position)
    if line is None:
        return undecided()
    if not line and not kind.judge(position).solved:
        return (yield from _lost(kind, position))
    note = LIVE if position.picked else _SOLVABLE
    details: dict[str, object] = {"state": "live", "note": note.to_json()}
    if not line:
        return Answer(1, details=details | {"left": "1"})
    if level == ALIVE:
        left = yield from _left(position)
        return Answer(1, details=details | ({"left": str(left)} if left else {}))
    run = kind.questions["count"].ask(kind, position)
    counted: Answer = yield from limited(run, COUNT_SECONDS)
    if counted.proven:
        details["left"] = str(counted.value)
    by_move = counted.details.get("by_move")
    move = max(by_move, key=lambda move: int(by_move[move])) if by_move else line[0]
    details["region"] = [write_cell(cell) for cell in _quarter(position, kind.read_move(move))]
    if level == NEXT:
        return Answer(1, (move,), details=details | {"next": move})
    return Answer(1, details=details)


def _lost(kind: Kind[Position, Cell], position: Position) -> Run:
    if not position.picked:
        reason = next((message for message, _ in diagnose(network(position)[0])), _SEARCHED)
        note = {"note": _NEVER.to_json(), "reason": reason.to_json()}
        return Answer(0, details={"state": "trapped", "keep": None, **note})

    def is_live(stage: Position) -> Generator[Progress, None, bool | None]:
        line = yield from _solution(kind, stage)
        return None if line is None else bool(line)

    keep = yield from moves_to_keep(stages_of(kind, position), is_live)
    return Answer(0, details={"state": "trapped", "note": _LOST.to_json(), "keep": keep})


def _solution(
    kind: Kind[Position, Cell], position: Position
) -> Generator[Progress, None, tuple[str, ...] | None]:
    """Return the moves that solve the position, none if nothing does, None if undecided."""
    board, starts = network(position)
    stones = yield from find(board, starts, NODES)
    return None if stones is None else board.line(stones)


def _left(position: Position) -> Generator[Progress, None, int | None]:
    """Return the number of solutions, where few stones are left."""
    board, starts = network(position)
    if len(board.cells) > min(COUNTED, kernels.MOST_STONES):
        return None
    return (yield from Layers(board, starts, COUNTED_MEMORY, 1).ways())


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
