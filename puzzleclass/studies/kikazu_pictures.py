"""The drawings of the pages on the non-attacking pieces, made from the kind's own shapes."""

from collections.abc import Iterable, Iterator, Mapping

from solvers.grid import HALF, centre, press_area, write_cell
from solvers.kikazu.picture import koma, shogi_board
from solvers.kikazu.rules import EMPTY, FORWARD, NAMES, PIECES
from solvers.kikazu.skeletons import Board
from solvers.message import Message
from solvers.picture import CELL, Circle, Line, Picture, Rect, Shape, Spot, Text

SHADES = 5
"""The number of styles `heat-1` to `heat-5`. The last is for squares that always have the piece."""

STRIPS = ("PP..", "P.P.", "P..P", ".PP.", ".P.P", "..PP")
"""The ways to put two pawns on four squares of a column."""


def still_board(
    board: Board, columns: int = 9, *, strong: Board = "", under: Iterable[Shape] = ()
) -> Picture:
    """Return a board without spots. Pieces that `strong` has too are darker; `under` lies below."""
    rows = len(board) // columns
    shapes: list[Shape] = [*shogi_board(rows, columns), *under]
    for at, sign in enumerate(board):
        if sign != EMPTY:
            style = "koma given" if strong[at : at + 1] == sign else "koma"
            shapes += koma(sign, *centre(divmod(at, columns)), style)
    return _picture(board, columns, tuple(shapes))


def with_clues(picture: Picture, clues: Iterable[int]) -> Picture:
    """Return the board with rings around the pieces that are clues."""
    return picture.with_shapes(Circle(*centre(divmod(at, 9)), HALF - 2, "clue") for at in clues)


def skeleton(board: Board) -> Picture:
    """Return a skeleton, with dots on the squares that the other pieces fill."""
    shapes: list[Shape | Spot] = [*shogi_board(9, 9)]
    for at, sign in enumerate(board):
        x, y = centre(divmod(at, 9))
        if sign in FORWARD:
            shapes.append(Circle(x, y, 8, "rest"))
        elif sign != EMPTY:
            shapes += koma(sign, x, y, "koma given")
    return _picture(board, 9, tuple(shapes))


def free_squares(board: Board) -> Picture:
    """Return a board with dots on the empty squares that no piece attacks."""
    taken = attacked(board)
    free = [at for at, sign in enumerate(board) if sign == EMPTY and at not in taken]
    dots = (Circle(*centre(divmod(at, 9)), 8, "rest") for at in free)
    return still_board(board).with_shapes(dots)


def attacked(board: Board) -> set[int]:
    """Return the squares that the rooks and bishops of a 9x9 board attack."""
    steps = {"R": ((0, 1), (1, 0), (0, -1), (-1, 0)), "B": ((1, 1), (1, -1), (-1, 1), (-1, -1))}
    return {
        (row + down * far) * 9 + column + right * far
        for at, sign in enumerate(board)
        for row, column in [divmod(at, 9)]
        for down, right in steps.get(sign, ())
        for far in range(1, 9)
        if 0 <= row + down * far < 9 and 0 <= column + right * far < 9
    }


def proof(board: Board) -> tuple[Picture, Picture, Picture]:
    """Return the steps of the proof on one board: rooks, then bishops and knights, then tiles."""
    rook_columns = {at % 9 for at, sign in enumerate(board) if sign == "R"}
    dead = [Rect(column * CELL, 0, CELL, 9 * CELL, "dead") for column in sorted(rook_columns)]
    alone = [
        Rect(*_square_box(at), "alone", corner=8) for at, sign in enumerate(board) if sign in "BN"
    ]
    tiles: list[Shape] = []
    for at, sign in enumerate(board):
        if sign not in FORWARD:
            continue
        left, top, width, height = _square_box(at)
        if at < 9:
            tiles.append(Rect(left, top, width, height, "edge", corner=8))
        else:
            tiles.append(Rect(left, top - CELL, width, height + CELL, "tile", corner=8))
    rooks = _only_pieces(board, "R")
    return (
        still_board(rooks, under=dead),
        still_board(_only_pieces(board, "RBN"), under=[*dead, *alone]),
        still_board(board, under=[*dead, *alone, *tiles]),
    )


def tile_counts(board: Board) -> tuple[int, int]:
    """Return how many pieces of `proof` use two squares, and how many stand at the top edge."""
    top = sum(sign in FORWARD for sign in board[:9])
    return sum(sign in FORWARD for sign in board) - top, top


