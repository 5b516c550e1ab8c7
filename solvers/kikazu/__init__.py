"""Non-attacking shogi pieces: place all of them so that no piece attacks another."""

import random
import re
from collections.abc import Mapping

from solvers import marks
from solvers.capabilities import (
    BrowserRules,
    Grouping,
    Illustrations,
    Notations,
    Obstacles,
    PlayersWords,
    Shading,
    TinyBoard,
    Tools,
)
from solvers.grid import read_cell, write_cell
from solvers.kikazu import formats, picture, rules
from solvers.kikazu.cases import BRANCHING
from solvers.kikazu.editor import KikazuEditor
from solvers.kikazu.questions import QUESTIONS
from solvers.kikazu.rules import BARRED, EMPTY, LARGEST, PIECES, SMALLEST, Move, Position
from solvers.kind import BadText, Cell, Kind, row_and_column
from solvers.message import Message, gettext_noop
from solvers.picture import Shape
from solvers.symmetry import Symmetry

RULE = gettext_noop(
    "Place all the shogi pieces on the board so that no piece stands on a square that "
    "another one attacks. All pieces face up the board. Two pawns in a column and pieces "
    "that could never move are allowed. Whether pieces block each other makes no difference."
)

USUAL: Mapping[str, str] = {
    "rook": gettext_noop("hisha"),
    "bishop": gettext_noop("kaku"),
    "king": gettext_noop("gyoku"),
    "gold": gettext_noop("kin"),
    "silver": gettext_noop("gin"),
    "knight": gettext_noop("keima"),
    "lance": gettext_noop("kyosha"),
    "pawn": gettext_noop("fu"),
    "Rook": gettext_noop("Hisha"),
    "Bishop": gettext_noop("Kaku"),
    "King": gettext_noop("Gyoku"),
    "Gold": gettext_noop("Kin"),
    "Silver": gettext_noop("Gin"),
    "Knight": gettext_noop("Keima"),
    "Lance": gettext_noop("Kyosha"),
    "Pawn": gettext_noop("Fu"),
    RULE: gettext_noop(
        "Place all the koma on the board so that no koma stands where another one's kiki is. All "
        "koma face up the board. Nifu and koma that could never move (ikidokoro no nai koma) are "
        "allowed. Whether koma block each other makes no difference."
    ),
}
"""Plain text -> the text in the words of shogi players."""

_WHAT = re.compile(r"-|(?P<piece>[RBKGSNLP])(?:(?P<source>[0-9]+,[0-9]+)>)?")
"""Matches the part of a move before its square."""


class KikazuTools(Tools[Position, Move]):
    """The tools of a player: the pieces of the hand, and those that the player has set on the
    board."""

    def names(self, position: Position) -> Mapping[str, Message]:
        return {
            piece: Message("{piece}, in the hand: {number}", {"piece": name, "number": left})
            for (piece, name), left in zip(rules.NAMES.items(), position.hand)
            if left
        }

    def movable(self, position: Position) -> Mapping[str, Message]:
        return {
            picture.carried(piece, cell): picture.square_label(piece, cell)
            for piece, cell in position.pieces
            if rules.is_own(position, cell)
        }

    draw = staticmethod(picture.draw)

    def tool_of(self, move: Move) -> str:
        return picture.carried(move.piece, move.source) if move.source else move.piece


