"""The rules of the non-attacking pieces, in their plainest form. They are the reference.

All pieces face up the board (towards row 0). Pieces of a kind are alike. Two pawns in a column and
pieces that could never move again are allowed. No piece may stand on a square that another attacks.
Whether pieces block each other makes no difference: the first piece on a rook's way is itself
attacked, so nothing is ever hidden behind it.

At the end of the module, `obstacle` gives short proofs that some sets of pieces never fit.
"""

from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from functools import cache
from types import SimpleNamespace
from typing import NamedTuple

from solvers.grid import Rectangle
from solvers.kind import Cell, IllegalMove, Verdict
from solvers.message import Message, gettext_noop
from solvers.symmetry import Symmetry

PIECES = "RBKGSNLP"
EMPTY = "."
BARRED = "-"
"""On the board, a square that must stay empty. In a move, the sign that a piece is taken back."""

SMALLEST, LARGEST = 3, 9
"""The smallest and the largest number of rows, and of columns."""

NAMES: Mapping[str, Message] = {
    "R": Message("rook"),
    "B": Message("bishop"),
    "K": Message("king"),
    "G": Message("gold"),
    "S": Message("silver"),
    "N": Message("knight"),
    "L": Message("lance"),
    "P": Message("pawn"),
}

TEXTS = SimpleNamespace(
    outside=gettext_noop("There is no square at row {row}, column {column}."),
    none=gettext_noop("No piece stands at row {row}, column {column}."),
    given=gettext_noop("The piece at row {row}, column {column} was given. It must stay."),
    other=gettext_noop("No {piece} stands at row {row}, column {column}."),
    barred=gettext_noop("The square at row {row}, column {column} must stay empty."),
    occupied=gettext_noop(
        "A piece stands at row {row}, column {column} already. Take it back first."
    ),
    used=gettext_noop("No {piece} is left in the hand."),
    left=gettext_noop("Pieces left in the hand: {number}"),
    placed=gettext_noop("{piece} at row {row}, column {column}"),
    moved=gettext_noop(
        "{piece} from row {old_row}, column {old_column} to row {row}, column {column}"
    ),
    cleared=gettext_noop("Row {row}, column {column} cleared"),
    attacks=gettext_noop(
        "The {attacker} at row {row}, column {column} attacks the {victim} at row {victim_row}, "
        "column {victim_column}."
    ),
    **{name.text: name.text for name in NAMES.values()},
)
"""The texts of the rules, by the names under which `static/kikazu.js` says them."""

_ORTHOGONAL = ((-1, 0), (0, -1), (0, 1), (1, 0))
_DIAGONAL = ((-1, -1), (-1, 1), (1, -1), (1, 1))
_RIDES = {"R": _ORTHOGONAL, "B": _DIAGONAL, "L": ((-1, 0),)}
"""Piece -> the directions (row, column) in which it attacks any number of squares."""
_STEPS = {
    "K": _ORTHOGONAL + _DIAGONAL,
    "G": (*_ORTHOGONAL, (-1, -1), (-1, 1)),
    "S": ((-1, 0), *_DIAGONAL),
    "N": ((-2, -1), (-2, 1)),
    "P": ((-1, 0),),
}


class Move(NamedTuple):
    """A piece set down on a cell, or with `BARRED` as its piece, the removal of the piece there."""

    piece: str
    cell: Cell
    source: Cell | None = None
    """The cell that the piece leaves; None when it comes from the hand."""


@dataclass(frozen=True, slots=True)
class Position(Rectangle):
    """A board with its given pieces, the pieces to place, and the moves so far."""

    rows: int
    columns: int
    given: str
    """The start, row by row: for each square the letter of a piece, `BARRED` or `EMPTY`."""
    stock: tuple[int, ...]
    """The number of each of `PIECES` to place at the start."""
    line: tuple[Move, ...] = ()
    board: str = ""
    """The squares as they are now, in the form of `given`, with which they start."""

    def __post_init__(self) -> None:
        if not self.line:
            object.__setattr__(self, "board", self.given)

    @property
    def hand(self) -> tuple[int, ...]:
        """The number of each of `PIECES` that is still to be placed."""
        return tuple(
            stock + self.given.count(piece) - self.board.count(piece)
            for piece, stock in zip(PIECES, self.stock)
        )

    @property
    def pieces(self) -> Iterator[tuple[str, Cell]]:
        """The pieces on the board and their cells, row by row."""
        for index, sign in enumerate(self.board):
            if sign in PIECES:
                yield sign, divmod(index, self.columns)


@cache
def attacks(piece: str, cell: Cell, rows: int, columns: int) -> frozenset[Cell]:
    """Return the cells that a piece attacks on an empty board."""
    reached = set()
    for directions, longest in ((_RIDES, max(rows, columns)), (_STEPS, 1)):
        for down, right in directions.get(piece, ()):
            for distance in range(1, longest + 1):
                row, column = cell[0] + down * distance, cell[1] + right * distance
                if 0 <= row < rows and 0 <= column < columns:
                    reached.add((row, column))
    return frozenset(reached)


