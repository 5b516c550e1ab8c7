"""What may be wanted of a generated target. Loads no kernels: forms are built from it."""

from dataclasses import dataclass

from solvers.kind import Option, PuzzleError
from solvers.message import gettext_noop
from solvers.tonari.bands import BANDS
from solvers.tonari.pixels import PICTURES, TITLES
from solvers.tonari.rules import Position

COUNTABLE = 30
"""Empty points up to which targets are counted and rated; beyond they are only solved."""

OPTIONS = {
    "many": Option(gettext_noop("How many"), 1, least=1, most=100),
    "seed": Option(gettext_noop("Seed: the same number gives the same puzzles"), 0),
    "least_orders": Option(gettext_noop("Solutions, at least"), 1, least=1),
    "most_orders": Option(gettext_noop("Solutions, at most; 0 for any number"), 0),
    "one_class": Option(gettext_noop("All solutions alike in who flips whom"), False),
    "symmetric": Option(gettext_noop("Symmetric"), False),
    "picture": Option(
        gettext_noop("Picture"), "", choices={name: TITLES.get(name, name) for name in PICTURES}
    ),
    "band": Option(gettext_noop("Difficulty"), "", choices={name: name for _, name in BANDS}),
}


@dataclass(frozen=True, slots=True)
class Wish:
    """What is wanted of a target; the defaults want nothing but that it can be reached."""

    least_orders: int = 1
    most_orders: int = 0
    """0: any number."""
    one_class: bool = False
    symmetric: bool = False
    picture: str = ""
    """A name in `PICTURES`; empty: none."""
    band: str = ""
    """A name in `BANDS`; empty: any."""

    @property
    def measures(self) -> bool:
        """Whether targets must be counted or rated."""
        return bool(self.most_orders or self.least_orders > 1 or self.one_class or self.band)

    def check(self, start: Position) -> None:
        """Raise PuzzleError, saying why, for a wish that can't be fulfilled on this board."""
        if not 1 <= self.least_orders <= (self.most_orders or self.least_orders):
            raise PuzzleError("The number of orders goes from 1 up, the smaller bound first.")
        if self.picture and self.symmetric:
            raise PuzzleError("Choose a picture or a symmetric target, not both.")
        if self.picture and self.picture not in PICTURES:
            raise PuzzleError("There is no picture “{name}”.", name=self.picture[:20])
        if self.band and self.band not in [name for _, name in BANDS]:
            raise PuzzleError("There is no difficulty “{name}”.", name=self.band[:20])
        empty = start.rows * start.columns - start.starts.bit_count()
        if self.measures and empty > COUNTABLE:
            raise PuzzleError(
                "On this board too many orders are possible for choosing by their number or by "
                "difficulty. That goes up to {most} empty points; here there are {empty}.",
                most=COUNTABLE,
                empty=empty,
            )
        if self.picture:
            rows = PICTURES[self.picture]
            if len(rows) > start.rows or len(rows[0]) > start.columns:
                raise PuzzleError(
                    "The picture needs {rows} rows and {columns} columns; the board is smaller.",
                    rows=len(rows),
                    columns=len(rows[0]),
                )
