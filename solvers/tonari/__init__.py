"""Tonari Othello: fill the board from a start stone so that, all flips done, the target stands."""

import random
from collections.abc import Iterable

from solvers.grid import read_cell, write_cell
from solvers.hint import LEVEL
from solvers.kind import Cell, Kind, Question, Verdict
from solvers.message import Message, gettext_noop
from solvers.options import whole
from solvers.picture import Picture
from solvers.tonari import obstacle, picture, rules
from solvers.tonari.formats import LARGEST, read_puzzle
from solvers.tonari.options import OPTIONS
from solvers.tonari.rules import Position


class Tonari(Kind[Position, Cell]):
    """The kind; see `rules` for what a position is."""

    slug = "tonari"
    title = gettext_noop("Tonari Othello")
    rule = gettext_noop(
        "Put black stones on the empty points until the board is full. A stone must touch "
        "another one, if only at a corner. It turns over the stones directly above, below, left "
        "and right of it. At the end every stone must have the colour of the target."
    )
    family = "sequence"
    version = 2
    questions = {
        "count": Question(gettext_noop("How many solutions?"), "solvers.tonari.count:count"),
        "orders": Question(
            gettext_noop("How many orders, whatever they end in?"),
            "solvers.tonari.count:orders",
            about=gettext_noop(
                "All orders in which the board can be filled, also those that miss the target."
            ),
        ),
        "solve": Question(gettext_noop("Is there a solution?"), "solvers.tonari.solve:solve"),
        "generate": Question(
            gettext_noop("New targets for this board"),
            "solvers.tonari.generate:generate",
            options=OPTIONS,
            check="solvers.tonari.options:refuse",
            position="Bbbb/bbbb/bbbb/bbbb",
        ),
        "hint": Question(
            gettext_noop("How can it go on?"), "solvers.tonari.hint:hint", "hint", options=LEVEL
        ),
        "ladder": Question(
            gettext_noop("How does the study whittle its solutions down?"),
            "solvers.tonari.ladder:ladder",
            about=gettext_noop(
                "The study leaves out orders step by step until few are left. Each step is "
                "explained, with the number that it leaves."
            ),
        ),
        "plain": Question(
            gettext_noop("How many solutions, counted set by set in plain Python?"),
            "solvers.tonari.lesson:plain",
            about=gettext_noop(
                "The same number as the count, by a program short enough to be read in class, and "
                "the time that it takes."
            ),
            is_compiled=False,
        ),
        "targets": Question(
            gettext_noop("How many pictures can be reached from these start stones?"),
            "solvers.tonari.targets:targets",
            check="solvers.tonari.options:refuse_large",
        ),
        "rate": Question(gettext_noop("How hard is it?"), "solvers.tonari.rate:rate"),
        "classes": Question(
            gettext_noop("Which solutions differ in who flips whom?"),
            "solvers.tonari.classes:classes",
            about=gettext_noop(
                "Two orders are of one class when every stone is turned over by the same stones. "
                "One order of each class is shown."
            ),
        ),
        "repair": Question(
            gettext_noop("What is the smallest change that makes the target reachable?"),
            "solvers.tonari.repair:repair",
        ),
        "study": Question(
            gettext_noop("How long does the study's own search take?"),
            "solvers.tonari.study:study",
            about=gettext_noop(
                "The study's search, built again, with as many of its shortcuts as you choose. "
                "From 4x4 on it takes long; it can be stopped."
            ),
            options={"step": whole(gettext_noop("How many of its prunings"), 5, 0, 5)},
            is_compiled=False,
        ),
        "review": Question(
            gettext_noop("Where was the last solution lost?"), "solvers.review:review", "hint"
        ),
    }
    editor = picture.TonariEditor()

    def read_start(self, text: str) -> Position:
        return read_puzzle(text)

    def write_start(self, position: Position) -> str:
        return "/".join(rules.text_rows(position))

    def start(self, position: Position) -> Position:
        return Position(position.rows, position.columns, position.white, position.starts)

    def line(self, position: Position) -> tuple[Cell, ...]:
        return position.placed

    def read_move(self, text: str) -> Cell:
        return read_cell(text)

    def write_move(self, move: Cell) -> str:
        return write_cell(move)

    def told(self, move: Cell) -> Message:
        return Message(
            "Black to row {row}, column {column}", {"row": move[0] + 1, "column": move[1] + 1}
        )

    def moves(self, position: Position) -> Iterable[Cell]:
        return rules.moves(position)

    def play(self, position: Position, move: Cell) -> Position:
        return rules.play(position, move)

    def judge(self, position: Position) -> Verdict:
        return rules.judge(position)

    def doomed(self, position: Position) -> tuple[tuple[Cell, Message], ...]:
        return obstacle.faults(position)

    def obstacle(self, position: Position) -> Message | None:
        return obstacle.obstacle(position)

    def draw(self, position: Position) -> Picture:
        return picture.draw(position)

    def facts(self, position: Position) -> tuple[Message, ...]:
        white = Message("White points: {white}", {"white": position.white.bit_count()})
        return (*super().facts(position), white)

    def sample(self, rng: random.Random, size: int) -> Position:
        side = min(size, LARGEST)
        rows, columns = rng.choice(_SAMPLE_SIZES.get(size, [(side, side)]))
        cells = rows * columns
        # Up to size 3 six points at most are left empty: 720 orders.
        stones = max(rng.choice((1, 1, 1, 2)), cells - 6 if size <= 3 else 1)
        starts = sum(1 << bit for bit in rng.sample(range(cells), stones))
        position = Position(rows, columns, 0, starts)
        if rng.random() < 0.3:
            return Position(rows, columns, rng.getrandbits(cells), starts)
        # The picture some random order ends in: always possible.
        while moves := list(rules.moves(position)):
            position = rules.play(position, rng.choice(moves))
        white = sum(position.bit(cell) for cell, white in rules.colours(position).items() if white)
        return Position(rows, columns, white, starts)


_SAMPLE_SIZES = {1: [(2, 2)], 2: [(2, 3), (3, 2)], 3: [(3, 3), (2, 4), (4, 2)]}
"""Size of a sample -> rows and columns."""


KIND = Tonari()
