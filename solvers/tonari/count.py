"""The questions `count`, `solutions` and `orders`, and the size of a class: exact numbers."""

from collections.abc import Iterator
from dataclasses import replace
from functools import cache

import numpy as np

from solvers.answers import AnswerTable, CountAnswer, Exact, SolutionsAnswer
from solvers.grid import neighbours
from solvers.kind import Cell, Kind
from solvers.memory import MEMORY, memory_exceeded
from solvers.message import Message
from solvers.question import Run
from solvers.solutions import last_number, page_of, walk_solutions
from solvers.threads import THREADS
from solvers.tonari import rules
from solvers.tonari.bitboard import BEFORE, FREE, TARGET
from solvers.tonari.questions import OrdersAnswer
from solvers.tonari.rules import Position, doomed
from solvers.tonari.solve import find
from solvers.tonari.table import Table

LARGE = 25
"""The most empty points with which all solutions are counted before one is searched for."""

LOOK = 2_000_000
"""Search nodes for that first solution on larger boards."""


def count(
    kind: Kind[Position, Cell], position: Position, *, memory: int = MEMORY, threads: int = THREADS
) -> Run[CountAnswer]:
    """Count the orders from the position on that reach the target.

    Returns a `CountAnswer` with the exact number, one of the orders, and the number for each next
    move. Where the number is 0, `note` is the reason, if one is seen without a search. When
    `memory` bytes do not suffice, the answer is not proven: its value is a lower bound and `note`
    says so. The search runs on `threads` threads. The recurrence is that of `solvers.tonari.table`.
    """
    empty = position.rows * position.columns - position.occupied.bit_count()
    line, at_least = None, 0
    if empty > LARGE:
        line = yield from find(position, LOOK)
        # The orders in which the same stones flip the same others are many, and quickly counted.
        at_least = ((yield from class_size(position, line)) or 1) if line else 0
    if line == [] or doomed(position):
        by_move = {kind.write_move(move): Exact(0) for move in kind.moves(position)}
        return CountAnswer(Exact(0), by_move=by_move, states=0, note=rules.obstacle(position))
    table = Table(position, TARGET, memory=memory, threads=threads)
    table.at_least = at_least
    if not (yield from table.reach()):
        moves = tuple(map(kind.write_move, line or []))
        return CountAnswer(
            Exact(table.at_least), moves, False, states=table.count, note=memory_exceeded(memory)
        )
    yield from table.complete()
    total = table.orders(position.occupied)
    return CountAnswer(
        Exact(total),
        tuple(map(kind.write_move, table.line())),
        by_move={
            kind.write_move(move): Exact(n) for move, n in numbers_by_move(kind, position, table)
        },
        states=table.count,
        note=None if total else rules.obstacle(position),
    )


def solutions(
    kind: Kind[Position, Cell],
    position: Position,
    *,
    first: int,
    limit: int,
    memory: int = MEMORY,
    threads: int = THREADS,
) -> Run[SolutionsAnswer]:
    """List the orders that reach the target: `limit` of them from number `first` (from 1) on.

    Returns a `SolutionsAnswer`. The orders are sorted by their first stone row by row, then by the
    second, and so on. When `memory` bytes do not suffice for the count that guides the walk, the
    answer is not proven and has a `note`.
    """
    if doomed(position):
        return page_of([], first, limit)
    table = Table(position, TARGET, memory=memory, threads=threads)
    if not (yield from table.reach()):
        return SolutionsAnswer(None, proven=False, note=memory_exceeded(memory))
    yield from table.complete()

    @cache
    def live(occupied: int) -> frozenset[Cell]:
        here = replace(position, starts=occupied, placed=())
        return frozenset(move for move, number in numbers_by_move(kind, here, table) if number)

    def live_moves(here: Position) -> list[Cell]:
        return sorted(live(here.occupied))

    lines = yield from walk_solutions(kind, position, live_moves, last_number(first, limit) + 1)
    return page_of(lines, first, limit)


def orders(
    kind: Kind[Position, Cell], position: Position, *, memory: int = MEMORY, threads: int = THREADS
) -> Run[OrdersAnswer]:
    """Count the orders in which the board can be filled, including those that miss the target.

    Returns an `OrdersAnswer`. Its moves are one order, which need not reach the target. The answer
    is not proven when `memory` bytes do not suffice.
    """
    table = Table(position, FREE, memory=memory, threads=threads)
    if not (yield from table.reach()):
        return OrdersAnswer(Exact(0), (), False, states=table.count, note=memory_exceeded(memory))
    yield from table.complete()
    rows = tuple((kind.describe(move), n) for move, n in numbers_by_move(kind, position, table))
    head = (Message("Next stone"), Message("Orders that go on with it"))
    return OrdersAnswer(
        Exact(table.orders(position.occupied)),
        tuple(map(kind.write_move, table.line())),
        states=table.count,
        tables=(AnswerTable(head, rows),) if rows else (),
    )


def numbers_by_move(
    kind: Kind[Position, Cell], position: Position, table: Table
) -> Iterator[tuple[Cell, int]]:
    """Yield each legal move with the number of orders that begin with it."""
    occupied = position.occupied
    for move in kind.moves(position):
        bit = position.bit(move)
        yield move, table.orders(occupied | bit) if table.may_fill(occupied) & bit else 0


def class_size(position: Position, line: list[Cell]) -> Run[int | None]:
    """Return the number of orders from the position on that belong to the class of `line`.

    Returns None where the count needs more memory than a table may take.
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
    """Return the pairs (earlier, later) of orthogonal neighbours among the moves of a line."""
    seen: set[Cell] = set()
    pairs = set()
    for cell in line:
        for beside in neighbours(cell, position.rows, position.columns):
            if beside in seen:
                pairs.add((beside, cell))
        seen.add(cell)
    return frozenset(pairs)
