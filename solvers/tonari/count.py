"""The questions `count` and `orders`: exact numbers of ways to fill the board."""

from solvers.kind import Answer, Cell, Kind, Run
from solvers.message import Message
from solvers.tonari import kernels
from solvers.tonari.rules import Position
from solvers.tonari.table import MEMORY, Table


def count(kind: Kind[Position, Cell], position: Position, *, memory: int = MEMORY) -> Run:
    """Ask for the number of orders from the position on that reach the target, and one of them.

    details: `states` looked at; `by_move`, for each legal move the number of solutions that go
    on with it; with 0 the reason as `note`, where one is known. Not proven, with a lower bound
    and a `note`, when `memory` bytes do not suffice.
    """
    if kind.doomed(position):
        by_move = {kind.write_move(move): "0" for move in kind.moves(position)}
        return Answer(0, details={"states": 0, "by_move": by_move} | _reason(kind, position))
    return (yield from _fill(kind, position, kernels.TARGET, memory))


def orders(kind: Kind[Position, Cell], position: Position, *, memory: int = MEMORY) -> Run:
    """Ask for the number of orders in which the board can be filled, whatever they end in.

    Details as for `count`; the moves fill the board, they need not reach the target.
    """
    return (yield from _fill(kind, position, kernels.FREE, memory))


def _fill(kind: Kind[Position, Cell], position: Position, rule: int, memory: int) -> Run:
    table = Table(position, rule, memory=memory)
    fits = yield from table.reach()
    details: dict[str, object] = {"states": table.count}
    if not fits:
        note = Message(
            "The count needs more memory than the {megabytes} MB it may take.",
            {"megabytes": memory >> 20},
        )
        return Answer(0, proven=False, details=details | {"note": note.to_json()})
    yield from table.complete()
    occupied = position.occupied
    by_move = {}
    for move in kind.moves(position):
        bit = position.bit(move)
        kept = table.may_fill(occupied) & bit
        by_move[kind.write_move(move)] = str(table.orders(occupied | bit) if kept else 0)
    details["by_move"] = by_move
    total = table.orders(occupied)
    if not total:
        details |= _reason(kind, position)
    return Answer(total, tuple(map(kind.write_move, table.line())), details=details)


def _reason(kind: Kind[Position, Cell], position: Position) -> dict[str, object]:
    reason = kind.obstacle(position)
    return {"note": reason.to_json()} if reason else {}
