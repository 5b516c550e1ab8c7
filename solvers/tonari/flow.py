"""All orders at once: the boards after each number of stones, and the ways to each."""

from collections.abc import Callable, Generator, Iterator, Sequence
from math import factorial

import numpy as np
from numpy.typing import NDArray

from solvers.kind import Cell, Progress
from solvers.message import Message
from solvers.tonari import kernels, rules
from solvers.tonari.flow_kernel import follow
from solvers.tonari.kernels import FULL
from solvers.tonari.layout import Words, layout, table_of
from solvers.tonari.rules import Position

MEMORY = 800 << 20
"""Bytes for two layers of boards. A layer that needs more is not gone through."""

_SLICE = 1 << 16
"""Boards of one call: well under a second."""


class Filter:
    """While the stones are their own mirror image, only one side may be played."""

    def __init__(self, position: Position, image: Callable[[Cell], Cell], least: int) -> None:
        self.table = table_of(position, image)
        self.upper = sum(position.bit(cell) for cell in position.cells if cell <= image(cell))
        """Of two mirror images the one above the diagonal comes first in reading order."""
        self.least = least
        """Stones from which on it holds."""


class Flow:
    """The orders that reach the target, as boards by number of stones.

    Where `closed` says so, closed points are never played, and a board with nothing else left
    is an ending. Boards of a layer stand in the order of their least lines, as a depth-first
    search in reading order would come to them.
    """

    def __init__(self, position: Position, filters: Sequence[Filter], closed: bool) -> None:
        self._position = position
        self._filters = filters
        self._closed = closed
        self._lay = layout(position)
        self.total = 0
        self.endings: list[Words] = []
        """For each number of stones the boards that are endings."""
        self._ended: list[NDArray[np.intp]] = []
        self._came: list[tuple[NDArray[np.int32], NDArray[np.int8]]] = []
        """For each layer but the first where its boards come from: parent and cell."""

    def run(self) -> Generator[Progress, None, bool]:
        """Go through all layers. Returns False when one is too large."""
        left = int(self._lay[FULL]).bit_count() - self._position.occupied.bit_count()
        boards = np.array([self._position.occupied], np.uint64)
        ways = np.zeros((1, factorial(left).bit_length() // 32 + 1), np.uint32)
        ways[0, 0] = 1
        if rules.doomed(self._position):
            boards, ways = boards[:0], ways[:0]
        for stones in range(left + 1):
            layer = _Layer(len(boards), ways.shape[1])
            if layer.nbytes + boards.nbytes + ways.nbytes > MEMORY:
                return False
            over = np.zeros(len(boards), np.bool_)
            filters = self._active(boards)
            first = 0
            while first < len(boards):
                note = Message("Situations found: {states}.", {"states": layer.count})
                yield Progress(stones, left, note)
                last = min(first + _SLICE, len(boards))
                done, layer.count = follow(
                    self._lay, self._closed, *filters, boards, ways, over, first, last,
                    *layer.arrays, layer.slots, layer.count,
                )  # fmt: skip
                if done < last and not layer.grow(boards.nbytes + ways.nbytes):
                    return False
                first = done
            self.total += _total(ways[over])
            self.endings.append(boards[over])
            if self._closed:
                self._ended.append(np.flatnonzero(over))
                self._came.append(layer.origins())
            boards, ways = layer.boards()
        return True

    def _active(self, boards: Words) -> tuple[Words, Words]:
        """Return the filters that hold for boards of a layer, as `follow` wants them."""
        stones = int(boards[0]).bit_count() if len(boards) else 0
        active = [keep for keep in self._filters if stones >= keep.least]
        mirrors = np.array([keep.table for keep in active], np.uint64).reshape(-1, 8, 256)
        return mirrors, np.array([keep.upper for keep in active], np.uint64)

    def lines(self) -> Iterator[tuple[Cell, ...]]:
        """Yield for each ending the least line that leads to it; for a flow with `closed`."""
        for stones, ended in enumerate(self._ended):
            for index in ended.tolist():
                line: list[Cell] = []
                for parents, played in reversed(self._came[:stones]):
                    line.append(divmod(int(played[index]), self._position.columns))
                    index = int(parents[index])
                yield tuple(reversed(line))


class _Layer:
    """The boards that are being found, with room for more."""

    def __init__(self, before: int, words: int) -> None:
        room = 1 << max(8, (2 * before).bit_length())
        self.count = 0
        self.slots = np.full(2 * room, -1, np.int32)
        self.arrays = (
            np.empty(room, np.uint64),
            np.zeros((room, words), np.uint32),
            np.empty(room, np.int32),
            np.empty(room, np.int8),
        )
        """keys, sums, parents, cells."""

    @property
    def nbytes(self) -> int:
        return self.slots.nbytes + sum(array.nbytes for array in self.arrays)

    def grow(self, beside: int) -> bool:
        """Make twice the room, if that fits into the memory together with `beside` bytes."""
        # Old and new arrays stand side by side while they are copied.
        if 3 * self.nbytes + beside > MEMORY:
            return False
        self.arrays = tuple(  # type: ignore[assignment]
            np.concatenate((array, np.zeros_like(array))) for array in self.arrays
        )
        self.slots = np.full(2 * len(self.slots), -1, np.int32)
        kernels.refill(self.arrays[0], self.count, self.slots)
        return True

    def boards(self) -> tuple[Words, NDArray[np.uint32]]:
        """Return the boards found and the ways to each."""
        keys, sums, _, _ = self.arrays
        return keys[: self.count].copy(), sums[: self.count].copy()

    def origins(self) -> tuple[NDArray[np.int32], NDArray[np.int8]]:
        """Return where each board comes from: its parent in the layer before, and the cell."""
        _, _, parents, cells = self.arrays
        return parents[: self.count].copy(), cells[: self.count].copy()


def _total(ways: NDArray[np.uint32]) -> int:
    sums = ways.sum(axis=0, dtype=np.uint64)
    return sum(int(word) << (32 * i) for i, word in enumerate(sums))
