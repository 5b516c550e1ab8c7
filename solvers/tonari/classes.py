"""The question `classes`: the solutions sorted by who flips whom.

Of two orthogonal neighbours the later stone flips the earlier. An order fixes this for each
pair of neighbours, an *orientation* of the grid; a stone ends white iff an odd number of its
neighbours come later. So the orientations that fit the target solve a linear system modulo 2,
and those without a cycle that leave every stone company are the classes of solutions. Nothing
is shared with the table of `count`: the two check each other.

Legend of the kernels
    cells     the empty cells, numbered row by row
    right, below   int64[n]: the number of the empty neighbour there, or -1
    odd       int64[n]: 1 where the target wants white
    near, begun    uint64[n], uint64: each cell's eight neighbours, the cells that touch a standing
              stone, as bits of their numbers
    before    uint64[depth, n]: the cells (as bits of their numbers) that come before each, in
              all chains of pairs, after the pairs of the first `depth` cells are settled
    out       int64[depth, n]: how many of its neighbours come later, modulo 2
    tried     int64[n]: the next of the four ways to settle the pairs to the right and below

The cells are taken row by row, so that a cell's pairs to the left and above are settled
before it: its parity leaves two ways in the inside, one on the last row or column. Pairs
that close a cycle are refused at once. 6x6 from a corner: 2^24 orientations, of which
16502 are classes, in well under a second.
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
from solvers.tonari import rules
from solvers.tonari.bitboard import NONE, ONE, symmetries
from solvers.tonari.count import class_size
from solvers.tonari.questions import ClassesAnswer, SolutionClass
from solvers.tonari.rules import Position

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
) -> Run[ClassesAnswer]:
    """Ask for the classes of solutions: those in which the same stones flip the same others.

    At most `listed` are given and counted, `ROWS` and `BOARDS` of these shown, each order without
    its closed points, on which nothing hangs: with them all boards would look alike. Without a
    solution a `note` says why, where that is seen.
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
    listed_classes = tuple(
        SolutionClass(" ".join(map(kind.write_move, line)), None if n is None else Exact(n))
        for n, line in entries
    )
    different = _distinct(position, lines) if total <= MOST else None
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
    """Return the classes as a table: a row a class, with one of its orders."""
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
        yield ShownBoard(kind.write(stage), caption)


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
    depth, clock = 0, Clock()
    while depth >= 0:
        depth, found = enumerate_classes(
            right, below, odd, near, begun, before, out, tried, depth, lines, _ROOM, _NODES
        )
        if clock.is_due() or found:
            yield [[cells[i] for i in line] for line in lines[:found].tolist()]


# Numba infers the kernels' types: arrays as in `bitboard`, and int64.
@njit(cache=True)
def precede(before, first, second):  # type: ignore[no-untyped-def]
    """Note that one cell comes before another; return whether that leaves no cycle."""
    bit = ONE << np.uint64(second)
    if before[first] & bit != NONE:
        return False
    gained = before[first] | (ONE << np.uint64(first))
    for cell in range(before.size):
        if cell == second or before[cell] & bit != NONE:
            before[cell] |= gained
    return True


@njit(cache=True)
def fill(before, near, begun, line):  # type: ignore[no-untyped-def]
    """Write into `line` the first order that fits, always taking the first cell that may come.

    Returns whether all cells find company. Waiting never harms, so this decides it.
    """
    cells = before.size
    placed = NONE
    for step in range(cells):
        found = False
        for cell in range(cells):
            bit = ONE << np.uint64(cell)
            may_come = placed & bit == NONE and before[cell] & ~placed == NONE
            if may_come and (begun & bit != NONE or near[cell] & placed != NONE):
                placed |= bit
                line[step] = cell
                found = True
                break
        if not found:
            return False
    return True


@njit(cache=True)
def enumerate_classes(  # type: ignore[no-untyped-def]
    right, below, odd, near, begun, before, out, tried, depth, lines, room, nodes
):
    """Go on listing classes, one order of each, into `lines`.

    Returns (depth, found): the search goes on from `depth`, and is over when that is -1. Stops
    after `nodes` nodes or when `room` orders are written.
    """
    cells = right.size
    found = 0
    for _ in range(nodes):
        if depth < 0 or found == room:
            break
        if depth == cells:
            if fill(before[depth], near, begun, lines[found]):
                found += 1
            depth -= 1
            continue
        way = tried[depth]
        if way == 4:
            tried[depth] = 0
            depth -= 1
            continue
        tried[depth] += 1
        # Bit 0: the right neighbour comes later; bit 1: the one below does.
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
    return depth, found
