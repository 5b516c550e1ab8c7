"""The question `classes`: the solutions, grouped by which stones flip which.

Of two orthogonal neighbours the later stone flips the earlier one. An order therefore gives each
pair of neighbours a direction, and the whole grid an *orientation*. A stone ends white iff an odd
number of its neighbours come later. So the orientations that fit the target are the solutions of a
linear system modulo 2. The classes of solutions are those orientations that have no cycle and let
every stone touch another when it is put down. This module shares nothing with the table of `count`,
so each of the two checks the other.

Legend of the kernels
    cells     the empty cells, numbered row by row
    right, below   int64[n]: the number of the empty neighbour there, or -1
    odd       int64[n]: 1 where the target wants white
    near, startable   uint64[n]: the eight neighbours of each cell; uint64: the cells that touch a
              stone on the board. Both are bits of cell numbers
    before    uint64[depth, n]: the cells, as bits of their numbers, that precede each cell by a
              chain of pairs, after the pairs of the first `depth` cells are settled
    out       int64[depth, n]: how many neighbours of each cell come later, modulo 2
    next_way  int64[n]: the next of the four ways to settle the pairs to the right and below

The cells are taken row by row, so the pairs to the left and above a cell are settled before it. The
cell's parity then leaves two ways inside the board, and one on the last row or column. A pair that
closes a cycle is refused at once. 6x6 from a corner has 2^24 orientations, of which 16502 are
classes; they are found in well under a second.
"""

import time
from collections.abc import Generator, Iterator

import numpy as np
from numba import njit
from numpy.typing import NDArray

from solvers.answers import AnswerTable, Exact, ShownBoard
from solvers.grid import neighbours
from solvers.kind import Cell, Kind
from solvers.message import Message
from solvers.question import Clock, Progress, Run
from solvers.symmetry import Symmetry
from solvers.tonari import rules
from solvers.tonari.bitboard import NONE, ONE, own_symmetries
from solvers.tonari.count import class_size
from solvers.tonari.questions import ClassesAnswer, SolutionClass
from solvers.tonari.rules import Position

LISTED = 1000
"""The most classes that are listed with one of their orders. Further classes are only counted."""

ROWS, BOARDS = 300, 48
"""The most listed classes that are shown in the table, and the most that are drawn."""

MAX_LINES = 50_000
"""The most classes that are kept to be compared with their mirror images."""

COUNT_SECONDS = 20.0
"""Seconds for counting the orders of all listed classes together."""

_ROOM, _NODES = 4096, 100_000
"""The most classes and search nodes of one kernel call."""


def classes(
    kind: Kind[Position, Cell],
    position: Position,
    *,
    listed: int = LISTED,
    count_seconds: float = COUNT_SECONDS,
) -> Run[ClassesAnswer]:
    """List the classes of solutions: in all orders of a class the same stones flip the same others.

    Returns a `ClassesAnswer`. At most `listed` classes are listed; their orders are counted for
    `count_seconds` seconds altogether. `ROWS` of them are shown in the table and `BOARDS` are
    drawn. The boards are drawn without the stones on closed points, because full boards would all
    look alike. Where there is no solution, `note` is the reason, if one is seen without a search.
    """
    lines: list[list[Cell]] = []
    total = 0
    for each in found_classes(position):
        total += len(each)
        lines += each[: MAX_LINES - len(lines)]
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
    listed_classes = tuple(
        SolutionClass(" ".join(map(kind.write_move, line)), None if n is None else Exact(n))
        for n, line in entries
    )
    different = _distinct(position, lines) if total <= MAX_LINES else None
    note = rules.obstacle(position) if not lines else None
    if different:
        note = Message("Mirror images counted once: {classes}", {"classes": different})
    return ClassesAnswer(
        Exact(total),
        tuple(map(kind.write_move, lines[0])) if lines else (),
        note=note,
        classes=listed_classes,
        up_to_symmetry=None if different is None else Exact(different),
        tables=(_table(listed_classes),),
        boards=tuple(_drawn(kind, position, entries)),
    )


def _table(found: tuple[SolutionClass, ...]) -> AnswerTable:
    """Return a table with one row for each class: its number, its size and one of its orders."""
    return AnswerTable(
        (Message("Class"), Message("Orders"), Message("One of them")),
        tuple(
            (number, one.orders or Message("not counted"), Message("{moves}", {"moves": one.moves}))
            for number, one in enumerate(found[:ROWS], 1)
        ),
    )


def _drawn(
    kind: Kind[Position, Cell], position: Position, entries: list[tuple[int | None, list[Cell]]]
) -> Iterator[ShownBoard]:
    """Yield a board for each class. The stones on closed points are left out."""
    for number, (orders, line) in enumerate(entries[:BOARDS], 1):
        stage = position
        for index, cell in enumerate(line):
            # No later stone depends on the stone of a closed point: see `bitboard`.
            later = set(line[index + 1 :])
            if not later.isdisjoint(neighbours(cell, position.rows, position.columns)):
                stage = rules.play(stage, cell)
        caption = Message("Class {number}", {"number": number})
        if orders:
            caption = Message("Class {number}. Orders: {n}", {"number": number, "n": str(orders)})
        yield ShownBoard(kind.write(stage), caption)


