"""Max Strings: put stones on a Go board so that they form as many strings as possible."""

import random
from collections.abc import Mapping

from solvers import marks
from solvers.capabilities import (
    BrowserRules,
    Grouping,
    Illustrations,
    Notations,
    Score,
    TinyBoard,
    Tools,
)
from solvers.grid import ToolMoves
from solvers.kind import BadText, Verdict, row_and_column
from solvers.maxstrings import formats, maximum, picture, rules
from solvers.maxstrings.cases import BRANCHING
from solvers.maxstrings.questions import QUESTIONS
from solvers.maxstrings.rules import Move, Position
from solvers.message import Message, gettext_noop
from solvers.picture import Shape
from solvers.symmetry import Symmetry


class MaxStringsTools(Tools[Position, Move]):
    """The tools: a stone of a colour, clearing, both in turn, and the colours of a checkerboard."""

    def names(self, position: Position) -> Mapping[str, Message]:
        return picture.TOOLS

    icons = picture.ICONS

    draw = staticmethod(picture.draw)

    def tool_of(self, move: Move) -> str:
        return move.tool


class MaxStringsScore(Score[Position]):
    """The score, which is the number of strings."""

    def optimum(self, position: Position) -> int | None:
        return maximum.optimum(position.points)

    def goal(self, drawing: str) -> str:
        return formats.split_goal(drawing)[1].strip()

    def with_goal(self, drawing: str, goal: str) -> str:
        board = formats.split_goal(drawing)[0]
        return f"{board} {goal}" if goal else board


INTRODUCTION = (
    TinyBoard(
        "x../... 2",
        before=gettext_noop(
            "Choose a colour and press a point: a stone is set. Stones that don't touch are "
            "strings of their own. Make two strings!"
        ),
        after=gettext_noop("Two strings! The number shows how many there are."),
        solution="o 1,2",
    ),
    TinyBoard(
        "x.-/x.. 3",
        before=gettext_noop(
            "Stones of one colour that touch along a line are only one string. Those of the "
            "other colour are not in it. Make three strings!"
        ),
        after=gettext_noop("Two colours side by side are two strings."),
        slip="x 1,2",
        solution="o 1,2 x 2,3",
    ),
    TinyBoard(
        "x.-/.x. 4",
        before=gettext_noop(
            "Stones that touch only at a corner are not joined. Make four strings!"
        ),
        after=gettext_noop("Black and white like a checkerboard: that gives the most strings."),
        slip="x 1,2",
        solution="o 1,2 o 2,3",
    ),
    TinyBoard(
        "xo./... 4",
        before=gettext_noop(
            "Every string must touch an empty point, or it does not count. Make four strings!"
        ),
        after=gettext_noop("One point left empty can be enough for several strings."),
        slip="o 2,1",
        solution="x 2,2 o 2,3",
    ),
    TinyBoard(
        ".../.../... 6",
        before=gettext_noop(
            "Now everything together: six strings on nine points. To take a stone back, press "
            "it until it is gone."
        ),
        after=gettext_noop("Now you know all the rules. Have fun!"),
        slip="x 1,1 x 1,2",
        solution="x 1,1 o 1,2 x 1,3 x 3,1 o 3,2 x 3,3",
    ),
)
"""The introduction: tiny boards, each of which teaches one rule."""


class MaxStrings(ToolMoves[Position]):
    """The kind. The module `rules` describes its positions."""

    interface = 1
    slug = "maxstrings"
    title = gettext_noop("Max Strings")
    rule = gettext_noop(
        "Put black and white stones on the board so that they form as many strings as possible. "
        "Stones of one colour that touch along a line are one string. Every string must touch "
        "an empty point. Nothing is captured."
    )
    terms = {
        gettext_noop("string"): gettext_noop(
            "A string is all stones of one colour that touch along the lines. A stone that touches "
            "no other of its colour is a string, too."
        )
    }
    aim = gettext_noop("Set stones so that they form as many strings as the goal asks for.")
    misunderstandings = {
        rules.TEXTS.given: gettext_noop(
            "The player may think that the stones of the puzzle can be changed. They stay as they "
            "are."
        ),
        rules.TEXTS.barred: gettext_noop(
            "The player may have overlooked the points that must stay empty."
        ),
    }
    family = "placement"
    pieces = "".join(rules.STONES)
    no_move = gettext_noop(
        "“{text}” is not a move. Write x (black), o (white) or - (clear) and a point, like x 2,3."
    )
    version = 5
    questions = QUESTIONS
    introduction = INTRODUCTION
    editor = picture.MaxStringsEditor()
    tools = MaxStringsTools()
    score = MaxStringsScore()
    presses = picture.PRESSES
    illustrations = Illustrations(picture.illustrations)
    browser_rules: BrowserRules[Position] = BrowserRules(
        vars(rules.TEXTS), lambda start: formats.write(start.points, maximum.goal_of(start))
    )
    branching = BRANCHING
    notations = Notations(formats.write_notations)
    reads = (marks.SGF, marks.GO_DIAGRAM)

    read_start = staticmethod(formats.read_position)

    def write_start(self, position: Position) -> str:
        return formats.write(position.points, position.goal)

    def start(self, position: Position) -> Position:
        return rules.start(position.points, position.goal)

    def line(self, position: Position) -> tuple[Move, ...]:
        return position.line

    def turned(self, position: Position, symmetry: Symmetry) -> Position:
        return rules.start(symmetry.turned(position.points), position.goal)

    def shown_to_beginners(self, position: Position, move: Move) -> tuple[Shape, ...]:
        return picture.counted_strings(position)

    def describe(self, move: Move) -> Message:
        return Message(picture.MOVE_DESCRIPTIONS[move.tool], row_and_column(move.cell))

    @property
    def groupings(self) -> Mapping[str, Grouping[Position]]:
        strings: Grouping[Position] = Grouping(
            gettext_noop("Number of strings"),
            lambda position: str(rules.score(position.now)),
            lambda position: Message("Strings: {number}", {"number": rules.score(position.now)}),
        )
        corners: Grouping[Position] = Grouping(
            gettext_noop("Corners with stones"), rules.stones_in_corners
        )
        symmetry = super().groupings["symmetry"]
        return {"symmetry": symmetry, "corners": corners, "strings": strings}

    def counted_moves(self, position: Position) -> frozenset[str]:
        return rules.pattern_moves(position)

    moves = staticmethod(rules.moves)
    play = staticmethod(rules.play)

    def judge(self, position: Position) -> Verdict:
        faults = tuple(rules.faults(position.now))
        score = rules.score(position.now)
        goal = maximum.goal_of(position)
        is_score_valid = not faults and not rules.missing_stones(position)
        return Verdict(
            solved=goal is not None and score >= goal and is_score_valid,
            over=next(rules.moves(position), None) is None,
            score=score,
            goal=goal,
            is_score_valid=is_score_valid,
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
