"""The census of Goishi Hiroi: every board up to 5x5, solved, counted and rated.

The solutions that follow a moment of the game depend on the stones left, the current point and the
way back, but not on the first board, because places of picked stones are passed as if empty. One
table therefore serves all boards. With R the stones left, c the current point, and b the direction
that would be a turn straight back (or none), the recurrence

    ways(R, c, b)  = sum of ways(R - j, j, opposite of d)
                     over the directions d other than b with a nearest stone j of R
    ways({}, c, b) = 1
    solutions(S)   = sum of ways(S - c, c, none) over the stones c of S

is evaluated from few stones left to many, with a layer for each number of stones. Only the last
layer is kept. The chances of `solvers.goishi.difficulty` are means over the same steps, so the same
loop computes them. Two layers of C(25, 12) x 13 x 5 numbers of four bytes take 3 GB, and the whole
computation takes two minutes.
"""

import random
from collections.abc import Iterator, Sequence
from itertools import product
from math import comb

import numpy as np
from numba import njit, prange

from puzzleclass.studies.figures import (
    BoardTally,
    GoishiCensus,
    HardBoard,
    SizeCensus,
    SolutionsCensus,
    StoneCensus,
)
from solvers.bits import highest, lowest, popcount
from solvers.goishi import Goishi
from solvers.goishi.rules import DIRECTIONS, Position, text_rows
from solvers.question import finish

KIND = Goishi()

SIDE = 5
CHECKED = 1000
"""The number of boards that are compared with the kind's own solver."""
SHOWN = 5
"""How many of the hardest boards with one solution are kept for each number of stones."""

ALIKE = 12
"""The number of stones on the boards that are compared by their numbers of solutions."""

FREE = 4
"""The way back that forbids no direction."""

WAYS, RANDOM, CAREFUL = range(3)
"""What is computed: numbers of solutions, or the chances of two players.

Both players choose at random, the first among the legal moves, the second among the legal moves
that are not visibly dead.
"""

_DEAD = np.float32(-1)
"""The mark, in a layer of CAREFUL, of a state that is visibly dead."""


def census(rows, columns, what):
    """Return uint32 or float32[2^points], with an entry for each set of stones as bits row by row.

    The entry is the number of solutions (WAYS), or the chance that a player solves the board
    (RANDOM, CAREFUL).
    """
    points = rows * columns
    ahead = _ahead(rows, columns)
    number = np.uint32 if what == WAYS else np.float32
    boards = np.zeros(1 << points, number)
    before = np.ones((1, points, 5), number)
    place = np.zeros(1 << points, np.uint32)
    for stones, masks in layers(points):
        # A state has at most three successors, or four without a way back, so no sum wraps around.
        assert what != WAYS or int(before.max()) < 1 << 30
        place[masks] = np.arange(len(masks), dtype=np.uint32)
        after = np.empty((len(masks), points - stones, 5), number)
        _fill(ahead, masks, place, before, after, boards, what)
        before = after
    return boards


def layers(points) -> Iterator[tuple[int, np.ndarray]]:
    """Yield each number of stones from 1 on, with all sets of that size as increasing uint32."""
    stones = np.bitwise_count(np.arange(1 << points, dtype=np.uint32))
    for number in range(1, points + 1):
        masks = np.flatnonzero(stones == number).astype(np.uint32)
        assert len(masks) == comb(points, number)
        yield number, masks


def _ahead(rows, columns):
    """Return uint64[points, 4]: the points in each direction of a point, as bits."""
    ahead = np.zeros((rows * columns, 4), np.uint64)
    for point in range(rows * columns):
        for direction, (down, right) in enumerate(DIRECTIONS):
            row, column = divmod(point, columns)
            seen = 0
            while 0 <= (row := row + down) < rows and 0 <= (column := column + right) < columns:
                seen |= 1 << (row * columns + column)
            ahead[point, direction] = seen
    return ahead


