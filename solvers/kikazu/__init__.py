"""Non-attacking shogi pieces: place them all so that no piece attacks another."""

import random
from collections.abc import Iterable, Mapping

from solvers.grid import read_cell, write_cell
from solvers.hint import LEVEL
from solvers.kikazu import formats, picture, rules
from solvers.kikazu.editor import SIGNS, KikazuEditor
from solvers.kikazu.rules import BARRED, EMPTY, LARGEST, PIECES, SMALLEST, Move, Position
from solvers.kikazu.wish import DIFFICULTIES, STYLES
from solvers.kind import BadText, Kind, Question, Verdict
from solvers.message import Message, gettext_noop
from solvers.options import choice, span, whole
from solvers.picture import Picture

_TITLES = {
    sign: KikazuEditor.brushes[name] for name, sign in reversed(SIGNS.items()) if sign in PIECES
}
"""Piece -> its name in a list; the pawn first, of which there are most."""


class Kikazu(Kind[Position, Move]):
    """The kind; see `rules` for what a position is."""

    slug = "kikazu"
    title = gettext_noop("Non-attacking pieces")
    rule = gettext_noop(
        "Place all the shogi pieces on the board so that no piece stands on a square that "
        "another one attacks. All pieces face up the board. Two pawns in a column and pieces "
        "that could never move are allowed."
    )
    family = "placement"
    version = 2
    questions = {
        "count": Question(gettext_noop("How many solutions?"), "solvers.kikazu.count:count"),
        "solve": Question(gettext_noop("Is there a solution?"), "solvers.kikazu.solve:solve"),
        "solutions": Question(
            gettext_noop("All solutions"),
            "solvers.kikazu.count:solutions",
            options={
                "first": whole(gettext_noop("The first one shown"), 1, 1, 10_000),
                "many": whole(gettext_noop("How many are shown"), 50, 1, 10_000),
            },
        ),
        "common": Question(
            gettext_noop("What do all solutions have in common?"), "solvers.kikazu.common:common"
        ),
        "most": Question(
            gettext_noop("How many pieces of a kind fit?"),
            "solvers.kikazu.most:most",
            options={"piece": choice(gettext_noop("Piece"), _TITLES)},
        ),
        "clues": Question(
            gettext_noop("How few given pieces force one solution?"), "solvers.kikazu.clues:clues"
        ),
        "generate": Question(
            gettext_noop("New puzzles"),
            "solvers.kikazu.generate:generate",
            # The ladder's board of 5 x 5: fourteen solutions without a clue.
            position="5/5/5/5/5 RBNKG2S2L5P",
            options={
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

    def read_start(self, text: str) -> Position:
        return formats.read_start(text)

    def write_start(self, position: Position) -> str:
        return formats.write_draft(position)

    def start(self, position: Position) -> Position:
        return Position(position.rows, position.columns, position.given, position.stock)

    def line(self, position: Position) -> tuple[Move, ...]:
        return position.line

    def read_move(self, text: str) -> Move:
        piece, _, cell = text.strip().partition(" ")
        if len(piece) != 1 or piece not in PIECES + BARRED:
            raise BadText(
                "“{text}” is not a move. Write a piece and its square, like R 2,3, or - 2,3 to "
                "take a piece back.",
                text=text.strip()[:20],
            )
        return Move(piece, read_cell(cell))

    def write_move(self, move: Move) -> str:
        return f"{move.piece} {write_cell(move.cell)}"

    def told(self, move: Move) -> Message:
        where = {"row": move.cell[0] + 1, "column": move.cell[1] + 1}
        if move.piece == BARRED:
            return Message("Row {row}, column {column} cleared", where)
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

    def draw_with(self, position: Position, tool: str) -> Picture:
        return picture.draw(position, tool)

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
        return formats.write_draft(
            formats.Draft(position.rows, position.columns, position.board, position.hand)
        )


KIND = Kikazu()
