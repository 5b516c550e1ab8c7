"""What the questions share: a position as bits, and the two searches that count in turns."""

from collections.abc import Iterator
from dataclasses import dataclass
from functools import cache, cached_property
from math import inf, prod
from time import monotonic
from typing import NamedTuple

import numpy as np

from solvers.kikazu import kernels
from solvers.kikazu.kernels import COLUMNS_IN_A_WORD, FINISHED, Ints, Words
from solvers.kikazu.rules import EMPTY, PIECES, Position, conflicts, reach
from solvers.kind import Cell
from solvers.question import Progress, Run

MAX_NODES = 20_000

SLICE = 400_000_000
"""The most additions of one kernel call, if every node were a bottom. They take half a second."""


@dataclass(frozen=True)
class Problem:
    """A position for the solvers. Sets of squares are Python integers, bit column * rows + row."""

    rows: int
    columns: int
    occupied: int
    barred: int
    """The squares where nothing may be put, because they are occupied, attacked or given as
    empty."""
    hand: tuple[int, ...]

    @cached_property
    def reach(self) -> list[list[int]]:
        """The squares that each piece attacks from each square, as bits: reach[piece][square]."""
        return _reach(self.rows, self.columns)

    def cell(self, square: int) -> Cell:
        """Return the (row, column) of a square."""
        column, row = divmod(square, self.rows)
        return row, column

    def square(self, cell: Cell) -> int:
        """Return the square at (row, column)."""
        return cell[1] * self.rows + cell[0]

    def words(self, squares: int) -> tuple[int, int]:
        """Return a set of squares as the two words of the kernels."""
        first = COLUMNS_IN_A_WORD * self.rows
        return squares & ((1 << first) - 1), squares >> first

    def squares(self, low: int, high: int) -> int:
        """Return the set of squares that two words of the kernels stand for."""
        return low | high << (COLUMNS_IN_A_WORD * self.rows)


@cache
def _reach(rows: int, columns: int) -> list[list[int]]:
    return [reach(piece, rows, columns) for piece in PIECES]


def problem_of(position: Position) -> Problem | None:
    """Return the position for the solvers, or None when its pieces attack each other."""
    if conflicts(position):
        return None
    rows = position.rows
    reach = _reach(rows, position.columns)
    occupied = barred = 0
    for index, sign in enumerate(position.board):
        row, column = divmod(index, position.columns)
        square = column * rows + row
        if sign != EMPTY:
            barred |= 1 << square
        if sign in PIECES:
            occupied |= 1 << square
            barred |= reach[PIECES.index(sign)][square]
    return Problem(rows, position.columns, occupied, barred, position.hand)


@dataclass(frozen=True)
class Leaf:
    """A bottom of a search that has solutions."""

    placed: tuple[tuple[str, int], ...]
    """The pieces placed by the search, with their squares."""
    rest: int
    """The squares that the rest of the hand fills, as bits; 0 where they are not known."""


