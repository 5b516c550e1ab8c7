"""The figures of the pages: computed by `bench`, kept as JSON with the run that made them.

A page only reads them; it never solves anything. Each file has one type here, written and read
by msgspec.
"""

from datetime import date
from functools import cache
from pathlib import Path
from platform import python_version
from typing import TypeVar

import msgspec

FOLDER = Path(__file__).with_name("data")


class Run(msgspec.Struct, frozen=True):
    """The run that computed a file's figures."""

    command: str
    date: str
    """Year-month-day."""
    seconds: float
    python: str
    numba: str

    @classmethod
    def of(cls, command: str, seconds: float) -> "Run":
        """Return the record of a run that ends now."""
        # Pages read figures; only a run that computes some has numba.
        import numba

        today = date.today().isoformat()
        return cls(command, today, round(seconds, 1), python_version(), numba.__version__)


class Figures(msgspec.Struct, frozen=True, kw_only=True):
    """What one file holds; a class for each."""

    run: Run


F = TypeVar("F", bound=Figures)


@cache
def load(figures: type[F], name: str) -> F:
    """Return the stored figures. Raises msgspec.ValidationError if they are of another type."""
    return msgspec.json.decode((FOLDER / f"{name}.json").read_bytes(), type=figures)


def store(figures: Figures, name: str) -> None:
    """Write the figures, a line to each small thing, so that changes can be read."""
    FOLDER.mkdir(exist_ok=True)
    text = msgspec.json.format(msgspec.json.encode(figures), indent=1)
    (FOLDER / f"{name}.json").write_bytes(text + b"\n")


# Goishi Hiroi: the census of all boards up to 5x5


class Tally(msgspec.Struct, frozen=True):
    """How many boards there are, and how many of them have a solution, and exactly one."""

    boards: int
    solvable: int
    unique: int


class SizeCensus(msgspec.Struct, frozen=True):
    """All boards with at least one stone on one size of board."""

    rows: int
    columns: int
    all: Tally
    solutions: int
    """Added up over the boards."""


class HardBoard(msgspec.Struct, frozen=True):
    """A board with its difficulty, see `solvers.goishi.difficulty`."""

    board: str
    """Its rows, as puzzles are written."""
    solutions: int
    careful_level: float
    random_level: float


class StoneCensus(msgspec.Struct, frozen=True, kw_only=True):
    """All boards of the largest size with one number of stones."""

    stones: int
    all: Tally
    up_to_symmetry: Tally
    """Boards that are turned or mirrored into each other are one."""
    different: Tally
    """Empty rows and columns left out, too: they change nothing for a player."""
    solutions: int
    """Added up over the boards."""
    median: int
    """Half of the solvable boards have at most so many solutions."""
    most: int
    """The most solutions that one of the boards has."""
    richest: str
    """A board that has so many."""
    careful_level: float
    """The mean over the solvable boards, as are the following."""
    random_level: float
    unique_level: float | None
    """The careful level's mean over the boards with exactly one solution."""
    bands: tuple[int, int, int, int]
    """How many of the solvable boards are in each band of difficulty."""
    hardest: HardBoard
    """Of all solvable boards, the one with the highest careful level."""
    hardest_unique: tuple[HardBoard, ...]
    """Different boards with exactly one solution, the hardest first."""


class GoishiCensus(Figures, frozen=True, kw_only=True):
    """Every board up to 5x5."""

    checked: int
    """Boards whose numbers were compared with those of the kind's own solver."""
    sizes: tuple[SizeCensus, ...]
    """No more rows than columns, small boards first."""
    stones: tuple[StoneCensus, ...]
    """From 1 on."""
    smallest_unique: tuple[str, ...]
    """All different boards with exactly one solution and the fewest stones, more than one."""
