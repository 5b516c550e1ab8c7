"""How lines are played: where they lie, how they are drawn, and what they are called.

A place for a line is named by a row and a column that are counted in thirds of cells: of the first
cell, 1,2 is the upper edge and 2,1 the left one. The edge between two cells belongs to the second
one, so the third row of a cell is its lower edge only at the end of the board. A link between two
cells crosses the edge between them and has the name of this edge. In a position, the signs of the
places stand in rows of half cells.
"""

from collections.abc import Iterator
from types import SimpleNamespace

from solvers.capabilities import Presses
from solvers.grid import CLEAR, centre
from solvers.kind import Cell, row_and_column
from solvers.message import Message, gettext_noop
from solvers.picture import CELL, Circle, Line, Rect, Shape
from solvers.rule_tables.areas import half_cells, lines_of
from solvers.rule_tables.boards import EMPTY, WALL, Board
from solvers.rule_tables.pictures import HALF, ground, symbol_shapes
from solvers.rule_tables.sentences import noun_of_symbol
from solvers.rule_tables.table import Table
from solvers.symmetry import Symmetry

CROSS = "*"
"""The sign of a place where a player has marked that no line is, and the tool that marks it. Such a
mark helps to think and decides nothing. No symbol of a table has this letter."""
ALONG, ACROSS = 28, 24
"""The length and the width of the area that is pressed for a line."""
_CROSS_ARM = 5
"""Half the side of the square that a cross fills."""
_STATES = {False: {EMPTY: ".", CROSS: "x"}, True: {EMPTY: ":", CROSS: "+"}}
_DRAWN = {False: "-", True: "|"}
"""Whether a place is upright -> the states without and with a line, as `Presses` names them."""

TEXTS = {
    "across": gettext_noop("{what} from row {row}, column {column} to the right"),
    "down": gettext_noop("{what} from row {row}, column {column} down"),
    "left": gettext_noop("{what} to the left of row {row}, column {column}"),
    "right": gettext_noop("{what} to the right of row {row}, column {column}"),
    "above": gettext_noop("{what} above row {row}, column {column}"),
    "below": gettext_noop("{what} below row {row}, column {column}"),
}
"""Where a place lies -> the words for something there."""
REFUSED = SimpleNamespace(
    outside=gettext_noop("No line can be there."),
    already=gettext_noop("{place}: this is so already."),
)
"""Why a move is refused."""


def places(table: Table, board: Board) -> str:
    """Return the signs of all half cells: empty where a line can be, and a wall elsewhere."""
    width = 2 * board.columns + 1
    signs = [WALL] * (width * (2 * board.rows + 1))
    for edge in lines_of(table, board):
        row, column = half_cells(edge)
        signs[row * width + column] = EMPTY
    return "".join(signs)


