"""Random rooms for the boards of a table: boxes, countries, rectangles, or rooms around symbols."""

import random
from collections.abc import Iterator, Sequence

from solvers.grid import neighbours
from solvers.kind import Cell
from solvers.rule_tables.boards import Board
from solvers.rule_tables.reading import Filling
from solvers.rule_tables.table import Table
from solvers.rule_tables.turning import ROOMS

CELLS_OF_A_COUNTRY = 4
"""How many cells a country has on average."""
SHARE_OF_CUTS = 0.8
"""The share of rectangles of three to six cells that are cut into two. Larger ones always are."""


def rooms_before(table: Table, board: Board, rng: random.Random) -> str:
    """Return rooms into which a filling is to be fitted, or nothing if they are to grow around the
    symbols of a filling.

    Rooms whose border means something are countries, those that have numbers or are crossed by
    stretches are rectangles, and those of a board that is filled up are boxes.
    """
    if any(rule.where == "gate" for rule in table.rules):
        cells = list(board)
        return _grown(board, [[c] for c in rng.sample(cells, -(-len(cells) // CELLS_OF_A_COUNTRY))],
                      rng)  # fmt: skip
    if any(
        rule.where == "stretch" or (rule.where == "room" and "clue" in (rule.number, rule.who))
        for rule in table.rules
    ):
        room_of = {
            cell: number
            for number, cells in enumerate(
                _rectangles(range(board.rows), range(board.columns), rng)
            )
            for cell in cells
        }
        return "".join(ROOMS[room_of[cell]] for cell in board)
    return boxes(board.rows) if table.each == (1, 1) else ""


def _rectangles(rows: range, columns: range, rng: random.Random) -> Iterator[list[Cell]]:
    """Yield the cells of rectangles that fill a rectangle."""
    size = len(rows) * len(columns)
    if size <= 2 or (size <= 6 and rng.random() > SHARE_OF_CUTS):
        yield [(row, column) for row in rows for column in columns]
    elif len(columns) == 1 or (len(rows) > 1 and 2 * rng.random() * len(columns) < len(rows)):
        at = rng.randint(1, len(rows) - 1)
        yield from _rectangles(rows[:at], columns, rng)
        yield from _rectangles(rows[at:], columns, rng)
    else:
        at = rng.randint(1, len(columns) - 1)
        yield from _rectangles(rows, columns[:at], rng)
        yield from _rectangles(rows, columns[at:], rng)


def boxes(size: int) -> str:
    """Return rooms of `size` squares each, as near to squares as possible."""
    height = max(n for n in range(1, size + 1) if size % n == 0 and n * n <= size)
    width = size // height
    return "".join(
        ROOMS[row // height * (size // width) + column // width]
        for row in range(size)
        for column in range(size)
    )


def rooms_around(table: Table, board: Board, filling: Filling, rng: random.Random) -> str:
    """Return rooms that grow around the symbols of a filling, as many in each as a rule says."""
    wanted = next(
        (
            rule.number
            for rule in table.rules
            if rule.where == "room" and rule.relation == "exactly" and isinstance(rule.number, int)
        ),
        1,
    )
    seeds = [cell for cell in board if filling.get(cell)]
    rng.shuffle(seeds)
    rooms = []
    while seeds:
        first = seeds[0]
        near = sorted(seeds, key=lambda cell: abs(cell[0] - first[0]) + abs(cell[1] - first[1]))
        group = near[: max(1, wanted)]
        rooms.append([step for cell in group for step in _path(first, cell)])
        seeds = [cell for cell in seeds if cell not in group]
    return _grown(board, rooms, rng)


def _grown(board: Board, rooms: Sequence[Sequence[Cell]], rng: random.Random) -> str:
    """Return rooms that grow from some cells until they fill the board."""
    room_of = {cell: number for number, cells in enumerate(rooms) for cell in cells}
    while rest := [cell for cell in board if cell not in room_of]:
        edge = [
            (cell, near)
            for cell in rest
            for near in neighbours(cell, board.rows, board.columns)
            if near in room_of
        ]
        if not edge:
            room_of[rest[0]] = len(rooms)
            continue
        cell, neighbour = rng.choice(edge)
        room_of[cell] = room_of[neighbour]
    return "".join(ROOMS[room_of[cell]] for cell in board)


def _path(first: Cell, last: Cell) -> Iterator[Cell]:
    """Yield the cells of a way along a row and a column."""
    (row, column), (end, side) = first, last
    for r in range(min(row, end), max(row, end) + 1):
        yield r, column
    for c in range(min(column, side), max(column, side) + 1):
        yield end, c


def stays_whole(board: Board, cell: Cell) -> bool:
    """Return whether a room hangs together without one of its cells."""
    rest = {each for each in board if board.room(each) == board.room(cell)} - {cell}
    waiting = list(rest)[:1]
    seen = set(waiting)
    while waiting:
        for near in neighbours(waiting.pop(), board.rows, board.columns):
            if near in rest and near not in seen:
                seen.add(near)
                waiting.append(near)
    return bool(rest) and seen == rest
