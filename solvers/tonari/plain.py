"""The question `plain`: the count over sets of occupied cells, in plain Python.

The idea alone, without the collapse, the symmetries, the tests and the compiler of `kernels`:
a stone's colour is settled when it is put down, so all orders that fill the same cells have
the same future, and their numbers may be added. A lesson, and a slow twin.
"""

import time
from collections import defaultdict
from collections.abc import Generator, Iterator

from solvers.grid import neighbours
from solvers.kind import Answer, Cell, Kind, Progress, Run
from solvers.message import Message
from solvers.tonari import rules
from solvers.tonari.obstacle import noted
from solvers.tonari.rules import Position

KEPT = 1_000_000
"""Sets up to which all are kept, to be gone through backwards."""

_EVERY = 20_000
"""Sets between two signs of life."""

_Cell = tuple[int, list[int], int, bool]
"""A cell's bit, those of its orthogonal neighbours, its eight neighbours as a set, and whether
the target wants it white."""


def plain(kind: Kind[Position, Cell], position: Position) -> Run:
    """Ask for the number of solutions, added up set by set.

    details: `states`, the sets looked at; `seconds`; where all of them could be kept `reached`,
    the sets in which every stone can still get its colour, and `lost`, those of them from which
    the target is out of reach all the same; `table`, all this to be shown; without a solution
    the reason as `note`, where one is seen.
    """
    began = time.perf_counter()
    cells: list[_Cell] = [
        (
            position.bit(cell),
            [position.bit(other) for other in neighbours(cell, position.rows, position.columns)],
            sum(position.bit((r, c)) for r, c in position.cells
                if max(abs(r - cell[0]), abs(c - cell[1])) == 1),
            rules.wants_white(position, cell),
        )
        for cell in position.cells
    ]  # fmt: skip
    layer = {} if rules.doomed(position) else {position.occupied: 1}
    layers: list[list[int]] | None = [list(layer)]
    looked_at = 0
    left = position.rows * position.columns - position.occupied.bit_count()
    for stones in range(left):
        following: defaultdict[int, int] = defaultdict(int)
        for occupied, ways in layer.items():
            looked_at += 1
            if looked_at % _EVERY == 0:
                yield Progress(stones, 2 * left)
            for bit in _after(cells, occupied):
                following[occupied | bit] += ways
        layer = following
        if looked_at + len(layer) > KEPT:
            layers = None
        elif layers is not None:
            layers.append(list(layer))
    total = sum(layer.values())
    seconds = round(time.perf_counter() - began, 4)
    rows = [
        [Message("Sets of occupied points looked at").to_json(), str(looked_at)],
        [Message("Seconds").to_json(), str(seconds)],
    ]
    details: dict[str, object] = {"states": looked_at, "seconds": seconds}
    if layers is not None:
        reached = sum(map(len, layers))
        lost = reached - (yield from _winnable(cells, layers))
        details |= {"reached": reached, "lost": lost}
        rows += [
            [
                Message("Sets in which every stone can still get its colour").to_json(),
                str(reached),
            ],
            [Message("Of these, lost all the same").to_json(), str(lost)],
        ]
    head = [Message("What").to_json(), Message("Number").to_json()]
    details["table"] = {"head": head, "rows": rows}
    return Answer(total, details=details | ({} if total else noted(position)))


def _after(cells: list[_Cell], occupied: int) -> Iterator[int]:
    """Yield the bits of the cells where a stone may go and keeps the target."""
    for bit, beside, around, white in cells:
        if not occupied & bit and occupied & around:
            empty = sum(not occupied & other for other in beside)
            if empty % 2 == white:
                yield bit


def _winnable(cells: list[_Cell], layers: list[list[int]]) -> Generator[Progress, None, int]:
    """Return how many sets lead on to a full board; the last layer holds that board only."""
    live = set(layers[-1])
    winnable = len(live)
    for stones, layer in enumerate(reversed(layers[:-1]), len(layers)):
        before = live
        live = set()
        for number, occupied in enumerate(layer):
            if number % _EVERY == 0:
                yield Progress(stones, 2 * len(layers))
            if any(occupied | bit in before for bit in _after(cells, occupied)):
                live.add(occupied)
        winnable += len(live)
    return winnable
