"""The question `hint`: what a student may be told, from the mildest to the plainest."""

from collections.abc import Generator

from solvers.asking import limited
from solvers.grid import neighbours
from solvers.kind import Answer, Cell, Kind, Progress, Run
from solvers.message import Message
from solvers.tonari import rules
from solvers.tonari.rules import Position
from solvers.tonari.solve import find

NODES = 2_000_000
"""Search nodes for one position: a second or two."""

COUNT_SECONDS = 2.0
"""For the count by which the best move is chosen, before any move that leads on is taken."""


def hint(kind: Kind[Position, Cell], position: Position) -> Run:
    """Ask for help with the position.

    Value 1 while it can still be solved, 0 when not, None and not proven when a search of
    `NODES` nodes did not decide it. details: `state`, "live", "trapped" (no solution is left)
    or "doomed" (a stone can't get its colour any more); `note`, the state in words. When live:
    `region`, points (`row,column`) among which the next stone may be put, and as the answer's
    move that stone: of all moves the one with the most solutions, where these can be counted
    quickly. When lost: `keep`, how many of the moves played may stay; `doomed`, the points of
    doomed stones.
    """
    line = yield from find(position, NODES)
    if line is None:
        note = Message("It could not be found out in time whether this can still be solved.")
        return Answer(None, proven=False, details={"note": note.to_json()})
    if kind.judge(position).solved:
        return Answer(1, details={"state": "live", "note": _LIVE.to_json(), "region": []})
    if line:
        move = yield from _best(kind, position, line[0])
        near = {move, *neighbours(move, position.rows, position.columns)}
        region = [cell for cell in sorted(near) if not position.occupied & position.bit(cell)]
        details: dict[str, object] = {"state": "live", "note": _LIVE.to_json()}
        details["region"] = list(map(kind.write_move, region))
        return Answer(1, (kind.write_move(move),), details=details)
    doomed = rules.doomed(position)
    details = {
        "state": "doomed" if doomed else "trapped",
        "note": (_DOOMED if doomed else _TRAPPED).to_json(),
        "doomed": [kind.write_move(cell) for cell in doomed],
    }
    keep = len(position.placed)
    stage = position
    while keep and line == []:
        keep -= 1
        stage = Position(
            position.rows, position.columns, position.white, position.starts, position.placed[:keep]
        )
        line = yield from find(stage, NODES)
    # Null when that was not decided, or when there never was a solution.
    details["keep"] = keep if line else None
    return Answer(0, details=details)


_LIVE = Message("This can still be solved.")
_TRAPPED = Message("This can't be solved any more, though every stone may still get its colour.")
_DOOMED = Message("This can't be solved any more: a stone will end in the wrong colour.")


def _best(
    kind: Kind[Position, Cell], position: Position, fallback: Cell
) -> Generator[Progress, None, Cell]:
    run = kind.questions["count"].ask(kind, position)
    answer: Answer = yield from limited(run, COUNT_SECONDS)
    by_move = answer.details.get("by_move")
    if not by_move:
        return fallback
    return kind.read_move(max(by_move, key=lambda text: int(by_move[text])))
