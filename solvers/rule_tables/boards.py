"""The board that an author draws for a table, and its text.

The text is a size or rows of cells, followed by sections in any order:

    4x4
    1.../..../...2/....
    ....#/#....  clues=..(12)../.....  left=2,,1.1  goal=5

    cells    `.` an empty cell, `#` a wall, a letter: a symbol that the author has given
    rooms    a letter for each cell; cells with one letter are a room
    clues    a number for each cell: a digit, `(12)`, or `.` for none
    across, down    numbers of the runs that begin in a cell, written like `clues`
    corners  numbers at the corners, written like `clues`, with a row and a column more
    beside, below    numbers, `<` or `>` between a cell and the one to its right, or below it
    arrows   the direction of the number in a cell: `u`, `d`, `l`, `r`, or `.` for none
    left, right, top, bottom    numbers at the edge, separated by commas, those of a line by points
    goal     the number of the whole board
    lines    for tables of lines, the present ones: a row and a column for each half of a cell
"""

import re
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, fields, replace
from typing import NamedTuple

from solvers.kind import BadText, Cell
from solvers.rule_tables.table import MAX_NUMBER, MAX_SIDE, Table

EMPTY = "."
WALL = "#"
_SIZE = re.compile(r"(\d{1,2})x(\d{1,2})")
_NUMBER = re.compile(r"\.|[0-9<>]|\(([0-9]{1,3})\)")
LESS, GREATER = -1, -2
"""The marks `<` and `>` between two cells, which stand beside numbers."""
_MARKS = {"<": LESS, ">": GREATER}
DIRECTIONS = {"u": (-1, 0), "d": (1, 0), "l": (0, -1), "r": (0, 1)}
"""The letter of an arrow -> its step (rows down, columns right)."""

Numbers = tuple[int | None, ...]
Rim = tuple[tuple[int, ...], ...]


class Drawn(NamedTuple):
    """Something that the author has drawn: the section of the board and the place in it."""

    section: str
    at: int


@dataclass(frozen=True, slots=True)
class Board:
    """A board: its size and what the author has drawn. All cells are listed row by row."""

    rows: int
    columns: int
    cells: str
    rooms: str = ""
    clues: Numbers = ()
    across: Numbers = ()
    down: Numbers = ()
    corners: Numbers = ()
    beside: Numbers = ()
    below: Numbers = ()
    arrows: str = ""
    left: Rim = ()
    right: Rim = ()
    top: Rim = ()
    bottom: Rim = ()
    goal: int | None = None
    lines: str = ""

    def __iter__(self) -> Iterator[Cell]:
        """Yield the cells, row by row."""
        return ((row, column) for row in range(self.rows) for column in range(self.columns))

    def __contains__(self, cell: Cell) -> bool:
        return 0 <= cell[0] < self.rows and 0 <= cell[1] < self.columns

    def is_open(self, cell: Cell) -> bool:
        """Return whether the cell is on the board and no wall."""
        return cell in self and self.sign(cell) != WALL

    def sign(self, cell: Cell) -> str:
        """Return the sign of a cell: `EMPTY`, `WALL` or a letter."""
        return self.cells[cell[0] * self.columns + cell[1]]

    def room(self, cell: Cell) -> str:
        """Return the letter of the cell's room. Without rooms, all cells are in one."""
        return self.rooms[cell[0] * self.columns + cell[1]] if self.rooms else ""

    def has_line(self, row: int, column: int) -> bool:
        """Return whether a line is there, at a row and column of half cells."""
        at = row * (2 * self.columns + 1) + column
        return bool(self.lines) and self.lines[at] != EMPTY

    def number(self, drawn: Numbers, cell: Cell) -> int | None:
        """Return the number that is drawn in the cell, if any."""
        return drawn[cell[0] * self.columns + cell[1]] if drawn else None

    def with_rims(self, rims: Mapping[str, Rim]) -> "Board":
        """Return the board with other numbers at its edges: side -> numbers."""
        return replace(self, **rims)  # type: ignore[arg-type]

    def without(self, *drawn: Drawn) -> "Board":
        """Return the board without some of what the author has drawn."""
        board = self
        for section, at in drawn:
            value = getattr(board, section)
            if section == "goal":
                value = None
            elif section == "cells":
                value = value[:at] + EMPTY + value[at + 1 :]
            elif value:
                nothing = () if section in RIMS else None
                value = (*value[:at], nothing, *value[at + 1 :])
            board = replace(board, **{section: value})
        return board

    def place(self, drawn: Drawn) -> str:
        """Return where something is drawn, in a few signs: `left 2` or `clues 1,3`."""
        if drawn.section == "goal":
            return drawn.section
        if drawn.section in RIMS:
            return f"{drawn.section} {drawn.at + 1}"
        width = self.columns + (drawn.section == "corners")
        return f"{drawn.section} {drawn.at // width + 1},{drawn.at % width + 1}"


def width_of(board: Board, now: str) -> int:
    """Return how many of the signs of a position are a row: those of cells, or of half cells."""
    return board.columns if len(now) == len(board.cells) else 2 * board.columns + 1


RIMS = ("left", "right", "top", "bottom")


