"""The question `generate`: boards to order."""

import random
from collections.abc import Generator
from dataclasses import dataclass
from typing import TypeVar

import numpy as np

from solvers.goishi import climb, shapes
from solvers.goishi.capped import work
from solvers.goishi.network import network
from solvers.goishi.rules import Position, cells
from solvers.goishi.solve import NODES, find
from solvers.kind import Answer, Cell, Kind, Progress, PuzzleError, Run
from solvers.message import Message

T = TypeVar("T")

EFFORT = 150_000_000
"""Search nodes for each board wanted, about half a minute, before fewer must do."""

_CLIMB = 20_000_000
"""Nodes after which a climb starts anew elsewhere."""

_SLICE = 1_000_000
"""Nodes of one call: a fraction of a second."""


@dataclass(frozen=True, slots=True)
class Order:
    """What is wanted: see the options of the question."""

    rows: int
    columns: int
    groups: list[list[Cell]]
    """The points that may bear stones, those that go together in one list."""
    look: str
    stones: list[int]
    """The possible numbers of stones."""
    low: int
    high: int
    """The number of solutions."""
    bands: range


def generate(
    kind: Kind[Position, Cell],
    position: Position,
    *,
    stones: list[int],
    size: list[int],
    shape: str,
    solutions: list[int],
    band: list[int],
    look: str,
    many: int,
    seed: int,
    known: list[str],
) -> Run:
    """Ask for new boards; the position matters for the shape "drawn": stones go where it has some.

    `stones`, `solutions` and `band` are [least, most], `size` [rows, columns], `known` the
    canonical texts (`shapes.canonical`) of boards not wanted again. The same seed gives the
    same boards. Value: the number found, not proven when that is fewer than `many` after all
    the effort. details, also of every sign of life: `boards`, each with `position`,
    `solutions`, `band` and `line`, one solution; no two are the same turned, mirrored or spread
    out. Raises PuzzleError at once, with the reason, for what can't be.
    """
    order = _order(position, stones, size, shape, solutions, band, look)
    maker = _Maker(order, random.Random(seed))
    seen = set(known)
    boards: list[dict[str, object]] = []
    while len(boards) < many and maker.used < many * EFFORT:
        found = yield from _during(maker.next_board(many * EFFORT), boards, many)
        if found is None or shapes.canonical(found) in seen:
            continue
        seen.add(shapes.canonical(found))
        rated = yield from _during(kind.questions["rate"].ask(kind, found), boards, many)
        if rated.value not in order.bands:
            continue
        board, starts = network(found)
        line = yield from _during(find(board, starts, NODES), boards, many)
        boards.append(
            {
                "position": kind.write(found),
                "solutions": rated.details["solutions"],
                "band": rated.value,
                "line": " ".join(board.line(line or ())),
            }
        )
        yield _sign(boards, many)
    details: dict[str, object] = {"boards": boards}
    if len(boards) < many:
        note = Message(
            "After a long search only this many were found: {found} of {many}.",
            {"found": len(boards), "many": many},
        )
        details["note"] = note.to_json()
    return Answer(len(boards), proven=len(boards) == many, details=details)


def _sign(boards: list[dict[str, object]], many: int) -> Progress:
    note = Message("Boards found: {found} of {many}.", {"found": len(boards), "many": many})
    return Progress(len(boards), many, note, details={"boards": list(boards)})


def _during(
    work: Generator[Progress, None, T], boards: list[dict[str, object]], many: int
) -> Generator[Progress, None, T]:
    """Return what the work returns; its signs of life become those of the whole."""
    while True:
        try:
            next(work)
        except StopIteration as end:
            result: T = end.value
            return result
        yield _sign(boards, many)