INTRODUCTION = (
    TinyBoard(
        "1P1/3/3 P",
        before=gettext_noop(
            "Press a square to place the pawn. A pawn attacks only the square right above it. "
            "No piece may stand there."
        ),
        after=gettext_noop("The pawn attacks no other piece: solved!"),
        slip="P 2,2",
        solution="P 3,1",
    ),
    TinyBoard(
        "3/1R1/3 2P",
        before=gettext_noop(
            "The rook attacks its whole row and its whole column. Place both pawns where they "
            "are safe."
        ),
        after=gettext_noop("The corners are safe from this rook."),
        slip="P 2,1",
        solution="P 3,1 P 3,3",
    ),
    TinyBoard(
        "B2/3/3 2P",
        before=gettext_noop(
            "The bishop attacks along the diagonals. Mind what your pawns attack, too."
        ),
        after=gettext_noop("No piece attacks another."),
        slip="P 2,2",
        solution="P 3,1 P 3,2",
    ),
    TinyBoard(
        "3/3/1N1 3P",
        before=gettext_noop(
            "The knight jumps: it attacks two squares up and one to the side. Place three pawns."
        ),
        after=gettext_noop("Only two squares are attacked by the knight."),
        slip="P 1,1",
        solution="P 3,1 P 3,3 P 2,2",
    ),
    TinyBoard(
        "3/3/3 RBG",
        before=gettext_noop(
            "Now everything together: rook, bishop and gold. Press a piece and then a square. "
            "Wrong? Press it twice and it comes back."
        ),
        after=gettext_noop("Now you know all the rules. Have fun!"),
        slip="R 1,1 B 1,2",
        solution="R 1,2 B 3,1 G 3,3",
    ),
)
"""Tiny boards for a student's first minute. Each of them teaches one rule."""


