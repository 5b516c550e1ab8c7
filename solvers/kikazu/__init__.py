"""Non-attacking shogi pieces: place them all so that no piece attacks another."""

import random
import re
from collections.abc import Iterable, Mapping

from solvers.grid import read_cell, write_cell
from solvers.hint import LEVEL
from solvers.kikazu import bounds, formats, picture, rules
from solvers.kikazu.editor import SIGNS, KikazuEditor
from solvers.kikazu.illustrations import illustrations
from solvers.kikazu.rules import BARRED, EMPTY, LARGEST, PIECES, SMALLEST, Move, Position
from solvers.kikazu.wish import BOARDS, DIFFICULTIES, STYLES
from solvers.kikazu.words import RULE, USUAL
from solvers.kind import BadText, Kind, Question, Verdict
from solvers.message import Message, gettext_noop
from solvers.options import choice, span, whole
from solvers.picture import Picture

_WHAT = re.compile(r"-|(?P<piece>[RBKGSNLP])(?:(?P<source>[0-9]+,[0-9]+)>)?")
"""What a move says before its square."""

_TITLES = {
    sign: KikazuEditor.brushes[name] for name, sign in reversed(SIGNS.items()) if sign in PIECES
}
"""Piece -> its name in a list; the pawn first, of which there are most."""


class Kikazu(Kind[Position, Move]):
    """The kind; see `rules` for what a position is."""

    slug = "kikazu"
    title = gettext_noop("Non-attacking pieces")
    rule = RULE
    family = "placement"
    version = 2
    questions = {
        "count": Question(gettext_noop("How many solutions?"), "solvers.kikazu.count:count"),
        "solve": Question(gettext_noop("Is there a solution?"), "solvers.kikazu.solve:solve"),
        "solutions": Question(
            gettext_noop("All solutions"),
            "solvers.kikazu.solutions:solutions",
            options={
                "first": whole(gettext_noop("From number"), 1, 1, 10_000),
                "limit": whole(gettext_noop("How many at once"), 100, 1, 10_000),
            },
        ),
        "common": Question(
            gettext_noop("What do all solutions have in common?"),
            "solvers.kikazu.common:common",
            about=gettext_noop(
                "The pieces that stand on the same square in every solution, and the squares that "
                "are taken whichever piece stands there."
            ),
        ),
        "most": Question(
            gettext_noop("How many pieces of a kind fit?"),
            "solvers.kikazu.most:most",
            about=gettext_noop(
                "The most pieces of one kind that the hand can hold, the other pieces staying as "
                "they are, and a board with all of them."
            ),
            options={"piece": choice(gettext_noop("Piece"), _TITLES)},
        ),
        "clues": Question(
            gettext_noop("How few given pieces force one solution?"),
            "solvers.kikazu.clues:clues",
            about=gettext_noop(
                "The fewest pieces to be given so that a single solution is left, with examples "
                "for your class."
            ),
        ),
        "generate": Question(
            gettext_noop("New puzzles"),
            "solvers.kikazu.generate:generate",
            # Fourteen solutions without a clue.
            position="5/5/5/5/5 RBNKG2S2L5P",
            check="solvers.kikazu.wish:check",
            options={
                "board": choice(gettext_noop("Board and pieces"), BOARDS),
                "style": choice(gettext_noop("Style"), STYLES),
                "piece": choice(gettext_noop("Piece, for as many as fit"), _TITLES),
                "clues": whole(
                    gettext_noop("Pieces given; 0 for as few as it takes"), 0, 0, LARGEST**2
                ),
                "solutions": span(gettext_noop("Solutions"), "1", 1, 1000),
                "band": choice(gettext_noop("Difficulty"), DIFFICULTIES),
                "many": whole(gettext_noop("How many puzzles"), 5, 1, 100),
                "seed": whole(gettext_noop("Seed: the same one, the same puzzles"), 1, 0, 10**9),
            },
        ),
        "rate": Question(gettext_noop("How hard is it?"), "solvers.kikazu.rate:rate"),
        "hint": Question(
            gettext_noop("How can it go on?"), "solvers.kikazu.hint:hint", "hint", options=LEVEL
        ),
        "review": Question(
            gettext_noop("Where was the last solution lost?"), "solvers.review:review", "hint"
        ),
    }
    editor = KikazuEditor()
    usual_words = USUAL

    @property
    def illustrations(self) -> tuple[tuple[Picture, Message], ...]:
        return illustrations()

    def read_start(self, text: str) -> Position:
        return formats.read_start(text)

    def write_start(self, position: Position) -> str:
        return formats.write_draft(position)

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
        source = f"{write_cell(move.source)}>" if move.source else ""
        return f"{move.piece}{source} {write_cell(move.cell)}"

    def told(self, move: Move) -> Message:
        where = {"row": move.cell[0] + 1, "column": move.cell[1] + 1}
        if move.piece == BARRED:
            return Message("Row {row}, column {column} cleared", where)
        if move.source:
            return Message(
                "{piece} from row {old_row}, column {old_column} to row {row}, column {column}",
                {
                    "piece": rules.NAMES[move.piece],
                    "old_row": move.source[0] + 1,
                    "old_column": move.source[1] + 1,
                    **where,
                },
            )
        return Message(
            "{piece} at row {row}, column {column}", {"piece": rules.NAMES[move.piece], **where}
        )

    def moves(self, position: Position) -> Iterable[Move]:
        return rules.moves(position)

    def play(self, position: Position, move: Move) -> Position:
        return rules.play(position, move)

    def judge(self, position: Position) -> Verdict:
        return rules.judge(position)

    def draw(self, position: Position) -> Picture:
        return picture.draw(position)

    def tools(self, position: Position) -> Mapping[str, Message]:
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

    def draw_with(self, position: Position, tool: str) -> Picture:
        return picture.draw(position, tool)

    def obstacle(self, position: Position) -> Message | None:
        return bounds.obstacle(position)

    def facts(self, position: Position) -> tuple[Message, ...]:
        pieces = Message("Pieces to place: {pieces}", {"pieces": sum(position.hand)})
        given = sum(sign in PIECES for sign in position.given)
        return (
            *super().facts(position),
            pieces,
            *([Message("Given: {pieces}", {"pieces": given})] if given else []),
        )

    def exports(self, position: Position) -> Mapping[str, str]:
        board, hand = formats.write_draft(position).split(" ")
        # What must stay empty can't be said in SFEN.
        return {} if BARRED in board else {"SFEN": f"sfen {board} b {hand} 1"}

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
        return formats.write_draft(
            formats.Draft(position.rows, position.columns, position.board, position.hand)
        )


KIND = Kikazu()
