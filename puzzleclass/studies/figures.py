"""The figures on the studies' pages, stored as JSON with the run that computed them.

`bench.studies` computes the figures. A page only reads them and never solves anything. Each file of
`data` holds a `StoredFigures` of one of the types below, which msgspec writes and reads.
"""

import json
import re
from collections.abc import Sequence
from datetime import date
from functools import cache
from pathlib import Path
from platform import python_version
from typing import Generic, TypeVar

import msgspec

from solvers.kind import Cell
from solvers.message import Message

FOLDER = Path(__file__).with_name("data")

DAY, HOUR, MINUTE = 86400, 3600, 60

F = TypeVar("F")


def duration_in_words(seconds: float) -> Message:
    """Return a duration as people say it; below a minute, with two or three digits."""
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


class FigureRun(msgspec.Struct, frozen=True):
    """The run that computed a file's figures."""

    command: str
    date: str
    """The date of the run, as year-month-day."""
    seconds: float
    python: str
    numba: str

    @classmethod
    def of(cls, command: str, seconds: float) -> "FigureRun":
        """Return the record of a run that ends now."""
        # Imported here, because pages read figures without loading numba.
        import numba

        today = date.today().isoformat()
        return cls(command, today, round(seconds, 1), python_version(), numba.__version__)


class StoredFigures(msgspec.Struct, Generic[F], frozen=True):
    """The contents of one file."""

    run: FigureRun
    figures: F


def stored(figures: type[F]) -> StoredFigures[F]:
    """Return the figures of this type with their run.

    Raises msgspec.ValidationError if the file does not fit the type.
    """
    return _stored(figures)  # type: ignore[arg-type]  # a class is hashable


@cache
def _stored(figures: type[F]) -> StoredFigures[F]:
    return msgspec.json.decode(_file(figures).read_bytes(), type=StoredFigures[figures])  # type: ignore[valid-type]


def store(figures: object, run: FigureRun) -> None:
    """Write the figures to the file of their type: the run, and a line for each field."""
    FOLDER.mkdir(exist_ok=True)
    written = msgspec.to_builtins(StoredFigures(run, figures))
    lines = (
        f"{json.dumps(name)}: {json.dumps(value, ensure_ascii=False)}"
        for name, value in written["figures"].items()
    )
    text = f'{{"run": {json.dumps(written["run"])},\n"figures": {{\n' + ",\n".join(lines) + "\n}}\n"
    _file(type(figures)).write_text(text, encoding="utf-8")


def _file(figures: type[object]) -> Path:
    """Return the path of a type's file, such as goishi_census.json for GoishiCensus."""
    words = re.findall("[A-Z][a-z]+", figures.__name__)
    return FOLDER / f"{'_'.join(words).lower()}.json"


# Goishi Hiroi: the census of all boards up to 5x5


class BoardTally(msgspec.Struct, frozen=True):
    """The number of boards, of those with a solution, and of those with exactly one solution."""

    boards: int
    solvable: int
    unique: int

    @classmethod
    def total(cls, tallies: Sequence["BoardTally"]) -> "BoardTally":
        """Return the sum of the tallies."""
        return cls(*(sum(numbers) for numbers in zip(*map(msgspec.structs.astuple, tallies))))


class SizeCensus(msgspec.Struct, frozen=True):
    """The census of all boards of one size that have at least one stone."""

    rows: int
    columns: int
    all: BoardTally
    solutions: int
    """The number of solutions of all these boards together."""


class HardBoard(msgspec.Struct, frozen=True):
    """A board with its difficulty (see `solvers.goishi.difficulty`)."""

    board: str
    """The rows of the board, as in the text of a puzzle."""
    solutions: int
    careful_level: float
    random_level: float
    line: str
    """A solution, as a line of moves."""


