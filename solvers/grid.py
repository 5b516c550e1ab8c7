"""Square grids: cells as text, letter boards, and base classes for simple kinds."""

import re
from abc import abstractmethod
from collections.abc import Iterable, Iterator
from dataclasses import dataclass, replace
from functools import lru_cache
from typing import ClassVar, Generic

from solvers.kind import BadText, Cell, IllegalMove, Kind, M, P, clean, row_and_column
from solvers.message import Message, gettext_noop
from solvers.picture import CELL, Circle, Picture, Rect, Shape, Spot, grid_lines
from solvers.symmetry import Symmetry

HALF = CELL / 2

_CELL = re.compile(r"([0-9]{1,4}) *, *([0-9]{1,4})")

_STAR_LINES = {9: (2, 4, 6), 13: (3, 6, 9), 15: (3, 7, 11), 19: (3, 9, 15)}
"""The side of a Go board -> the lines on which its star points lie."""


def read_cell(text: str) -> Cell:
    """Return the cell of a text `row,column`, counted from 1. Raise BadText for other texts."""
    match = _CELL.fullmatch(text) or _CELL.fullmatch(clean(text))
    if not match or int(match[1]) == 0 or int(match[2]) == 0:
        raise BadText(
            "“{text}” is not a point. Write row,column, counted from 1, like 2,3.",
            text=text.strip()[:20],
        )
    return int(match[1]) - 1, int(match[2]) - 1


def write_cell(cell: Cell) -> str:
    """Return a cell as `row,column`, counted from 1."""
    return f"{cell[0] + 1},{cell[1] + 1}"


def centre(cell: Cell) -> tuple[float, float]:
    """Return x and y of the cell's middle, in the units of a picture."""
    return cell[1] * CELL + HALF, cell[0] * CELL + HALF


def neighbours(cell: Cell, rows: int, columns: int) -> Iterator[Cell]:
    """Yield the orthogonal neighbours of a cell on the board: above, left, right, below."""
    row, column = cell
    for r, c in ((row - 1, column), (row, column - 1), (row, column + 1), (row + 1, column)):
        if 0 <= r < rows and 0 <= c < columns:
            yield r, c


@lru_cache(maxsize=256)
def wooden_board(rows: int, columns: int) -> tuple[Shape, ...]:
    """Return the shapes of a Go board, with its points in the middle of the cells and its star
    points."""
    return tuple(_wooden_board(rows, columns))


def _wooden_board(rows: int, columns: int) -> Iterator[Shape]:
    yield Rect(0, 0, columns * CELL, rows * CELL, "board", corner=4)
    yield from grid_lines(rows, columns)
    if rows == columns:
        lines = _STAR_LINES.get(rows, ())
        # The smaller boards have star points in the corners and the centre only.
        full = rows == 19
        for i, row in enumerate(lines):
            for j, column in enumerate(lines):
                if full or (i == 1) == (j == 1):
                    yield Circle(*centre((row, column)), 3, "hoshi")


@lru_cache(maxsize=1024)
def press_area(cell: Cell) -> Rect:
    """Return the transparent square over a cell that takes the pointer and shows the focus."""
    return Rect(cell[1] * CELL, cell[0] * CELL, CELL, CELL, "press", corner=8)


@lru_cache(maxsize=1024)
def _taken_up(cell: Cell) -> Rect:
    """Return the background of a cell whose piece has been taken up."""
    return Rect(cell[1] * CELL, cell[0] * CELL, CELL, CELL, "taken-up", corner=8)


_SEVERAL = gettext_noop(
    "Line {line}: a second board begins here, but only one can be read. Either write each row on a "
    "line of its own or put slashes between them."
)


def board_rows(text: str) -> list[str]:
    """Return the rows of a text, which stand on lines of their own or between slashes.

    Raise BadText if each of several lines has slashes in it: it is a list of boards.
    """
    lines = text.split("\n")
    if len(lines) > 1 and all("/" in line.strip().strip("/") for line in lines if line.strip()):
        second = next(number for number, line in enumerate(lines, 1) if number > 1 and line.strip())
        raise BadText(_SEVERAL, line=second)
    return re.split("[/\n]", text)


def letter_rows(text: str, letters: Iterable[str]) -> list[str]:
    """Return the rows of a letter board, all of one length. Raise BadText, naming the place."""
    rows = text.split("/")
    allowed = dict.fromkeys(letters)
    for number, row in enumerate(rows, 1):
        for column, letter in enumerate(row, 1):
            if letter not in allowed:
                raise unknown_sign(letter, (number, column), allowed)
        check_width(number, len(row), len(rows[0]))
    return rows


def unknown_sign(sign: str, place: tuple[int, int], possible: Iterable[str]) -> BadText:
    """Return the error for a sign that no board has, at a line and column counted from 1."""
    return BadText(
        "Line {line}, column {column}: “{sign}” can't be used here. Allowed signs: {signs}",
        line=place[0],
        column=place[1],
        sign=sign,
        signs=" ".join(possible),
    )


