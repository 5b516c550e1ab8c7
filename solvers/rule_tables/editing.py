"""The editor of a table's boards. Its brushes are what the table lets an author draw."""

from collections.abc import Mapping
from dataclasses import replace

from solvers.editor import Editor
from solvers.grid import centre, check_size, press_area, write_cell
from solvers.kind import BadText, Cell, check_length, row_and_column
from solvers.message import Message, gettext_noop
from solvers.picture import CELL, Circle, Picture, Shape, Spot
from solvers.rule_tables.boards import EMPTY, RIMS, WALL, Board, read_board, write_board
from solvers.rule_tables.pictures import (
    HALF,
    clue_at,
    drawn_above,
    ground,
    rim_beside,
    symbol_shapes,
)
from solvers.rule_tables.sentences import noun_of_symbol
from solvers.rule_tables.table import MAX_NUMBER, Table

PAINTED_ROOMS = "abcdefghijkl"
"""The rooms that the editor has brushes for."""
DRAWN = {"rooms": "rooms", "clues": "clues"}
"""A part of a board -> the word of the table that allows it."""

_MORE, _LESS = "more", "less"


class TableEditor(Editor):
    """The editor of a table."""

    def __init__(self, table: Table, largest: tuple[int, int]) -> None:
        self.table = table
        self.largest = largest  # type: ignore[misc]
        self.brushes = dict(_brushes(table))  # type: ignore[misc]

    def board(self, drawing: str) -> Board:
        """Return the board of a drawing. Raise BadText for what the table does not let draw."""
        check_length(drawing)
        board = read_board(self.table, drawing)
        draws = set(self.table.draws)
        signs = set(board.cells) - {EMPTY}
        if (WALL in signs and "walls" not in draws) or (signs - {WALL} and "givens" not in draws):
            raise BadText("This kind of puzzle has no such squares at the start.")
        shown = {part for part in ("rooms", "clues") if getattr(board, part)}
        if any(getattr(board, side) for side in RIMS):
            shown.add("rim")
        if max((len(each) for side in RIMS for each in getattr(board, side)), default=0) > 1:
            raise BadText("This kind of puzzle has one number at most at each end of a line.")
        rest = replace(board, rooms="", clues=(), left=(), right=(), top=(), bottom=())
        if shown - draws or rest != Board(board.rows, board.columns, board.cells):
            raise BadText("This kind of puzzle has no such drawings.")
        return board

    def blank(self, rows: int, columns: int) -> str:
        check_size(rows, columns, self.largest)
        return write_board(Board(rows, columns, EMPTY * (rows * columns)))

    def size(self, drawing: str) -> tuple[int, int]:
        board = self.board(drawing)
        return board.rows, board.columns

    def resize(self, drawing: str, rows: int, columns: int) -> str:
        check_size(rows, columns, self.largest)
        board = self.board(drawing)
        new = Board(rows, columns, "")
        kept = [row * board.columns + column if (row, column) in board else None
                for row, column in new]  # fmt: skip
        cells = "".join(EMPTY if at is None else board.cells[at] for at in kept)
        rooms = board.rooms and "".join("a" if at is None else board.rooms[at] for at in kept)
        clues = board.clues and tuple(None if at is None else board.clues[at] for at in kept)
        rims = {
            side: rim and (rim + ((),) * many)[:many]
            for side, many in zip(RIMS, (rows, rows, columns, columns))
            for rim in [getattr(board, side)]
        }
        return write_board(Board(rows, columns, cells, rooms, clues).with_rims(rims))

    def paint(self, drawing: str, cell: Cell, brush: str) -> str:
        board = self.board(drawing)
        if brush not in self.brushes or cell not in board:
            raise BadText("This brush or point does not exist.")
        sort, _, value = brush.partition(" ")
        at = cell[0] * board.columns + cell[1]
        if sort == "cell":
            sign = EMPTY if board.cells[at] == value else value
            board = replace(board, cells=board.cells[:at] + sign + board.cells[at + 1 :])
        elif sort == "room":
            rooms = board.rooms or "a" * len(board.cells)
            board = replace(board, rooms=rooms[:at] + value + rooms[at + 1 :])
        elif sort == "rim":
            board = _with_rim(self.table, board, value, cell)
        else:
            clues = list(board.clues or [None] * len(board.cells))
            clues[at] = _number_after(clues[at], value)
            board = replace(board, clues=tuple(clues))
        return write_board(board)

    def draw(self, drawing: str, fault: Cell | None = None) -> Picture:
        board = self.board(drawing)
        symbols = {symbol.letter: symbol for symbol in self.table.symbols}
        drawn: list[Shape | Spot] = list(ground(board))
        for cell in board:
            shapes: tuple[Shape, ...] = (press_area(cell),)
            sign = board.sign(cell)
            if sign in symbols:
                shapes = (*symbol_shapes(symbols[sign], *centre(cell), is_given=True), *shapes)
            if cell == fault:
                shapes += (Circle(*centre(cell), HALF - 3, "fault"),)
            label = square_label(self.table, board, cell, sign)
            drawn.append(Spot(*cell, write_cell(cell), label, shapes, *centre(cell)))
        return Picture(
            width=board.columns * CELL,
            height=board.rows * CELL,
            title=Message(
                "Board to draw on, {rows} × {columns}",
                {"rows": board.rows, "columns": board.columns},
            ),
            text=board_text(board, board.cells),
            shapes=(*drawn, *drawn_above(board)),
        )


