"""What kinds on a square grid share: cells as text, letter boards, and a base for simple kinds."""

import re
from abc import abstractmethod
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from functools import lru_cache
from typing import ClassVar, Generic

from solvers.kind import BadText, Cell, IllegalMove, Kind, M, P, clean, row_and_column
from solvers.message import Message, gettext_noop
from solvers.picture import CELL, Circle, Picture, Rect, Shape, Spot, grid_lines

HALF = CELL / 2

_CELL = re.compile(r"([0-9]{1,4}) *, *([0-9]{1,4})")

_STAR_LINES = {9: (2, 4, 6), 13: (3, 6, 9), 15: (3, 7, 11), 19: (3, 9, 15)}
"""Side of a Go board -> the lines that bear its star points."""


def read_cell(text: str) -> Cell:
    """Return the cell of `row,column` (from 1). Raises BadText."""
    match = _CELL.fullmatch(text) or _CELL.fullmatch(clean(text))
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


def images(rows: Sequence[str]) -> Iterator[tuple[str, ...]]:
    """Yield a letter board, as its rows, turned and mirrored in all eight ways."""
    for _ in range(4):
        rows = tuple(map("".join, zip(*rows[::-1], strict=True)))
        yield from (rows, rows[::-1])


@lru_cache(maxsize=256)
def wooden_board(rows: int, columns: int) -> tuple[Shape, ...]:
    """Return a Go board whose points are the middles of the cells, star points included."""
    return tuple(_wooden_board(rows, columns))


def _wooden_board(rows: int, columns: int) -> Iterator[Shape]:
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


@lru_cache(maxsize=1024)
def press(cell: Cell) -> Rect:
    """Return the clear square over a cell that takes the pointer and shows the focus."""
    return Rect(cell[1] * CELL, cell[0] * CELL, CELL, CELL, "press", corner=8)


def letter_rows(text: str, letters: Iterable[str]) -> list[str]:
    """Return the rows of a letter board, all of one length. Raises BadText, naming the place."""
    rows = text.split("/")
    allowed = dict.fromkeys(letters)
    for number, row in enumerate(rows, 1):
        for column, letter in enumerate(row, 1):
            if letter not in allowed:
                raise unknown_sign(letter, (number, column), allowed)
        check_width(number, len(row), len(rows[0]))
    return rows


def unknown_sign(sign: str, place: tuple[int, int], possible: Iterable[str]) -> BadText:
    """Return the fault of a sign that no board has, at a line and column counted from 1."""
    return BadText(
        "Line {line}, column {column}: “{sign}” has no meaning here. Possible signs: {signs}",
        line=place[0],
        column=place[1],
        sign=sign,
        signs=" ".join(possible),
    )


def check_width(number: int, width: int, first: int) -> None:
    """Raise BadText, naming the row, unless it is as wide as the first one."""
    if width != first:
        raise BadText(
            "The length of row {row} is {width}, but that of row 1 is {first}. All rows must be "
            "equally long.",
            row=number,
            width=width,
            first=first,
            line=number,
        )


def check_size(rows: int, columns: int, largest: tuple[int, int]) -> None:
    """Raise BadText unless the board has a row and a column, and no more than the largest."""
    if not (1 <= rows <= largest[0] and 1 <= columns <= largest[1]):
        raise BadText(
            "A board can have 1 to {rows} rows and 1 to {columns} columns.",
            rows=largest[0],
            columns=largest[1],
        )


class Rectangle:
    """What positions on a rectangle of cells share; cells are counted row by row."""

    __slots__ = ()
    rows: int
    columns: int

    def holds(self, cell: Cell) -> bool:
        """Return whether the cell is on the board."""
        return 0 <= cell[0] < self.rows and 0 <= cell[1] < self.columns

    def index(self, cell: Cell) -> int:
        """Return the number of a cell on the board, from 0."""
        return cell[0] * self.columns + cell[1]

    def bit(self, cell: Cell) -> int:
        """Return the bit of a cell on the board."""
        return 1 << (cell[0] * self.columns + cell[1])


class CellMoves(Kind[P, Cell]):
    """A kind whose moves say nothing but a cell."""

    def read_move(self, text: str) -> Cell:
        return read_cell(text)

    def write_move(self, move: Cell) -> str:
        return write_cell(move)

    def cell_of(self, move: Cell) -> Cell:
        return move


@dataclass(frozen=True, slots=True)
class ToolMove:
    """A move with a tool: a piece or colour that is set on the cell, or `-`, which clears it."""

    tool: str
    cell: Cell


CLEAR = "-"
"""The tool that takes back what was set on a cell."""