def heat(piece: str, counts: Mapping[int, int], total: int) -> Picture:
    """Return a picture that shows on how many boards the piece stands on each square."""
    shapes = [
        *shogi_board(9, 9),
        *(mark for at in counts for mark in _heat_mark(at, counts, total)),
    ]
    text = "\n".join(
        " ".join(str(counts.get(row * 9 + column, 0)) for column in range(9)) for row in range(9)
    )
    title = Message("{piece}: on how many boards it stands on each square", {"piece": NAMES[piece]})
    return Picture(9 * CELL, 9 * CELL, title, text, tuple(shapes))


def chooser(piece: str, counts: Mapping[int, int], total: int, certain: Board) -> Picture:
    """Return the board on which a square is chosen for the piece.

    The pieces that all remaining boards share are drawn. A press on another square that can hold
    the piece asks for the boards that have it there.
    """
    shapes: list[Shape | Spot] = [*still_board(certain, strong=certain).shapes]
    for at in counts:
        if certain[at] != EMPTY:
            continue
        cell = divmod(at, 9)
        label = Message(
            "{piece} at row {row}, column {column}: on {boards} boards",
            {
                "piece": NAMES[piece],
                "row": cell[0] + 1,
                "column": cell[1] + 1,
                "boards": counts[at],
            },
        )
        marks = (*_heat_mark(at, counts, total), press_area(cell))
        shapes.append(Spot(*cell, f"{piece} {write_cell(cell)}", label, marks, *centre(cell)))
    return _picture(certain, 9, tuple(shapes))


def bars(values: Mapping[int, int]) -> Picture:
    """Return a bar for each value, with the value above it and its key below it."""
    width, height, room = 64, 150, 24
    most = max(values.values())
    shapes: list[Shape] = []
    for at, (key, value) in enumerate(values.items()):
        left, tall = at * width + 8, max(height * value / most, 2)
        middle = left + width / 2 - 8
        shapes += (
            Rect(left, room + height - tall, width - 16, tall, "bar-chart", corner=4),
            Text(middle, room + height - tall - 12, f"{value:,}", "bar-value"),
            Text(middle, room + height + 14, str(key), "bar-key"),
        )
    shapes.append(Line(0, room + height, len(values) * width, room + height, "bar-floor"))
    text = "\n".join(f"{key}: {value}" for key, value in values.items())
    title = Message("Pawns with nothing ahead, and the number of boards for each")
    return Picture(len(values) * width, height + 2 * room + 4, title, text, tuple(shapes))


def strips() -> Picture:
    """Return the ways to put two pawns on four squares of a column, with the attacks."""
    shapes: list[Shape] = []
    for number, strip in enumerate(STRIPS):
        left = number * 1.5 * CELL
        shapes.append(Rect(left, 0, CELL, 4 * CELL, "board"))
        shapes += (Line(left, row * CELL, left + CELL, row * CELL, "grid") for row in range(5))
        for row, sign in enumerate(strip):
            if sign == "P":
                shapes += koma("P", left + HALF, row * CELL + HALF, "koma")
        clash = strip.find("PP")
        if clash >= 0:
            shapes.append(Circle(left + HALF, clash * CELL + HALF, HALF - 2, "fault"))
    title = Message("Two pawns on four squares: six ways, three without an attack")
    return Picture(8.5 * CELL, 4 * CELL, title, "\n".join(STRIPS), tuple(shapes))


def _picture(board: Board, columns: int, shapes: tuple[Shape | Spot, ...]) -> Picture:
    rows = [board[first : first + columns] for first in range(0, len(board), columns)]
    pieces = sum(sign in PIECES for sign in board)
    title = Message("Shogi board with {pieces} pieces", {"pieces": pieces})
    return Picture(columns * CELL, len(rows) * CELL, title, "\n".join(rows), shapes)


def _only_pieces(board: Board, pieces: str) -> Board:
    return "".join(sign if sign in pieces else EMPTY for sign in board)


def _square_box(at: int) -> tuple[float, float, float, float]:
    row, column = divmod(at, 9)
    return column * CELL + 3, row * CELL + 3, CELL - 6, CELL - 6


def _heat_mark(at: int, counts: Mapping[int, int], total: int) -> Iterator[Shape]:
    row, column = divmod(at, 9)
    shade = 1 + (SHADES - 1) * counts[at] // total
    yield Rect(column * CELL, row * CELL, CELL, CELL, f"heat-{shade}")
    yield Text(*centre((row, column)), str(counts[at]), "heat-number")
