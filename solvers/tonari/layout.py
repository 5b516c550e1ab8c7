"""The board as the kernels want it: sets of cells as 64-bit words, and the symmetries."""

from collections.abc import Callable, Iterator

import numpy as np
from numpy.typing import NDArray

from solvers.kind import Cell
from solvers.tonari.rules import Position

Words = NDArray[np.uint64]


def layout(position: Position) -> Words:
    """Return the kernels' `lay` of the position's board and target."""
    first = sum(1 << (row * position.columns) for row in range(position.rows))
    full = (1 << (position.rows * position.columns)) - 1
    last = first << (position.columns - 1)
    words = [position.columns, full, full & ~first, full & ~last, position.white]
    return np.array(words, np.uint64)


def mirrors(rows: int, columns: int) -> list[Callable[[Cell], Cell]]:
    """Return the symmetries of an empty board other than "as it is"."""
    bottom, right = rows - 1, columns - 1
    maps: list[Callable[[Cell], Cell]] = [
        lambda cell: (cell[0], right - cell[1]),
        lambda cell: (bottom - cell[0], cell[1]),
        lambda cell: (bottom - cell[0], right - cell[1]),
    ]
    if rows == columns:
        maps += [
            lambda cell: (cell[1], cell[0]),
            lambda cell: (right - cell[1], right - cell[0]),
            lambda cell: (cell[1], right - cell[0]),
            lambda cell: (right - cell[1], cell[0]),
        ]
    return maps


def symmetries(position: Position, *, target: bool = True) -> Iterator[Callable[[Cell], Cell]]:
    """Yield the board's symmetries, other than "as it is", under which the occupied cells,
    and with `target` the colours wanted of the others, stay what they are."""
    occupied = position.occupied
    white = position.white & ~occupied if target else 0
    for image in mirrors(position.rows, position.columns):
        if all(
            bool(cells & position.bit(cell)) == bool(cells & position.bit(image(cell)))
            for cells in (occupied, white)
            for cell in position.cells
        ):
            yield image


def images(position: Position, *, target: bool = True) -> Words:
    """Return the kernels' `images` of the position's symmetries."""
    tables = [table_of(position, image) for image in symmetries(position, target=target)]
    return np.array(tables, np.uint64).reshape(-1, 8, 256)


def table_of(position: Position, image: Callable[[Cell], Cell]) -> Words:
    """Return for each byte of a set of cells, and each value of it, the cells it is mapped to."""
    table = np.zeros((8, 256), np.uint64)
    values = np.arange(256)
    for cell in position.cells:
        byte, bit = divmod(cell[0] * position.columns + cell[1], 8)
        table[byte, values >> bit & 1 == 1] |= np.uint64(position.bit(image(cell)))
    return table