def read_board(table: Table, text: str) -> Board:
    """Return the board of a text. Raise BadText, naming the section, if it is none."""
    first, *rest = text.split() or [""]
    rows, columns, cells = _read_cells(table, first)
    parts: dict[str, object] = {}
    known = {field.name for field in fields(Board)} - {"rows", "columns", "cells"}
    for part in rest:
        name, _, value = part.partition("=")
        if name not in known or name in parts:
            raise BadText("“{part}” can't be read. The sections are: {known}.", part=part[:40],
                          known=", ".join(sorted(known)))  # fmt: skip
        try:
            parts[name] = _read_section(name, value, rows, columns)
        except ValueError as error:
            raise BadText("“{name}”: {fault}", name=name, fault=str(error)) from None
    return Board(rows, columns, cells, **parts)  # type: ignore[arg-type]


def _read_cells(table: Table, text: str) -> tuple[int, int, str]:
    if size := _SIZE.fullmatch(text):
        rows, columns = int(size[1]), int(size[2])
        cells = EMPTY * (rows * columns)
    else:
        lines = text.split("/")
        rows, columns, cells = len(lines), len(lines[0]), "".join(lines)
        known = EMPTY + WALL + table.given
        for number, line in enumerate(lines, 1):
            if len(line) != columns:
                raise BadText("Row {number} has not as many cells as row 1.", number=number)
            for place, sign in enumerate(line, 1):
                if sign not in known:
                    raise BadText("Row {number}, column {place}: “{sign}” is no symbol.",
                                  number=number, place=place, sign=sign)  # fmt: skip
    if not (1 <= rows <= MAX_SIDE and 1 <= columns <= MAX_SIDE):
        raise BadText("A board has 1 to {most} rows and columns.", most=MAX_SIDE)
    return rows, columns, cells


def _read_section(name: str, text: str, rows: int, columns: int) -> object:
    """Return the value of a section. Raise ValueError with the fault."""
    if name == "goal":
        if not text.isascii() or not text.isdecimal() or int(text) > MAX_NUMBER:
            raise ValueError(f"“{text[:20]}” is no number")
        return int(text)
    if name in RIMS:
        lines = rows if name in ("left", "right") else columns
        return _read_rim(text, lines)
    lines = text.split("/")  # type: ignore[assignment]
    height, width = (rows + 1, columns + 1) if name == "corners" else (rows, columns)
    if name == "lines":
        height, width = 2 * rows + 1, 2 * columns + 1
    if name in ("rooms", "arrows", "lines"):
        if [len(line) for line in lines] != [width] * height:  # type: ignore[attr-defined]
            raise ValueError(f"it needs {height} rows of {width} letters")
        if name == "arrows" and (wrong := set("".join(lines)) - {EMPTY, *DIRECTIONS}):  # type: ignore[arg-type]
            raise ValueError(f"“{min(wrong)}” is no direction")
        return "".join(lines)  # type: ignore[arg-type]
    numbers = [_read_numbers(line, name) for line in text.split("/")]
    if [len(line) for line in numbers] != [width] * height:
        raise ValueError(f"it needs {height} rows of {width} numbers")
    return tuple(number for line in numbers for number in line)


def _read_rim(text: str, lines: int) -> Rim:
    parts = text.split(",")
    if len(parts) != lines:
        raise ValueError(f"it needs {lines} numbers, separated by commas")
    rim = []
    for part in parts:
        numbers = part.split(".") if part else []
        if not all(each.isascii() and each.isdecimal() for each in numbers):
            raise ValueError(f"“{part[:20]}” is no number")
        rim.append(tuple(int(each) for each in numbers))
        if max((0, *rim[-1])) > MAX_NUMBER:
            raise ValueError(f"“{part[:20]}” is more than {MAX_NUMBER}")
    return tuple(rim)


def _read_numbers(text: str, name: str) -> list[int | None]:
    numbers: list[int | None] = []
    place = 0
    while place < len(text):
        match = _NUMBER.match(text, place)
        if not match or (match[0] in _MARKS and name not in ("beside", "below")):
            raise ValueError(f"“{text[place]}” is no number")
        digits = match[1] or match[0]
        numbers.append(None if digits == "." else _MARKS.get(digits) or int(digits))
        place = match.end()
    return numbers


def write_board(board: Board) -> str:
    """Return the canonical text of the board."""
    width = board.columns
    rows = [board.cells[at : at + width] for at in range(0, len(board.cells), width)]
    parts = ["/".join(rows) if set(board.cells) != {EMPTY} else f"{board.rows}x{board.columns}"]
    for name in ("rooms", "arrows", "lines"):
        letters = getattr(board, name)
        if letters and set(letters) != {EMPTY}:
            row = 2 * width + 1 if name == "lines" else width
            lines = [letters[at : at + row] for at in range(0, len(letters), row)]
            parts.append(f"{name}=" + "/".join(lines))
    for name in ("clues", "across", "down", "corners", "beside", "below"):
        if any(number is not None for number in getattr(board, name)):
            row = width + (name == "corners")
            numbers = [_write_number(number) for number in getattr(board, name)]
            lines = ["".join(numbers[at : at + row]) for at in range(0, len(numbers), row)]
            parts.append(f"{name}=" + "/".join(lines))
    for name in RIMS:
        if any(getattr(board, name)):
            rim = (".".join(map(str, numbers)) for numbers in getattr(board, name))
            parts.append(f"{name}=" + ",".join(rim))
    if board.goal is not None:
        parts.append(f"goal={board.goal}")
    return " ".join(parts)


def _write_number(number: int | None) -> str:
    if number is None:
        return EMPTY
    if number < 0:
        return "<" if number == LESS else ">"
    return str(number) if number < 10 else f"({number})"
