"""How a board of shogi pieces is drawn, with its hand below it, and the pictures beside the rules.

A style sheet may show or hide some styles. `kanji` and `letter` are at the same place on every
piece. `attacked` squares are a help that not everyone gets.
"""

from collections.abc import Iterator, Sequence
from functools import cache, lru_cache
from math import hypot

from solvers.capabilities import Presses
from solvers.grid import HALF, centre, press_area, write_cell
from solvers.kikazu import rules
from solvers.kikazu.formats import KANJI, write_hand
from solvers.kikazu.rules import BARRED, EMPTY, LARGEST, NAMES, PIECES, Move, Position
from solvers.kind import Cell, row_and_column
from solvers.message import Message
from solvers.picture import CELL, Circle, Line, Picture, Polygon, Rect, Shape, Spot, Text

SMALLEST_HAND = 4
"""The least number of kinds of pieces in a row of the hand, however narrow the board is."""

_SIZE = {"R": 1.0, "B": 1.0, "K": 1.0, "G": 0.94, "S": 0.94, "N": 0.9, "L": 0.9, "P": 0.85}
_PENTAGON = ((0, -18), (11, -13.5), (14.5, 17), (-14.5, 17), (-11, -13.5))
"""A piece's outline around its middle, in units. The point is up the board."""
ATTACKED = "kikazu-attacked"
"""The style of the squares that pieces attack."""
_GAP = 8
"""The distance between the board and the hand, in units."""


def draw(position: Position, tool: str = "") -> Picture:
    """Return the picture of the board and the hand.

    `tool` is the piece that is taken up: a letter for a piece of the hand, a `carried` name for a
    piece on the board, and otherwise the first piece of the hand. A press on an empty square sets
    this piece down there. A press on another piece of the hand, or on one that the player has set,
    takes that one up; the spot's move is then the tool's name. A press on the piece of the board
    that is taken up puts it back into the hand.
    """
    hand = dict(zip(PIECES, position.hand))
    own = {
        carried(piece, cell): cell
        for piece, cell in position.pieces
        if rules.is_own(position, cell)
    }
    lifted = own.get(tool)
    first = next((piece for piece in PIECES if hand[piece]), "")
    selected = tool if lifted or hand.get(tool) else first
    clashes = rules.conflicts(position)
    victims = {victim for _, victim in clashes}
    drawn: list[Shape | Spot] = list(shogi_board(position.rows, position.columns))
    drawn += [
        _attacked(cell)
        # Attacks are not shaded when no piece is taken up, because no square is to be chosen.
        for cell in (sorted(rules.attacked(position, lifted)) if selected else ())
    ]
    for index, sign in enumerate(position.board):
        cell = divmod(index, position.columns)
        given = position.given[index] == sign != EMPTY
        shapes = square(sign, cell, given=given)
        if cell == lifted:
            shapes = (Rect(cell[1] * CELL, cell[0] * CELL, CELL, CELL, "kikazu-lifted"), *shapes)
        if cell in victims:
            shapes += (Circle(*centre(cell), HALF - 2, "fault"),)
        if sign != EMPTY and not given:
            drawn.append(_own_spot(sign, cell, shapes, is_lifted=cell == lifted))
        else:
            drawn.append(_other_spot(selected, sign, cell, shapes))
    drawn += [attack_line(attacker, victim) for attacker, victim in clashes]
    stock = [piece for piece, number in zip(PIECES, position.stock) if number]
    for piece, cell in hand_cells(position.columns, stock).items():
        spot, number = hand_spot(
            piece, hand[piece], cell, position.rows, move=piece, held=piece == selected
        )
        drawn += [*([spot] if hand[piece] else spot.shapes), number]
    return Picture(
        *picture_size(position.rows, position.columns, stock),
        title=Message(
            "Peaceful Pieces, {rows} × {columns}. Pieces to place: {left}.",
            {"rows": position.rows, "columns": position.columns, "left": sum(position.hand)},
        ),
        text=board_text(position.board, position.columns, position.hand),
        shapes=tuple(drawn),
    )


def carried(piece: str, cell: Cell) -> str:
    """Return the name that a piece of the board has as a tool. The moves of the piece begin with
    it."""
    return f"{piece}{write_cell(cell)}>"