@cache
def reach(piece: str, rows: int, columns: int) -> list[int]:
    """Return for each square the squares that a piece attacks from there, as bits.

    The number of a square, and of its bit, is column * rows + row.
    """
    return [
        sum(1 << c * rows + r for r, c in attacks(piece, (row, column), rows, columns))
        for column in range(columns)
        for row in range(rows)
    ]


def attacked(position: Position, lifted: Cell | None = None) -> set[Cell]:
    """Return all cells that pieces on the board attack, without counting the piece on `lifted`."""
    return {
        target
        for piece, cell in position.pieces
        if cell != lifted
        for target in attacks(piece, cell, position.rows, position.columns)
    }


def conflicts(position: Position) -> list[tuple[Cell, Cell]]:
    """Return the pairs of cells (attacker, victim), where the first piece attacks the second, row
    by row."""
    standing = {cell for _, cell in position.pieces}
    return [
        (cell, victim)
        for piece, cell in position.pieces
        for victim in sorted(standing & attacks(piece, cell, position.rows, position.columns))
    ]


def moves(position: Position) -> Iterator[Move]:
    """Yield the placements after which no piece attacks another, kind by kind, row by row.

    `play` also allows placements by which a piece attacks or is attacked, so that the player can
    see it, and it allows pieces to be moved and taken back. No solution needs these moves.
    """
    standing = {cell for _, cell in position.pieces}
    under_attack = attacked(position)
    cells = (divmod(index, position.columns) for index in range(len(position.board)))
    free = [
        cell
        for sign, cell in zip(position.board, cells)
        if sign == EMPTY and cell not in under_attack
    ]
    for piece, left in zip(PIECES, position.hand):
        if left:
            for cell in free:
                if standing.isdisjoint(attacks(piece, cell, position.rows, position.columns)):
                    yield Move(piece, cell)


def play(position: Position, move: Move) -> Position:
    """Return the position after the move. Raise IllegalMove, with the reason, if the rules forbid
    it."""
    board = list(position.board)
    if move.piece == BARRED:
        board[_own(position, move.cell)] = EMPTY
    elif move.source is None:
        board[_free(position, move.cell)] = move.piece
        if not position.hand[PIECES.index(move.piece)]:
            raise IllegalMove(TEXTS.used, piece=NAMES[move.piece], cell=move.cell)
    else:
        source = _own(position, move.source)
        if board[source] != move.piece:
            raise IllegalMove(TEXTS.other, piece=NAMES[move.piece], cell=move.source)
        board[_free(position, move.cell)] = move.piece
        board[source] = EMPTY
    return Position(
        position.rows,
        position.columns,
        position.given,
        position.stock,
        (*position.line, move),
        "".join(board),
    )


def placed(position: Position) -> list[Move]:
    """Return the moves that set the player's pieces where they stand, row by row."""
    pieces = position.pieces
    return [Move(piece, cell) for piece, cell in pieces if is_own(position, cell)]


def strongest(position: Position) -> list[Move]:
    """Return where the player's strongest pieces stand, the first of `PIECES` that there are."""
    own = placed(position)
    first = min((PIECES.index(move.piece) for move in own), default=0)
    return [move for move in own if move.piece == PIECES[first]]


def squares(position: Position) -> str:
    """Return the board with a `#` where the player has set a piece, whatever piece it is."""
    own = {move.cell for move in placed(position)}
    signs = (
        "#" if divmod(at, position.columns) in own else EMPTY for at in range(len(position.board))
    )
    return "".join(signs)


def is_own(position: Position, cell: Cell) -> bool:
    """Return whether the player has set the piece on the cell, so that it may be moved."""
    index = position.index(cell)
    return position.board[index] in PIECES and position.given[index] == EMPTY


def _own(position: Position, cell: Cell) -> int:
    """Return the index of a cell whose piece may be moved. Raise IllegalMove for other cells."""
    index = _on_board(position, cell)
    if position.board[index] not in PIECES:
        raise IllegalMove(TEXTS.none, cell=cell)
    if not is_own(position, cell):
        raise IllegalMove(TEXTS.given, cell=cell)
    return index


def _free(position: Position, cell: Cell) -> int:
    """Return the index of a cell on which a piece may be set. Raise IllegalMove for other cells."""
    index = _on_board(position, cell)
    if position.board[index] == BARRED:
        raise IllegalMove(TEXTS.barred, cell=cell)
    if position.board[index] != EMPTY:
        raise IllegalMove(TEXTS.occupied, cell=cell)
    return index


def _on_board(position: Position, cell: Cell) -> int:
    if not position.holds(cell):
        raise IllegalMove(TEXTS.outside, cell=cell)
    return position.index(cell)