class Kikazu(Kind[Position, Move]):
    """The kind of the non-attacking pieces. `solvers.kikazu.rules` has its rules and its
    `Position`."""

    interface = 1
    slug = "kikazu"
    title = gettext_noop("Peaceful Pieces")
    rule = RULE
    terms = {
        gettext_noop("attack"): gettext_noop(
            "A piece attacks the squares to which it could move. “Rules” shows them for each piece."
        )
    }
    aim = gettext_noop("Place all the pieces so that none attacks another.")
    misunderstandings = {
        rules.TEXTS.used: gettext_noop(
            "The player may think that there are pieces without end. Only those in the hand can "
            "be placed."
        ),
        rules.TEXTS.given: gettext_noop(
            "The player may think that the pieces of the puzzle can be moved. They stay where "
            "they are."
        ),
        rules.TEXTS.barred: gettext_noop(
            "The player may have overlooked the squares that must stay empty."
        ),
        rules.TEXTS.occupied: gettext_noop(
            "The player may think that one piece can replace another. The piece that stands there "
            "must be taken back first."
        ),
    }
    family = "placement"
    version = 5
    questions = QUESTIONS
    introduction = INTRODUCTION
    editor = KikazuEditor()
    tools = KikazuTools()
    obstacles = Obstacles(rules.obstacle)
    notations = Notations(formats.write_notations)
    illustrations = Illustrations(picture.illustrations)
    players_words = PlayersWords(USUAL)
    presses = picture.PRESSES
    browser_rules = BrowserRules(vars(rules.TEXTS))
    branching = BRANCHING
    address_parts = ("sfen=", "initpos=", "lishogi.org/")
    reads = (marks.SFEN, marks.KIF, marks.CSA)
    shading = Shading(
        gettext_noop("Shade the squares that pieces attack"),
        picture.ATTACKED,
        gettext_noop("{what}, attacked"),
    )

    read_start = staticmethod(formats.read_start)
    write_start = staticmethod(formats.write_drawing)

    def start(self, position: Position) -> Position:
        return Position(position.rows, position.columns, position.given, position.stock)

    def line(self, position: Position) -> tuple[Move, ...]:
        return position.line

    def read_move(self, text: str) -> Move:
        what, _, cell = text.strip().partition(" ")
        match = _WHAT.fullmatch(what)
        if not match:
            raise BadText(
                "“{text}” is not a move. Write a piece and its square, like R 2,3, with its old "
                "square to move it, like R2,3> 4,5, or - 2,3 to take a piece back.",
                text=text.strip()[:20],
            )
        source = read_cell(match["source"]) if match["source"] else None
        return Move(match["piece"] or BARRED, read_cell(cell), source)

    def write_move(self, move: Move) -> str:
        return f"{self.tools.tool_of(move)} {write_cell(move.cell)}"

    def cells_of(self, move: Move) -> tuple[Cell, ...]:
        return (move.source, move.cell) if move.source else (move.cell,)

    def turned_move(self, move: Move, symmetry: Symmetry) -> Move:
        source = symmetry(move.source) if move.source else None
        return Move(move.piece, symmetry(move.cell), source)

    def turned(self, position: Position, symmetry: Symmetry) -> Position | None:
        if not rules.keeps_attacks(position, symmetry):
            return None
        given, columns = position.given, position.columns
        board = [given[first : first + columns] for first in range(0, len(given), columns)]
        return Position(*symmetry.size, "".join(symmetry.turned(board)), position.stock)

    def describe(self, move: Move) -> Message:
        where = row_and_column(move.cell)
        if move.piece == BARRED:
            return Message(rules.TEXTS.cleared, where)
        if move.source:
            return Message(
                rules.TEXTS.moved,
                {
                    "piece": rules.NAMES[move.piece],
                    "old_row": move.source[0] + 1,
                    "old_column": move.source[1] + 1,
                    **where,
                },
            )
        return Message(rules.TEXTS.placed, {"piece": rules.NAMES[move.piece], **where})

    def announcements(self, position: Position) -> tuple[Message, ...]:
        return (Message(rules.TEXTS.left, {"number": sum(position.hand)}),)

    def announcements_after_undo(self, position: Position, undone: Position) -> tuple[Message, ...]:
        return self.announcements(position)

    def shown_to_beginners(self, position: Position, move: Move) -> tuple[Shape, ...]:
        return picture.reach(position, move)

    @property
    def groupings(self) -> Mapping[str, Grouping[Position]]:
        squares: Grouping[Position] = Grouping(gettext_noop("Squares that are used"), rules.squares)
        strongest: Grouping[Position] = Grouping(
            gettext_noop("Where the strongest pieces stand"),
            lambda position: " ".join(map(self.write_move, rules.strongest(position))),
            self._describe_strongest,
        )
        usual = super().groupings
        return {"symmetry": usual["symmetry"], "strongest": strongest, "squares": squares}

    def _describe_strongest(self, position: Position) -> Message | None:
        """Return where all of the strongest pieces stand, as groups differ in any of them."""
        described = None
        for move in reversed(rules.strongest(position)):
            here = self.describe(move)
            described = (
                Message("{piece}, {others}", {"piece": here, "others": described})
                if described
                else here
            )
        return described

    def counted_moves(self, position: Position) -> frozenset[str]:
        return frozenset(map(self.write_move, rules.placed(position)))

    moves = staticmethod(rules.moves)
    play = staticmethod(rules.play)
    judge = staticmethod(rules.judge)
    draw = staticmethod(picture.draw)

    def facts(self, position: Position) -> tuple[Message, ...]:
        pieces = Message("Pieces to place: {pieces}", {"pieces": sum(position.hand)})
        given = sum(sign in PIECES for sign in position.given)
        return (
            *super().facts(position),
            pieces,
            *([Message("Given: {pieces}", {"pieces": given})] if given else []),
        )

    def sample(self, rng: random.Random, size: int) -> Position:
        rows = min(SMALLEST + rng.randrange(size) // 2, LARGEST)
        columns = min(SMALLEST + rng.randrange(size) // 2, LARGEST)
        given = [EMPTY] * (rows * columns)
        given[rng.randrange(len(given))] = rng.choice([EMPTY, *PIECES])
        for at in rng.sample(range(len(given)), min(rng.randrange(size), len(given) - 2)):
            given[at] = BARRED
        pieces = rng.choices(PIECES, k=rng.randint(1, min(size, given.count(EMPTY))))
        return Position(rows, columns, "".join(given), tuple(map(pieces.count, PIECES)))

    def solution(self, position: Position) -> str:
        return formats.write_drawing(
            formats.StartDrawing(position.rows, position.columns, position.board, position.hand)
        )


KIND = Kikazu()
