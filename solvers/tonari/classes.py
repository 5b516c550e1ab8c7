"""The question `classes`: the solutions sorted by who flips whom."""

import time
from collections.abc import Generator, Iterator

import numpy as np
from numpy.typing import NDArray

from solvers.grid import neighbours
from solvers.kind import Answer, Cell, Kind, Progress, Run
from solvers.message import Message
from solvers.tonari import rules
from solvers.tonari.kernels import BEFORE
from solvers.tonari.layout import symmetries
from solvers.tonari.obstacle import noted
from solvers.tonari.orientations import enumerate_classes
from solvers.tonari.rules import Position
from solvers.tonari.table import REPORT, Table

LISTED = 1000
"""Classes given with a representative; the others are counted only."""

ROWS, BOARDS = 300, 48
"""Of these, how many stand in the table, and how many are drawn."""

MOST = 50_000
"""Classes kept to be compared with their mirror images."""

COUNT_SECONDS = 20.0
"""For the sizes of the classes listed, together."""

_ROOM, _NODES = 4096, 100_000
"""Classes and search nodes of one call."""


def classes(
    kind: Kind[Position, Cell],
    position: Position,
    *,
    listed: int = LISTED,
    count_seconds: float = COUNT_SECONDS,
) -> Run:
    """Ask for the classes of solutions: those in which the same stones flip the same others.

    The value is their number. details: `classes`, for each one of its orders (`moves`) and how
    many it has (`orders`, null where that was not counted in time), the largest first; and
    `up_to_symmetry`, their number if mirror images count once (null beyond 50,000). The same to
    be shown: `table`, and `boards`, each order without its closed points, on which nothing
    hangs: with them all boards would look alike. Without a solution a `note` says why, where
    that is seen.
    """
    lines: list[list[Cell]] = []
    total = 0
    for found in found_classes(position):
        total += len(found)
        lines += found[: MOST - len(lines)]
        yield Progress(0, 1, Message("Classes found: {classes}.", {"classes": total}), total)
    deadline = time.monotonic() + count_seconds
    entries: list[tuple[int | None, list[Cell]]] = []
    for number, line in enumerate(lines[:listed]):
        orders = None
        if time.monotonic() < deadline:
            orders = yield from class_size(position, line)
        entries.append((orders, line))
        yield Progress(number, min(listed, len(lines)), None, total)
    entries.sort(key=lambda entry: -(entry[0] or 0))
    details: dict[str, object] = {
        "up_to_symmetry": _distinct(position, lines) if total <= MOST else None,
        "classes": [
            {
                "moves": " ".join(map(kind.write_move, line)),
                "orders": None if orders is None else str(orders),
            }
            for orders, line in entries
        ],
        "table": _table(kind, entries),
        "boards": list(_drawn(kind, position, entries)),
    }
    if not lines:
        details |= noted(position)
    elif details["up_to_symmetry"]:
        note = Message(
            "Mirror images counted once: {classes}", {"classes": details["up_to_symmetry"]}
        )
        details["note"] = note.to_json()
    moves = tuple(map(kind.write_move, lines[0])) if lines else ()
    return Answer(total, moves, details=details)


def _table(
    kind: Kind[Position, Cell], entries: list[tuple[int | None, list[Cell]]]
) -> dict[str, object]:
    """Return the classes as a table: a row a class, with one of its orders."""
    head = (Message("Class"), Message("Orders"), Message("One of them"))
    return {
        "head": [title.to_json() for title in head],
        "rows": [
            [
                str(number),
                str(orders) if orders else Message("not counted").to_json(),
                Message("{moves}", {"moves": " ".join(map(kind.write_move, line))}).to_json(),
            ]
            for number, (orders, line) in enumerate(entries[:ROWS], 1)
        ],
    }


def _drawn(
    kind: Kind[Position, Cell],
    position: Position,
    entries: list[tuple[int | None, list[Cell]]],
) -> Iterator[dict[str, object]]:
    """Yield the classes as boards, up to the last stone that is not put on a closed point."""
    for number, (orders, line) in enumerate(entries[:BOARDS], 1):
        stage = position
        for index, cell in enumerate(line):
            # Nothing else can need a closed point's stone for company: see `kernels`.
            later = set(line[index + 1 :])
            if not later.isdisjoint(neighbours(cell, position.rows, position.columns)):
                stage = rules.play(stage, cell)
        caption = Message("Class {number}", {"number": number})
        if orders:
            caption = Message("Class {number}. Orders: {n}", {"number": number, "n": str(orders)})
        yield {"position": kind.write(stage), "caption": caption.to_json()}


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


def _distinct(position: Position, lines: list[list[Cell]]) -> int:
    """Return the number of classes, mirror images counted once."""
    if not lines:
        return 0
    number = {cell: i for i, cell in enumerate(lines[0])}
    when = np.array([[line.index(cell) for cell in number] for line in lines])
    pairs = np.array(
        [
            (i, number[beside])
            for cell, i in number.items()
            for beside in neighbours(cell, position.rows, position.columns)
            if beside in number
        ],
        int,
    ).reshape(-1, 2)
    looks = []
    for image in (lambda cell: cell, *symmetries(position)):
        mirrored = when[:, [number[image(cell)] for cell in number]]
        # Who comes first, of each pair of neighbours: a class as a row of bits.
        first = mirrored[:, pairs[:, 0]] < mirrored[:, pairs[:, 1]]
        looks.append([row.tobytes() for row in np.packbits(first, axis=1)])
    return len(set(map(min, zip(*looks))))


def found_classes(position: Position) -> Generator[list[list[Cell]], None, None]:
    """Yield lists of classes, one order for each, as they are found; often empty ones."""
    if rules.doomed(position):
        return
    occupied = position.occupied
    cells = [cell for cell in position.cells if not occupied & position.bit(cell)]
    number = {cell: i for i, cell in enumerate(cells)}
    n = len(cells)

    def numbers(step: Cell) -> NDArray[np.int64]:
        beside = [number.get((row + step[0], column + step[1]), -1) for row, column in cells]
        return np.array(beside, np.int64)

    odd = np.array([rules.wants_white(position, cell) for cell in cells], np.int64)
    near = np.array(
        [
            sum(1 << i for i, (r, c) in enumerate(cells) if max(abs(r - row), abs(c - column)) == 1)
            for row, column in cells
        ],
        np.uint64,
    )
    begun = np.uint64(sum(1 << number[cell] for cell in rules.moves(position)))
    before, out = np.zeros((n + 1, n), np.uint64), np.zeros((n + 1, n), np.int64)
    tried, lines = np.zeros(n, np.int64), np.zeros((_ROOM, n), np.int64)
    right, below = numbers((0, 1)), numbers((1, 0))
    depth, reported = 0, time.monotonic()
    while depth >= 0:
        depth, found = enumerate_classes(
            right, below, odd, near, begun, before, out, tried, depth, lines, _ROOM, _NODES
        )
        if found or time.monotonic() > reported + REPORT:
            reported = time.monotonic()
            yield [[cells[i] for i in line] for line in lines[:found].tolist()]