def judge(position: Position) -> Verdict:
    """Return whether all pieces are placed and none is attacked. Each attack on a piece is a
    fault."""
    faults = tuple(
        (victim, attack_message(position, attacker, victim))
        for attacker, victim in conflicts(position)
    )
    return Verdict(
        solved=not faults and not any(position.hand),
        over=next(moves(position), None) is None,
        faults=faults,
    )


def attack_message(position: Position, attacker: Cell, victim: Cell) -> Message:
    """Return a message that names a piece and the piece that it attacks."""
    return Message(
        TEXTS.attacks,
        {
            "attacker": NAMES[position.board[position.index(attacker)]],
            "row": attacker[0] + 1,
            "column": attacker[1] + 1,
            "victim": NAMES[position.board[position.index(victim)]],
            "victim_row": victim[0] + 1,
            "victim_column": victim[1] + 1,
        },
    )


def keeps_attacks(position: Position, symmetry: Symmetry) -> bool:
    """Return whether all pieces of the start attack the same squares on the turned board.

    Every piece may be mirrored left to right. A board with rooks, bishops and kings alone may also
    be turned.
    """
    pieces = {sign for sign in position.given if sign in PIECES}
    pieces |= {piece for piece, number in zip(PIECES, position.stock) if number}
    return all(_is_kept(piece, symmetry.upside_down, symmetry.transposed) for piece in pieces)


@cache
def _is_kept(piece: str, upside_down: bool, transposed: bool) -> bool:
    middle = (LARGEST // 2, LARGEST // 2)
    attacked = attacks(piece, middle, LARGEST, LARGEST)
    symmetry = Symmetry(LARGEST, LARGEST, upside_down, transposed=transposed)
    return attacked == set(map(symmetry, attacked))


def mirrored(position: Position) -> str:
    """Return the board as it is now with left and right exchanged."""
    return mirror(position.board, position.columns)


def mirror(board: str, columns: int) -> str:
    """Return a board, row by row, with left and right exchanged."""
    return "".join(board[first : first + columns][::-1] for first in range(0, len(board), columns))


FORWARD = "KGSLP"
"""The pieces that attack at least the square ahead."""


def obstacle(position: Position) -> Message | None:
    """Return why the given pieces and those of the hand never fit on the board together.

    None proves nothing. Squares that must stay empty and the squares of given pieces are not taken
    into account. The proof for all pieces together is this: no piece shares a rook's row or column,
    so with r rooks there are n - r columns for the others. In such a column of m squares, a bishop
    or knight takes its own square. A piece that attacks the square ahead takes its own square and
    that one, which must stay empty; at the upper edge it takes only its own. These squares never
    overlap. So a column with x bishops and knights has room for (m + 1 - x) // 2 of the other
    pieces. For 9 x 9 with R2 B2 N4 that makes 32, and so 40 pieces altogether, which is what the
    study (松元隆二, 2014) found. With two knights more it makes 31 and 41.
    """
    rows, columns = position.rows, position.columns
    number = {
        piece: position.board.count(piece) + left for piece, left in zip(PIECES, position.hand)
    }
    lines = min(rows, columns)
    if number["R"] > lines:
        return Message(
            "Two rooks never share a row or a column, so at most {most} fit on this board.",
            {"most": lines},
        )
    if number["B"] > rows + columns - 1:
        return Message(
            "Two bishops never share a diagonal, so at most {most} fit on this board.",
            {"most": rows + columns - 1},
        )
    quarters = -(-rows // 2) * -(-columns // 2)
    if number["K"] > quarters:
        return Message(
            "Two kings never stand in one block of 2 × 2 squares, so at most {most} fit on this "
            "board.",
            {"most": quarters},
        )
    left = columns - number["R"]
    if number["L"] > left:
        return Message(
            "Two lances never share a column, and none stands in the column of a rook, so at "
            "most {most} fit on this board.",
            {"most": left},
        )
    singles = number["B"] + number["N"]
    forward = sum(number[piece] for piece in FORWARD)
    most = most_forward(rows, left, singles)
    if most is None:
        return Message("So many rooks, bishops and knights never fit on this board together.")
    if forward > most:
        return Message(
            "These {pieces} pieces never fit on this board together. It is proven that with so "
            "many rooks, bishops and knights {most} pieces are the most.",
            {"pieces": sum(number.values()), "most": sum(number.values()) - forward + most},
        )
    return None


def most_forward(rows: int, columns: int, singles: int) -> int | None:
    """Return the most pieces attacking the square ahead that fit beside `singles` other pieces.

    `columns` is the number of columns without a rook. Returns None when not even the others fit.
    """
    # best[x]: the most such pieces with x of the others in the columns so far.
    best = {0: 0}
    for _ in range(columns):
        wider: dict[int, int] = {}
        for before, forward in best.items():
            for x in range(min(rows, singles - before) + 1):
                more = forward + (rows + 1 - x) // 2
                wider[before + x] = max(wider.get(before + x, 0), more)
        best = wider
    return best.get(singles)
