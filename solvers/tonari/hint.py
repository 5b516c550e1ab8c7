"""The question `hint`: what a student may be told, from the mildest to the plainest."""

from collections.abc import Generator

from solvers.asking import limited
from solvers.grid import neighbours
from solvers.hint import ALIVE, LIVE, NEXT, moves_to_keep, stages_of, undecided
from solvers.kind import Answer, Cell, Kind, Progress, Run
from solvers.message import Message
from solvers.tonari import rules
from solvers.tonari.count import count
from solvers.tonari.rules import Position
from solvers.tonari.solve import find

NODES = 2_000_000
"""Search nodes for one position: a second or two."""

COUNT_SECONDS = 2.0
"""For the count by which the best move is chosen, before any move that leads on is taken."""

COUNTED = 25
"""Empty points up to which the orders are counted at every level: 5 ms on 5x5."""

COUNTED_MEMORY = 32 << 20
"""Bytes; so also on larger boards it takes no longer than a tenth of a second."""

_REACHABLE = Message("The target can be reached.")
_TRAPPED = Message("This can't be solved any more, though every stone may still get its colour.")
_DOOMED = Message("This can't be solved any more: a stone will end in the wrong colour.")
_UNREACHABLE = Message("No order reaches this target.")
_SEARCHED = Message("All orders were ruled out by a search.")


def hint(kind: Kind[Position, Cell], position: Position, *, level: str) -> Run:
    """Ask for help with the position, as much as the `level` (of `solvers.hint`) allows.

    Value 1 while it can still be solved, 0 when not, None and not proven when a search of
    `NODES` nodes did not decide it. details: `state`, "live", "trapped" (no solution is left)
    or "doomed" (a stone can't get its colour any more); `note`, the state in words; `left`, the
    number of orders that reach the target (decimal string), where few points are empty or it was
    counted anyway. When lost: `doomed`, the points (`row,column`) of doomed stones; `keep`, how
    many of the moves played may stay (null when that was not decided, or when there never was a
    solution); of a start the `reason`. From "region" on, when live: `region`, points among which
    the next stone may be put. At "next": the answer's move, that stone: of all moves the one with
    the most solutions, where these can be counted quickly.
    """
    line = yield from find(position, NODES)
    if line is None:
        return undecided()
    if not line and not kind.judge(position).solved:
        return (yield from _lost(kind, position))
    note = LIVE if position.placed else _REACHABLE
    details: dict[str, object] = {"state": "live", "note": note.to_json()}
    if not line:
        return Answer(1, details=details | {"left": "1", "region": []})
    counted = yield from _counted(kind, position, level)
    if counted and counted.proven:
        details["left"] = str(counted.value)
    if level == ALIVE:
        return Answer(1, details=details)
    by_move = counted.details.get("by_move") if counted else None
    text = max(by_move, key=lambda text: int(by_move[text])) if by_move else None
    move = kind.read_move(text) if text else line[0]
    near = {move, *neighbours(move, position.rows, position.columns)}
    region = [cell for cell in sorted(near) if not position.occupied & position.bit(cell)]
    details["region"] = list(map(kind.write_move, region))
    return Answer(1, (kind.write_move(move),) if level == NEXT else (), details=details)


def _lost(kind: Kind[Position, Cell], position: Position) -> Run:
    doomed = rules.doomed(position)
    details: dict[str, object] = {
        "state": "doomed" if doomed else "trapped",
        "doomed": list(map(kind.write_move, doomed)),
        "keep": None,
    }
    if not position.placed:
        reason = kind.obstacle(position) or _SEARCHED
        note = {"note": _UNREACHABLE.to_json(), "reason": reason.to_json()}
        return Answer(0, details=details | note)

    def is_live(stage: Position) -> Generator[Progress, None, bool | None]:
        line = yield from find(stage, NODES)
        return None if line is None else bool(line)

    details["note"] = (_DOOMED if doomed else _TRAPPED).to_json()
    details["keep"] = yield from moves_to_keep(stages_of(kind, position), is_live)
    return Answer(0, details=details)


def _counted(
    kind: Kind[Position, Cell], position: Position, level: str
) -> Generator[Progress, None, Answer | None]:
    """Return the count of the orders from a position that can be solved, as far as it is cheap."""
    if level != ALIVE:
        return (yield from limited(count(kind, position), COUNT_SECONDS))
    if position.rows * position.columns - position.occupied.bit_count() > COUNTED:
        return None
    return (yield from count(kind, position, memory=COUNTED_MEMORY))
