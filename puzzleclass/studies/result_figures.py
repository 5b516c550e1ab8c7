"""The figures of the page "New results", computed by `bench.studies.results`."""

import msgspec

from puzzleclass.studies.figures import BoardTally


class BoardCensus(msgspec.Struct, frozen=True):
    """All boards with at least one stone on one size of board."""

    rows: int
    columns: int
    all: BoardTally
    solutions: int
    """Added up over the boards."""
    most: int
    """The most solutions that one of the boards has."""
    full: int
    """The solutions of the board that is full of stones."""
    most_unique_stones: int
    """The most stones of a board with exactly one solution."""


class FullBoard(msgspec.Struct, frozen=True):
    """The number of solutions of a board that is full of stones."""

    rows: int
    columns: int
    solutions: int


class FewStones(msgspec.Struct, frozen=True):
    """The boards of any size with so many stones and exactly one solution.

    Boards that are turned, mirrored or have empty rows or columns put in count once.
    """

    stones: int
    different: int
    examples: tuple[str, ...]
    """Some of them, as puzzles are written."""


class AllBlack(msgspec.Struct, frozen=True):
    """The orders of a Tonari Othello board from its corner to all black."""

    rows: int
    columns: int
    orders: int
    classes: int
    """Ways in which the stones turn each other over; their orders add up to `orders`."""


class NewResults(msgspec.Struct, frozen=True, kw_only=True):
    """Results that, as far as we know, are published nowhere else."""

    sizes: tuple[BoardCensus, ...]
    """At least two rows, no more rows than columns, at most 24 points."""
    full: tuple[FullBoard, ...]
    """No more rows than columns."""
    few: tuple[FewStones, ...]
    """From two stones on."""
    tonari: tuple[AllBlack, ...]
    """All sizes up to 36 points and 8 columns whose rows and columns add up to an even number."""
