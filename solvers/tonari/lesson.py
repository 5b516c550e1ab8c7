"""Small boards laid open in plain Python, for drawings: all sets of stones, all orientations.

Nothing here is fast, and nothing is shared with the compiled solvers: a web page may call it for
3x3 and 4x4, and a test may hold it against them.
"""

from collections.abc import Iterator
from dataclasses import dataclass

from solvers.grid import neighbours
from solvers.kind import Cell
from solvers.tonari import rules
from solvers.tonari.rules import Position

Arrow = tuple[Cell, Cell]
"""Two orthogonal neighbours: the first gets its stone earlier, and is flipped by the second."""


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


@dataclass(frozen=True, slots=True)
class Orientation:
    """A class of solutions: who flips whom."""

    arrows: frozenset[Arrow]
    orders: int


def layers(position: Position) -> list[list[Set]]:
    """Return the reachable sets by number of stones, from the position's start stones on.

    For a position without moves. The recurrence of `plain`, once forwards and once backwards.
    """
    ways = [{position.starts: 1}]
    after: dict[int, tuple[int, ...]] = {}
    for _ in range(position.rows * position.columns - position.starts.bit_count()):
        following: dict[int, int] = {}
        for occupied, number in ways[-1].items():
            after[occupied] = tuple(_after(position, occupied))
            for later in after[occupied]:
                following[later] = following.get(later, 0) + number
        ways.append(following)
    futures = dict.fromkeys(ways[-1], 1)
    for layer in reversed(ways[:-1]):
        futures |= {occupied: sum(futures[s] for s in after[occupied]) for occupied in layer}
    return [
        [Set(s, number, futures[s], after.get(s, ())) for s, number in layer.items()]
        for layer in ways
    ]


def orientations(position: Position) -> list[Orientation]:
    """Return the classes of solutions of a position without moves, the largest first.

    Every way to point an arrow along each pair of neighbours is tried, cell by cell; the parity
    of a cell's outgoing arrows is its colour. Kept are those that some order fits.
    """
    cells = list(position.cells)
    found: list[Orientation] = []

    def settle(index: int, arrows: frozenset[Arrow]) -> None:
        if index == len(cells):
            if orders := _orders(position, arrows):
                found.append(Orientation(arrows, orders))
            return
        cell = cells[index]
        ahead = [n for n in neighbours(cell, position.rows, position.columns) if n > cell]
        for way in range(1 << len(ahead)):
            chosen = [(cell, n) if way >> i & 1 else (n, cell) for i, n in enumerate(ahead)]
            both = arrows.union(chosen)
            out = sum(first == cell for first, _ in both)
            legal = not any(_is_start(position, later) for _, later in chosen)
            if legal and out % 2 == rules.wants_white(position, cell):
                settle(index + 1, both)

    settle(0, frozenset())
    return sorted(found, key=lambda orientation: -orientation.orders)


def endings(position: Position) -> set[int]:
    """Return the boards that are left where closed points are never taken, as bits.

    A point is closed when all its orthogonal neighbours are taken: nothing hangs on it, as its
    stone ends black whenever it comes. For an all-black position without moves.
    """
    layer, found = {position.starts}, set[int]()
    while layer:
        following: set[int] = set()
        for occupied in layer:
            now = Position(position.rows, position.columns, position.white, occupied)
            still_open = sum(
                now.bit(cell)
                for cell in position.cells
                if not occupied & now.bit(cell) and rules.empties_beside(now, cell)
            )
            if not still_open:
                found.add(occupied)
            reached = _after(position, occupied)
            following |= {later for later in reached if later & ~occupied & still_open}
        layer = following
    return found


def mirrored(arrows: frozenset[Arrow]) -> frozenset[Arrow]:
    """Return the arrows mirrored in the diagonal from the top left; for square boards."""
    return frozenset((first[::-1], later[::-1]) for first, later in arrows)


def _after(position: Position, occupied: int) -> Iterator[int]:
    # What may follow depends on the occupied cells only, so they may pass for start stones.
    now = Position(position.rows, position.columns, position.white, occupied)
    for cell in rules.moves(now):
        if rules.keeps_target(now, cell):
            yield occupied | now.bit(cell)


def _is_start(position: Position, cell: Cell) -> bool:
    return bool(position.starts & position.bit(cell))


def _orders(position: Position, arrows: frozenset[Arrow]) -> int:
    """Return how many orders put the earlier stone of every arrow first."""
    needed = dict.fromkeys(position.cells, 0)
    for first, later in arrows:
        needed[later] |= position.bit(first)
    layer = {position.starts: 1}
    for _ in range(position.rows * position.columns - position.starts.bit_count()):
        following: dict[int, int] = {}
        for occupied, ways in layer.items():
            now = Position(position.rows, position.columns, position.white, occupied)
            for cell in rules.moves(now):
                if not needed[cell] & ~occupied:
                    grown = occupied | now.bit(cell)
                    following[grown] = following.get(grown, 0) + ways
        layer = following
    return sum(layer.values())
