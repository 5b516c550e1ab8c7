"""Goishi Hiroi: pick up all stones in one go along rows and columns, without turning back."""

import random
from collections.abc import Mapping

from solvers import marks
from solvers.capabilities import BrowserRules, Grouping, Notations, TinyBoard
from solvers.goishi import formats, picture, rules
from solvers.goishi.questions import QUESTIONS
from solvers.goishi.rules import LARGEST, Position
from solvers.grid import CellMoves
from solvers.kind import Cell
from solvers.message import Message, gettext_noop
from solvers.picture import Shape
from solvers.symmetry import Symmetry

INTRODUCTION = (
    TinyBoard(
        "oo",
        before=gettext_noop("Press a stone to pick it up. Then press the other one."),
        after=gettext_noop("The board is empty: solved! That is all you have to reach."),
        solution="1,1 1,2",
    ),
    TinyBoard(
        "o.oo",
        before=gettext_noop(
            "Go straight on to the nearest stone. You pass over empty points, but never over a "
            "stone."
        ),
        after=gettext_noop("Always the nearest stone first: none is jumped over."),
        slip="1,1 1,4",
        solution="1,1 1,3 1,4",
    ),
    TinyBoard(
        "o.o/..o",
        before=gettext_noop("At a stone you may turn left or right. You never move diagonally."),
        after=gettext_noop("You turned the corner at a stone. Between stones there is no turning."),
        slip="1,1 2,3",
        solution="1,1 1,3 2,3",
    ),
    TinyBoard(
        "ooo/..o",
        before=gettext_noop(
            "Turning straight back is not allowed. So think before you choose your first stone."
        ),
        after=gettext_noop("You began where you never had to turn back."),
        slip="1,2 1,1 1,3",
        solution="1,1 1,2 1,3 2,3",
    ),
    TinyBoard(
        ".oo/ooo/.o.",
        before=gettext_noop(
            "A place that is cleared is empty: you may pass over it. Try it with these six stones."
        ),
        after=gettext_noop("Now you know all the rules. Have fun!"),
        slip="2,2 2,1",
        solution="2,1 2,2 2,3 1,3 1,2 3,2",
    ),
)
"""The introduction: tiny boards, each of which teaches one rule."""


class Goishi(CellMoves[Position]):
    """The kind. The module `rules` describes its positions."""

    interface = 1
    slug = "goishi"
    title = gettext_noop("Goishi Hiroi")
    rule = gettext_noop(
        "Pick up all the stones. Start anywhere and go straight along a row or a column to the "
        "nearest stone; places already cleared are passed over. You may turn left or right, but "
        "never straight back."
    )
    aim = gettext_noop("Pick up all the stones.")
    family = "sequence"
    version = 4
    questions = QUESTIONS
    introduction = INTRODUCTION
    editor = picture.GoishiEditor()
    notations = Notations(formats.write_notations)
    presses = picture.PRESSES
    browser_rules = BrowserRules(vars(rules.TEXTS))
    address_parts = ("goishi",)
    reads = (marks.SGF, marks.GO_DIAGRAM)

    misunderstandings = {
        rules.TEXTS.back: gettext_noop(
            "The player may think that turning straight back is allowed. After each stone the way "
            "goes straight on, left or right."
        ),
        rules.TEXTS.aside: gettext_noop(
            "The player may think that any stone can be taken next, or that diagonal moves are "
            "allowed. Only a stone in the row or the column of the last one can be taken."
        ),
        rules.TEXTS.jumped: gettext_noop(
            "The player may think that stones can be jumped over. Only places that are already "
            "cleared can be passed."
        ),
    }

    read_start = staticmethod(formats.read_board)

    def write_start(self, position: Position) -> str:
        return "/".join(rules.text_rows(position, position.stones))

    def start(self, position: Position) -> Position:
        return Position(position.rows, position.columns, position.stones)

    def line(self, position: Position) -> tuple[Cell, ...]:
        return position.picked

    def turned(self, position: Position, symmetry: Symmetry) -> Position:
        rows = symmetry.turned(rules.text_rows(position, position.stones))
        return formats.read_board("/".join(rows))

    canonical = staticmethod(rules.canonical)

    paper_instruction = Message(
        "Write 1, 2, 3 … on the stones in the order in which you pick them up."
    )
    describe = staticmethod(picture.stone_label)

    def announcements(self, position: Position) -> tuple[Message, ...]:
        left = Message(rules.TEXTS.left, {"left": position.left.bit_count()})
        return (left, *map(picture.next_label, rules.moves(position)))

    def announcements_after_undo(self, position: Position, undone: Position) -> tuple[Message, ...]:
        left = Message(rules.TEXTS.left, {"left": position.left.bit_count()})
        if not position.picked:
            return (left,)
        return self.announcements(position)

    def shown_to_beginners(self, position: Position, move: Cell) -> tuple[Shape, ...]:
        return picture.ways(position)

    @property
    def groupings(self) -> Mapping[str, Grouping[Position]]:
        turns: Grouping[Position] = Grouping(
            gettext_noop("Number of turns"),
            lambda position: str(rules.turns(position)),
            lambda position: Message("Turns: {number}", {"number": rules.turns(position)}),
        )
        last: Grouping[Position] = Grouping(
            gettext_noop("Last stone"),
            lambda position: str(position.picked[-1:]),
            lambda position: self.describe(position.picked[-1]) if position.picked else None,
        )
        return {**super().groupings, "last": last, "turns": turns}

    moves = staticmethod(rules.moves)
    play = staticmethod(rules.play)
    judge = staticmethod(rules.judge)
    draw = staticmethod(picture.draw)

    def facts(self, position: Position) -> tuple[Message, ...]:
        stones = Message("Stones: {stones}", {"stones": position.stones.bit_count()})
        return (*super().facts(position), stones)

    def sample(self, rng: random.Random, size: int) -> Position:
        rows, columns = min(size + 1, LARGEST), min(size + 2, LARGEST)
        bits = rng.sample(range(rows * columns), rng.randint(1, 3 * size))
        return Position(rows, columns, sum(1 << bit for bit in bits))


KIND = Goishi()
