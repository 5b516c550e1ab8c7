"""The eight symmetries of a rectangle, by which a board is turned and mirrored."""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from itertools import product

Cell = tuple[int, int]
"""The row and column of a cell, both counted from 0."""


@dataclass(frozen=True, slots=True)
class Symmetry:
    """A way to turn or mirror a board of a given size. Calling it with a cell returns the cell to
    which that cell moves.

    >>> quarter_turn = Symmetry(rows=2, columns=3, upside_down=True, transposed=True)
    >>> quarter_turn((0, 0))
    (0, 1)
    >>> quarter_turn.turned(["abc", "def"])
    ('da', 'eb', 'fc')
    """

    rows: int
    columns: int
    upside_down: bool = False
    """Whether the top and the bottom are exchanged."""
    left_right: bool = False
    """Whether the left and the right side are exchanged."""
    transposed: bool = False
    """Whether rows and columns are exchanged, after the other two operations."""

    @property
    def size(self) -> tuple[int, int]:
        """The rows and columns of the turned board."""
        return (self.columns, self.rows) if self.transposed else (self.rows, self.columns)

    @property
    def keeps_size(self) -> bool:
        """Whether the turned board has as many rows and columns as the board."""
        return self.size == (self.rows, self.columns)

    def __call__(self, cell: Cell) -> Cell:
        row, column = cell
        if self.upside_down:
            row = self.rows - 1 - row
        if self.left_right:
            column = self.columns - 1 - column
        return (column, row) if self.transposed else (row, column)

    def turned(self, board: Sequence[str]) -> tuple[str, ...]:
        """Return the rows of the turned letter board."""
        rows = board[::-1] if self.upside_down else board
        if self.left_right:
            rows = [row[::-1] for row in rows]
        return tuple(map("".join, zip(*rows, strict=True)) if self.transposed else rows)


def symmetries(rows: int, columns: int) -> tuple[Symmetry, ...]:
    """Return all eight symmetries of a board. The first is the identity. The last four exchange
    rows and columns."""
    return tuple(
        Symmetry(rows, columns, upside_down, left_right, transposed)
        for transposed, upside_down, left_right in product((False, True), repeat=3)
    )


def images(board: Sequence[str]) -> Iterator[tuple[str, ...]]:
    """Yield the rows of a letter board under each of the eight symmetries."""
    for symmetry in symmetries(len(board), len(board[0])):
        yield symmetry.turned(board)
