"""The questions `count` and `orders`, and the orders of one class: exact numbers of ways."""

from collections.abc import Generator
from dataclasses import replace

import numpy as np

from solvers.grid import neighbours
from solvers.kind import Answer, Cell, Kind, Progress, Run
from solvers.memory import MEMORY
from solvers.message import Message
from solvers.tonari.bitboard import BEFORE, FREE, TARGET
from solvers.tonari.obstacle import noted
from solvers.tonari.rules import Position
from solvers.tonari.solve import find
from solvers.tonari.table import Table

LARGE = 25
"""Empty points beyond which a solution is looked for before all are counted."""

LOOK = 2_000_000
"""Search nodes for that."""


def count(kind: Kind[Position, Cell], position: Position, *, memory: int = MEMORY) -> Run:
    """Ask for the number of orders from the position on that reach the target, and one of them.

    details: `states` looked at; `by_move`, for each legal move the number of solutions that go
    on with it; with 0 the reason as `note`, where one is known. Not proven, with a lower bound
    and a `note`, when `memory` bytes do not suffice.
    """
    empty = position.rows * position.columns - position.occupied.bit_count()
    line, at_least = None, 0
    if empty > LARGE:
        line = yield from find(position, LOOK)
        # All orders in which the same stones flip the same others: many, and quickly counted.
        at_least = ((yield from class_size(position, line)) or 1) if line else 0
    if line == [] or kind.doomed(position):
        by_move = {kind.write_move(move): "0" for move in kind.moves(position)}
        return Answer(0, details={"states": 0, "by_move": by_move} | noted(position))
    table = Table(position, TARGET, memory=memory)
    table.at_least = at_least
    return (yield from _fill(kind, position, table, line or []))


def orders(kind: Kind[Position, Cell], position: Position, *, memory: int = MEMORY) -> Run:
    """Ask for the number of orders in which the board can be filled, whatever they end in.

    Details as for `count`, and `table`, the same numbers to be shown; the moves fill the board,
    they need not reach the target.
    """
    answer = yield from _fill(kind, position, Table(position, FREE, memory=memory), [])
    by_move = answer.details.get("by_move", {})
    head = (Message("Next stone"), Message("Orders that go on with it"))
    rows = [[kind.told(kind.read_move(move)).to_json(), orders] for move, orders in by_move.items()]
    table = {"head": [title.to_json() for title in head], "rows": rows}
    return replace(answer, details={**answer.details, **({"table": table} if rows else {})})


def _fill(kind: Kind[Position, Cell], position: Position, table: Table, line: list[Cell]) -> Run:
    """Return the table's answer; where it has no room, its lower bound and the line."""
    fits = yield from table.reach()
    details: dict[str, object] = {"states": table.count}
    if not fits:
        note = Message(
            "The count needs more memory than the {megabytes} MB it may take.",
            {"megabytes": table.memory >> 20},
        )
        moves = tuple(map(kind.write_move, line))
        return Answer(table.at_least, moves, False, details | {"note": note.to_json()})
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
        details |= noted(position)
    return Answer(total, tuple(map(kind.write_move, table.line())), details=details)


def class_size(position: Position, line: list[Cell]) -> Generator[Progress, None, int | None]:
    """Return the number of orders from the position on in which who flips whom is as in `line`.

    None where counting them needs more memory than a table may take.
    """
    before = np.zeros(position.rows * position.columns, np.uint64)
    for earlier, later in flips(position, line):
        before[later[0] * position.columns + later[1]] |= np.uint64(position.bit(earlier))
    table = Table(position, BEFORE, before=before)
    if not (yield from table.reach()):
        return None
    yield from table.complete()
    return table.orders(position.occupied)


def flips(position: Position, line: list[Cell]) -> frozenset[tuple[Cell, Cell]]:
    """Return the pairs (earlier, later) of neighbours among the moves of a line."""
    seen: set[Cell] = set()
    pairs = set()
    for cell in line:
        for beside in neighbours(cell, position.rows, position.columns):
            if beside in seen:
                pairs.add((beside, cell))
        seen.add(cell)
    return frozenset(pairs)