class StoneCensus(msgspec.Struct, frozen=True, kw_only=True):
    """The census of all boards of the largest size that have one number of stones."""

    stones: int
    all: BoardTally
    up_to_symmetry: BoardTally
    """The tally in which boards that are rotations or reflections of each other count once."""
    different: BoardTally
    """The tally that also ignores empty rows and columns, which change nothing for a player."""
    solutions: int
    """The number of solutions of all these boards together."""
    median: int
    """The median of the numbers of solutions of the solvable boards."""
    most: int
    """The largest number of solutions that one of the boards has."""
    richest: str
    """A board with the largest number of solutions."""
    careful_level: float
    """The mean of the careful level over the solvable boards."""
    random_level: float
    """The mean of the random level over the solvable boards."""
    unique_level: float | None
    """The mean of the careful level over the boards with exactly one solution; None without any."""
    hardest: HardBoard
    """The solvable board with the highest careful level."""
    hardest_unique: tuple[HardBoard, ...]
    """Different boards with exactly one solution, the hardest first."""

    @property
    def unique_percent(self) -> float:
        return 100 * self.all.unique / self.all.boards


class SolutionsCensus(msgspec.Struct, frozen=True):
    """Boards of the largest size that have one number of stones and `least` to `most` solutions."""

    least: int
    most: int
    boards: int
    careful_level: float
    """The mean of the careful level over these boards."""


class GoishiCensus(msgspec.Struct, frozen=True, kw_only=True):
    """The census of every board up to 5x5."""

    checked: int
    """The number of boards whose figures were compared with those of the kind's own solver."""
    sizes: tuple[SizeCensus, ...]
    """The census of each size that has no more rows than columns, small boards first."""
    stones: tuple[StoneCensus, ...]
    """The census of each number of stones, from 1 on."""
    alike: int
    """The number of stones on the boards of `by_solutions`."""
    by_solutions: tuple[SolutionsCensus, ...]


# Goishi Hiroi: what the poster asked


class SetState(msgspec.Struct, frozen=True):
    """A moment of a game on the poster's board: an entry of its table that is not 0."""

    picked: tuple[int, ...]
    """The numbers of the stones picked so far, from 1 on, in increasing order."""
    last: int
    direction: str
    """The direction of the last step: "up", "right", "down" or "left"; empty after one stone."""
    ways: int
    """The number of orders that lead here."""
    after: tuple[int, ...]
    """The entries one step later, as indices into the table."""


class CountTimes(msgspec.Struct, frozen=True):
    """The times, in seconds, that counts take on a random board that has a solution."""

    stones: int
    side: int
    solutions: int
    situations: int
    """The number of situations that our count looks at."""
    poster: float | None
    """The time of the poster's algorithm in plain Python; None if it was not run."""
    poster_compiled: float | None
    """The time of the poster's algorithm compiled by numba; None if it was not run."""
    ours: float


class RandomDraws(msgspec.Struct, frozen=True):
    """Random boards as the poster draws them, with each stone on any of 25 points."""

    stones: int
    doubled: float
    """The chance that two stones lie on one point."""

    @property
    def doubled_percent(self) -> float:
        return 100 * self.doubled


class RandomBoards(msgspec.Struct, frozen=True):
    """Statistics of random boards with one number of stones (see `solvers.goishi.difficulty`)."""

    stones: int
    boards: int
    solvable: int
    unique: int
    undecided: int
    median: int | None
    is_bound: bool
    """Whether the median is only a lower bound."""
    careful_level: float | None


class RandomSurvey(msgspec.Struct, frozen=True):
    """A survey of random boards of one size."""

    rows: int
    columns: int
    found: tuple[RandomBoards, ...]


class GoishiFigures(msgspec.Struct, frozen=True, kw_only=True):
    """The figures that answer the poster's questions."""

    states: tuple[SetState, ...]
    """The states of the poster's example, those with few picked stones first."""
    solutions: int
    with_turns: int
    """The number of solutions if a player could turn straight back."""
    blocked: int
    """The number of solutions if picked stones blocked the way."""
    draws: tuple[RandomDraws, ...]
    shown: int
    """The number of boards that the poster's generator showed in a trial, solvable by its count."""
    shown_doubled: int
    """The number of shown boards that have two stones on one point."""
    times: tuple[CountTimes, ...]
    surveys: tuple[RandomSurvey, ...]


# Kikazu: the study's 1,860 boards. Of two mirror images, the one with the higher left rook is kept.


class KikazuSkeleton(msgspec.Struct, frozen=True):
    """A placement of rooks, bishops and knights, with pawns on the squares of all other pieces."""

    name: str
    board: str
    without_lances: int
    """The number of boards without lances that have this skeleton."""
    whole: int
    """The number of boards of the whole set that have this skeleton."""


