"""Max Strings: put stones on a Go board so that they form as many strings as possible."""

import random
from collections.abc import Mapping

from solvers.capabilities import Score, Tools
from solvers.grid import read_cell, write_cell
from solvers.kind import BadText, Cell, Kind, Verdict
from solvers.maxstrings import formats, maximum, picture, rules
from solvers.maxstrings.introduction import INTRODUCTION
from solvers.maxstrings.questions import QUESTIONS
from solvers.maxstrings.rules import Move, Position
from solvers.message import Message, gettext_noop


class MaxStringsTools(Tools[Position, Move]):
    """Stones of a colour, clearing, both in turn, and the colours of a checkerboard."""

    def names(self, position: Position) -> Mapping[str, Message]:
        return picture.TOOLS

    icons = picture.ICONS

    draw = staticmethod(picture.draw)

    def tool_of(self, move: Move) -> str:
        return move.what


class MaxStringsScore(Score[Position]):
    """The number of strings."""

    def optimum(self, position: Position) -> int | None:
        return maximum.optimum(position.points)

    def goal(self, draft: str) -> str:
        return formats.split_goal(draft)[1].strip()

    def with_goal(self, draft: str, goal: str) -> str:
        board = formats.split_goal(draft)[0]
        return f"{board} {goal}" if goal else board


class MaxStrings(Kind[Position, Move]):
    """The kind; see `rules` for what a position is."""

    slug = "maxstrings"
    title = gettext_noop("Max Strings")
    childrens_title = gettext_noop("Making strings")
    rule = gettext_noop(
        "Put black and white stones on the board so that they form as many strings as possible. "
        "Stones of one colour that touch along a line are one string. Every string must touch "
        "an empty point. Nothing is captured."
    )
    aim = gettext_noop("Set stones so that they form as many strings as the goal asks for.")
    misunderstandings = {
        "The stone at row {row}, column {column} belongs to the puzzle.": gettext_noop(
            "Takes given stones for their own: they stay as they are."
        ),
        "The point at row {row}, column {column} must stay empty.": gettext_noop(
            "Overlooks the points that must stay empty."
        ),
    }
    family = "placement"
    version = 3
    questions = QUESTIONS
    introduction = INTRODUCTION
    editor = picture.MaxStringsEditor()
    tools = MaxStringsTools()
    score = MaxStringsScore()
    presses = picture.PRESSES
    notations = formats.MaxStringsNotations()

    read_start = staticmethod(formats.read_position)

    def write_start(self, position: Position) -> str:
        return formats.write(position.points, position.goal)

    def start(self, position: Position) -> Position:
        return rules.start(position.points, position.goal)

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

    def cell_of(self, move: Move) -> Cell:
        return move.cell

    def describe(self, move: Move) -> Message:
        return Message(
            picture.DONE[move.what], {"row": move.cell[0] + 1, "column": move.cell[1] + 1}
        )

    moves = staticmethod(rules.moves)
    play = staticmethod(rules.play)

    def judge(self, position: Position) -> Verdict:
        faults = tuple(rules.faults(position.now))
        score = rules.score(position.now)
        goal = maximum.goal_of(position)
        counts = not faults and not rules.unmet(position)
        return Verdict(
            solved=goal is not None and score >= goal and counts,
            over=next(rules.moves(position), None) is None,
            score=score,
            goal=goal,
            counts=counts,
            faults=faults,
        )

    draw = staticmethod(picture.draw)

    def facts(self, position: Position) -> tuple[Message, ...]:
        goal = maximum.goal_of(position)
        wanted = () if goal is None else (Message("Strings to reach: {goal}", {"goal": goal}),)
        return (*super().facts(position), *wanted)

    def sample(self, rng: random.Random, size: int) -> Position:
        rows, columns = rng.randint(1, size), rng.randint(1, size)
        while True:
            letters = rng.choices(".....xos-#", k=rows * columns)
            board = ["".join(letters[row * columns :][:columns]) for row in range(rows)]
            goal = rng.choice(["", f" {rng.randint(0, rows * columns)}"])
            try:
                return formats.read_position("/".join(board) + goal)
            except BadText:
                continue

    solution = staticmethod(rules.pattern)


KIND = MaxStrings()
