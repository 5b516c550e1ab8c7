"""The questions, their options, and the answers that only this kind has.

Forms are built from this module, so it loads no kernels.
"""

import math
from collections.abc import Mapping
from dataclasses import dataclass, replace
from typing import Any

import msgspec

from solvers import answers, options
from solvers.answers import BANDS, AnswerTable, Exact, ShownAnswer
from solvers.defaults import GROUPS, REVIEW, usual
from solvers.kind import PuzzleError
from solvers.message import Message, gettext_noop
from solvers.question import Option, Question
from solvers.reasons import REASON
from solvers.samples import SAMPLE
from solvers.tonari.formats import LARGEST, check_size
from solvers.tonari.rules import Position

CHANCES = (0.5, 0.2, 0.05, 0.0)
"""The least chance of the careful player in each of `BANDS`."""

MAX_FREE = 24
"""The most empty points with which every target of a board is scanned. That makes 16.8 million
targets and takes about ten seconds."""

COUNTABLE = 30
"""The most empty points with which targets are counted and rated. Targets of larger boards are only
solved."""

ANY_ORDERS = 10**15 - 1
"""The upper bound on the number of solutions that stands for no bound."""

MAX_ORDERS_SCANNED = 1000
"""The most solutions wanted with which all targets are scanned. Targets with so few solutions are
too rare to be found by chance."""

_GLYPHS = """
0 ooo o.o o.o o.o ooo
1 .o. oo. .o. .o. ooo
2 ooo ..o ooo o.. ooo
3 ooo ..o ooo ..o ooo
4 o.o o.o ooo ..o ..o
5 ooo o.. ooo ..o ooo
6 ooo o.. ooo o.o ooo
7 ooo ..o ..o .o. .o.
8 ooo o.o ooo o.o ooo
9 ooo o.o ooo ..o ooo
A .o. o.o ooo o.o o.o
B oo. o.o oo. o.o oo.
C .oo o.. o.. o.. .oo
D oo. o.o o.o o.o oo.
E ooo o.. oo. o.. ooo
F ooo o.. oo. o.. o..
H o.o o.o ooo o.o o.o
I ooo .o. .o. .o. ooo
J ..o ..o ..o o.o .o.
K o.o o.o oo. o.o o.o
L o.. o.. o.. o.. ooo
N ooo o.o o.o o.o o.o
O .o. o.o o.o o.o .o.
P oo. o.o oo. o.. o..
R oo. o.o oo. o.o o.o
S .oo o.. .o. ..o oo.
T ooo .o. .o. .o. .o.
U o.o o.o o.o o.o ooo
V o.o o.o o.o o.o .o.
X o.o o.o .o. o.o o.o
Y o.o o.o .o. .o. .o.
Z ooo ..o .o. o.. ooo
heart .o.o. ooooo ooooo .ooo. ..o..
arrow ..o.. .ooo. o.o.o ..o.. ..o..
house ..o.. .ooo. ooooo .o.o. .o.o.
tree ..o.. .ooo. ooooo ..o.. ..o..
smile .o.o. .o.o. ..... o...o .ooo.
ring .oo. o..o o..o .oo.
frame oooo o..o o..o oooo
diamond .oo. oooo oooo .oo.
plus .o. ooo .o.
times o.o .o. o.o
"""

PICTURES: dict[str, tuple[str, ...]] = {
    name: tuple(rows) for name, *rows in map(str.split, _GLYPHS.strip().splitlines())
}
"""Name -> the rows of a small picture for targets: `o` is the figure, `.` the background. Digits
and letters are named by themselves."""

TITLES = {
    "heart": gettext_noop("Heart"),
    "arrow": gettext_noop("Arrow"),
    "house": gettext_noop("House"),
    "tree": gettext_noop("Tree"),
    "smile": gettext_noop("Smiling face"),
    "ring": gettext_noop("Ring"),
    "frame": gettext_noop("Frame"),
    "diamond": gettext_noop("Diamond"),
    "plus": gettext_noop("Plus sign"),
    "times": gettext_noop("Cross"),
}
"""Name -> title of the pictures that are neither digits nor letters."""


def _optional(
    option: Option,
    empty: list[int],
    title: str,
    choices: Mapping[str, str] | None = None,
    hint: str = "",
) -> Option:
    """Return the option, extended so that an empty text stands for the value `empty`."""
    return Option(
        title,
        "",
        lambda text: option.read(text) if text.strip() else empty,
        write=lambda value: "" if value == empty else option.write(value),
        choices=choices or {},
        hint=hint,
        pair=option.pair,
    )