class Search:
    """One of the two searches of `kernels`, which is resumed until it has finished.

    `fill` is the quicker of the two where there are many pieces, `polynomial` where there are few.
    """

    def __init__(self, problem: Problem, *, fill: bool, keep: int = 0) -> None:
        """Prepare the search, which keeps its first `keep` leaves. With `fill` unset it is
        `polynomial`."""
        self.total = 0
        """The number of solutions so far."""
        self.leaf_count = 0
        self.kept = 0
        self.finished = False
        self.seconds = 0.0
        self.fill = fill
        self._problem = problem
        rows, columns, hand = problem.rows, problem.columns, dict(zip(PIECES, problem.hand))
        self._order = [piece for piece in ("RBN" if fill else "RBNKGS") for _ in range(hand[piece])]
        levels = len(self._order)
        forward = [sum(hand[piece] for piece in "KGSLP")]
        for piece in self._order:
            forward.append(forward[-1] - (piece in "KGS"))
        occ = np.zeros((levels + 1, 2), np.uint64)
        bad = np.zeros((levels + 1, 2), np.uint64)
        occ[0], bad[0] = problem.words(problem.occupied), problem.words(problem.barred)
        self._squares = np.full(max(levels, 1), -1)
        self._pointers = np.full(columns + 1, -1)
        self._state = np.array([0, fill, 0])
        self._words = np.zeros(2, np.uint64)
        self._leaves = np.zeros((keep, 2 + levels), np.uint64)
        self._with_move = np.zeros((len(PIECES), rows * columns), np.uint64)
        tables = tables_of(rows, columns)
        rooms, spare = np.zeros(columns, np.int64), np.zeros(columns + 1, np.int64)
        rests, filled = np.zeros(columns + 1, np.int64), np.zeros((columns + 1, 2), np.uint64)
        self._arguments = (
            rows,
            columns,
            np.array([PIECE_ORDER.index(piece) for piece in self._order], np.int64),
            np.array(forward),
            tables.reach,
            np.array([hand[piece] if fill or piece == "L" else 0 for piece in "KGSL"]),
            hand["P"],
            tables.capacity,
            tables.subset_start,
            tables.subsets,
            tables.apart,
            occ,
            bad,
            self._squares,
            rooms,
            self._pointers,
            filled,
            rests,
            spare,
            self._state,
        )
        room = np.empty(columns, np.int64)
        kernels.find_room(occ[0], bad[0], rows, columns, room)
        kernels.start_bottom(
            room, rooms, tables.capacity, spare, self._pointers, filled, rests, forward[0]
        )
        if spare[0] < forward[0]:
            self.finished = True

    def go_on(self, nodes: int | None = None) -> None:
        """Search up to `nodes` further nodes, by default for well under a second."""
        nodes = nodes or min(MAX_NODES, 1 + SLICE // self._bottom_cost())
        start = monotonic()
        outcome, written, _ = kernels.search(
            *self._arguments, nodes, self._words, self._leaves[self.kept :]
        )
        self.seconds += monotonic() - start
        self.finished = outcome == FINISHED
        self.kept += written
        self.leaf_count = int(self._state[2])
        low, high = self._words.tolist()
        self.total = high << 64 | low

    def leaves(self) -> Iterator[Leaf]:
        """Yield the leaves that were kept."""
        for low, high, *squares in self._leaves[: self.kept].tolist():
            yield Leaf(tuple(zip(self._order, squares)), self._problem.squares(low, high))

    def tally(self) -> None:
        """Add the solutions of the leaves that were kept to the numbers that `with_move`
        returns."""
        rows, columns, order, _, reach, wanted, pawns, *_ = self._arguments
        apart = tables_of(rows, columns).apart
        occ, bad = (
            np.array(self._problem.words(squares), np.uint64)
            for squares in (self._problem.occupied, self._problem.barred)
        )
        kernels.tally(
            rows, columns, order, self.fill, reach, wanted, pawns, apart, occ, bad,
            self._leaves[: self.kept], self._with_move,
        )  # fmt: skip

    def tally_cost(self) -> int:
        """Return about how many additions `tally` takes."""
        rest = sum(self._problem.hand) - len(self._order)
        squares = rest if self.fill else self._problem.rows * self._problem.columns
        return self.kept * squares * self._bottom_cost()

    def _bottom_cost(self) -> int:
        """Return the most additions that counting the ways of one bottom takes."""
        hand = dict(zip(PIECES, self._problem.hand))
        if self.fill:
            rest = sum(self._problem.hand) - len(self._order)
            return 1 + 4 * rest * prod(hand[piece] + 1 for piece in "KGSL")
        longest = self._problem.rows // 2 + 2
        return 2 * longest * self._problem.columns * prod(hand[piece] + 1 for piece in "LP")

    def with_move(self, piece: str, square: int) -> int:
        """Return how many of the tallied solutions have the piece on the square."""
        return int(self._with_move[PIECE_ORDER.index(piece), square])

    @property
    def share(self) -> float:
        """The share of the search that is done, from 0 to 1, judged by its first two choices."""
        cells = self._problem.rows * self._problem.columns
        if not self._order:
            return (
                float(max(self._pointers[0], 0))
                / tables_of(self._problem.rows, self._problem.columns).subset_count
            )
        second = max(self._squares[1], 0) / cells if len(self._squares) > 1 else 0
        return float(max(self._squares[0], 0) + second) / cells


PIECE_ORDER = "RBNKGSLP"
"""The order of pieces in the kernels."""


class Tables(NamedTuple):
    """The tables that depend on the board's size alone. A mask is a column, the top row lowest."""

    reach: Words
    capacity: Ints
    """mask -> the most of its squares that can be chosen with no two of them neighbours."""
    apart: Ints
    """mask, n -> the number of ways to choose n of its squares with no two of them neighbours."""
    subset_start: Ints
    subsets: Ints
    """The subsets of each mask without neighbours, the largest first. Those of a mask reach from
    its `subset_start` to that of the next mask."""
    subset_count: int


@cache
def tables_of(rows: int, columns: int) -> Tables:
    """Return the tables of a board's size."""
    reach = _reach(rows, columns)
    first = COLUMNS_IN_A_WORD * rows
    words = [
        [(squares & ((1 << first) - 1), squares >> first) for squares in reach[PIECES.index(piece)]]
        for piece in PIECE_ORDER
    ]
    scattered = [mask for mask in range(1 << rows) if not mask & mask >> 1]
    scattered.sort(key=lambda mask: (-mask.bit_count(), mask))
    by_mask = [[part for part in scattered if not part & ~mask] for mask in range(1 << rows)]
    apart = np.zeros((1 << rows, rows // 2 + 2), np.int64)
    for mask, parts in enumerate(by_mask):
        for part in parts:
            apart[mask, part.bit_count()] += 1
    return Tables(
        np.array(words, np.uint64),
        np.array([parts[0].bit_count() for parts in by_mask]),
        apart,
        np.cumsum([0, *map(len, by_mask)]),
        np.array([part for parts in by_mask for part in parts]),
        len(scattered),
    )


class Race:
    """Two searches that run in turns until one of them has finished.

    The number of solutions found so far is always a lower bound, because a search never meets a
    solution twice.
    """

    def __init__(self, problem: Problem, keep: int = 0) -> None:
        self._searches = [Search(problem, fill=fill, keep=keep) for fill in (True, False)]

    @property
    def leader(self) -> Search:
        """The search that has finished, or else the one that has kept the most leaves."""
        return max(self._searches, key=lambda search: (search.finished, search.kept))

    @property
    def seconds(self) -> float:
        """The seconds that both searches have used so far."""
        return sum(search.seconds for search in self._searches)

    @property
    def seconds_left(self) -> float:
        """About how many seconds it will take until a search has finished, if the searches go on as
        they have so far."""
        share = max(search.share for search in self._searches)
        return self.seconds * (1 - share) / share if share else inf

    def step(self) -> Progress:
        """Continue the search that has had less time, and return the progress."""
        min(self._searches, key=lambda search: search.seconds).go_on()
        share = max(search.share for search in self._searches)
        return Progress(int(1000 * share), 1000, None, max(s.total for s in self._searches))


def race(problem: Problem, keep: int = 0) -> Run[Search]:
    """Run both searches and return the one that has finished first."""
    both = Race(problem, keep)
    while not both.leader.finished:
        yield both.step()
    return both.leader