class HeadPawns(msgspec.Struct, frozen=True):
    """The boards without lances on which `pawns` pawns have nothing ahead of them."""

    pawns: int
    boards: int
    choices: int
    """The number of ways to choose the pawns that become lances."""

    @property
    def whole(self) -> int:
        return self.boards * self.choices


class KikazuSolution(msgspec.Struct, frozen=True):
    """One of the boards with all forty pieces, numbered from 1."""

    number: int
    board: str
    """The signs of the squares, row by row."""
    skeleton: str
    clues: tuple[int, ...]
    """The squares of the fewest pieces that no other board, and no mirror image, has all of."""


class CrowdedBoard(msgspec.Struct, frozen=True):
    """A small board with so many pieces that there are very few ways to place them."""

    rows: int
    columns: int
    text: str
    """The empty board and the hand, as in the text of a puzzle."""
    found: int
    up_to_mirror: int
    shown: str


class PieceSet(msgspec.Struct, frozen=True):
    """The number of ways to place a hand on the empty 9x9 board."""

    hand: str
    boards: int
    up_to_mirror: int | None
    """The number with mirror images counted once; None if they were not told apart."""
    seconds: float


class KikazuFigures(msgspec.Struct, frozen=True, kw_only=True):
    """The study's results, derived from the rules alone."""

    skeletons: tuple[KikazuSkeleton, ...]
    heads: tuple[HeadPawns, ...]
    solutions: tuple[KikazuSolution, ...]
    without_lances: int
    fixed: str
    """A board with the pieces that stand on the same square in all solutions."""
    fixed_without_lances: str
    """A board with the pieces that stand on the same square in all boards without lances."""
    always_taken: int
    """The number of squares that hold a piece in every solution."""
    clues: tuple[tuple[int, int], ...]
    """Pairs of a number of clues and the number of boards that need that many."""
    ladder: tuple[CrowdedBoard, ...]
    sets: tuple[PieceSet, ...]
    seconds: float
    """The time that plain Python took for the boards, without the clues and the sets."""

    @property
    def complete(self) -> tuple[KikazuSkeleton, ...]:
        """The skeletons that have boards of the whole set."""
        return tuple(skeleton for skeleton in self.skeletons if skeleton.whole)


# Max Strings


class BestStrings(msgspec.Struct, frozen=True):
    """The most strings on an empty square board."""

    n: int
    most: int
    seconds: float
    compared: int | None
    """The maximum by comparing checkerboards in plain Python; None where that takes too long."""


class MaxStringsFigures(msgspec.Struct, frozen=True):
    """The study's table, computed anew."""

    best: tuple[BestStrings, ...]


# Tonari Othello


class MethodRun(msgspec.Struct, frozen=True):
    """A run of a counting method on a square board, all black, on which play begins in a corner."""

    method: str
    side: int
    count: int
    looked_at: int | None
    """The number of boards or sets that the method looked at; None if it does not count them."""
    seconds: float


class TonariSet(msgspec.Struct, frozen=True):
    """A set of stones that can be reached with every stone in the colour that the target wants."""

    occupied: int
    """The cells of the stones, as bits."""
    ways: int
    """The number of orders that lead here."""
    futures: int
    """The number of orders that lead from here to the target; 0 if it can no longer be reached."""
    after: tuple[int, ...]
    """The sets with one more stone that follow."""


class FlipClass(msgspec.Struct, frozen=True):
    """A class of solutions in which the same stones flip the same others."""

    arrows: tuple[tuple[Cell, Cell], ...]
    """Pairs of an earlier stone and a later neighbour of it."""
    orders: int
    is_own_mirror: bool


class Endings(msgspec.Struct, frozen=True):
    """The number of boards on which only closed points are left."""

    side: int
    boards: int
    up_to_mirror: int


class TonariFigures(msgspec.Struct, frozen=True, kw_only=True):
    """Measurements of the study's search and of the methods after it."""

    runs: tuple[MethodRun, ...]
    sets: tuple[tuple[TonariSet, ...], ...]
    """All sets of 3x3, in a layer for each number of stones."""
    small_classes: tuple[FlipClass, ...]
    """The classes of 3x3."""
    classes: tuple[FlipClass, ...]
    """The classes of 4x4."""
    endings: tuple[Endings, ...]
