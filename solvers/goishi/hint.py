"""The question `hint`: help for a student, from the mildest level to the plainest."""

from msgspec.structs import replace

from solvers.answers import CountAnswer, Exact, HintAnswer
from solvers.goishi import kernels
from solvers.goishi.layers import LayeredCount
from solvers.goishi.network import network
from solvers.goishi.repair import diagnose
from solvers.goishi.rules import Position
from solvers.goishi.search import find
from solvers.grid import write_cell
from solvers.hint import ALIVE, LIVE, NEXT, UNKNOWN, moves_to_keep, stages_of
from solvers.kind import Cell, Kind
from solvers.message import Message
from solvers.question import Run, within
from solvers.reasons import reason_of

NODES = 3_000_000
"""The most search nodes for one position, which take a second or two."""

COUNT_SECONDS = 1.0
"""The most seconds for the count that finds the best stone. Without it, any good stone is taken."""

MAX_COUNTED_STONES = 30
"""The most stones left for which the solutions are counted at every level. That takes a tenth of a
second on full boards, which have the most states."""

COUNT_MEMORY_BYTES = 64 << 20

_SOLVABLE = Message("This board can be solved.")
_LOST = Message("This can't be solved any more. Undo some moves.")
_NEVER = Message("This board has no solution.")
_SEARCHED = Message("All ways were searched: none picks up every stone.")


def hint(kind: Kind[Position, Cell], position: Position, *, level: str) -> Run[HintAnswer]:
    """Return help with the position, as much as the `level` (see `solvers.hint`) allows.

    A search of `NODES` nodes may leave it undecided. `left` is known if few stones are left or if
    the solutions were counted for another reason. The region is the quarter of the board that
    contains the next good stone. That is the move with the most solutions if these can be counted
    quickly.
    """
    line = yield from _solution(kind, position)
    if line is None:
        return UNKNOWN
    if not line and not kind.judge(position).solved:
        return (yield from _lost(kind, position, level))
    note = LIVE if position.picked else _SOLVABLE
    live = HintAnswer(Exact(1), state="live", note=note)
    if not line:
        return replace(live, left=Exact(1))
    if level == ALIVE:
        left = yield from _left(position)
        return replace(live, left=Exact(left) if left else None)
    run: Run[CountAnswer] = kind.questions["count"].ask(kind, position)
    counted = yield from within(run, COUNT_SECONDS)
    by_move = counted.by_move if counted else {}
    move = max(by_move, key=by_move.__getitem__) if by_move else line[0]
    return replace(
        live,
        left=counted.value if counted and counted.proven else None,
        region=tuple(map(write_cell, _quarter(position, kind.read_move(move)))),
        moves=(move,) if level == NEXT else (),
    )


def _lost(kind: Kind[Position, Cell], position: Position, level: str) -> Run[HintAnswer]:
    if not position.picked:
        reason = next((message for message, _ in diagnose(network(position)[0])), _SEARCHED)
        return HintAnswer(Exact(0), state="trapped", note=_NEVER, reason=reason)

    def is_live(stage: Position) -> Run[bool | None]:
        line = yield from _solution(kind, stage)
        return None if line is None else bool(line)

    keep = yield from moves_to_keep(stages_of(kind, position), is_live)
    why = None if level == ALIVE else (yield from reason_of(kind, position))
    return HintAnswer(Exact(0), state="trapped", note=_LOST, keep=keep, why=why)


def _solution(kind: Kind[Position, Cell], position: Position) -> Run[tuple[str, ...] | None]:
    """Return the moves that solve the position, () if there are none, or None if undecided."""
    board, starts = network(position)
    stones = yield from find(board, starts, NODES)
    return None if stones is None else board.line(stones)


def _left(position: Position) -> Run[int | None]:
    """Return the number of solutions if few stones are left, else None."""
    board, starts = network(position)
    if len(board.cells) > min(MAX_COUNTED_STONES, kernels.MAX_STONES):
        return None
    return (yield from LayeredCount(board, starts, COUNT_MEMORY_BYTES, 1).ways())


def _quarter(position: Position, cell: Cell) -> list[Cell]:
    """Return the points of the quarter of the board that contains a cell."""
    middle_row, middle_column = (position.rows + 1) // 2, (position.columns + 1) // 2
    return [
        (row, column)
        for row in range(position.rows)
        for column in range(position.columns)
        if (row < middle_row) == (cell[0] < middle_row)
        and (column < middle_column) == (cell[1] < middle_column)
    ]