def half(place: Cell) -> Cell:
    """Return the row and the column of a place in half cells."""
    row, column = place
    return 2 * (row // 3) + row % 3, 2 * (column // 3) + column % 3


def place_at(size: tuple[int, int], half_cell: Cell) -> Cell:
    """Return the place at a row and column of half cells, on a board with so many of both."""
    row, column = (
        3 * (number // 2) + number % 2 - (number == 2 * end) for number, end in zip(half_cell, size)
    )
    return row, column


def turned(symmetry: Symmetry, place: Cell) -> Cell:
    """Return the place to which a place moves."""
    doubled = Symmetry(
        2 * symmetry.rows + 1,
        2 * symmetry.columns + 1,
        symmetry.upside_down,
        symmetry.left_right,
        symmetry.transposed,
    )
    return place_at(symmetry.size, doubled(half(place)))


def cells_beside(place: Cell) -> list[Cell]:
    """Return the cells on both sides of a place, or at its ends."""
    row, column = place
    last = (row // 3, column // 3)
    if row % 3 == 0 and row:
        return [(last[0] - 1, last[1]), last]
    if column % 3 == 0 and column:
        return [(last[0], last[1] - 1), last]
    return [last]


def point(place: Cell) -> tuple[float, float]:
    """Return x and y of a place."""
    row, column = half(place)
    return column * HALF, row * HALF


def is_upright(table: Table, place: Cell) -> bool:
    """Return whether a line at a place is upright."""
    return (place[0] % 3 == 1) == (table.site == "edges")


def state(table: Table, place: Cell, sign: str) -> str:
    """Return the state of a place."""
    is_up = is_upright(table, place)
    return _STATES[is_up].get(sign, _DRAWN[is_up])


def press_area(table: Table, place: Cell) -> Rect:
    """Return the transparent area that takes presses."""
    x, y = point(place)
    width, height = (ACROSS, ALONG) if is_upright(table, place) else (ALONG, ACROSS)
    return Rect(x - width / 2, y - height / 2, width, height, "press", corner=8)


def drawn_at(table: Table, state_: str, x: float, y: float) -> tuple[Shape, ...]:
    """Return the shapes of a place in a state, around a point."""
    symbol = table.symbols[0]
    if state_ in "x+":
        left, top, right, bottom = x - _CROSS_ARM, y - _CROSS_ARM, x + _CROSS_ARM, y + _CROSS_ARM
        return (Line(left, top, right, bottom, "cross"), Line(left, bottom, right, top, "cross"))
    if state_ not in "-|":
        return ()
    right, down = (0, HALF) if state_ == "|" else (HALF, 0)
    if symbol.picture == "domino":
        width, height = HALF + right - 4, HALF + down - 4
        return (Rect(x - width, y - height, 2 * width, 2 * height, "domino", corner=8),)
    return (Line(x - right, y - down, x + right, y + down, "border"),)


def presses(table: Table, word: str) -> Presses:
    """Return what pressing a place does with the tool that draws, and with the one that crosses."""
    drawing: dict[str, tuple[str, str]] = {}
    crossing: dict[str, tuple[str, str]] = {}
    names: dict[str, Message] = {}
    for is_up, signs in _STATES.items():
        off, on, crossed = signs[EMPTY], _DRAWN[is_up], signs[CROSS]
        drawing |= {off: (word, on), crossed: (word, on), on: (CLEAR, off)}
        crossing |= {off: (CROSS, crossed), on: (CROSS, crossed), crossed: (CLEAR, off)}
        signs_of = {off: EMPTY, on: table.filled, crossed: CROSS}
        names |= {each: name_of(table, sign) for each, sign in signs_of.items()}
    looks = {each: drawn_at(table, each, 0, 0) for each in drawing}
    return Presses(looks, {word: drawing, CROSS: crossing}, names, strokes=table.site)


def ground_of_lines(table: Table, board: Board) -> Iterator[Shape]:
    """Yield the shapes below the lines: dots at the corners, or squares with what is on them."""
    if table.site == "links":
        yield from ground(board)
        symbols = {symbol.letter: symbol for symbol in table.symbols}
        for cell in board:
            if board.sign(cell) in symbols:
                yield from symbol_shapes(symbols[board.sign(cell)], *centre(cell))
        return
    yield Rect(0, 0, board.columns * CELL, board.rows * CELL, "board")
    for row in range(board.rows + 1):
        for column in range(board.columns + 1):
            yield Circle(column * CELL, row * CELL, 3, "hoshi")


def text_of_lines(board: Board, now: str) -> str:
    """Return a board as lines of text: numbers and symbols, with the lines between them."""
    width = 2 * board.columns + 1
    signs = [EMPTY if sign == WALL else sign for sign in now]
    for row, column in board:
        number = board.number(board.clues, (row, column))
        sign = board.sign((row, column)) if number is None else str(number)
        signs[(2 * row + 1) * width + 2 * column + 1] = sign
    return "\n".join("".join(signs[at : at + width]) for at in range(0, len(signs), width))


def label(table: Table, board: Board, place: Cell, sign: str) -> Message:
    """Return the name of a place for screen readers, with the numbers and symbols beside it."""
    named = where(table, place, name_of(table, sign))
    symbols = {symbol.letter: symbol for symbol in table.symbols}
    near: list[Message] = []
    for cell in cells_beside(place):
        number = board.number(board.clues, cell)
        if number is not None:
            near.append(Message("{number}", {"number": number}))
        elif board.sign(cell) in symbols:
            near.append(Message(noun_of_symbol(symbols[board.sign(cell)]).title))
    if not near:
        return named
    found = near[0]
    if near[1:]:
        found = Message("{one} and {two}", {"one": near[0], "two": near[1]})
    return Message("{what}; beside it: {found}", {"what": named, "found": found})


def name_of(table: Table, sign: str) -> Message:
    """Return what is at a place with a sign: a line, or what the table has instead, or nothing."""
    symbol = table.symbols[0]
    if sign == CROSS:
        return Message("A cross")
    if sign != EMPTY:
        return Message(noun_of_symbol(symbol).title if symbol.picture else "A line")
    if symbol.picture == "domino":
        return Message("Nothing")
    return Message("No line")


def where(table: Table, place: Cell, what: Message) -> Message:
    """Return the words for something at a place."""
    cell = cells_beside(place)[0 if table.site == "links" else -1]
    values: dict[str, str | int | Message | None] = {"what": what, **row_and_column(cell)}
    row, column = place[0] % 3, place[1] % 3
    if table.site == "links":
        side = "across" if row else "down"
    elif column != 1:
        side = "right" if column else "left"
    else:
        side = "below" if row else "above"
    return Message(TEXTS[side], values)