@njit(cache=True, nogil=True, parallel=True)
def _fill(ahead, masks, place, before, after, boards, what):
    """Fill `after[set, point that is not in it, way back]` and `boards[set]`.

    The sets have one more stone than those of `before`.
    """
    points = len(ahead)
    for i in prange(len(masks)):
        rest = np.uint64(masks[i])
        ends, is_lost = _ends(ahead, rest)
        total = 0.0
        ways = np.uint64(0)
        choices = 0
        slot = 0
        reached = np.empty(4, before.dtype)
        there = np.empty(4, np.int64)
        for point in range(points):
            bit = np.uint64(1) << np.uint64(point)
            if rest & bit:
                start = before[place[rest ^ bit], _slot(rest ^ bit, point), FREE]
                if what == WAYS:
                    ways += np.uint64(start)
                elif start >= 0:
                    total += start
                    choices += 1
                continue
            for direction in range(4):
                seen = rest & ahead[point, direction]
                there[direction] = -1
                if seen:
                    stone = lowest(seen) if direction < 2 else highest(seen)
                    left = rest ^ (np.uint64(1) << np.uint64(stone))
                    there[direction] = stone
                    reached[direction] = before[place[left], _slot(left, stone), direction ^ 2]
            for back in range(5):
                if what == WAYS:
                    after[i, slot, back] = _ways(there, reached, back)
                else:
                    after[i, slot, back] = _chance(there, reached, back, ends, is_lost, what)
            slot += 1
        if what == WAYS:
            boards[masks[i]] = ways
        elif choices:
            boards[masks[i]] = total / choices


@njit(cache=True, nogil=True)
def _slot(rest, point):
    """Return the number of points before this one that have no stone of `rest`."""
    below = (np.uint64(1) << np.uint64(point)) - np.uint64(1)
    return point - popcount(rest & below)


@njit(cache=True, nogil=True)
def _ways(there, reached, back):
    ways = np.uint64(0)
    for direction in range(4):
        if direction != back and there[direction] >= 0:
            ways += np.uint64(reached[direction])
    return ways


@njit(cache=True, nogil=True)
def _chance(there, reached, back, ends, is_lost, what):
    """Return a player's chance in a state, or _DEAD by the rule in `solvers.goishi.network`."""
    total = 0.0
    legal, good = 0, 0
    two_ends = popcount(ends) == 2
    reaches_end = False
    for direction in range(4):
        if direction == back or there[direction] < 0:
            continue
        legal += 1
        is_end = (ends >> np.uint64(there[direction])) & np.uint64(1) != 0
        reaches_end |= is_end
        if what == RANDOM or (reached[direction] >= 0 and (is_end or not two_ends)):
            total += reached[direction]
            good += 1
    if what == CAREFUL and (legal == 0 or is_lost or (two_ends and not reaches_end)):
        return _DEAD
    return np.float32(total / good) if good else np.float32(0)


@njit(cache=True, nogil=True)
def _ends(ahead, rest):
    """Return the forced ends of two or more stones, and whether the stones alone lose the game."""
    ends = np.uint64(0)
    is_lost = False
    if popcount(rest) > 1:
        for point in range(len(ahead)):
            bit = np.uint64(1) << np.uint64(point)
            if rest & bit:
                degree = 0
                for direction in range(4):
                    degree += (rest & ahead[point, direction]) != 0
                is_lost |= degree == 0
                if degree == 1:
                    ends |= bit
    return ends, is_lost or popcount(ends) > 2


# The results of the tables


