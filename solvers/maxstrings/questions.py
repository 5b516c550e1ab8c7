"""The questions about a Max Strings board and the options of the generator. This needs no numpy."""

from dataclasses import dataclass, replace

from solvers import answers
from solvers.answers import Exact, ShownAnswer
from solvers.defaults import GROUPS, usual
from solvers.kind import PuzzleError
from solvers.maxstrings.maximum import LARGEST, phases
from solvers.maxstrings.rules import HOLE, Board, Position, merged
from solvers.message import Message, gettext_noop
from solvers.options import ANY, choice, difficulty, many, seed, size, whole
from solvers.question import Question
from solvers.reasons import REASON
from solvers.samples import SAMPLE

LONGEST_BOARD = 60
"""The most rows or columns of the boards that `large` makes, which takes a second or two."""

STYLES = {
    "empty": gettext_noop("Some points must stay empty"),
    "stones": gettext_noop("On some points there must be a stone"),
    "last": gettext_noop("The last stones are missing"),
}

WIDEST = 12
"""The largest shorter side of the generated boards, for which a count takes 60 ms."""


@dataclass(frozen=True, slots=True)
class GenerateOptions:
    """The options of generated puzzles."""

    style: str = next(iter(STYLES))
    """A name in `STYLES`."""
    last: int = 5
    """The number of missing stones in the style "last"."""
    holes: int = 0
    """The number of points removed from the board at random."""
    band: str = ANY
    """One of `BANDS`, or `ANY`."""

    def check(self, board: Board) -> None:
        """Raise PuzzleError, with the reason, for options that can't be met on this board."""
        points = sum(letter != HOLE for row in board for letter in row)
        if min(len(board), len(board[0])) > WIDEST:
            raise PuzzleError("Puzzles are made on boards up to {most} points wide.", most=WIDEST)
        if not 0 <= self.holes < points:
            raise PuzzleError(
                "Points to be taken out: {holes}. The board has only {points}.",
                holes=self.holes,
                points=points,
            )
        if not phases(board):
            raise PuzzleError("The stones on the board don't fit one checkerboard.")


def refuse_impossible(position: Position, *, many: int, seed: int, **options: int | str) -> None:
    """Raise PuzzleError, with the reason, for options that can't be met."""
    GenerateOptions(**options).check(merged(position))  # type: ignore[arg-type]


class FormsAnswer(answers.CountAnswer, frozen=True, kw_only=True):
    """The number of checkerboard forms with enough stones."""

    most: int | None = None
    """The number of stones of the best form."""


class PositionsAnswer(ShownAnswer, frozen=True, kw_only=True):
    """The number of boards that reach the goal, in all colours and with long strings."""

    legal: Exact | None = None
    """The number of legal boards with any number of strings, if it was counted."""


class LargeAnswer(ShownAnswer, frozen=True, kw_only=True):
    """The most strings on an empty board, and a good board."""

    source: Message | None = None
    """The reason why the maximum is known."""
    board: str = ""
    drawn: int = 0
    """The number of strings of the board."""
    gap: int = 0
    """The number of strings by which the board falls short of the maximum."""


class ModelAnswer(ShownAnswer, frozen=True, kw_only=True):
    """The integer programme of the checkerboard forms."""

    variables: int = 0
    rows: int = 0
    """The number of inequalities."""


# Only counting is compiled. The rest is numpy and plain Python.
QUESTIONS = {
    "best": Question(
        gettext_noop("How many strings can there be?"),
        "solvers.maxstrings.best:best",
        answers.BestAnswer,
        about=gettext_noop(
            "The largest number of strings that this board can have, a board that has them, "
            "and why there can't be more."
        ),
        is_compiled=False,
        for_larger_boards="large",
    ),
    "count": usual("count", "solvers.maxstrings.count:count", answer=FormsAnswer),
    "solutions": usual("solutions", "solvers.maxstrings.solutions:solutions", is_compiled=False),
    "generate": usual(
        "generate",
        "solvers.maxstrings.generate:generate",
        options={
            "style": choice(gettext_noop("Style"), STYLES),
            "last": whole(gettext_noop("Stones missing, for the last stones"), 5, 1, LARGEST**2),
            "holes": whole(gettext_noop("Points taken out of the board"), 0, 0, LARGEST**2),
            "band": difficulty(
                gettext_noop(
                    "How many strings a careful player who chooses at random falls short of the "
                    "goal: easy up to 1, medium up to 2.5, hard up to 5."
                )
            ),
            "many": many(),
            "seed": seed(),
        },
        position="6x6",
        check="solvers.maxstrings.questions:refuse_impossible",
    ),
    "hint": usual("hint", "solvers.maxstrings.hint:hint", is_compiled=False),
    "large": Question(
        gettext_noop("How many strings on a larger board?"),
        "solvers.maxstrings.best:large",
        LargeAnswer,
        options={"size": size(gettext_noop("Size of an empty board"), "30x30", LONGEST_BOARD)},
        position="1x1",
        is_compiled=False,
    ),
    "model": Question(
        gettext_noop("What is the integer programme?"),
        "solvers.maxstrings.study:model",
        ModelAnswer,
        about=gettext_noop(
            "The study's way: the board as a list of inequalities, in a file that any solver "
            "reads. HiGHS can solve it here."
        ),
        options={
            "cuts": choice(
                gettext_noop("Symmetry cuts"),
                {"no": gettext_noop("Without"), "yes": gettext_noop("With")},
            ),
            "solver": choice(
                gettext_noop("Solver"),
                {"none": gettext_noop("None: only the file"), "highs": gettext_noop("HiGHS")},
            ),
        },
        is_compiled=False,
    ),
    "positions": Question(
        gettext_noop("How many boards are there in all colours?"),
        "solvers.maxstrings.count:positions",
        PositionsAnswer,
        is_compiled=False,
    ),
    "rate": usual("rate", "solvers.maxstrings.rate:rate", is_compiled=False),
    "review": usual(
        "review",
        "solvers.maxstrings.hint:review",
        title=gettext_noop("Where was the goal lost?"),
        is_compiled=False,
    ),
    "groups": GROUPS,
    "reason": replace(REASON, solver="solvers.maxstrings.reason:reason", is_compiled=False),
    "sample": replace(SAMPLE, solver="solvers.maxstrings.sample:sample"),
}