class ToolMoves(Kind[P, ToolMove]):
    """A kind whose moves say what is set on which cell: `Q 2,3`, `- 2,3`."""

    pieces: ClassVar[str]
    """The letters that can be set."""
    no_move: ClassVar[str] = gettext_noop(
        "“{text}” is not a move. Write one of {tools} and a point, like {example} 2,3."
    )
    """What is said of a text that is none."""

    def read_move(self, text: str) -> ToolMove:
        tool, _, cell = text.strip().partition(" ")
        if tool != CLEAR and (len(tool) != 1 or tool not in self.pieces):
            raise BadText(
                self.no_move,
                text=text.strip()[:20],
                tools=" ".join((*self.pieces, CLEAR)),
                example=self.pieces[0],
            )
        return ToolMove(tool, read_cell(cell))

    def write_move(self, move: ToolMove) -> str:
        return f"{move.tool} {write_cell(move.cell)}"

    def cell_of(self, move: ToolMove) -> Cell:
        return move.cell


@dataclass(frozen=True, slots=True)
class GridPosition(Generic[M]):
    """Rows of letters: the start, the moves since, and what the board has become."""

    given: tuple[str, ...]
    line: tuple[M, ...] = ()
    now: tuple[str, ...] = ()

    @property
    def rows(self) -> int:
        return len(self.given)

    @property
    def columns(self) -> int:
        return len(self.given[0])

    def cells(self) -> Iterator[Cell]:
        """Yield all cells, row by row."""
        for row in range(self.rows):
            for column in range(self.columns):
                yield row, column

    def has(self, cell: Cell) -> bool:
        """Return whether the cell is on the board."""
        return 0 <= cell[0] < self.rows and 0 <= cell[1] < self.columns

    def letter(self, cell: Cell) -> str:
        """Return what stands on the cell now."""
        return self.now[cell[0]][cell[1]]

    def after(self, move: M, letters: dict[Cell, str]) -> "GridPosition[M]":
        """Return the position after a move that sets letters on cells."""
        rows = [list(row) for row in self.now]
        for (row, column), letter in letters.items():
            rows[row][column] = letter
        return GridPosition(self.given, (*self.line, move), tuple(map("".join, rows)))


class GridKind(Kind[GridPosition[M], M]):
    """A base for kinds whose board is rows of letters: what is left to say are the rules, and
    what a cell looks like.

    Take it together with `CellMoves` or `ToolMoves`.
    """

    letters: ClassVar[str]
    """What may stand on a cell of a start."""

    @abstractmethod
    def shapes_at(self, position: GridPosition[M], cell: Cell) -> tuple[Shape, ...]:
        """Return what a cell looks like."""

    @abstractmethod
    def label_at(self, position: GridPosition[M], cell: Cell) -> Message:
        """Return the name of a cell for screen readers, with the fields {row} and {column} left."""

    @abstractmethod
    def pressed(self, position: GridPosition[M], cell: Cell, tool: str = "") -> M | None:
        """Return the move that pressing a cell means, with a tool where the kind has some; None
        where it can't be pressed."""

    def read_start(self, text: str) -> GridPosition[M]:
        rows = tuple(letter_rows(text.replace("\n", "/"), self.letters))
        if not rows[0]:
            raise BadText("There is no board yet.")
        check_size(len(rows), len(rows[0]), self.editor.largest)
        return GridPosition(rows, (), rows)

    def write_start(self, position: GridPosition[M]) -> str:
        return "/".join(position.given)

    def start(self, position: GridPosition[M]) -> GridPosition[M]:
        return GridPosition(position.given, (), position.given)

    def line(self, position: GridPosition[M]) -> tuple[M, ...]:
        return position.line

    def draw(self, position: GridPosition[M]) -> Picture:
        return self.draw_with(position, "")

    def draw_with(self, position: GridPosition[M], tool: str) -> Picture:
        """Return the board, its cells being pressed with the tool."""
        rows, columns = position.rows, position.columns
        shapes: list[Shape | Spot] = [*wooden_board(rows, columns)]
        for cell in position.cells():
            move = self.pressed(position, cell, tool)
            if move is None:
                shapes += self.shapes_at(position, cell)
                continue
            label = self.label_at(position, cell)
            values = {**label.values, **row_and_column(cell)}
            inside = (*self.shapes_at(position, cell), press(cell))
            text, named = self.write_move(move), Message(label.text, values)
            shapes.append(Spot(*cell, text, named, inside, *centre(cell)))
        return Picture(
            width=columns * CELL,
            height=rows * CELL,
            title=Message(
                "{kind}, {rows} × {columns}",
                {"kind": Message(self.title), "rows": rows, "columns": columns},
            ),
            text="\n".join(position.now),
            shapes=tuple(shapes),
        )

    def check_cell(self, position: GridPosition[M], cell: Cell) -> None:
        """Raise IllegalMove for a cell that is not on the board."""
        if not position.has(cell):
            raise IllegalMove("Row {row}, column {column} is not on the board.", cell=cell)