def check_width(number: int, width: int, first: int) -> None:
    """Raise BadText, naming the row, if its width differs from that of the first row."""
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
    """Raise BadText unless the board has from one row and column up to the largest size."""
    if not (1 <= rows <= largest[0] and 1 <= columns <= largest[1]):
        raise BadText(
            "A board can have 1 to {rows} rows and 1 to {columns} columns.",
            rows=largest[0],
            columns=largest[1],
        )


class Rectangle:
    """A rectangle of cells, as the base of positions. Cells are numbered row by row from 0."""

    __slots__ = ()
    rows: int
    columns: int

    def holds(self, cell: Cell) -> bool:
        """Return whether the cell is on the board."""
        return 0 <= cell[0] < self.rows and 0 <= cell[1] < self.columns

    def index(self, cell: Cell) -> int:
        """Return the number of a cell on the board."""
        return cell[0] * self.columns + cell[1]

    def bit(self, cell: Cell) -> int:
        """Return the bit mask of a cell on the board."""
        return 1 << (cell[0] * self.columns + cell[1])


class CellMoves(Kind[P, Cell]):
    """A base for kinds whose moves consist of a cell only."""

    def read_move(self, text: str) -> Cell:
        return read_cell(text)

    def write_move(self, move: Cell) -> str:
        return write_cell(move)

    def cells_of(self, move: Cell) -> tuple[Cell, ...]:
        return (move,)

    def turned_move(self, move: Cell, symmetry: Symmetry) -> Cell:
        return symmetry(move)


@dataclass(frozen=True, slots=True)
class ToolMove:
    """A move with a tool: a piece or colour that is set on the cell, or `-`, which clears it."""

    tool: str
    cell: Cell


CLEAR = "-"
"""The tool that removes what was set on a cell."""


class ToolMoves(Kind[P, ToolMove]):
    """A base for kinds whose moves name what is set on which cell: `Q 2,3`, `- 2,3`."""

    pieces: ClassVar[str]
    """The letters that can be set."""
    no_move: ClassVar[str] = gettext_noop(
        "“{text}” is not a move. Write one of {tools} and a point, like {example} 2,3."
    )
    """The error message for a text that is not a move."""

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

    def cells_of(self, move: ToolMove) -> tuple[Cell, ...]:
        return (move.cell,)

    def turned_move(self, move: ToolMove, symmetry: Symmetry) -> ToolMove:
        return replace(move, cell=symmetry(move.cell))


@dataclass(frozen=True, slots=True)
class PieceMove:
    """The move of a piece from one cell to another."""

    piece: str
    """The letter of the piece."""
    source: Cell
    cell: Cell

    @property
    def carried(self) -> str:
        """The name of the piece as a tool: the text of the move before its cell."""
        return carried(self.piece, self.source)


def carried(piece: str, cell: Cell) -> str:
    """Return the name, as a tool, of a piece that stands on a cell, such as `o2,3>`."""
    return f"{piece}{write_cell(cell)}>"


class PieceMoves(Kind[P, PieceMove]):
    """A base for kinds whose moves name where a piece goes from and to: `o2,1> 2,3`."""

    pieces: ClassVar[str]
    """The letters of the pieces."""

    def read_move(self, text: str) -> PieceMove:
        tool, _, cell = text.strip().partition(" ")
        if not (tool[:1] and tool[0] in self.pieces and tool.endswith(">")):
            raise BadText(
                "“{text}” is not a move. Write a piece, where it stands and where it goes, like "
                "{example}2,1> 2,3.",
                text=text.strip()[:20],
                example=self.pieces[0],
            )
        return PieceMove(tool[0], read_cell(tool[1:-1]), read_cell(cell))

    def write_move(self, move: PieceMove) -> str:
        return f"{move.carried} {write_cell(move.cell)}"

    def cells_of(self, move: PieceMove) -> tuple[Cell, ...]:
        return tuple(dict.fromkeys((move.source, move.cell)))

    def turned_move(self, move: PieceMove, symmetry: Symmetry) -> PieceMove:
        return PieceMove(move.piece, symmetry(move.source), symmetry(move.cell))

    def describe(self, move: PieceMove) -> Message:
        old_row, old_column = move.source
        return Message(
            "From row {old_row}, column {old_column} to row {row}, column {column}",
            {"old_row": old_row + 1, "old_column": old_column + 1, **row_and_column(move.cell)},
        )


