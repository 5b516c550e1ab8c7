"""The editor for starts: given pieces, barred squares, and the hand."""

from solvers.editor import Editor
from solvers.grid import HALF, centre, press_area, write_cell
from solvers.kikazu import picture
from solvers.kikazu.formats import StartDrawing, check_size, read_drawing, write_drawing
from solvers.kikazu.rules import BARRED, EMPTY, LARGEST, NAMES, PIECES, Position, conflicts
from solvers.kind import BadText, Cell
from solvers.message import Message, gettext_noop
from solvers.picture import Circle, Picture, Shape, Spot

SIGNS = {name.text: piece for piece, name in NAMES.items()} | {"barred": BARRED, "clear": EMPTY}
"""Brush -> the sign that it sets on a square."""


class KikazuEditor(Editor):
    """The editor for drawings, which are SFEN texts that need not be puzzles.

    The hand is below the board, in cells of its own. A press on one of them adds a piece of that
    kind, or takes one away while the brush `clear` is chosen.
    """

    brushes = {
        "rook": gettext_noop("Rook"),
        "bishop": gettext_noop("Bishop"),
        "king": gettext_noop("King"),
        "gold": gettext_noop("Gold"),
        "silver": gettext_noop("Silver"),
        "knight": gettext_noop("Knight"),
        "lance": gettext_noop("Lance"),
        "pawn": gettext_noop("Pawn"),
        "barred": gettext_noop("Square that must stay empty"),
        "clear": gettext_noop("Clear"),
    }
    largest = (LARGEST, LARGEST)
    advice = gettext_noop(
        "Below the board are the pieces to place: a press adds one, and takes one away while "
        "“Clear” is chosen."
    )
    formats = {
        gettext_noop("SFEN: the board, then the pieces to place"): "4/1K2/4/3- 2G2S2NP",
        gettext_noop("The same with every square shown, and Japanese letters"): (
            "....\n.王..\n....\n...-\n持駒: 金2 銀2 桂2 歩1"
        ),
        gettext_noop("A solved board: its pieces are those to place"): "sfen 4/1K2/4/3P b - 1",
        gettext_noop("KIF or BOD, the board of shogi programs"): (
            "後手の持駒：なし\n  ４ ３ ２ １\n+------------+\n| ・ ・ ・ ・|一\n| ・ 玉 ・ ・|二\n"
            "| ・ ・ ・ ・|三\n| ・ ・ ・ ・|四\n+------------+\n先手の持駒：金二 歩"
        ),
        gettext_noop("CSA, the record of shogi programs"): (
            "P1 *  *  *  * \nP2 * +OU *  * \nP3 *  *  *  * \nP4 *  *  *  * \nP+00KI00KI00FU\n+"
        ),
        gettext_noop("An address of lishogi.org"): ("https://lishogi.org/editor/4/1K2/4/4_b_2GP_1"),
        gettext_noop("All the pieces of a shogi game"): "9/9/9/9/9/9/9/9/9 2R2B2K4G4S4N4L18P",
    }

    def blank(self, rows: int, columns: int) -> str:
        check_size(rows, columns, 1)
        return write_drawing(
            StartDrawing(rows, columns, EMPTY * (rows * columns), (0,) * len(PIECES))
        )

    def size(self, drawing: str) -> tuple[int, int]:
        read = read_drawing(drawing)
        return read.rows, read.columns

    def resize(self, drawing: str, rows: int, columns: int) -> str:
        check_size(rows, columns, 1)
        old = read_drawing(drawing)
        given = "".join(
            old.given[old.columns * row : old.columns * (row + 1)][:columns].ljust(columns, EMPTY)
            for row in range(rows)
        )
        return write_drawing(StartDrawing(rows, columns, given, old.stock))

    def paint(self, drawing: str, cell: Cell, brush: str) -> str:
        old = read_drawing(drawing)
        hand = {place: piece for piece, place in _hand(old).items()}
        row, column = cell
        is_on_board = 0 <= row < old.rows and 0 <= column < old.columns
        if brush not in SIGNS or not (cell in hand or is_on_board):
            raise BadText("This brush or point does not exist.")
        if cell in hand:
            kind = PIECES.index(hand[cell])
            stock = list(old.stock)
            stock[kind] += -1 if brush == "clear" else 1
            stock[kind] = min(max(stock[kind], 0), len(old.given))
            return write_drawing(old._replace(stock=tuple(stock)))
        at = row * old.columns + column
        sign = EMPTY if old.given[at] == SIGNS[brush] else SIGNS[brush]
        return write_drawing(old._replace(given=old.given[:at] + sign + old.given[at + 1 :]))

    def draw(self, drawing: str, fault: Cell | None = None) -> Picture:
        read = read_drawing(drawing)
        drawn: list[Shape | Spot] = list(picture.shogi_board(read.rows, read.columns))
        for index, sign in enumerate(read.given):
            cell = divmod(index, read.columns)
            shapes = picture.square(sign, cell)
            if cell == fault:
                shapes += (Circle(*centre(cell), HALF - 3, "fault"),)
            label = picture.square_label(sign, cell)
            drawn.append(
                Spot(*cell, write_cell(cell), label, (*shapes, press_area(cell)), *centre(cell))
            )
        # Draw every attack between given pieces; the fault names only one pair.
        position = Position(read.rows, read.columns, read.given, read.stock)
        drawn += [picture.attack_line(attacker, victim) for attacker, victim in conflicts(position)]
        numbers = dict(zip(PIECES, read.stock))
        for piece, cell in _hand(read).items():
            drawn += picture.hand_spot(piece, numbers[piece], cell, read.rows, write_cell(cell))
        return Picture(
            *picture.picture_size(read.rows, read.columns, PIECES),
            title=Message(
                "Board to draw on, {rows} × {columns}", {"rows": read.rows, "columns": read.columns}
            ),
            text=picture.board_text(read.given, read.columns, read.stock),
            shapes=tuple(drawn),
        )


def _hand(drawing: StartDrawing) -> dict[str, Cell]:
    return picture.hand_cells(drawing.columns, PIECES)
