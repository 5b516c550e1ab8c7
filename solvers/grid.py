"""What kinds on a square grid share: cells as text, letter boards, the wooden board."""

import re
from collections.abc import Iterable, Iterator

from solvers.kind import BadText, Cell, Kind, P, Place, clean
from solvers.picture import CELL, Circle, Rect, Shape, grid_lines

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


def wooden_board(rows: int, columns: int) -> Iterator[Shape]:
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


class CellMoves(Kind[P, Cell]):
    """A kind whose moves say nothing but a cell."""

    def read_move(self, text: str) -> Cell:
        return read_cell(text)

    def write_move(self, move: Cell) -> str:
        return write_cell(move)

    def cell_of(self, move: Cell) -> Cell:
        return move
