"""Sets of occupied cells in plain Python: the question `plain`, and small boards laid open.

The idea of the count alone, without the collapse, the symmetries, the tests and the compiler of
`table`: a stone's colour is settled when it is put down, so all orders that fill the same cells
have the same future, and their numbers may be added. Nothing is shared with the compiled solvers:
a web page may call this for 3x3 and 4x4, and a test hold it against them.
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
"""Sets up to which all are kept, to be gone through backwards."""

_REPORT = 20_000
"""Sets between two signs of life."""


@dataclass(frozen=True, slots=True)
class _Near:
    """What is near a cell, as bits."""

    bit: int
    beside: int
    """Its orthogonal neighbours."""
    around: int
    """Its eight neighbours."""
    white: bool
    """Whether the target wants it white."""


def _surroundings(position: Position) -> list[_Near]:
    """Return what is near each cell, row by row."""
    return [
        _Near(
            position.bit(cell),
            sum(map(position.bit, neighbours(cell, position.rows, position.columns))),
            sum(position.bit((r, c)) for r, c in position.cells
                if max(abs(r - cell[0]), abs(c - cell[1])) == 1),
            rules.wants_white(position, cell),
        )
        for cell in position.cells
    ]  # fmt: skip


def _after(cells: list[_Near], occupied: int) -> Iterator[int]:
    """Yield the sets one stone later in which that stone gets the colour the target wants."""
    for cell in cells:
        if not occupied & cell.bit and occupied & cell.around:
            empty = (cell.beside & ~occupied).bit_count()
            if empty % 2 == cell.white:
                yield occupied | cell.bit


def plain(kind: Kind[Position, Cell], position: Position) -> Run[PlainAnswer]:
    """Ask for the number of solutions, added up set by set.

    Without a solution the `note` is the reason, where one is seen.
    """
    began = time.perf_counter()
    cells = _surroundings(position)
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
            for after in _after(cells, occupied):
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
        lost = reached - (yield from _winnable(cells, layers))
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


def _winnable(cells: list[_Near], layers: list[list[int]]) -> Run[int]:
    """Return how many sets lead on to a full board; the last layer holds that board only."""
    live = set(layers[-1])
    winnable = len(live)
    for stones, layer in enumerate(reversed(layers[:-1]), len(layers)):
        before = live
        live = set()
        for number, occupied in enumerate(layer):
            if number % _REPORT == 0:
                yield Progress(stones, 2 * len(layers))
            if any(after in before for after in _after(cells, occupied)):
                live.add(occupied)
        winnable += len(live)
    return winnable


@dataclass(frozen=True, slots=True)
class Set:
    """Occupied cells that can be reached while every stone gets the colour the target wants."""

    occupied: int
    ways: int
    """Orders that lead from the start to these cells."""
    futures: int
    """Orders that lead from these cells to the target; 0 where it is lost already."""
    after: tuple[int, ...]
    """The sets one stone later, as their bits."""


def layers(position: Position) -> list[list[Set]]:
    """Return the reachable sets by number of stones, from the position's start stones on.

    For a position without moves. The recurrence of `plain`, once forwards and once backwards.
    """
    cells = _surroundings(position)
    after: dict[int, tuple[int, ...]] = {}
    ways = [{position.starts: 1}]
    for _ in range(position.rows * position.columns - position.starts.bit_count()):
        following: defaultdict[int, int] = defaultdict(int)
        for occupied, number in ways[-1].items():
            after[occupied] = tuple(_after(cells, occupied))
            for later in after[occupied]:
                following[later] += number
        ways.append(following)
    futures = dict.fromkeys(ways[-1], 1)
    for layer in reversed(ways[:-1]):
        futures |= {occupied: sum(futures[s] for s in after[occupied]) for occupied in layer}
    return [
        [Set(s, number, futures[s], after.get(s, ())) for s, number in layer.items()]
        for layer in ways
    ]


def endings(position: Position) -> set[int]:
    """Return the boards that are left where closed points are never taken, as bits.

    A point is closed when all its orthogonal neighbours are taken: nothing hangs on it, as its
    stone ends black whenever it comes. For an all-black position without moves.
    """
    cells = _surroundings(position)
    layer, found = {position.starts}, set[int]()
    while layer:
        following: set[int] = set()
        for occupied in layer:
            still_open = sum(
                cell.bit for cell in cells if not occupied & cell.bit and cell.beside & ~occupied
            )
            if not still_open:
                found.add(occupied)
            following |= {s for s in _after(cells, occupied) if s & ~occupied & still_open}
        layer = following
    return found