OPTIONS = {
    "size": _optional(
        options.size("", f"{LARGEST}x{LARGEST}", LARGEST),
        [],
        gettext_noop("Size of the board"),
        hint=gettext_noop(
            "With a size, the start stone stands in the top left corner. If you leave this empty, "
            "the board is used as it is drawn."
        ),
    ),
    "orders": _optional(
        options.span("", "", 1, ANY_ORDERS),
        [1, ANY_ORDERS],
        gettext_noop("Number of solutions"),
        choices={
            "1": gettext_noop("exactly one"),
            "2..5": gettext_noop("2 to 5"),
            "1..20": gettext_noop("1 to 20"),
            "": gettext_noop("any number"),
        },
        hint=gettext_noop(
            "Most pictures can be reached in a great many orders, on 5 × 5 with one start stone "
            "in at least 20. For few solutions, choose a smaller board."
        ),
    ),
    "classes": options.choice(
        gettext_noop("Solutions by who flips whom"),
        {"any": gettext_noop("any number"), "one": gettext_noop("all alike")},
        gettext_noop(
            "All alike: in every solution the same stones flip the same others; only the order "
            "of the moves differs. That is the puzzle with one solution for pictures."
        ),
    ),
    "look": options.choice(
        gettext_noop("Look"),
        {"any": gettext_noop("as it comes"), "symmetric": gettext_noop("symmetric")}
        | {name: TITLES.get(name, name) for name in PICTURES},
    ),
    "difficulty": options.difficulty(
        gettext_noop(
            "How often a careful player who chooses at random solves it: easy from 1 in 2, medium "
            "from 1 in 5, hard from 1 in 20."
        )
    ),
    "many": options.many(),
    "seed": options.seed(),
}


def read_options(
    position: Position, *, size: list[int], seed: int, **wanted: Any
) -> "tuple[Position, Wanted, int]":
    """Return the board with its start stones, the `Wanted` targets, and the seed.

    Raises PuzzleError, with the reason, for options that can't be met on this board.
    """
    if size:
        rows, columns = size
        check_size(rows, columns)
        position = Position(rows, columns, white=0, starts=1)
    chosen = Wanted(**wanted)
    chosen.check(position)
    return position, chosen, seed


def refuse_impossible(position: Position, *, many: int, **options: Any) -> None:
    """Raise PuzzleError, with the reason, for options that can't be met on this board."""
    read_options(position, **options)


@dataclass(frozen=True, slots=True)
class Wanted:
    """The properties of a wanted target, as `OPTIONS` reads them."""

    orders: list[int]
    classes: str
    look: str
    difficulty: str

    @property
    def counts(self) -> bool:
        """Whether the solutions of targets must be counted."""
        return self.orders != [1, ANY_ORDERS]

    @property
    def chances(self) -> tuple[float, float]:
        """The chances of the careful player at this difficulty: the least, and the bound they stay
        below."""
        index = BANDS.index(self.difficulty)
        return CHANCES[index], CHANCES[index - 1] if index else math.inf

    def check(self, start: Position) -> None:
        """Raise PuzzleError, with the reason, for properties that can't be had on this board."""
        empty = start.rows * start.columns - start.starts.bit_count()
        measures = self.counts or self.classes != "any" or self.difficulty != "any"
        if measures and empty > COUNTABLE:
            raise PuzzleError(
                "This board has too many orders to choose puzzles by the number of solutions or "
                "by difficulty. That is possible with up to {most} empty points; this board "
                "has {empty}.",
                most=COUNTABLE,
                empty=empty,
            )
        rows = PICTURES.get(self.look, ("",))
        if len(rows) > start.rows or len(rows[0]) > start.columns:
            raise PuzzleError(
                "The picture needs {rows} rows and {columns} columns; the board is smaller.",
                rows=len(rows),
                columns=len(rows[0]),
            )


def refuse_large(position: Position) -> None:
    """Raise PuzzleError for a board that has too many targets to examine each."""
    free = position.rows * position.columns - position.starts.bit_count()
    if free > MAX_FREE:
        raise PuzzleError(
            "All targets can be looked at on boards with up to {most} empty points, such as 5x5 "
            "with one start stone. This board has {free}.",
            most=MAX_FREE,
            free=free,
        )


class OrdersAnswer(ShownAnswer, frozen=True, kw_only=True):
    """The number of orders in which the board can be filled. `tables` has the number for each next
    stone."""

    states: int = 0
    """The number of states examined."""


