"""Editors of boards: the base class of all editors, and a base for editors of letter boards."""

from abc import abstractmethod
from collections.abc import Iterable, Mapping
from typing import ClassVar

from solvers.capabilities import Editor as Editor
from solvers.grid import HALF, centre, check_size, letter_rows, press_area, wooden_board, write_cell
from solvers.kind import BadText, Cell, check_length, row_and_column
from solvers.message import Message
from solvers.picture import CELL, Circle, Picture, Shape, Spot

LONGEST_SIDE = 60
"""The most rows or columns of a drawing. A pasted board may be larger than the editor offers."""


class GridEditor(Editor):
    """An editor whose drawing is a letter board: rows of letters joined by `/`."""

    letters: ClassVar[Mapping[str, str]]
    """The name of a brush -> its letter. Using it on a cell with that letter clears the cell."""
    empty: ClassVar[str] = "."

    def board(self, rows: int, columns: int) -> Iterable[Shape]:
        """Return the shapes of the empty board."""
        return wooden_board(rows, columns)

    @abstractmethod
    def shapes(self, letter: str, cell: Cell) -> tuple[Shape, ...]:
        """Return the shapes of a letter on its cell."""

    @abstractmethod
    def label(self, letter: str) -> Message:
        """Return a cell's name for screen readers, with the fields {row} and {column} unfilled."""

    def blank(self, rows: int, columns: int) -> str:
        check_size(rows, columns, self.largest)
        return "/".join([self.empty * columns] * rows)

    def size(self, drawing: str) -> tuple[int, int]:
        rows = self._rows(drawing)
        return len(rows), len(rows[0])

    def resize(self, drawing: str, rows: int, columns: int) -> str:
        blank = self.blank(rows, columns).split("/")
        old = self._rows(drawing) + [""] * rows
        return "/".join((row + new)[:columns] for row, new in zip(old, blank))

    def paint(self, drawing: str, cell: Cell, brush: str) -> str:
        rows = [list(row) for row in self._rows(drawing)]
        row, column = cell
        if brush not in self.brushes or not (0 <= row < len(rows) and 0 <= column < len(rows[0])):
            raise BadText("This brush or point does not exist.")
        rows[row][column] = self.painted(rows[row][column], brush)
        return "/".join(map("".join, rows))

    def painted(self, letter: str, brush: str) -> str:
        """Return the letter that the brush puts in place of a letter."""
        return self.empty if letter == self.letters[brush] else self.letters[brush]

    def draw(self, drawing: str, fault: Cell | None = None) -> Picture:
        rows = self._rows(drawing)
        drawn: list[Shape | Spot] = list(self.board(len(rows), len(rows[0])))
        for r, row in enumerate(rows):
            for c, letter in enumerate(row):
                cell = (r, c)
                label = self.label(letter)
                shapes = (*self.shapes(letter, cell), press_area(cell))
                if cell == fault:
                    shapes += (Circle(*centre(cell), HALF - 3, "fault"),)
                named = Message(label.text, {**label.values, **row_and_column(cell)})
                drawn.append(Spot(r, c, write_cell(cell), named, shapes, *centre(cell)))
        return Picture(
            width=len(rows[0]) * CELL,
            height=len(rows) * CELL,
            title=Message(
                "Board to draw on, {rows} × {columns}", {"rows": len(rows), "columns": len(rows[0])}
            ),
            text=drawing.replace("/", "\n"),
            shapes=tuple(drawn),
        )

    def _rows(self, drawing: str) -> list[str]:
        check_length(drawing)
        rows = letter_rows(drawing, (self.empty, *self.letters.values()))
        if not rows[0]:
            raise BadText("There is no board yet.")
        if max(len(rows), len(rows[0])) > LONGEST_SIDE:
            raise BadText("A board has at most {most} rows and columns.", most=LONGEST_SIDE)
        return rows