@lru_cache(maxsize=4096)
def _other_spot(held: str, sign: str, cell: Cell, shapes: tuple[Shape, ...]) -> Spot:
    """Return the spot of an empty square, or of one with a given sign, for the piece held, if any.

    The rules refuse the piece on a square with a given sign, and say why. They refuse every press
    without a piece, too, but a player who hears the board must be able to read it. The spots are
    cached, because most of a board stays the same from move to move.
    """
    given = sign != EMPTY
    label, state = square_label(sign, cell, given=given), "" if given else EMPTY
    move, inner = f"{held or BARRED} {write_cell(cell)}", (*shapes, press_area(cell))
    is_closed = given or not held
    return Spot(*cell, move, label, inner, *centre(cell), state=state, is_closed=is_closed)


def _own_spot(piece: str, cell: Cell, shapes: tuple[Shape, ...], *, is_lifted: bool) -> Spot:
    name, back = carried(piece, cell), f"{BARRED} {write_cell(cell)}"
    label = square_label(piece, cell)
    if is_lifted:
        label = Message(
            "{what}, taken up. Press again to put it back in the hand.", {"what": label}
        )
    move = back if is_lifted else name
    shapes += (press_area(cell),)
    return Spot(*cell, move, label, shapes, *centre(cell), name, back, state=piece)


def attack_line(attacker: Cell, victim: Cell) -> Line:
    """Return the line from an attacker to its victim. It is short enough to leave both pieces
    legible."""
    (x1, y1), (x2, y2) = centre(attacker), centre(victim)
    share = 13 / hypot(x2 - x1, y2 - y1)
    right, down = share * (x2 - x1), share * (y2 - y1)
    return Line(x1 + right, y1 + down, x2 - right, y2 - down, "kikazu-attack")


def reach(position: Position, move: Move) -> tuple[Shape, ...]:
    """Return the outline of the piece that a move will set, and the shading of each square that it
    will attack."""
    attacked = rules.attacks(move.piece, move.cell, position.rows, position.columns)
    outline = koma(move.piece, *centre(move.cell), "koma preview")[0]
    return (outline, *map(_attacked, sorted(attacked)))


def _attacked(cell: Cell) -> Rect:
    """Return the mark of an attacked square, which is the same on boards and beside the rules."""
    return Rect(cell[1] * CELL, cell[0] * CELL, CELL, CELL, ATTACKED)


def shogi_board(rows: int, columns: int) -> Iterator[Shape]:
    """Yield the shapes of a board of squares, with four dots if it has the usual size."""
    width, height = columns * CELL, rows * CELL
    yield Rect(0, 0, width, height, "board")
    for row in range(rows + 1):
        yield Line(0, row * CELL, width, row * CELL, "grid")
    for column in range(columns + 1):
        yield Line(column * CELL, 0, column * CELL, height, "grid")
    if (rows, columns) == (9, 9):
        for row in (3, 6):
            for column in (3, 6):
                yield Circle(column * CELL, row * CELL, 3, "hoshi")


def square(sign: str, cell: Cell, *, given: bool = False) -> tuple[Shape, ...]:
    """Return the shapes on a square of the board: a piece, a bar or nothing."""
    if sign == EMPTY:
        return ()
    if sign != BARRED:
        return koma(sign, *centre(cell), "koma given" if given else "koma")
    left, top, inset = cell[1] * CELL, cell[0] * CELL, 12
    return (
        Rect(left, top, CELL, CELL, "kikazu-barred"),
        Line(left + inset, top + inset, left + CELL - inset, top + CELL - inset, "kikazu-bar"),
        Line(left + inset, top + CELL - inset, left + CELL - inset, top + inset, "kikazu-bar"),
    )


def koma(piece: str, x: float, y: float, style: str) -> tuple[Shape, ...]:
    """Return the shapes of a shogi piece around a point, with its Japanese and its Latin letter."""
    size = _SIZE[piece]
    outline = tuple((x + size * right, y + size * down) for right, down in _PENTAGON)
    return (
        Polygon(outline, style),
        Text(x, y + 2, KANJI[piece], "kanji"),
        Text(x, y + 2, piece, "letter"),
    )


PRESSES = Presses(
    looks={EMPTY: (), **{piece: koma(piece, 0, 0, "koma") for piece in PIECES}},
    rules={},
    vacant=EMPTY,
)


def square_label(sign: str, cell: Cell, *, given: bool = False) -> Message:
    """Return the name of a square for screen readers."""
    where = row_and_column(cell)
    if given and sign in PIECES:
        return Message(
            "{piece} of the puzzle at row {row}, column {column}", {"piece": NAMES[sign], **where}
        )
    if sign == EMPTY:
        return Message("Empty square at row {row}, column {column}", where)
    if sign == BARRED:
        return Message("Row {row}, column {column} must stay empty", where)
    return Message("{piece} at row {row}, column {column}", {"piece": NAMES[sign], **where})