class SolutionClass(msgspec.Struct, frozen=True):
    """A class of solutions: in all of them the same stones flip the same others."""

    moves: str
    """One of its solutions as a line of moves."""
    orders: Exact | None
    """The number of its solutions; None where they were not counted in time."""


class ClassesAnswer(ShownAnswer, frozen=True, kw_only=True):
    """The classes of solutions. Its value is their number."""

    classes: tuple[SolutionClass, ...] = ()
    """The classes that are listed, the largest first."""
    up_to_symmetry: Exact | None = None
    """The number of classes when mirror images count once; None where it was not counted."""


class LadderStep(msgspec.Struct, frozen=True):
    """A step of the study's ladder."""

    name: Message
    text: Message
    """What the step leaves out."""
    value: Exact | None
    """The number of orders left; None where counting them takes too much memory."""


class LadderAnswer(ShownAnswer, frozen=True, kw_only=True):
    """The study's ladder. Its value is the ladder's last figure."""

    steps: tuple[LadderStep, ...] = ()
    """The steps in the study's order. A diagonal to which the puzzle is not symmetric changes
    nothing."""
    endings: Exact | None = None
    """The true number of boards on which only closed points are empty."""
    endings_up_to_symmetry: Exact | None = None
    """The true number of such boards when mirror images count once."""
    solutions: tuple[str, ...] = ()
    """The first orders of the last step as lines of moves."""
    mirrored: tuple[tuple[int, int], ...] = ()
    """The pairs of `solutions`, numbered from 1, whose boards are mirror images of each other."""


class StudyAnswer(ShownAnswer, frozen=True, kw_only=True):
    """The result of the study's search. Its value is the number of solutions that the search
    found."""

    looked_at: int = 0
    """The number of boards examined."""
    orders: Exact | None = None
    """The number of orders played to their end, by the search without prunings."""


class PlainAnswer(ShownAnswer, frozen=True, kw_only=True):
    """The number of solutions as its value, added up set by set."""

    states: int = 0
    """The number of sets of occupied cells that were examined."""
    reached: int | None = None
    """The number of sets in which every stone can still get its colour; None where not all were
    kept."""
    lost: int | None = None
    """The number of those sets from which the target is out of reach all the same."""


class TargetsAnswer(ShownAnswer, frozen=True, kw_only=True):
    """The pictures that can be reached from the start stones. Its value is their number."""

    one_order: Exact | None = None
    """The number of targets that exactly one order reaches."""
    one_class: Exact | None = None
    """The number of targets whose solutions form one class; None where it was not counted."""


def figures(title: Message, *rows: tuple[Message, int | float | None]) -> AnswerTable:
    """Return a table of numbers without the rows whose number is None."""
    known = tuple(row for row in rows if row[1] is not None)
    return AnswerTable((title, Message("Number")), known)


QUESTIONS = {
    "count": usual("count", "solvers.tonari.count:count"),
    "orders": Question(
        gettext_noop("How many orders, whatever they end in?"),
        "solvers.tonari.count:orders",
        OrdersAnswer,
        about=gettext_noop(
            "All orders in which the board can be filled, also those that miss the target."
        ),
    ),
    "solve": usual("solve", "solvers.tonari.solve:solve"),
    "solutions": usual("solutions", "solvers.tonari.count:solutions"),
    "generate": usual(
        "generate",
        "solvers.tonari.generate:generate",
        options=OPTIONS,
        check="solvers.tonari.questions:refuse_impossible",
        position="Bbbb/bbbb/bbbb/bbbb",
    ),
    "hint": usual("hint", "solvers.tonari.hint:hint"),
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
        "solvers.tonari.plain:plain",
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
        check="solvers.tonari.questions:refuse_large",
    ),
    "rate": usual("rate", "solvers.tonari.rate:rate"),
    "classes": Question(
        gettext_noop("Which solutions differ in who flips whom?"),
        "solvers.tonari.classes:classes",
        ClassesAnswer,
        about=gettext_noop(
            "Two orders are of one class when every stone is turned over by the same stones. "
            "One order of each class is shown."
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
        options={"step": options.whole(gettext_noop("How many of its prunings"), 5, 0, 5)},
        is_compiled=False,
    ),
    "review": REVIEW,
    "groups": GROUPS,
    "reason": replace(REASON, solver="solvers.tonari.reason:reason"),
    "sample": replace(SAMPLE, solver="solvers.tonari.sample:sample"),
}
