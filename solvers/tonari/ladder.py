"""The question `ladder`: how the study whittled its solutions down, step by step.

From となりオセロ (2010). Each step leaves more orders out: those that end wrong; mirror images
in the main diagonal and in the other one; stones that close a gap; different orders with the
same stones. The study takes its last figure for the number of solutions up to the mirror. It is
not: a mirror image is left out only where the board itself is symmetric on the way, and the
same stones reached in another way keep theirs. The true figures stand beside it.
"""

from collections.abc import Callable, Generator, Iterator
from itertools import combinations
from math import factorial

import numpy as np
from numpy.typing import NDArray

from solvers.kind import Answer, Cell, Kind, Progress, Run
from solvers.message import Message
from solvers.tonari import kernels, rules
from solvers.tonari.kernels import FULL, WHITE
from solvers.tonari.layout import Words, layout, symmetries, table_of
from solvers.tonari.rules import Position
from solvers.tonari.steps import STEPS

MOST_STATES = 8_000_000
"""Steps from the boards of one layer to the next: some 600 MB."""

LISTED = 300
"""Orders of the last step that are written down."""


def ladder(kind: Kind[Position, Cell], position: Position) -> Run:
    """Ask for the study's ladder from the position on.

    The value is its last figure. details: `steps`, each with `name`, `text` (messages) and
    `value`; a diagonal the puzzle is not symmetric to leaves the value as it was. Beside them
    `endings` and `endings_up_to_symmetry`, the true numbers of boards on which only closed
    points are left; `solutions`, the orders of the last step as the study lists them, at most
    `LISTED`; `mirrored`, the pairs of these (counted from 1) whose boards are mirror images.
    A step is null where a layer exceeds `MOST_STATES`; the answer is not proven if the last is.
    """
    counted = yield from kind.questions["count"].ask(kind, position)
    values: list[int | None] = [counted.value if counted.proven else None]
    filters: list[_Filter] = []
    for number in range(2):
        filters += _filters(position, number)
        flow = Flow(position, filters, closed=False)
        values.append(flow.total if (yield from flow.run()) else None)
    last, free = last_step(position), Flow(position, [], closed=True)
    fits = (yield from last.run()) and (yield from free.run())
    if not fits:
        return Answer(None, proven=False, details={"steps": _describe([*values, None, None])})
    lines = sorted(last.lines())
    images = _images(position)
    boards = [position.occupied | sum(map(position.bit, line)) for line in lines[:LISTED]]
    endings = {int(board) for layer in free.endings for board in layer}
    details: dict[str, object] = {
        "steps": _describe([*values, last.total, len(lines)]),
        "endings": str(len(endings)),
        "endings_up_to_symmetry": str(
            len({min(image(board) for image in images) for board in endings})
        ),
        "solutions": [" ".join(map(kind.write_move, line)) for line in lines[:LISTED]],
        "mirrored": [
            [i + 1, j + 1]
            for (i, one), (j, other) in combinations(enumerate(boards), 2)
            if any(image(one) == other for image in images)
        ],
    }
    moves = tuple(map(kind.write_move, lines[0])) if lines else ()
    return Answer(len(lines), moves, details=details)


def last_step(position: Position) -> "Flow":
    """Return the flow of the ladder's last two steps: its total is the fourth figure, the
    number of its lines the fifth."""
    filters = [*_filters(position, 0), *_filters(position, 1)]
    return Flow(position, filters, closed=True)


def _describe(values: list[int | None]) -> list[dict[str, object]]:
    return [
        {
            "name": Message(name).to_json(),
            "text": Message(text).to_json(),
            "value": None if value is None else str(value),
        }
        for (name, text), value in zip(STEPS, values)
    ]


def _images(position: Position) -> list[Callable[[int], int]]:
    """Return the symmetries of the puzzle, "as it is" included, as maps of sets of cells."""

    def of_sets(image: Callable[[Cell], Cell]) -> Callable[[int], int]:
        pairs = [(position.bit(cell), position.bit(image(cell))) for cell in position.cells]
        return lambda cells: sum(to for bit, to in pairs if cells & bit)

    return [of_sets(lambda cell: cell), *map(of_sets, symmetries(position))]