def hand_cells(columns: int, pieces: Sequence[str]) -> dict[str, Cell]:
    """Return piece -> its cell in the hand. The rows of these cells are beyond those of any
    board."""
    width = _hand_width(columns, len(pieces))
    return {piece: (LARGEST + at // width, at % width) for at, piece in enumerate(pieces)}


def _hand_width(columns: int, kinds: int) -> int:
    return max(columns, min(SMALLEST_HAND, kinds))


def hand_spot(
    piece: str, number: int, cell: Cell, rows: int, move: str, *, held: bool = False
) -> tuple[Spot, Text]:
    """Return the spot of a piece of the hand below a board with `rows` rows, and its number.

    The number is drawn on the spot without being a part of it. A button whose name is "rook, in the
    hand: 2" may not show a text like "R2", because nobody could press it by voice.
    """
    x, y = centre((cell[0] - LARGEST + rows, cell[1]))
    y += _GAP
    # The box is smaller than its cell, so that its edge is wholly inside the picture.
    box = (x - HALF + 1, y - HALF + 1, CELL - 2, CELL - 2)
    shapes = (
        Rect(*box, "stand held" if held else "stand"),
        *koma(piece, x, y, "koma" if number else "koma gone"),
        Rect(*box, "press", corner=8),
    )
    label = Message("{piece}, in the hand: {number}", {"piece": NAMES[piece], "number": number})
    if held:
        label = Message("{what}, taken up. Press a square to set it down.", {"what": label})
    carries = move if move == piece else ""
    spot = Spot(*cell, move, label, shapes, x, y, carries, state=piece if carries else "")
    return spot, Text(x + 13, y + 12, str(number), "number")


def picture_size(rows: int, columns: int, pieces: Sequence[str]) -> tuple[float, float]:
    """Return the width and the height, in units, of a board with a hand of these pieces."""
    width = _hand_width(columns, len(pieces))
    return width * CELL, (rows + -(-len(pieces) // width)) * CELL + _GAP


def board_text(board: str, columns: int, hand: tuple[int, ...]) -> str:
    """Return rows of letters and the hand, for screen readers."""
    rows = [board[first : first + columns] for first in range(0, len(board), columns)]
    return "\n".join([*rows, write_hand(hand)])


SIDE = 5
"""Squares on a side of the board that shows a piece's attack."""


@cache
def illustrations() -> tuple[tuple[Picture, Message], ...]:
    """Return the pictures beside the rules, each with its caption."""
    reaches = tuple((_reach(piece), NAMES[piece]) for piece in PIECES)
    return reaches + blocking()


@cache
def blocking() -> tuple[tuple[Picture, Message], ...]:
    """Return two pictures of a rook's attack, with and without blocking: both forbid the same
    board."""
    row = "R..P..G."
    return (
        (
            _ray(row, seen_through=False),
            Message("Pieces block: the rook attacks the pawn. Forbidden."),
        ),
        (
            _ray(row, seen_through=True),
            Message("Pieces don't block: it attacks the pawn and the gold. Forbidden too."),
        ),
    )


def _reach(piece: str) -> Picture:
    middle = SIDE // 2
    # A piece that attacks only ahead shows more of its attack from the lower edge.
    cell = (SIDE - 1 if piece in "LN" else middle, middle)
    attacked = sorted(rules.attacks(piece, cell, SIDE, SIDE))
    drawn: list[Shape] = [*shogi_board(SIDE, SIDE)]
    drawn += map(_attacked, attacked)
    drawn += koma(piece, *centre(cell), "koma given")
    text = "\n".join(
        "".join(
            piece if (row, column) == cell else "x" if (row, column) in attacked else EMPTY
            for column in range(SIDE)
        )
        for row in range(SIDE)
    )
    title = Message("What the piece attacks: {piece}", {"piece": NAMES[piece]})
    return Picture(SIDE * CELL, SIDE * CELL, title, text, tuple(drawn))


def _ray(row: str, *, seen_through: bool) -> Picture:
    ends = [at for at, sign in enumerate(row) if at and sign != EMPTY]
    hit = ends if seen_through else ends[:1]
    drawn: list[Shape] = [*shogi_board(1, len(row))]
    for at, sign in enumerate(row):
        if sign != EMPTY:
            drawn += koma(sign, *centre((0, at)), "koma")
    drawn += [Line(*centre((0, 0)), *centre((0, at)), "kikazu-attack") for at in hit]
    drawn += [Circle(*centre((0, at)), HALF - 2, "hit") for at in hit]
    title = Message("A rook and the pieces on its way")
    return Picture(len(row) * CELL, CELL, title, row, tuple(drawn))
