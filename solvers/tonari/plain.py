"""Sets of occupied cells in plain Python: the question `plain`, and all sets of a small board.

This is the idea of the count alone, without the collapse, the symmetries, the tests for lost areas
and the compiler of `table`. A stone's colour at the end is settled when it is put down. So all
orders that fill the same cells have the same future, and their numbers may be added. This module
shares nothing with the compiled solvers: a web page may call it for 3x3 and 4x4, and tests compare
the two.
"""

import time
from collections import defaultdict
from collections.abc import Iterator
from dataclasses import dataclass

from solvers.answers import Exact
from solvers.grid import neighbours
from solvers.kind import Cell, Kind
from solvers.message import Message
from solvers.question import Progress, Run
from solvers.tonari import rules
from solvers.tonari.questions import PlainAnswer, figures
from solvers.tonari.rules import Position

KEPT = 1_000_000
"""The most sets that are kept, so that they can be examined backwards."""

_REPORT = 20_000
"""Sets between two progress reports."""


@dataclass(frozen=True, slots=True)
class _Surroundings:
    """A cell and its neighbourhood, as bits."""

    bit: int
    beside: int
    """The cell's orthogonal neighbours."""
    around: int
    """The cell's eight neighbours."""
    white: bool
    """Whether the target wants the cell white."""


def _surroundings_of(position: Position) -> list[_Surroundings]:
    """Return the neighbourhood of each cell, row by row."""
    return [
        _Surroundings(
            position.bit(cell),
            sum(map(position.bit, neighbours(cell, position.rows, position.columns))),
            sum(position.bit((r, c)) for r, c in position.cells
                if max(abs(r - cell[0]), abs(c - cell[1])) == 1),
            rules.wants_white(position, cell),
        )
        for cell in position.cells
    ]  # fmt: skip


def _next_sets(cells: list[_Surroundings], occupied: int) -> Iterator[int]:
    """Yield the sets with one more stone in which that stone gets the colour the target wants."""
    for cell in cells:
        if not occupied & cell.bit and occupied & cell.around:
            empty = (cell.beside & ~occupied).bit_count()
            if empty % 2 == cell.white:
                yield occupied | cell.bit


def plain(kind: Kind[Position, Cell], position: Position) -> Run[PlainAnswer]:
    """Count the solutions by adding up the orders set by set.

    Returns a `PlainAnswer`. Where there is no solution, `note` is the reason, if one is seen
    without a search.
    """
    began = time.perf_counter()
    cells = _surroundings_of(position)
    layer = {} if rules.doomed(position) else {position.occupied: 1}
    layers: list[list[int]] | None = [list(layer)]
    looked_at = 0
    left = position.rows * position.columns - position.occupied.bit_count()
    for stones in range(left):
        following: defaultdict[int, int] = defaultdict(int)
        for occupied, ways in layer.items():
            looked_at += 1
            if looked_at % _REPORT == 0:
                yield Progress(stones, 2 * left)
            for after in _next_sets(cells, occupied):
                following[after] += ways
        layer = following
        if looked_at + len(layer) > KEPT:
            layers = None
        elif layers is not None:
            layers.append(list(layer))
    total = sum(layer.values())
    seconds = round(time.perf_counter() - began, 4)
    reached = lost = None
    if layers is not None:
        reached = sum(map(len, layers))
        lost = reached - (yield from _count_solvable(cells, layers))
    return PlainAnswer(
        Exact(total),
        note=None if total else rules.obstacle(position),
        seconds=seconds,
        states=looked_at,
        reached=reached,
        lost=lost,
        tables=(
            figures(
                Message("What"),
                (Message("Sets of occupied points looked at"), looked_at),
                (Message("Seconds"), seconds),
                (Message("Sets in which every stone can still get its colour"), reached),
                (Message("Of these, lost all the same"), lost),
            ),
        ),
    )


def _count_solvable(cells: list[_Surroundings], layers: list[list[int]]) -> Run[int]:
    """Return how many sets lead to a full board. The last layer has the full board only."""
    live = set(layers[-1])
    solvable = len(live)
    for stones, layer in enumerate(reversed(layers[:-1]), len(layers)):
        before = live
        live = set()
        for number, occupied in enumerate(layer):
            if number % _REPORT == 0:
                yield Progress(stones, 2 * len(layers))
            if any(after in before for after in _next_sets(cells, occupied)):
                live.add(occupied)
        solvable += len(live)
    return solvable


@dataclass(frozen=True, slots=True)
class CellSet:
    """A set of occupied cells that can be reached while every stone gets the colour the target
    wants."""

    occupied: int
    ways: int
    """The number of orders that lead from the start to these cells."""
    futures: int
    """The number of orders that lead from these cells to the target; 0 when the target is out of
    reach."""
    after: tuple[int, ...]
    """The sets with one more stone, as bits."""


def layers(position: Position) -> list[list[CellSet]]:
    """Return the reachable sets of a position without moves, as a list for each number of stones.

    The recurrence is that of `plain`, once forwards and once backwards.
    """
    cells = _surroundings_of(position)
    after: dict[int, tuple[int, ...]] = {}
    ways = [{position.starts: 1}]
    for _ in range(position.rows * position.columns - position.starts.bit_count()):
        following: defaultdict[int, int] = defaultdict(int)
        for occupied, number in ways[-1].items():
            after[occupied] = tuple(_next_sets(cells, occupied))
            for later in after[occupied]:
                following[later] += number
        ways.append(following)
    futures = dict.fromkeys(ways[-1], 1)
    for layer in reversed(ways[:-1]):
        futures |= {occupied: sum(futures[s] for s in after[occupied]) for occupied in layer}
    return [
        [CellSet(s, number, futures[s], after.get(s, ())) for s, number in layer.items()]
        for layer in ways
    ]


def endings(position: Position) -> set[int]:
    """Return the boards, as bits, on which only closed points are empty when these are never
    played.

    A point is closed when all its orthogonal neighbours are taken. Nothing depends on it, because
    its stone ends black whenever it is put down. The position must be all black and have no moves.
    """
    cells = _surroundings_of(position)
    layer, boards = {position.starts}, set[int]()
    while layer:
        following: set[int] = set()
        for occupied in layer:
            still_open = sum(
                cell.bit for cell in cells if not occupied & cell.bit and cell.beside & ~occupied
            )
            if not still_open:
                boards.add(occupied)
            following |= {s for s in _next_sets(cells, occupied) if s & ~occupied & still_open}
        layer = following
    return boards
