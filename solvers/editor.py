"""How a board is drawn up: the editor of a kind, and what the editors of letter boards share."""

from abc import ABC, abstractmethod
from collections.abc import Iterable, Mapping
from typing import ClassVar

from solvers.grid import HALF, centre, check_size, letter_rows, press, wooden_board, write_cell
from solvers.kind import BadText, Cell, check_length, row_and_column
from solvers.message import Message
from solvers.picture import CELL, Circle, Picture, Shape, Spot

LONGEST_SIDE = 60
"""Rows or columns of a draft. A pasted board may be larger than those the editor offers."""


class Editor(ABC):
    """How a board is drawn up. A draft is text and may still be no legal puzzle."""

    brushes: ClassVar[Mapping[str, str]]
    """Name -> title. The first one is in the hand at the start."""
    largest: ClassVar[tuple[int, int]]
    """Rows and columns."""
    largest_for_students: ClassVar[tuple[int, int] | None] = None
    """The same of boards that students draw, where that is less: a large one is counted for
    minutes."""
    advice: ClassVar[str] = ""
    """What is not seen at once, in a sentence."""
    formats: ClassVar[Mapping[str, str]] = {}
    """Title -> an example, for each way to write a board that the kind reads."""

    @abstractmethod
    def blank(self, rows: int, columns: int) -> str:
        """Return a draft without anything on it. Raises BadText beyond `largest`."""

    @abstractmethod
    def size(self, draft: str) -> tuple[int, int]:
        """Return rows and columns. Raises BadText when the text is no draft."""

    @abstractmethod
    def resize(self, draft: str, rows: int, columns: int) -> str:
        """Return the draft cut or extended at its right and lower edges."""

    @abstractmethod
    def paint(self, draft: str, cell: Cell, brush: str) -> str:
        """Return the draft with the brush set down once on the cell."""

    @abstractmethod
    def draw(self, draft: str, fault: Cell | None = None) -> Picture:
        """Return the draft as a picture; every cell is a spot whose move is `row,column`."""


class GridEditor(Editor):
    """An editor whose draft is a letter board: rows of letters joined by `/`."""

    letters: ClassVar[Mapping[str, str]]
    """Brush -> the letter it sets. Set on the same letter again it clears the cell."""
    empty: ClassVar[str] = "."

    def board(self, rows: int, columns: int) -> Iterable[Shape]:
        """Return the board without anything on it."""
        return wooden_board(rows, columns)

    @abstractmethod
    def shapes(self, letter: str, cell: Cell) -> tuple[Shape, ...]:
        """Return what a letter looks like on its cell."""

    @abstractmethod
    def label(self, letter: str) -> Message:
        """Return the cell's name for screen readers, with the fields {row} and {column} left."""

    def blank(self, rows: int, columns: int) -> str:
        check_size(rows, columns, self.largest)
        return "/".join([self.empty * columns] * rows)

    def size(self, draft: str) -> tuple[int, int]:
        rows = self._rows(draft)
        return len(rows), len(rows[0])

    def resize(self, draft: str, rows: int, columns: int) -> str:
        blank = self.blank(rows, columns).split("/")
        old = self._rows(draft) + [""] * rows
        return "/".join((kept + new)[:columns] for kept, new in zip(old, blank))

    def paint(self, draft: str, cell: Cell, brush: str) -> str:
        rows = [list(row) for row in self._rows(draft)]
        row, column = cell
        if brush not in self.brushes or not (0 <= row < len(rows) and 0 <= column < len(rows[0])):
            raise BadText("This brush or this point does not exist.")
        rows[row][column] = self.painted(rows[row][column], brush)
        return "/".join(map("".join, rows))

    def painted(self, letter: str, brush: str) -> str:
        """Return what the brush makes of a letter."""
        return self.empty if letter == self.letters[brush] else self.letters[brush]

    def draw(self, draft: str, fault: Cell | None = None) -> Picture:
        rows = self._rows(draft)
        drawn: list[Shape | Spot] = list(self.board(len(rows), len(rows[0])))
        for r, row in enumerate(rows):
            for c, letter in enumerate(row):
                cell = (r, c)
                label = self.label(letter)
                shapes = (*self.shapes(letter, cell), press(cell))
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
            text=draft.replace("/", "\n"),
            shapes=tuple(drawn),
        )

    def _rows(self, draft: str) -> list[str]:
        check_length(draft)
        rows = letter_rows(draft, (self.empty, *self.letters.values()))
        if not rows[0]:
            raise BadText("There is no board yet.")
        if max(len(rows), len(rows[0])) > LONGEST_SIDE:
            raise BadText("A board has at most {most} rows and columns.", most=LONGEST_SIDE)
        return rows