class Census:
    """All boards of side x side points with at least one stone, and the results for each of them.

    A board is a mask of the bits `row * side + column`. Smaller boards lie in the top left corner.
    """

    def __init__(self, side: int) -> None:
        self.side = side
        self.ways = census(side, side, WAYS)
        self.random = census(side, side, RANDOM)
        self.careful = census(side, side, CAREFUL)
        self.cells = range(side * side)

    def sizes(self) -> Iterator[SizeCensus]:
        """Yield the census of each size of boards."""
        for rows in range(1, self.side + 1):
            for columns in range(rows, self.side + 1):
                masks = self._fixed(rows, columns, range(rows * columns))
                number = int(self.ways[masks].sum(dtype=np.uint64))
                yield SizeCensus(rows, columns, _tally(self._count(masks).sum(axis=1)), number)

    def stones(self) -> Iterator[StoneCensus]:
        """Yield the census of each number of stones."""
        up_to_symmetry = self._classes(self.side, self.side)
        different = sum(
            self._classes(rows, columns, is_filled=True)
            for rows in range(1, self.side + 1)
            for columns in range(rows, self.side + 1)
        )
        for stones, masks in layers(self.side**2):
            ways = self.ways[masks]
            solvable, unique = masks[ways > 0], masks[ways == 1]
            careful, lucky = (_levels(chances[solvable]) for chances in (self.careful, self.random))
            ordered = np.sort(self.ways[solvable])
            richest = int(masks[np.argmax(ways)])
            yield StoneCensus(
                stones=stones,
                all=BoardTally(len(masks), len(solvable), len(unique)),
                up_to_symmetry=_tally(up_to_symmetry[:, stones]),
                different=_tally(different[:, stones]),
                solutions=int(ways.sum(dtype=np.uint64)),
                median=int(ordered[(len(ordered) - 1) // 2]),
                most=int(ordered[-1]),
                richest=self.text(richest),
                careful_level=round(float(careful.mean(dtype=float)), 3),
                random_level=round(float(lucky.mean(dtype=float)), 3),
                unique_level=self._mean_level(unique),
                hardest=self._hardest(solvable, 1)[0],
                hardest_unique=tuple(self._hardest(unique, SHOWN)),
            )

    def by_solutions(self, stones: int) -> Iterator[SolutionsCensus]:
        """Yield the difficulty of boards with 1 solution, with 2 to 3, with 4 to 7, and so on."""
        masks = next(masks for number, masks in layers(self.side**2) if number == stones)
        least = 1
        while len(masks := masks[self.ways[masks] >= least]):
            chosen = masks[self.ways[masks] < 2 * least]
            if len(chosen):
                mean = self._mean_level(chosen)
                yield SolutionsCensus(least, 2 * least - 1, len(chosen), mean)
            least *= 2

    def check(self, boards: int) -> None:
        """Compare random boards with the kind's own solver. Raises AssertionError."""
        rng = random.Random(1)
        for _ in range(boards):
            stones = rng.randint(1, self.side**2)
            mask = sum(1 << cell for cell in rng.sample(self.cells, stones))
            position = Position(self.side, self.side, mask)
            rated = finish(KIND.questions["rate"].ask(KIND, position))
            assert rated.solutions == self.ways[mask], self.text(mask)
            for chance, chances in ((rated.random, self.random), (rated.careful, self.careful)):
                assert abs((chance or 0) - chances[mask]) <= 1e-3 * chances[mask]

    def text(self, mask: int) -> str:
        """Return the text of a board, without the empty rows and columns at its end."""
        rows = text_rows(Position(self.side, self.side, mask), mask)
        while set(rows[-1]) == {"."}:
            rows.pop()
        width = max(len(row.rstrip(".")) for row in rows)
        return "/".join(row[:width] for row in rows)

    def simplest(self, mask: int) -> int:
        """Return the least image of the board without its empty rows and columns."""
        taken = [divmod(cell, self.side) for cell in self.cells if mask >> cell & 1]
        rows = sorted({row for row, _ in taken})
        columns = sorted({column for _, column in taken})
        cells = [rows.index(r) * len(columns) + columns.index(c) for r, c in taken]
        tall, wide = len(rows), len(columns)
        boards = []
        for image in symmetries(tall, wide):
            places = [divmod(image[cell], wide) for cell in cells]
            boards.append(sum(1 << row * self.side + column for row, column in places))
            boards.append(sum(1 << column * self.side + row for row, column in places))
        return min(boards)

    def _hardest(self, masks: np.ndarray, most: int) -> list[HardBoard]:
        """Return at most `most` different boards, those with the highest careful level first."""
        hardest: dict[int, HardBoard] = {}
        order = np.lexsort((masks, self.random[masks], self.careful[masks]))
        for mask in masks[order].tolist():
            board = self.simplest(mask)
            if board not in hardest:
                hardest[board] = self._hard_board(board, mask)
            if len(hardest) == most:
                break
        return list(hardest.values())

    def _hard_board(self, board: int, mask: int) -> HardBoard:
        """Return `board` with the figures of `mask`, a board that only looks different."""
        levels = [
            round(float(_levels(chances[mask])), 3) for chances in (self.careful, self.random)
        ]
        text = self.text(board)
        solution = finish(KIND.questions["solve"].ask(KIND, KIND.read(text)))
        return HardBoard(text, int(self.ways[mask]), *levels, " ".join(solution.moves))

    def _mean_level(self, masks: np.ndarray) -> float | None:
        return round(float(_levels(self.careful[masks]).mean()), 3) if len(masks) else None

    def _classes(self, rows: int, columns: int, is_filled: bool = False) -> np.ndarray:
        """Return int[3, stones] as `_count` does, with symmetric boards counted once.

        By Burnside's lemma this is the mean, over the symmetries, of the boards that each symmetry
        leaves as they are. With `is_filled`, only boards without an empty row or column count.
        """
        group = symmetries(rows, columns)
        total = 0
        for image in group:
            masks = self._fixed(rows, columns, image)
            if is_filled:
                masks = masks[self._has_no_gap(masks, rows, columns)]
            total = total + self._count(masks)
        assert not (total % len(group)).any()
        return total // len(group)

    def _fixed(self, rows: int, columns: int, image: Sequence[int]) -> np.ndarray:
        """Return the boards of a size, except the empty one, that a symmetry leaves as they are."""
        cycles: dict[int, int] = {}
        for cell in range(rows * columns):
            cycle, mask = [cell], 0
            while image[cycle[-1]] != cell:
                cycle.append(image[cycle[-1]])
            for each in cycle:
                row, column = divmod(each, columns)
                mask |= 1 << row * self.side + column
            cycles[min(cycle)] = mask
        masks = np.zeros(1, np.uint32)
        for cycle_mask in cycles.values():
            masks = np.concatenate([masks, masks | np.uint32(cycle_mask)])
        return masks[1:]

    def _has_no_gap(self, masks: np.ndarray, rows: int, columns: int) -> np.ndarray:
        row = (1 << columns) - 1
        column = sum(1 << at * self.side for at in range(rows))
        lines = [row << at * self.side for at in range(rows)]
        lines += [column << at for at in range(columns)]
        without_gap = np.ones(len(masks), np.bool_)
        for line in lines:
            without_gap &= (masks & np.uint32(line)) != 0
        return without_gap

    def _count(self, masks: np.ndarray) -> np.ndarray:
        """Return int[3, stones]: the boards, those that are solvable, those with one solution."""
        stones = np.bitwise_count(masks)
        ways = self.ways[masks]
        sorts = (ways >= 0, ways > 0, ways == 1)
        return np.array([np.bincount(stones[sort], minlength=self.side**2 + 1) for sort in sorts])


def symmetries(rows: int, columns: int) -> list[list[int]]:
    """Return, for each symmetry of a board, the cell to which each cell goes."""
    images = []
    for across, down, turned in product((False, True), repeat=3):
        if turned and rows != columns:
            continue
        image = []
        for row, column in product(range(rows), range(columns)):
            there = rows - 1 - row if down else row, columns - 1 - column if across else column
            row, column = there[::-1] if turned else there
            image.append(row * columns + column)
        images.append(image)
    return images


def _tally(numbers: np.ndarray) -> BoardTally:
    return BoardTally(*numbers.tolist())


def _levels(chances):
    """Return the levels of difficulty for chances above 0."""
    return np.abs(np.log10(chances))


def figures() -> GoishiCensus:
    """Return the census of all boards up to 5x5."""
    census = Census(SIDE)
    census.check(CHECKED)
    return GoishiCensus(
        checked=CHECKED,
        sizes=tuple(census.sizes()),
        stones=tuple(census.stones()),
        alike=ALIKE,
        by_solutions=tuple(census.by_solutions(ALIKE)),
    )
