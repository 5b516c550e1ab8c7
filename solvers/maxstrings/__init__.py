"""Max Strings: put stones on a Go board so that they form as many strings as possible."""

import random
from collections.abc import Iterable, Mapping

from solvers.grid import read_cell, write_cell
from solvers.hint import LEVEL
from solvers.kind import BadText, Kind, Question, Verdict
from solvers.maxstrings import choices, formats, picture, plain, rules
from solvers.maxstrings.rules import Move, Position
from solvers.message import Message, gettext_noop
from solvers.picture import Picture


class MaxStrings(Kind[Position, Move]):
    """The kind; see `rules` for what a position is."""

    slug = "maxstrings"
    title = gettext_noop("Max Strings")
    rule = gettext_noop(
        "Put black and white stones on the board so that they form as many strings as possible. "
        "Stones of one colour that touch along a line are one string. Every string must touch "
        "an empty point. Nothing is captured."
    )
    family = "placement"
    version = 2
    # Numpy and plain Python: nothing to compile.
    questions = {
        "best": Question(
            gettext_noop("How many strings can there be?"),
            "solvers.maxstrings.best:best",
            about=gettext_noop(
                "The largest number of strings that this board can have, a board that has them, "
                "and why there can't be more."
            ),
            is_compiled=False,
        ),
        "count": Question(
            gettext_noop("How many solutions?"),
            "solvers.maxstrings.count:count",
            is_compiled=False,
        ),
        "generate": Question(
            gettext_noop("New puzzles on this board"),
            "solvers.maxstrings.generate:generate",
            options=choices.GENERATE,
            position="7x7",
            is_compiled=False,
            check="solvers.maxstrings.wish:refuse_impossible",
        ),
        "hint": Question(
            gettext_noop("How can it go on?"),
            "solvers.maxstrings.hint:hint",
            "hint",
            options=LEVEL,
            is_compiled=False,
        ),
        "large": Question(
            gettext_noop("How many strings on a larger board?"),
            "solvers.maxstrings.large:large",
            options=choices.LARGE,
            position="1x1",
            is_compiled=False,
        ),
        "model": Question(
            gettext_noop("What is the integer programme?"),
            "solvers.maxstrings.model:model",
            about=gettext_noop(
                "The study's way: the board as a list of inequalities, in a file that any solver "
                "reads. HiGHS can solve it here."
            ),
            options=choices.MODEL,
            is_compiled=False,
        ),
        "positions": Question(
            gettext_noop("How many boards are there in all colours?"),
            "solvers.maxstrings.positions:positions",
            is_compiled=False,
        ),
        "rate": Question(
            gettext_noop("How hard is it?"), "solvers.maxstrings.rate:rate", is_compiled=False
        ),
        "review": Question(
            gettext_noop("Where was the goal lost?"),
            "solvers.maxstrings.review:review",
            "hint",
            is_compiled=False,
        ),
    }
    editor = picture.MaxStringsEditor()

    def read_start(self, text: str) -> Position:
        return formats.read_position(text)

    def write_start(self, position: Position) -> str:
        return formats.write(position.points, position.mark)

    def start(self, position: Position) -> Position:
        return rules.start(position.points, position.mark)

    def line(self, position: Position) -> tuple[Move, ...]:
        return position.line

    def read_move(self, text: str) -> Move:
        what, _, cell = text.strip().partition(" ")
        if what not in (*rules.STONES, rules.CLEAR):
            raise BadText(
                "“{text}” is not a move. Write x (black), o (white) or - (clear) and a point, "
                "like x 2,3.",
                text=text.strip()[:20],
            )
        return Move(what, read_cell(cell))

    def write_move(self, move: Move) -> str:
        return f"{move.what} {write_cell(move.cell)}"

    def told(self, move: Move) -> Message:
        return Message(
            picture.DONE[move.what], {"row": move.cell[0] + 1, "column": move.cell[1] + 1}
        )

    def moves(self, position: Position) -> Iterable[Move]:
        return rules.moves(position)

    def play(self, position: Position, move: Move) -> Position:
        return rules.play(position, move)

    def judge(self, position: Position) -> Verdict:
        faults = tuple(rules.faults(position.now))
        score = rules.score(position.now)
        goal = plain.goal(position)
        counts = not faults and not rules.unmet(position)
        return Verdict(
            solved=goal is not None and score >= goal and counts,
            over=next(rules.moves(position), None) is None,
            score=score,
            goal=goal,
            counts=counts,
            faults=faults,
        )

    def draw(self, position: Position) -> Picture:
        return picture.draw(position)

    def tools(self, position: Position) -> Mapping[str, Message]:
        return picture.TOOLS

    def draw_with(self, position: Position, tool: str) -> Picture:
        return picture.draw(position, tool)

    def optimum(self, position: Position) -> int | None:
        return plain.optimum(position.points)

    def facts(self, position: Position) -> tuple[Message, ...]:
        goal = plain.goal(position)
        wanted = () if goal is None else (Message("Strings to reach: {goal}", {"goal": goal}),)
        return (*super().facts(position), *wanted)

    def sample(self, rng: random.Random, size: int) -> Position:
        rows, columns = rng.randint(1, size), rng.randint(1, size)
        while True:
            letters = rng.choices(".....xos-#", k=rows * columns)
            board = ["".join(letters[row * columns :][:columns]) for row in range(rows)]
            mark = rng.choice(["", f" {rng.randint(0, rows * columns)}"])
            try:
                return formats.read_position("/".join(board) + mark)
            except BadText:
                continue

    def solution(self, position: Position) -> str:
        return rules.pattern(position)


KIND = MaxStrings()
