"""What kinds on a square grid share: cells as text, letter boards, the wooden board, the editor."""

import re
from abc import abstractmethod
from collections.abc import Iterable, Iterator, Mapping
from typing import ClassVar

from solvers.kind import BadText, Cell, Editor, Place, clean
from solvers.message import Message
from solvers.picture import CELL, Circle, Mark, Picture, Rect, Spot, grid_lines

HALF = CELL / 2

_CELL = re.compile(r"([0-9]{1,4}) *, *([0-9]{1,4})")

_STAR_LINES = {9: (2, 4, 6), 13: (3, 6, 9), 15: (3, 7, 11), 19: (3, 9, 15)}
"""Side of a Go board -> the lines that bear its star points."""


def read_cell(text: str) -> Cell:
    """Return the cell of `row,column` (from 1). Raises BadText."""
    match = _CELL.fullmatch(clean(text))
    if not match or int(match[1]) == 0 or int(match[2]) == 0:
        raise BadText(
            "“{text}” is not a point. Write row,column, counted from 1, like 2,3.",
            text=text.strip()[:20],
        )
    return int(match[1]) - 1, int(match[2]) - 1


def write_cell(cell: Cell) -> str:
    """Return `row,column`, counted from 1."""
    return f"{cell[0] + 1},{cell[1] + 1}"


def centre(cell: Cell) -> tuple[float, float]:
    """Return x and y of the cell's middle in a picture."""
    return cell[1] * CELL + HALF, cell[0] * CELL + HALF


def neighbours(cell: Cell, rows: int, columns: int) -> Iterator[Cell]:
    """Yield the orthogonal neighbours on the board: above, left, right, below."""
    row, column = cell
    for r, c in ((row - 1, column), (row, column - 1), (row, column + 1), (row + 1, column)):
        if 0 <= r < rows and 0 <= c < columns:
            yield r, c


def wooden_board(rows: int, columns: int) -> Iterator[Mark]:
    """Yield a Go board whose points are the middles of the cells, star points included."""
    yield Rect(0, 0, columns * CELL, rows * CELL, "board", corner=4)
    yield from grid_lines(rows, columns)
    if rows == columns:
        lines = _STAR_LINES.get(rows, ())
        # The smaller boards bear stars in the corners and the centre only.
        full = rows == 19
        for i, row in enumerate(lines):
            for j, column in enumerate(lines):
                if full or (i == 1) == (j == 1):
                    yield Circle(*centre((row, column)), 3, "hoshi")


def press(cell: Cell) -> Rect:
    """Return the clear square over a cell that takes the pointer and shows the focus."""
    return Rect(cell[1] * CELL, cell[0] * CELL, CELL, CELL, "press", corner=8)


def letter_rows(text: str, letters: Iterable[str]) -> list[str]:
    """Return the rows of a letter board, all of one length. Raises BadText, naming the place."""
    rows = text.split("/")
    allowed = set(letters)
    for number, row in enumerate(rows, 1):
        for column, letter in enumerate(row, 1):
            if letter not in allowed:
                raise BadText(
                    "Line {line}, column {column}: “{sign}” has no meaning here.",
                    line=number,
                    column=column,
                    sign=letter,
                    place=Place(line=number, column=column),
                )
        check_width(number, len(row), len(rows[0]))
    return rows


def check_width(number: int, width: int, first: int) -> None:
    """Raise BadText, naming the row, unless it is as wide as the first one."""
    if width != first:
        raise BadText(
            "The length of row {row} is {width}, but that of row 1 is {first}. All rows must be "
            "equally long.",
            row=number,
            width=width,
            first=first,
            place=Place(line=number),
        )


class GridEditor(Editor):
    """An editor whose draft is a letter board: rows of letters joined by `/`."""

    letters: ClassVar[Mapping[str, str]]
    """Brush -> the letter it sets. Set on the same letter again it clears the cell."""
    empty: ClassVar[str] = "."

    def board(self, rows: int, columns: int) -> Iterator[Mark]:
        """Yield the board without anything on it."""
        return wooden_board(rows, columns)

    @abstractmethod
    def marks(self, letter: str, cell: Cell) -> tuple[Mark, ...]:
        """Return what a letter looks like on its cell."""

    @abstractmethod
    def label(self, letter: str) -> Message:
        """Return the cell's name for screen readers, with the fields {row} and {column} left."""

    def blank(self, rows: int, columns: int) -> str:
        most_rows, most_columns = self.largest
        if not (1 <= rows <= most_rows and 1 <= columns <= most_columns):
            raise BadText(
                "A board can have 1 to {rows} rows and 1 to {columns} columns.",
                rows=most_rows,
                columns=most_columns,
            )
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
        if brush not in self.letters or not (0 <= row < len(rows) and 0 <= column < len(rows[0])):
            raise BadText("This brush or this point does not exist.")
        letter = self.letters[brush]
        rows[row][column] = self.empty if rows[row][column] == letter else letter
        return "/".join(map("".join, rows))

    def draw(self, draft: str, fault: Cell | None = None) -> Picture:
        rows = self._rows(draft)
        shapes: list[Mark | Spot] = list(self.board(len(rows), len(rows[0])))
        for r, row in enumerate(rows):
            for c, letter in enumerate(row):
                cell = (r, c)
                label = self.label(letter)
                marks = (*self.marks(letter, cell), press(cell))
                if cell == fault:
                    marks += (Circle(*centre(cell), HALF - 3, "fault"),)
                named = Message(label.text, {**label.values, "row": r + 1, "column": c + 1})
                shapes.append(Spot(r, c, write_cell(cell), named, marks, *centre(cell)))
        return Picture(
            width=len(rows[0]) * CELL,
            height=len(rows) * CELL,
            title=Message(
                "Board to draw on, {rows} × {columns}",
                {"rows": len(rows), "columns": len(rows[0])},
            ),
            text=draft.replace("/", "\n"),
            shapes=tuple(shapes),
        )

    def _rows(self, draft: str) -> list[str]:
        rows = letter_rows(draft, {self.empty, *self.letters.values()})
        if not rows[0]:
            raise BadText("There is no board yet.")
        return rows
