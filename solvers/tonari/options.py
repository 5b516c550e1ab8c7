"""What may be wanted of a generated target, and what is refused before it is asked.

Loads no kernels: forms are built from it.
"""

import math
from dataclasses import dataclass
from typing import Any

from solvers import options
from solvers.kind import Option, PuzzleError
from solvers.message import gettext_noop
from solvers.tonari.formats import LARGEST, check_size
from solvers.tonari.rules import Position

BANDS = (
    (0.5, gettext_noop("easy")),
    (0.2, gettext_noop("medium")),
    (0.05, gettext_noop("hard")),
    (0.0, gettext_noop("very hard")),
)
"""Least chance of the careful player -> name of the band."""

MOST_FREE = 24
"""Empty points up to which every target of a board is scanned: 16.8 million, some ten seconds."""

COUNTABLE = 30
"""Empty points up to which targets are counted and rated; beyond they are only solved."""

ANY_ORDERS = 10**15 - 1
"""As the upper bound of the number of solutions: none at all."""

SCANNED = 1000
"""Up to so many solutions wanted, all targets are scanned: those with so few are too rare to be
met by chance."""

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
"""Name -> rows of small pictures for targets: `o` is the figure, `.` the ground. The names of
digits and letters are these themselves."""

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
"""Name -> title, for the pictures that are no digit or letter."""

_SPAN = options.span(gettext_noop("Number of solutions"), "", 1, ANY_ORDERS)

_SIZE = options.size("", f"{LARGEST}x{LARGEST}", LARGEST)


def _read_size(text: str) -> list[int]:
    size: list[int] = _SIZE.read(text) if text.strip() else []
    return size


def _write_size(size: list[int]) -> str:
    return _SIZE.write(size) if size else ""


def _read_orders(text: str) -> list[int]:
    orders: list[int] = _SPAN.read(text) if text.strip() else [1, ANY_ORDERS]
    return orders


def _write_orders(orders: list[int]) -> str:
    return "" if orders == [1, ANY_ORDERS] else _SPAN.write(orders)


OPTIONS = {
    "many": options.whole(gettext_noop("How many"), 1, 1, 100),
    "size": Option(
        gettext_noop("Size, with the start in the top left corner; empty: the board as it is"),
        "",
        _read_size,
        write=_write_size,
    ),
    "orders": Option(
        _SPAN.title,
        "",
        _read_orders,
        write=_write_orders,
        hint=gettext_noop("A number, or a range like 3..5; empty: any number."),
    ),
    "classes": options.choice(
        gettext_noop("Solutions by who flips whom"),
        {"any": gettext_noop("any number"), "one": gettext_noop("all alike")},
    ),
    "look": options.choice(
        gettext_noop("Look"),
        {"any": gettext_noop("as it comes"), "symmetric": gettext_noop("symmetric")}
        | {name: TITLES.get(name, name) for name in PICTURES},
    ),
    "difficulty": options.choice(
        gettext_noop("Difficulty"),
        {"any": gettext_noop("any")} | {name: name for _, name in BANDS},
    ),
    "seed": options.whole(
        gettext_noop("Seed: the same number gives the same puzzles"), 0, 0, 999_999_999
    ),
}


def read_options(
    position: Position, *, size: list[int], seed: int, **wanted: Any
) -> "tuple[Position, Wanted, int]":
    """Return the board with its start stones, what is wanted of its targets, and the seed.

    Raises PuzzleError, saying why, for what can't be had on this board.
    """
    if size:
        rows, columns = size
        check_size(rows, columns)
        position = Position(rows, columns, white=0, starts=1)
    chosen = Wanted(**wanted)
    chosen.check(position)
    return position, chosen, seed


def refuse(position: Position, *, many: int, **options: Any) -> None:
    """Raise PuzzleError, saying why, for options that can't be met on this board."""
    read_options(position, **options)


@dataclass(frozen=True, slots=True)
class Wanted:
    """What is wanted of a target, as `OPTIONS` reads it."""

    orders: list[int]
    classes: str
    look: str
    difficulty: str

    @property
    def counts(self) -> bool:
        """Whether targets must be counted."""
        return self.orders != [1, ANY_ORDERS]

    @property
    def chances(self) -> tuple[float, float]:
        """Between which chances of the careful player the difficulty lies, the second excluded."""
        bounds = [least for least, _ in BANDS]
        place = [name for _, name in BANDS].index(self.difficulty)
        return bounds[place], bounds[place - 1] if place else math.inf

    def check(self, start: Position) -> None:
        """Raise PuzzleError, saying why, for what can't be had on this board."""
        empty = start.rows * start.columns - start.starts.bit_count()
        measures = self.counts or self.classes != "any" or self.difficulty != "any"
        if measures and empty > COUNTABLE:
            raise PuzzleError(
                "On this board too many orders are possible for choosing by their number or by "
                "difficulty. That goes up to {most} empty points; here there are {empty}.",
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
    """Raise PuzzleError for a board with too many targets to look at each."""
    free = position.rows * position.columns - position.starts.bit_count()
    if free > MOST_FREE:
        raise PuzzleError(
            "All targets can be looked at up to {most} empty points, like 5x5 with one start "
            "stone. Here there are {free}.",
            most=MOST_FREE,
            free=free,
        )