class _Filter:
    """While the stones are their own mirror image, only one side may be played."""

    def __init__(self, position: Position, image: Callable[[Cell], Cell], least: int) -> None:
        self._table = table_of(position, image)[: -(-position.rows * position.columns // 8)]
        # Of two mirror images the one above the diagonal comes first in reading order.
        upper = sum(position.bit(cell) for cell in position.cells if cell <= image(cell))
        self._upper = np.uint64(upper)
        self._least = least

    def __call__(self, boards: Words, moves: Words) -> Words:
        """Return the moves that are left on each board."""
        mirrored = np.zeros_like(boards)
        for byte, table in enumerate(self._table):
            mirrored |= table[(boards >> np.uint64(8 * byte)) & np.uint64(255)]
        symmetric = (mirrored == boards) & (np.bitwise_count(boards) >= self._least)
        left: Words = np.where(symmetric, moves & self._upper, moves)
        return left


def _filters(position: Position, number: int) -> Iterator[_Filter]:
    """Yield the filter of the first or the second diagonal, if the target is symmetric to it."""
    last = position.rows - 1

    def image(cell: Cell) -> Cell:
        return (last - cell[1], last - cell[0]) if number else (cell[1], cell[0])

    if position.rows == position.columns and all(
        rules.wants_white(position, cell) == rules.wants_white(position, image(cell))
        for cell in position.cells
    ):
        # The study looks at the second diagonal from as many stones on as there are rows.
        yield _Filter(position, image, position.rows if number else 0)


class Flow:
    """All orders at once, stone by stone: the boards after k stones, and the ways to each.

    Where `closed` says so, closed points are never played, and a board with nothing else left
    is an ending. Boards of a layer stand in the order of their least lines, as a depth-first
    search in reading order would come to them.
    """

    def __init__(self, position: Position, filters: list[_Filter], closed: bool) -> None:
        self._position = position
        self._filters = filters
        self._closed = closed
        self._lay = layout(position)
        self.total = 0
        self.endings: list[Words] = []
        """For each number of stones the boards that are endings."""
        self._ended: list[NDArray[np.intp]] = []
        self._came: list[tuple[NDArray[np.intp], NDArray[np.intp]]] = []
        """For each layer but the first where its boards come from: parent and cell."""

    def run(self) -> Generator[Progress, None, bool]:
        """Go through all layers. Returns False when one is too large."""
        left = int(self._lay[FULL]).bit_count() - self._position.occupied.bit_count()
        words = factorial(left).bit_length() // 32 + 1
        boards = np.array([self._position.occupied], np.uint64)
        ways = np.zeros((1, words), np.uint64)
        ways[0, 0] = 1
        if rules.doomed(self._position):
            boards, ways = boards[:0], ways[:0]
        for stones in range(left + 1):
            yield Progress(stones, left, Message("Situations found: {states}.",
                                                 {"states": len(boards)}))  # fmt: skip
            moves = kernels.keeping(self._lay, boards) & kernels.around(self._lay, boards)
            empty = self._lay[FULL] & ~boards
            over = empty == 0
            if self._closed:
                moves &= kernels.beside(self._lay, empty)
                over = (empty & kernels.beside(self._lay, empty)) == 0
                # A closed point that should be white is none that changes nothing.
                over &= (empty & self._lay[WHITE]) == 0
            self.total += sum(
                int(word) << (32 * i) for i, word in enumerate(ways[over].sum(axis=0))
            )
            self.endings.append(boards[over])
            self._ended.append(np.flatnonzero(over))
            for keep in self._filters:
                moves = keep(boards, moves)
            if int(np.bitwise_count(moves).sum()) > MOST_STATES:
                return False
            boards, ways = self._follow(boards, ways, moves)
        return True

    def _follow(self, boards: Words, ways: Words, moves: Words) -> tuple[Words, Words]:
        # By parent and cell, that is, least line first; the stable sort by boards below keeps
        # it so among equal boards.
        width = -(-int(self._lay[FULL]).bit_length() // 8)
        octets = moves.view(np.uint8).reshape(-1, 8)[:, :width]
        parents, played = np.divmod(
            np.flatnonzero(np.unpackbits(octets, axis=1, bitorder="little")), 8 * width
        )
        after = boards[parents] | (np.uint64(1) << played.astype(np.uint64))
        hopeful = ~kernels.lost_each(self._lay, after)
        parents, played, after = parents[hopeful], played[hopeful], after[hopeful]
        order = np.argsort(after, kind="stable")
        first = np.flatnonzero(np.diff(after[order], prepend=np.uint64(0)))
        sums = np.add.reduceat(ways[parents[order]], first) if len(first) else ways[:0]
        for word in range(sums.shape[1] - 1):
            sums[:, word + 1] += sums[:, word] >> np.uint64(32)
            sums[:, word] &= np.uint64(0xFFFFFFFF)
        least = order[first]
        rank = np.argsort(least)
        least = least[rank]
        self._came.append((parents[least], played[least]))
        return after[least], sums[rank]

    def lines(self) -> Iterator[tuple[Cell, ...]]:
        """Yield for each ending the least line that leads to it."""
        for stones, ended in enumerate(self._ended):
            for index in ended.tolist():
                line: list[Cell] = []
                for parents, played in reversed(self._came[:stones]):
                    line.append(divmod(int(played[index]), self._position.columns))
                    index = int(parents[index])
                yield tuple(reversed(line))
