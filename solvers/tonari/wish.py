"""What may be wanted of a generated target. Loads no kernels: forms are built from it."""

import math
from dataclasses import dataclass
from typing import Any

from solvers import options
from solvers.kind import Option, PuzzleError
from solvers.message import gettext_noop
from solvers.tonari.bands import BANDS
from solvers.tonari.formats import LARGEST, check_size
from solvers.tonari.pixels import PICTURES, TITLES
from solvers.tonari.rules import Position

COUNTABLE = 30
"""Empty points up to which targets are counted and rated; beyond they are only solved."""

ANY_ORDERS = 10**15 - 1
"""As the upper bound of the number of solutions: none at all."""

SIFTED = 1000
"""Up to so many solutions wanted, all targets are sifted for them: they are too few to be met."""

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


def wanted(
    position: Position, *, size: list[int], seed: int, **wishes: Any
) -> "tuple[Position, Wish, int]":
    """Return the board with its start stones, what is wanted of its targets, and the seed.

    Raises PuzzleError, saying why, for a wish that can't be fulfilled.
    """
    if size:
        rows, columns = size
        check_size(rows, columns)
        position = Position(rows, columns, white=0, starts=1)
    wish = Wish(**wishes)
    wish.check(position)
    return position, wish, seed


def refuse(position: Position, *, many: int, **wishes: Any) -> None:
    """Raise PuzzleError, saying why, for a wish that can't be fulfilled: before it is asked."""
    wanted(position, **wishes)


@dataclass(frozen=True, slots=True)
class Wish:
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
        """Raise PuzzleError, saying why, for a wish that can't be fulfilled on this board."""
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
