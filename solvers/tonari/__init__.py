"""Tonari Othello: fill the board so that the stones end in the colours of the target."""

import random
from collections.abc import Mapping

from solvers.capabilities import BrowserRules, Grouping, Obstacles, TinyBoard
from solvers.grid import CellMoves
from solvers.kind import Cell, row_and_column
from solvers.message import Message, gettext_noop
from solvers.picture import Shape
from solvers.symmetry import Symmetry
from solvers.tonari import picture, rules
from solvers.tonari.formats import LARGEST, read_puzzle
from solvers.tonari.questions import QUESTIONS
from solvers.tonari.rules import Position

INTRODUCTION = (
    TinyBoard(
        "Bw/wb | 1,2 2,1",
        before=gettext_noop(
            "Press the empty point: a black stone is set. It turns over the stones directly "
            "above, below, left and right of it."
        ),
        after=gettext_noop(
            "Both neighbours were turned over. The stone at the corner stayed as it was."
        ),
        solution="2,2",
    ),
    TinyBoard(
        "Bb/ww | 2,1",
        before=gettext_noop(
            "At the end every stone must have the colour of its target. Two points are left: "
            "which comes first?"
        ),
        after=gettext_noop("The order decides which stones are turned over, and how often."),
        slip="1,2",
        solution="2,2 1,2",
    ),
    TinyBoard(
        "Bb/bb",
        before=gettext_noop(
            "A stone may be set if it touches another one, if only at a corner. There it turns "
            "nothing over. Begin with the corner!"
        ),
        after=gettext_noop("At the corner the start stone stayed black."),
        slip="1,2 2,2",
        solution="2,2 1,2 2,1",
    ),
    TinyBoard(
        "Bbb/bwb",
        before=gettext_noop(
            "Where no stone is near, none may be set. Fill the board: its target is nearly all "
            "black."
        ),
        after=gettext_noop("So the stones grow from the start stone, step by step."),
        slip="1,3",
        solution="1,2 2,3 1,3 2,2 2,1",
    ),
    TinyBoard(
        "Bw/bw",
        before=gettext_noop("Now everything together: three stones, and only one order is right."),
        after=gettext_noop("Now you know all the rules. Have fun!"),
        slip="2,1",
        solution="1,2 2,2 2,1",
    ),
)
"""Tiny boards for a student's first minute. Each of them teaches one rule."""


class Tonari(CellMoves[Position]):
    """The kind Tonari Othello. `solvers.tonari.rules` has its rules and its `Position`."""

    interface = 1
    slug = "tonari"
    title = gettext_noop("Tonari Othello")
    rule = gettext_noop(
        "Put black stones on the empty points until the board is full. A stone must touch "
        "another one, if only at a corner. It turns over the stones directly above, below, left "
        "and right of it. At the end every stone must have the colour of the target."
    )
    terms = {
        gettext_noop("target"): gettext_noop(
            "The target is the colour of the square under the stone: dark means black, light means "
            "white."
        )
    }
    aim = gettext_noop("Fill the board so that every stone ends in the colour of its target.")
    family = "sequence"
    version = 4
    questions = QUESTIONS
    introduction = INTRODUCTION
    editor = picture.TonariEditor()
    misunderstandings = {
        rules.TEXTS.apart: gettext_noop(
            "The player may think that a stone can be put on any empty point. A stone must "
            "touch another one, at a side or at a corner."
        ),
        rules.TEXTS.occupied: gettext_noop(
            "The player may think that a press turns a stone over. A stone turns only when "
            "another one is put beside it."
        ),
    }
    obstacles = Obstacles(rules.obstacle, rules.doomed_stones)
    presses = picture.PRESSES
    browser_rules = BrowserRules(vars(rules.TEXTS))

    read_start = staticmethod(read_puzzle)

    def write_start(self, position: Position) -> str:
        return "/".join(rules.text_rows(position))

    def start(self, position: Position) -> Position:
        return position.painted(position.white)

    def line(self, position: Position) -> tuple[Cell, ...]:
        return position.placed

    def turned(self, position: Position, symmetry: Symmetry) -> Position:
        return read_puzzle("/".join(symmetry.turned(rules.text_rows(position))))

    def describe(self, move: Cell) -> Message:
        return Message(rules.TEXTS.placed, row_and_column(move))

    def announcements(self, position: Position) -> tuple[Message, ...]:
        stones = rules.colours(position)
        return tuple(
            picture.turned_label(cell, stones[cell]) for cell in sorted(rules.flipped(position))
        )

    def announcements_after_undo(self, position: Position, undone: Position) -> tuple[Message, ...]:
        stones = rules.colours(position)
        turned_back = rules.flipped(undone)
        return tuple(picture.turned_label(cell, stones[cell]) for cell in sorted(turned_back))

    def shown_to_beginners(self, position: Position, move: Cell) -> tuple[Shape, ...]:
        return picture.turns(position, move)

    @property
    def groupings(self) -> Mapping[str, Grouping[Position]]:
        flips: Grouping[Position] = Grouping(gettext_noop("Who flips whom"), rules.orientation)
        return {**super().groupings, "flips": flips}

    moves = staticmethod(rules.moves)
    play = staticmethod(rules.play)
    judge = staticmethod(rules.judge)
    draw = staticmethod(picture.draw)

    def facts(self, position: Position) -> tuple[Message, ...]:
        white = Message("White points: {white}", {"white": position.white.bit_count()})
        return (*super().facts(position), white)

    def sample(self, rng: random.Random, size: int) -> Position:
        side = min(size, LARGEST)
        rows, columns = rng.choice(_SAMPLE_SIZES.get(size, [(side, side)]))
        cells = rows * columns
        # Up to size 3 at most six points are left empty, so there are at most 720 orders.
        stones = max(rng.choice((1, 1, 1, 2)), cells - 6 if size <= 3 else 1)
        starts = sum(1 << bit for bit in rng.sample(range(cells), stones))
        position = Position(rows, columns, 0, starts)
        if rng.random() < 0.3:
            return Position(rows, columns, rng.getrandbits(cells), starts)
        # The target is the picture in which a random order ends, so it can be reached.
        while moves := list(rules.moves(position)):
            position = rules.play(position, rng.choice(moves))
        white = sum(position.bit(cell) for cell, white in rules.colours(position).items() if white)
        return Position(rows, columns, white, starts)


_SAMPLE_SIZES = {1: [(2, 2)], 2: [(2, 3), (3, 2)], 3: [(3, 3), (2, 4), (4, 2)]}
"""Size of a sample -> the possible (rows, columns)."""


KIND = Tonari()