def _brushes(table: Table) -> Mapping[str, str]:
    brushes: dict[str, str] = {}
    if "rooms" in table.draws:
        names = (
            gettext_noop("Room A"), gettext_noop("Room B"), gettext_noop("Room C"),
            gettext_noop("Room D"), gettext_noop("Room E"), gettext_noop("Room F"),
            gettext_noop("Room G"), gettext_noop("Room H"), gettext_noop("Room I"),
            gettext_noop("Room J"), gettext_noop("Room K"), gettext_noop("Room L"),
        )  # fmt: skip
        # The first brush makes a difference on a board that is all one room.
        order = [*zip(PAINTED_ROOMS, names)]
        brushes |= {f"room {room}": title for room, title in [*order[1:], order[0]]}
    if "clues" in table.draws:
        brushes |= {f"clue {number}": str(number) for number in range(10)}
        brushes |= {
            f"clue {_MORE}": gettext_noop("One more"),
            f"clue {_LESS}": gettext_noop("One less"),
        }
    if "rim" in table.draws:
        names_of_sides = {
            "left": gettext_noop("Number at the left"),
            "right": gettext_noop("Number at the right"),
            "top": gettext_noop("Number at the top"),
            "bottom": gettext_noop("Number at the bottom"),
        }
        brushes |= {
            f"rim {side}": name for side, name in names_of_sides.items() if side in table.sides
        }
    if "givens" in table.draws:
        brushes |= {
            f"cell {symbol.letter}": noun_of_symbol(symbol).title
            for symbol in table.symbols
            if symbol.letter in table.given
        }
    if "walls" in table.draws:
        brushes[f"cell {WALL}"] = gettext_noop("Wall")
    return brushes


def _number_after(clue: int | None, brush: str) -> int | None:
    """Return the number on a square after a brush for numbers."""
    if brush == _MORE:
        return 0 if clue is None else min(clue + 1, MAX_NUMBER)
    if brush == _LESS:
        return clue - 1 if clue else None
    return None if clue == int(brush) else int(brush)


def _with_rim(table: Table, board: Board, side: str, cell: Cell) -> Board:
    """Return the board with the next number at one end of a row or column; after the largest there
    is none. What is seen is at least 1, and what is counted may be 0."""
    is_row = side in ("left", "right")
    lines, most = (board.rows, board.columns) if is_row else (board.columns, board.rows)
    rim = list(getattr(board, side) or ((),) * lines)
    at = cell[0] if is_row else cell[1]
    begins_at = 1 if table.sides == frozenset(RIMS) else 0
    number = 1 + max(rim[at], default=begins_at - 1)
    rim[at] = (number,) if number <= most else ()
    return board.with_rims({side: tuple(rim)})


def board_text(board: Board, cells: str) -> str:
    """Return a board as lines of text."""
    width = board.columns
    return "\n".join(cells[at : at + width] for at in range(0, len(cells), width))


def square_label(table: Table, board: Board, cell: Cell, sign: str) -> Message:
    """Return the name of a square for screen readers."""
    what = Message("Free square")
    if sign == WALL:
        what = Message("Wall")
    elif symbol := next((each for each in table.symbols if each.letter == sign), None):
        what = Message(noun_of_symbol(symbol).title)
    clue = clue_at(board, cell)
    values: dict[str, str | int | Message | None] = {"what": what, **row_and_column(cell)}
    if board.rooms:
        values["room"] = board.room(cell).upper()
    if clue is not None:
        values["clue"] = clue
        if board.rooms:
            return Message(
                "{what} with the number {clue} in room {room}: row {row}, column {column}", values
            )
        return Message("{what} with the number {clue}: row {row}, column {column}", values)
    if board.rooms:
        return Message("{what} in room {room}: row {row}, column {column}", values)
    named = Message("{what}: row {row}, column {column}", values)
    for side, number in rim_beside(board, cell):
        named = Message(RIM_LABELS[side], {"what": named, "number": number})
    return named


RIM_LABELS: Mapping[str, str] = {
    "left": gettext_noop("{what}; at its left: {number}"),
    "right": gettext_noop("{what}; at its right: {number}"),
    "top": gettext_noop("{what}; above it: {number}"),
    "bottom": gettext_noop("{what}; below it: {number}"),
}
"""The side of the board -> the name of a square with a number there."""