@dataclass(frozen=True, slots=True)
class GridPosition(Generic[M]):
    """A position of letter rows: the start, the moves since, and the present board."""

    initial: tuple[str, ...]
    line: tuple[M, ...] = ()
    now: tuple[str, ...] = ()

    @property
    def rows(self) -> int:
        return len(self.initial)

    @property
    def columns(self) -> int:
        return len(self.initial[0])

    def cells(self) -> Iterator[Cell]:
        """Yield all cells, row by row."""
        for row in range(self.rows):
            for column in range(self.columns):
                yield row, column

    def holds(self, cell: Cell) -> bool:
        """Return whether the cell is on the board."""
        return 0 <= cell[0] < self.rows and 0 <= cell[1] < self.columns

    def letter(self, cell: Cell) -> str:
        """Return the letter on the cell now."""
        return self.now[cell[0]][cell[1]]

    def after(self, move: M, letters: dict[Cell, str]) -> "GridPosition[M]":
        """Return the position after a move that sets letters on cells."""
        rows = [list(row) for row in self.now]
        for (row, column), letter in letters.items():
            rows[row][column] = letter
        return GridPosition(self.initial, (*self.line, move), tuple(map("".join, rows)))


class GridKind(Kind[GridPosition[M], M]):
    """A base for kinds whose board is rows of letters. A derived kind adds its rules and the
    appearance of a cell.

    Combine it with `CellMoves`, `ToolMoves` or `PieceMoves`.
    """

    letters: ClassVar[str]
    """The letters that a cell of a start may have."""

    def board(self, rows: int, columns: int) -> Iterable[Shape]:
        """Return the shapes of the empty board."""
        return wooden_board(rows, columns)

    def state_at(self, position: GridPosition[M], cell: Cell) -> str:
        """Return the state of a cell, as the kind's `presses` names it, or an empty text if a
        press on it can't be predicted."""
        return ""

    def carried_at(self, position: GridPosition[M], cell: Cell) -> str:
        """Return the name, as a tool, of the piece on a cell that can be taken up (see
        `Tools.movable`), or an empty text if there is none."""
        return ""

    @abstractmethod
    def shapes_at(self, position: GridPosition[M], cell: Cell) -> tuple[Shape, ...]:
        """Return the shapes on a cell."""

    @abstractmethod
    def label_at(self, position: GridPosition[M], cell: Cell) -> Message:
        """Return a cell's name for screen readers, with the fields {row} and {column} unfilled."""

    @abstractmethod
    def pressed(self, position: GridPosition[M], cell: Cell, tool: str = "") -> M | None:
        """Return the move that pressing a cell makes, with a tool if the kind has tools, or None
        if the cell can't be pressed."""

    def read_start(self, text: str) -> GridPosition[M]:
        rows = tuple(letter_rows(text.replace("\n", "/"), self.letters))
        if not rows[0]:
            raise BadText("There is no board yet.")
        check_size(len(rows), len(rows[0]), self.editor.largest)
        return GridPosition(rows, (), rows)

    def write_start(self, position: GridPosition[M]) -> str:
        return "/".join(position.initial)

    def start(self, position: GridPosition[M]) -> GridPosition[M]:
        return GridPosition(position.initial, (), position.initial)

    def line(self, position: GridPosition[M]) -> tuple[M, ...]:
        return position.line

    def turned(self, position: GridPosition[M], symmetry: Symmetry) -> GridPosition[M] | None:
        rows, columns = symmetry.size
        if rows > self.editor.largest[0] or columns > self.editor.largest[1]:
            return None
        board = symmetry.turned(position.initial)
        return GridPosition(board, (), board)

    def draw(self, position: GridPosition[M]) -> Picture:
        return self.draw_with(position, "")

    def draw_with(self, position: GridPosition[M], tool: str) -> Picture:
        """Return the picture of the board, with the moves that pressing with the tool makes."""
        rows, columns = position.rows, position.columns
        shapes: list[Shape | Spot] = [*self.board(rows, columns)]
        for cell in position.cells():
            there = self.shapes_at(position, cell)
            carries = self.carried_at(position, cell)
            move = None if carries else self.pressed(position, cell, tool)
            text = carries if move is None else self.write_move(move)
            if not text:
                shapes += there
                continue
            if carries and carries == tool:
                there = (_taken_up(cell), *there)
            label = self.label_at(position, cell)
            named = Message(label.text, {**label.values, **row_and_column(cell)})
            state = self.state_at(position, cell)
            spot = Spot(
                *cell, text, named, (*there, press_area(cell)), *centre(cell), carries, state=state
            )
            shapes.append(spot)
        return Picture(
            width=columns * CELL,
            height=rows * CELL,
            title=Message(
                "{kind}, {rows} × {columns}", {"kind": self.name, "rows": rows, "columns": columns}
            ),
            text="\n".join(position.now),
            shapes=tuple(shapes),
        )

    def check_cell(self, position: GridPosition[M], cell: Cell) -> None:
        """Raise IllegalMove if the cell is not on the board."""
        if not position.holds(cell):
            raise IllegalMove("Row {row}, column {column} is not on the board.", cell=cell)
