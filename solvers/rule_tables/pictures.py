"""How boards of tables are drawn, in play and in the editor."""

from collections.abc import Iterator, Mapping

from solvers.grid import centre
from solvers.kind import Cell
from solvers.picture import CELL, TEXT_REACH, Circle, Line, Polygon, Rect, Shape, Text
from solvers.rule_tables.boards import WALL, Board
from solvers.rule_tables.sentences import COLOURS
from solvers.rule_tables.table import Symbol

HALF = CELL / 2
RIM = HALF + TEXT_REACH
"""How far from the middle of a square at the edge the number of the edge stands."""
_OUTWARDS = {"left": (0, -1), "right": (0, 1), "top": (-1, 0), "bottom": (1, 0)}

_SIGNS: Mapping[str, str] = {
    "queen": "♛",
    "king": "♚",
    "star": "★",
    "lamp": "☀",
    "mine": "✹",
    "press": "●",
}
"""The name of a picture -> the sign on its piece."""


def symbol_shapes(
    symbol: Symbol, x: float, y: float, *, is_given: bool = False
) -> tuple[Shape, ...]:
    """Return the shapes of a symbol around a point."""
    picture = symbol.picture
    pin: tuple[Shape, ...] = (Rect(x - 4, y - 4, 8, 8, "pin"),) if is_given else ()
    if picture in ("black circle", "white circle"):
        return (Circle(x, y, 12, picture.split()[0]),)
    if picture in ("black stone", "white stone"):
        return (Circle(x, y, 16, picture.split()[0]), *pin)
    if picture in COLOURS:
        tile = Rect(x - HALF + 1, y - HALF + 1, CELL - 2, CELL - 2, picture)
        return (tile, Text(x, y, symbol.letter, "sign given" if is_given else "sign"))
    if picture == "ship":
        return (Rect(x - 15, y - 15, 30, 30, "black", corner=9), *pin)
    if picture == "tree":
        return (Rect(x - 3, y + 4, 6, 12, "trunk"), Circle(x, y - 3, 11, "tree"))
    if picture == "tent":
        tent = Polygon(((x, y - 12), (x - 14, y + 12), (x + 14, y + 12)), "tent")
        return (tent, Polygon(((x, y - 2), (x - 5, y + 12), (x + 5, y + 12)), "door"))
    if picture == "black":
        return (Rect(x - HALF + 1, y - HALF + 1, CELL - 2, CELL - 2, "black"), *pin)
    if picture in _SIGNS:
        style = "white" if is_given else "black"
        return (Circle(x, y, 16, style), Text(x, y, _SIGNS[picture], "label"))
    return (Text(x, y, symbol.letter, "sign given" if is_given else "sign"),)


def ground(board: Board) -> Iterator[Shape]:
    """Yield the shapes below the squares: the board and its walls."""
    width, height = board.columns * CELL, board.rows * CELL
    yield Rect(0, 0, width, height, "board")
    for row in range(board.rows + 1):
        yield Line(0, row * CELL, width, row * CELL, "grid")
    for column in range(board.columns + 1):
        yield Line(column * CELL, 0, column * CELL, height, "grid")
    for row, column in board:
        if board.sign((row, column)) == WALL:
            yield Rect(column * CELL, row * CELL, CELL, CELL, "wall")


def drawn_above(board: Board) -> Iterator[Shape]:
    """Yield the shapes above the squares, which take no presses: numbers and borders of rooms."""
    for row, column in board:
        cell = (row, column)
        clue = board.number(board.clues, cell)
        if clue is not None:
            yield Text(*centre(cell), str(clue), "label clue")
        x, y = column * CELL, row * CELL
        for side, number in rim_beside(board, cell):
            down, right = _OUTWARDS[side]
            at = centre(cell)[0] + right * RIM, centre(cell)[1] + down * RIM
            yield Text(*at, str(number), "rim")
        if row + 1 < board.rows and board.room(cell) != board.room((row + 1, column)):
            yield Line(x, y + CELL, x + CELL, y + CELL, "border")
        if column + 1 < board.columns and board.room(cell) != board.room((row, column + 1)):
            yield Line(x + CELL, y, x + CELL, y + CELL, "border")


def rim_beside(board: Board, cell: Cell) -> Iterator[tuple[str, int]]:
    """Yield the sides of the board at which a cell lies, with the number there."""
    row, column = cell
    for side, is_there, at in (
        ("left", column == 0, row),
        ("right", column == board.columns - 1, row),
        ("top", row == 0, column),
        ("bottom", row == board.rows - 1, column),
    ):
        rim = getattr(board, side)
        if is_there and rim and rim[at]:
            yield side, rim[at][0]


def clue_at(board: Board, cell: Cell) -> int | None:
    """Return the number on a cell, if any."""
    return board.number(board.clues, cell)