def _distinct(position: Position, lines: list[list[Cell]]) -> int:
    """Return the number of classes when mirror images count once."""
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
    images = []
    for image in (Symmetry(position.rows, position.columns), *own_symmetries(position)):
        mirrored = when[:, [number[image(cell)] for cell in number]]
        # A class is a row of bits: which cell of each pair of neighbours comes first.
        first = mirrored[:, pairs[:, 0]] < mirrored[:, pairs[:, 1]]
        images.append([row.tobytes() for row in np.packbits(first, axis=1)])
    return len(set(map(min, zip(*images))))


def found_classes(position: Position) -> Generator[list[list[Cell]], None, None]:
    """Yield lists of new classes, each class as one of its orders. Many of the lists are empty."""
    if not rules.doomed(position):
        yield from ClassSearch(position).run(position)


class ClassSearch:
    """The search for classes in targets that differ from a position only in their colours.

    All searches of one object share its arrays, so a new search ends the one before.
    """

    def __init__(self, position: Position, room: int = _ROOM) -> None:
        occupied = position.occupied
        self._cells = [cell for cell in position.cells if not occupied & position.bit(cell)]
        number = {cell: i for i, cell in enumerate(self._cells)}
        n = len(self._cells)

        def numbers(step: Cell) -> NDArray[np.int64]:
            beside = [number.get((r + step[0], c + step[1]), -1) for r, c in self._cells]
            return np.array(beside, np.int64)

        self._right, self._below = numbers((0, 1)), numbers((1, 0))
        near = [
            sum(1 << i for (r, c), i in number.items() if max(abs(r - row), abs(c - column)) == 1)
            for row, column in self._cells
        ]
        self._near = np.array(near, np.uint64)
        self._startable = np.uint64(sum(1 << number[cell] for cell in rules.moves(position)))
        self._before, self._out = np.zeros((n + 1, n), np.uint64), np.zeros((n + 1, n), np.int64)
        self._next_way, self._lines = np.zeros(n, np.int64), np.zeros((room, n), np.int64)

    def run(self, target: Position) -> Generator[list[list[Cell]], None, None]:
        """Yield lists of at most `room` new classes, each class as one of its orders. Many of the
        lists are empty."""
        odd = np.array([rules.wants_white(target, cell) for cell in self._cells], np.int64)
        self._next_way[:] = 0
        depth, clock = 0, Clock()
        while depth >= 0:
            depth, number = enumerate_classes(
                self._right, self._below, odd, self._near, self._startable, self._before,
                self._out, self._next_way, depth, self._lines, len(self._lines), _NODES,
            )  # fmt: skip
            if clock.is_due() or number:
                yield [[self._cells[i] for i in line] for line in self._lines[:number].tolist()]


# Numba infers the kernels' types: arrays as in `bitboard`, and int64.
@njit(cache=True)
def precede(before, first, second):  # type: ignore[no-untyped-def]
    """Record that one cell comes before another, and return False if that closes a cycle."""
    bit = ONE << np.uint64(second)
    if before[first] & bit != NONE:
        return False
    gained = before[first] | (ONE << np.uint64(first))
    for cell in range(before.size):
        if cell == second or before[cell] & bit != NONE:
            before[cell] |= gained
    return True


@njit(cache=True)
def first_order(before, near, startable, line):  # type: ignore[no-untyped-def]
    """Write the first order that fits into `line`, and return whether there is one.

    The first cell that may come is always taken. Waiting for a cell never harms the others, so this
    decides whether every stone can touch another.
    """
    cells = before.size
    placed = NONE
    for step in range(cells):
        found = False
        for cell in range(cells):
            bit = ONE << np.uint64(cell)
            may_come = placed & bit == NONE and before[cell] & ~placed == NONE
            if may_come and (startable & bit != NONE or near[cell] & placed != NONE):
                placed |= bit
                line[step] = cell
                found = True
                break
        if not found:
            return False
    return True


@njit(cache=True)
def enumerate_classes(  # type: ignore[no-untyped-def]
    right, below, odd, near, startable, before, out, next_way, depth, lines, room, nodes
):
    """Continue the search and write one order of each class into `lines`.

    Returns (depth, found). The next call continues from `depth`; the search is over when that is
    -1. The call ends after `nodes` nodes, or when `room` orders are written.
    """
    cells = right.size
    number = 0
    for _ in range(nodes):
        if depth < 0 or number == room:
            break
        if depth == cells:
            if first_order(before[depth], near, startable, lines[number]):
                number += 1
            depth -= 1
            continue
        way = next_way[depth]
        if way == 4:
            next_way[depth] = 0
            depth -= 1
            continue
        next_way[depth] += 1
        # Bit 0: the right neighbour comes later. Bit 1: the neighbour below comes later.
        if (right[depth] < 0 and way & 1) or (below[depth] < 0 and way & 2):
            continue
        if (out[depth, depth] + (way & 1) + (way >> 1)) & 1 != odd[depth]:
            continue
        before[depth + 1] = before[depth]
        out[depth + 1] = out[depth]
        fits = True
        for axis in range(2):
            other = right[depth] if axis == 0 else below[depth]
            if other < 0 or not fits:
                continue
            if way >> axis & 1:
                fits = precede(before[depth + 1], depth, other)
            else:
                fits = precede(before[depth + 1], other, depth)
                out[depth + 1, other] ^= 1
        if fits:
            depth += 1
    return depth, number