def _order(
    position: Position,
    stones: list[int],
    size: list[int],
    shape: str,
    solutions: list[int],
    band: list[int],
    look: str,
) -> Order:
    """Return the order. Raises PuzzleError for what can't be."""
    drawn = shape == "drawn"
    rows, columns = (position.rows, position.columns) if drawn else size
    if look in shapes.SQUARE_LOOKS and rows != columns:
        raise PuzzleError("This symmetry needs a square board.")
    allowed = (
        list(cells(position, position.stones)) if drawn else shapes.points(shape, rows, columns)
    )
    groups = shapes.groups(look, allowed, rows, columns)
    points = sum(map(len, groups))
    if stones[0] > points:
        raise PuzzleError(
            "The shape has room for {points} stones, but {stones} are wanted.",
            points=points,
            stones=stones[0],
        )
    low, high = solutions
    possible = _sums([len(group) for group in groups])
    wanted = [n for n in range(stones[0], stones[1] + 1) if n in possible]
    if not wanted:
        raise PuzzleError("With this symmetry the shape can't hold this number of stones.")
    if look != "none" and low == high and low % 2 and wanted != [1]:
        raise PuzzleError(
            "A symmetric board always has an even number of solutions: each one has a mirror "
            "image. So it can never have exactly {number}.",
            number=low,
        )
    if high == 1:
        wanted = [n for n in wanted if not 2 <= n <= 6]
    if not wanted:
        raise PuzzleError("A board of 2 to 6 stones never has exactly one solution.")
    # Any start, four ways from it, three from each stone after that.
    wanted = [n for n in wanted if (n * 4 * 3 ** (n - 2) if n > 1 else 1) >= low]
    if not wanted:
        raise PuzzleError("So few stones can't have so many solutions.")
    return Order(rows, columns, groups, look, wanted, low, high, range(band[0], band[1] + 1))


def _sums(sizes: list[int]) -> set[int]:
    """Return the numbers of stones that fill some groups and leave the others empty."""
    sums = {0}
    for size in sizes:
        sums |= {size + other for other in sums}
    return sums


class _Maker:
    """Makes boards with the wanted number of solutions, one climb after the other."""

    def __init__(self, order: Order, rng: random.Random) -> None:
        self._order = order
        self._rng = rng
        self._work = work()
        self.used = 0
        """Nodes so far."""
        points = order.rows * order.columns
        self._sizes = np.array([len(group) for group in order.groups])
        self._groups = np.full((len(order.groups), 4), -1)
        self._allowed = np.zeros(points, np.bool_)
        for g, group in enumerate(order.groups):
            members = [row * order.columns + column for row, column in group]
            self._groups[g, : len(group)] = members
            self._allowed[members] = True

    def next_board(self, effort: int) -> Generator[Progress, None, Position | None]:
        """Return a board with a number of solutions as wanted; None when the climb failed."""
        order = self._order
        chosen = self._begin(self._rng.choice(order.stones))
        self.used += _SLICE // 100
        if chosen is None:
            return None
        taken = np.zeros(len(self._allowed), np.bool_)
        members = self._groups[chosen].ravel()
        taken[members[members >= 0]] = True
        word = np.array([self._rng.getrandbits(64) | 1], np.uint64)
        miss, spent = -1.0, 0
        while miss != 0 and spent < _CLIMB and self.used < effort:
            miss, used = climb.climb(
                self._groups,
                self._sizes,
                chosen,
                order.columns,
                taken,
                self._work,
                order.low,
                order.high,
                word,
                miss,
                _SLICE,
            )
            spent += used
            self.used += used
            yield Progress(0, 1)
        if miss != 0:
            return None
        bits = sum(1 << int(cell) for cell in np.flatnonzero(taken))
        return Position(order.rows, order.columns, bits)

    def _begin(self, stones: int) -> "np.ndarray[tuple[int], np.dtype[np.bool_]] | None":
        """Return which groups bear stones at first: a solvable board, or for a symmetric look
        any; None when chance did not make one."""
        order = self._order
        if order.look == "none":
            taken = np.zeros(len(self._allowed), np.bool_)
            word = np.array([self._rng.getrandbits(64) | 1], np.uint64)
            made = climb.backwards(self._allowed, order.rows, order.columns, stones, word, taken)
            return taken[self._groups[:, 0]] if made else None
        chosen = np.zeros(len(self._sizes), np.bool_)
        for g in self._rng.sample(range(len(self._sizes)), len(self._sizes)):
            if self._sizes[g] <= stones:
                chosen[g] = True
                stones -= int(self._sizes[g])
        return None if stones else chosen
