"""The figures of the pages: computed by `bench.learn`, kept as JSON with the run that made them.

A page only reads them; it never solves anything. Each file of `data` holds a `Stored` of one of
the types below, written and read by msgspec.
"""

import json
import re
from collections.abc import Iterator, Sequence
from datetime import date
from functools import cache
from pathlib import Path
from platform import python_version
from typing import Generic, TypeVar

import msgspec

from solvers.message import Message

FOLDER = Path(__file__).with_name("data")

WIDTH = 180
"""Of the longest lines in a file."""

DAY, HOUR, MINUTE = 86400, 3600, 60

F = TypeVar("F")


def in_words(seconds: float) -> Message:
    """Return a time as people say it, to two or three digits."""
    if seconds >= DAY:
        days, rest = divmod(round(seconds), DAY)
        values = {"d": days, "h": rest // HOUR, "m": rest % HOUR // MINUTE}
        return Message("{d} days {h} h {m} min", values)
    if seconds >= MINUTE:
        minutes, rest = divmod(round(seconds), MINUTE)
        return Message("{m} min {s} s", {"m": minutes, "s": rest})
    if seconds >= 0.1:
        return Message("{s} s", {"s": f"{seconds:.3g}"})
    return Message("{ms} ms", {"ms": f"{seconds * 1000:.2g}"})


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


class Stored(msgspec.Struct, Generic[F], frozen=True):
    """What one file holds."""

    run: Run
    figures: F


def stored(figures: type[F]) -> Stored[F]:
    """Return the figures of this type, and their run. Raises msgspec.ValidationError if the file
    does not fit the type."""
    return _stored(figures)  # type: ignore[arg-type]  # a class is hashable


@cache
def _stored(figures: type[F]) -> Stored[F]:
    return msgspec.json.decode(_file(figures).read_bytes(), type=Stored[figures])  # type: ignore[valid-type]


def store(figures: object, run: Run) -> None:
    """Write the figures to the file of their type."""
    FOLDER.mkdir(exist_ok=True)
    lines = _lines(msgspec.to_builtins(Stored(run, figures)))
    _file(type(figures)).write_text("\n".join(lines) + "\n", encoding="utf-8")


def _lines(value: object, indent: str = "") -> Iterator[str]:
    """Yield the lines of a JSON value: what is short in one, so that changes are seen in a diff."""
    line = json.dumps(value, ensure_ascii=False)
    if len(line) <= WIDTH or not isinstance(value, dict | list | tuple):
        yield indent + line
        return
    keys = (
        [json.dumps(key) + ": " for key in value] if isinstance(value, dict) else [""] * len(value)
    )
    yield indent + ("{" if isinstance(value, dict) else "[")
    for at, (key, item) in enumerate(
        zip(keys, value.values() if isinstance(value, dict) else value), 1
    ):
        lines = list(_lines(item, indent + " "))
        lines[0] = f"{indent} {key}{lines[0].lstrip()}"
        lines[-1] += "," if at < len(keys) else ""
        yield from lines
    yield indent + ("}" if isinstance(value, dict) else "]")


def _file(figures: type[object]) -> Path:
    """Return the file of a type: goishi_census.json of GoishiCensus."""
    words = re.findall("[A-Z][a-z]+", figures.__name__)
    return FOLDER / f"{'_'.join(words).lower()}.json"


# Goishi Hiroi: the census of all boards up to 5x5


class Tally(msgspec.Struct, frozen=True):
    """How many boards there are, and how many of them have a solution, and exactly one."""

    boards: int
    solvable: int
    unique: int

    @classmethod
    def total(cls, tallies: Sequence["Tally"]) -> "Tally":
        """Return the sums."""
        return cls(*(sum(numbers) for numbers in zip(*map(msgspec.structs.astuple, tallies))))


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
    line: str
    """A solution, as a line of moves."""


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
    hardest: HardBoard
    """Of all solvable boards, the one with the highest careful level."""
    hardest_unique: tuple[HardBoard, ...]
    """Different boards with exactly one solution, the hardest first."""

    @property
    def unique_percent(self) -> float:
        return 100 * self.all.unique / self.all.boards


class SolutionsCensus(msgspec.Struct, frozen=True):
    """The boards of the largest size and one number of stones with so many solutions."""

    least: int
    most: int
    boards: int
    careful_level: float
    """The mean."""


class GoishiCensus(msgspec.Struct, frozen=True, kw_only=True):
    """Every board up to 5x5."""

    checked: int
    """Boards whose numbers were compared with those of the kind's own solver."""
    sizes: tuple[SizeCensus, ...]
    """No more rows than columns, small boards first."""
    stones: tuple[StoneCensus, ...]
    """From 1 on."""
    alike: int
    """The number of stones of the boards of `by_solutions`."""
    by_solutions: tuple[SolutionsCensus, ...]


# Goishi Hiroi: what the poster asked


class SetState(msgspec.Struct, frozen=True):
    """A moment of a game on the poster's board: an entry of its table that is not 0."""

    picked: tuple[int, ...]
    """The numbers of the stones picked so far, from 1 on, in increasing order."""
    last: int
    direction: str
    """The last step: "up", "right", "down" or "left"; empty after one stone."""
    ways: int
    """Orders that lead here."""
    after: tuple[int, ...]
    """The entries one step on, by their places in the table."""


class CountTimes(msgspec.Struct, frozen=True):
    """Seconds that a count takes on a random board that has a solution."""

    stones: int
    side: int
    solutions: int
    situations: int
    """Looked at by our count."""
    poster: float | None
    """The poster's algorithm in plain Python; None where it was not run."""
    poster_compiled: float | None
    ours: float


class RandomDraws(msgspec.Struct, frozen=True):
    """Boards as the poster draws them: each stone on any of 25 points."""

    stones: int
    doubled: float
    """The chance that two stones lie on one point."""

    @property
    def doubled_percent(self) -> float:
        return 100 * self.doubled


class RandomBoards(msgspec.Struct, frozen=True):
    """What random boards with one number of stones are like, see `solvers.goishi.difficulty`."""

    stones: int
    boards: int
    solvable: int
    unique: int
    undecided: int
    median: int | None
    is_bound: bool
    """The median is only a lower bound."""
    careful_level: float | None


class Survey(msgspec.Struct, frozen=True):
    """Random boards of one size."""

    rows: int
    columns: int
    found: tuple[RandomBoards, ...]


class GoishiFigures(msgspec.Struct, frozen=True, kw_only=True):
    """What the poster asked, and how ours answers."""

    states: tuple[SetState, ...]
    """The poster's example, few stones picked first."""
    solutions: int
    with_turns: int
    """If one might turn straight back."""
    blocked: int
    """If picked stones blocked the way."""
    draws: tuple[RandomDraws, ...]
    shown: int
    """Boards that the poster's generator showed in a trial, each with a solution as it counts."""
    shown_doubled: int
    """Those of them with two stones on one point."""
    times: tuple[CountTimes, ...]
    surveys: tuple[Survey, ...]


# Kikazu: the study's 1,860 boards. Of two mirror images the one whose left rook is higher.


class KikazuSkeleton(msgspec.Struct, frozen=True):
    """Rooks, bishops and knights, and the squares that the rest fills: those as pawns."""

    name: str
    board: str
    without_lances: int
    """How many boards have it."""
    whole: int


class HeadPawns(msgspec.Struct, frozen=True):
    """The boards without lances that have so many pawns with nothing ahead."""

    pawns: int
    boards: int
    choices: int
    """Ways to choose the pawns that become lances."""

    @property
    def whole(self) -> int:
        return self.boards * self.choices


class KikazuSolution(msgspec.Struct, frozen=True):
    """One of the boards with all forty pieces, numbered from 1."""

    number: int
    board: str
    """The squares row by row."""
    skeleton: str
    clues: tuple[int, ...]
    """Squares of pieces that no other of the boards and their mirror images has: the fewest."""


class CrowdedBoard(msgspec.Struct, frozen=True):
    """A small board that holds so many pieces in hardly a way."""

    rows: int
    columns: int
    text: str
    """The empty board and the hand, as a puzzle is written."""
    found: int
    up_to_mirror: int
    shown: str


class PieceSet(msgspec.Struct, frozen=True):
    """In how many ways a hand stands on the empty 9x9 board."""

    hand: str
    boards: int
    up_to_mirror: int | None
    """None where mirror images were not told apart."""
    seconds: float


class KikazuFigures(msgspec.Struct, frozen=True, kw_only=True):
    """The study's results, found from the rules alone."""

    skeletons: tuple[KikazuSkeleton, ...]
    heads: tuple[HeadPawns, ...]
    solutions: tuple[KikazuSolution, ...]
    without_lances: int
    fixed: str
    """The pieces that stand at the same place in all solutions."""
    fixed_without_lances: str
    always_taken: int
    """Squares on which some piece stands in every solution."""
    clues: tuple[tuple[int, int], ...]
    """How many clues the boards need, and how many boards need so many."""
    ladder: tuple[CrowdedBoard, ...]
    sets: tuple[PieceSet, ...]
    seconds: float
    """What the boards took in plain Python, without the clues and the sets."""

    @property
    def complete(self) -> tuple[KikazuSkeleton, ...]:
        """The skeletons on which the whole set stands."""
        return tuple(skeleton for skeleton in self.skeletons if skeleton.whole)


# Max Strings


class BestStrings(msgspec.Struct, frozen=True):
    """The most strings on an empty square board."""

    n: int
    most: int
    seconds: float
    compared: int | None
    """The same by comparing checkerboards in plain Python; None where that takes too long."""


class MaxStringsFigures(msgspec.Struct, frozen=True):
    """The study's table, computed anew."""

    best: tuple[BestStrings, ...]


# Tonari Othello


class MethodRun(msgspec.Struct, frozen=True):
    """A way to count, on a square board: all black from the corner."""

    method: str
    side: int
    count: int
    looked_at: int | None
    """The boards or sets it looked at, where it counts them."""
    seconds: float


class TonariSet(msgspec.Struct, frozen=True):
    """Stones that can be reached while every one gets the colour the target wants, as bits."""

    occupied: int
    ways: int
    """Orders that lead here."""
    futures: int
    """Orders that lead from here to the target; 0 where it is lost already."""
    after: tuple[int, ...]
    """The sets one stone later."""


Cell = tuple[int, int]


class FlipClass(msgspec.Struct, frozen=True):
    """A class of solutions: who flips whom."""

    arrows: tuple[tuple[Cell, Cell], ...]
    """From each earlier stone to its later neighbours."""
    orders: int
    is_own_mirror: bool


class Endings(msgspec.Struct, frozen=True):
    """Boards on which only closed points are left."""

    side: int
    boards: int
    up_to_mirror: int


class TonariFigures(msgspec.Struct, frozen=True, kw_only=True):
    """The study's search and what comes after, measured."""

    runs: tuple[MethodRun, ...]
    sets: tuple[tuple[TonariSet, ...], ...]
    """All of 3x3, a layer for each number of stones."""
    small_classes: tuple[FlipClass, ...]
    """Of 3x3."""
    classes: tuple[FlipClass, ...]
    """Of 4x4."""
    endings: tuple[Endings, ...]
