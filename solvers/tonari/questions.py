"""What may be asked of this kind, and the answers that only this kind gives."""

import msgspec

from solvers import answers
from solvers.answers import AnswerTable, Exact, ShownAnswer
from solvers.hint import LEVEL
from solvers.message import Message, gettext_noop
from solvers.options import whole
from solvers.question import Question
from solvers.tonari.options import OPTIONS


class OrdersAnswer(ShownAnswer, frozen=True, kw_only=True):
    """In how many orders the board can be filled; `tables` says how many begin with each stone."""

    states: int = 0
    """Situations looked at."""


class SolutionClass(msgspec.Struct, frozen=True):
    """Solutions in which the same stones flip the same others."""

    moves: str
    """One of them, as a line of moves."""
    orders: Exact | None
    """How many there are; None where that was not counted in time."""


class ClassesAnswer(ShownAnswer, frozen=True, kw_only=True):
    """The classes of solutions. Value: how many."""

    classes: tuple[SolutionClass, ...] = ()
    """The largest first."""
    up_to_symmetry: Exact | None = None
    """Their number when mirror images count once, where that was counted."""


class LadderStep(msgspec.Struct, frozen=True):
    """A step of the study's ladder."""

    name: Message
    text: Message
    """What it leaves out."""
    value: Exact | None
    """Orders left; None where they take too much memory to be counted."""


class LadderAnswer(ShownAnswer, frozen=True, kw_only=True):
    """The study's ladder. Value: its last figure."""

    steps: tuple[LadderStep, ...] = ()
    """A diagonal the puzzle is not symmetric to leaves the value as it was."""
    endings: Exact | None = None
    """The true number of boards on which only closed points are left."""
    endings_up_to_symmetry: Exact | None = None
    """The same, mirror images counted once."""
    solutions: tuple[str, ...] = ()
    """The first orders of the last step, as lines of moves."""
    mirrored: tuple[tuple[int, int], ...] = ()
    """The pairs of `solutions`, counted from 1, whose boards are mirror images."""


class StudyAnswer(ShownAnswer, frozen=True, kw_only=True):
    """What the study's search has found. Value: its number of solutions."""

    looked_at: int = 0
    """Boards looked at."""
    orders: Exact | None = None
    """Orders tried to their end, by the search without prunings."""


class PlainAnswer(ShownAnswer, frozen=True, kw_only=True):
    """The number of solutions, added up set by set."""

    states: int = 0
    """Sets of occupied cells looked at."""
    reached: int | None = None
    """Sets in which every stone can still get its colour, where all could be kept."""
    lost: int | None = None
    """Those of them from which the target is out of reach all the same."""


class TargetsAnswer(ShownAnswer, frozen=True, kw_only=True):
    """Which pictures can be reached from the start stones. Value: how many."""

    one_order: Exact | None = None
    """Targets that exactly one order reaches."""
    one_class: Exact | None = None
    """Targets in whose solutions the same stones flip the same others, where that was counted."""


def figures(title: Message, *rows: tuple[Message, int | float | None]) -> AnswerTable:
    """Return a table of numbers, those that are not known left out."""
    known = tuple(row for row in rows if row[1] is not None)
    return AnswerTable((title, Message("Number")), known)


QUESTIONS = {
    "count": Question(
        gettext_noop("How many solutions?"), "solvers.tonari.count:count", answers.CountAnswer
    ),
    "orders": Question(
        gettext_noop("How many orders, whatever they end in?"),
        "solvers.tonari.count:orders",
        OrdersAnswer,
        about=gettext_noop(
            "All orders in which the board can be filled, also those that miss the target."
        ),
    ),
    "solve": Question(
        gettext_noop("Is there a solution?"), "solvers.tonari.solve:solve", answers.Answer
    ),
    "generate": Question(
        gettext_noop("New targets for this board"),
        "solvers.tonari.generate:generate",
        answers.GenerateAnswer,
        options=OPTIONS,
        check="solvers.tonari.options:refuse",
        position="Bbbb/bbbb/bbbb/bbbb",
    ),
    "hint": Question(
        gettext_noop("How can it go on?"),
        "solvers.tonari.hint:hint",
        answers.HintAnswer,
        "hint",
        options=LEVEL,
    ),
    "ladder": Question(
        gettext_noop("How does the study whittle its solutions down?"),
        "solvers.tonari.ladder:ladder",
        LadderAnswer,
        about=gettext_noop(
            "The study leaves out orders step by step until few are left. Each step is "
            "explained, with the number that it leaves."
        ),
    ),
    "plain": Question(
        gettext_noop("How many solutions, counted set by set in plain Python?"),
        "solvers.tonari.lesson:plain",
        PlainAnswer,
        about=gettext_noop(
            "The same number as the count, by a program short enough to be read in class, and "
            "the time that it takes."
        ),
        is_compiled=False,
    ),
    "targets": Question(
        gettext_noop("How many pictures can be reached from these start stones?"),
        "solvers.tonari.targets:targets",
        TargetsAnswer,
        check="solvers.tonari.options:refuse_large",
    ),
    "rate": Question(
        gettext_noop("How hard is it?"), "solvers.tonari.rate:rate", answers.RateAnswer
    ),
    "classes": Question(
        gettext_noop("Which solutions differ in who flips whom?"),
        "solvers.tonari.classes:classes",
        ClassesAnswer,
        about=gettext_noop(
            "Two orders are of one class when every stone is turned over by the same stones. "
            "One order of each class is sh"
        ),
    ),
    "repair": Question(
        gettext_noop("What is the smallest change that makes the target reachable?"),
        "solvers.tonari.repair:repair",
        answers.RepairAnswer,
    ),
    "study": Question(
        gettext_noop("How long does the study's own search take?"),
        "solvers.tonari.study:study",
        StudyAnswer,
        about=gettext_noop(
            "The study's search, built again, with as many of its shortcuts as you choose. "
            "From 4x4 on it takes long; it can be stopped."
        ),
        options={"step": whole(gettext_noop("How many of its prunings"), 5, 0, 5)},
        is_compiled=False,
    ),
    "review": Question(
        gettext_noop("Where was the last solution lost?"),
        "solvers.review:review",
        answers.ReviewAnswer,
        "hint",
    ),
}
