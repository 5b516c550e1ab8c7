"""The question `targets`: all targets of a board with its start stones, scanned by the million.

Legend of the kernels, besides that of `bitboard`
    orbits    uint64[n]: sets of cells that have one colour together. The targets are the 2^n
              ways to choose which of them are white, besides `base`. Number k stands for the
              target whose orbits are the bits of k * factor + offset. With an odd factor this
              passes through all of them, in an order that looks random
    least, most   the number of orders that a wanted target must have
    images    the symmetries of the board and its start stones. Of several mirror images only the
              least set of white cells is examined, and it stands for all of them
    memo, worth   uint64[2^k, 2], float64[2^k]: the states whose numbers of orders are known, each
              at the position of its hash with the number of its target, and these numbers
    path, open_moves, weight, before   a stack, uint64 and float64[cells + 1]: the states from
              the start on, their moves not searched yet, the number of orders for which each order
              of the states stands, and the number counted before the state was entered
    tally     int64[3]: the numbers of targets LOOKED at, REACHABLE, and UNDECIDED

A state stands for as many orders as there are moments at which its closed cells can be filled. So
the first one or two solutions of a target with many orders show that it has too many. Most targets
take a microsecond. Numbers above 2^53 are never needed, because the count stops beyond `most`.
"""

import random
from collections.abc import Iterator, Sequence
from itertools import chain, islice

import numpy as np
from numba import njit

from solvers.answers import Exact, ShownBoard
from solvers.kind import Cell, Kind
from solvers.message import Message
from solvers.question import Progress, Run
from solvers.tonari import bitboard
from solvers.tonari.bitboard import FULL, NONE, ONE, TARGET, WHITE, Words
from solvers.tonari.classes import ClassSearch
from solvers.tonari.questions import TargetsAnswer, figures, refuse_large
from solvers.tonari.rules import Position, with_attainable_starts

MAX_CLASSED = 15
"""The most empty points with which the classes of every target are counted: 32768 targets."""

BOARDS = 48
"""The most targets with one order that are drawn."""

_REPORT = 200
"""Targets whose classes are counted between two progress reports."""

NODES = 50_000
"""Search nodes of the scan for one target. Most targets need a few dozen."""

_SLICE, _ROOM = 1 << 15, 256
"""The most targets that one kernel call examines, and the most that it finds."""

_MEMO = 1 << 13
"""States of one target that are remembered."""

LOOKED, REACHABLE, UNDECIDED = range(3)


def targets(kind: Kind[Position, Cell], position: Position) -> Run[TargetsAnswer]:
    """Count the pictures that can be reached from the start stones.

    The target and the moves of the position don't matter. Returns a `TargetsAnswer`. Its boards are
    the targets with exactly one order, without mirror images, at most `BOARDS`. `one_class` is
    counted for at most `MAX_CLASSED` empty points. The answer is not proven when the search for a
    target was given up. Raises PuzzleError for a board with too many targets.
    """
    refuse_large(position)
    start = with_attainable_starts(position.painted(0))
    free = [start.bit(cell) for cell in start.cells if not start.starts & start.bit(cell)]
    scan = TargetScan(start, free, 1, 1)
    alone: list[Position] = []
    for scanned in scan.run():
        alone += scanned
        yield Progress(scan.looked, scan.total, None, scan.reachable)
    one_order = sum(len(mirror_images(target)) for target in alone)
    one_class = None
    if len(free) <= MAX_CLASSED:
        one_class = yield from _with_one_class(start, free)
    return TargetsAnswer(
        Exact(scan.reachable),
        proven=not scan.undecided,
        one_order=Exact(one_order),
        one_class=None if one_class is None else Exact(one_class),
        tables=(
            figures(
                Message("Targets"),
                (Message("All pictures of black and white"), 1 << (start.rows * start.columns)),
                (Message("With the start stones in the colours they will get"), scan.total),
                (Message("Reachable"), scan.reachable),
                (Message("Reached by exactly one order"), one_order),
                (Message("All solutions alike in who flips whom"), one_class),
            ),
        ),
        boards=tuple(ShownBoard(kind.write(target), _ONE_ORDER) for target in alone[:BOARDS]),
    )


_ONE_ORDER = Message("Exactly one order")


def mirror_images(target: Position) -> set[int]:
    """Return the white cells, as bits, of a target and of its mirror images on the same start
    stones."""
    white = [cell for cell in target.cells if target.white & target.bit(cell)]
    images = bitboard.own_symmetries(target.painted(0))
    return {target.white, *(sum(target.bit(image(cell)) for cell in white) for image in images)}


def _with_one_class(start: Position, free: list[int]) -> Run[int]:
    """Return the number of targets that have exactly one class of solutions.

    The least of several mirror images, as a number, is examined and stands for all of them.
    """
    whites = np.array([start.white], np.uint64)
    for bit in free:
        whites = np.concatenate([whites, whites | np.uint64(bit)])
    images = bitboard.images(start.painted(0), target=False)
    alike = np.stack([whites, *(_images_of(table, whites) for table in images)])
    alike.sort(axis=0)
    least = whites == alike[0]
    sizes = 1 + (alike[1:, least] != alike[:-1, least]).sum(axis=0)
    layout = bitboard.layout(start)
    starts = np.uint64(start.starts)
    closed = bitboard.closed(layout, TARGET, starts)
    search = ClassSearch(start, room=2)
    total = 0
    for number, (white, size) in enumerate(zip(whites[least], sizes.tolist())):
        if number % _REPORT == 0:
            yield Progress(number, len(sizes))
        layout[WHITE] = white
        if not bitboard.lost(layout, TARGET, starts, closed):
            classes = islice(chain.from_iterable(search.run(start.painted(int(white)))), 2)
            total += size * (len(list(classes)) == 1)
    return total


def _images_of(table: Words, sets: Words) -> Words:
    """Return the images of sets of cells under one symmetry."""
    image = np.zeros_like(sets)
    for byte, values in enumerate(table):
        image |= values[sets >> np.uint64(8 * byte) & np.uint64(255)]
    return image


class TargetScan:
    """A scan of targets for those that have `least` to `most` orders.

    Each of the `orbits`, a set of cells as bits, is all white or all black in a target. All other
    cells have the colours of `start`'s target. The targets are scanned in a random order if `rng`
    is passed, else in the order of the orbits. Where each orbit is a single cell, only one of
    several mirror images is found.
    """

    def __init__(
        self,
        start: Position,
        orbits: Sequence[int],
        least: int,
        most: int,
        rng: random.Random | None = None,
    ) -> None:
        self._start = start
        self._orbits = np.array(orbits, np.uint64)
        self._bounds = float(least), float(most)
        mixed = (rng.getrandbits(62) | 1, rng.getrandbits(62)) if rng else (1, 0)
        self._mixed = np.uint64(mixed[0]), np.uint64(mixed[1])
        self._tally = np.zeros(3, np.int64)
        self.total = 1 << len(orbits)
        """The number of targets of the scan."""

    @property
    def looked(self) -> int:
        """The number of targets examined so far."""
        return int(self._tally[LOOKED])

    @property
    def reachable(self) -> int:
        """The number of targets so far that some order reaches."""
        return int(self._tally[REACHABLE])

    @property
    def undecided(self) -> int:
        """The number of targets so far that a search of `NODES` nodes did not decide."""
        return int(self._tally[UNDECIDED])

    def run(self) -> Iterator[list[Position]]:
        """Yield lists of new targets. Each list is a few milliseconds' work, and most of them are
        empty."""
        start = self._start
        layout = bitboard.layout(start)
        bare = start.painted(0)
        singles = all(orbit.bit_count() == 1 for orbit in self._orbits.tolist())
        folded = bitboard.images(bare, target=False) if singles else bitboard.images(bare)[:0]
        base = np.uint64(start.white & ~sum(self._orbits.tolist()))
        memo, worth = np.zeros((_MEMO, 2), np.uint64), np.zeros(_MEMO)
        path, open_moves = np.zeros((2, start.rows * start.columns + 1), np.uint64)
        weight, before = np.zeros((2, len(path)))
        targets = np.zeros(_ROOM, np.uint64)
        while self.looked < self.total:
            number, _ = scan_range(
                layout, np.uint64(start.starts), folded, self._orbits, base, *self._mixed,
                self.looked, min(self.looked + _SLICE, self.total), *self._bounds,
                memo, worth, NODES, path, open_moves, weight, before, targets, self._tally,
            )  # fmt: skip
            yield list(map(start.painted, targets[:number].tolist()))


# Numba infers the kernels' types: arrays as in `bitboard`, and int64.
@njit(cache=True)
def orders_up_to(  # type: ignore[no-untyped-def]
    layout, start, most, memo, worth, number, nodes, path, open_moves, weight, before
):
    """Return the number of orders that reach the target, or some number above `most` if there are
    more.

    Returns -1 where `nodes` search nodes did not decide it.
    """
    mask = np.uint64(memo.shape[0] - 1)
    cells = bitboard.size(layout[FULL])
    none_before = memo[:0, 0]
    closed_cells = bitboard.closed(layout, TARGET, start)
    if bitboard.lost(layout, TARGET, start, closed_cells):
        return 0.0
    depth = 0
    orders = 0.0
    path[0] = start | closed_cells
    weight[0] = insertions(cells, path[0], closed_cells)
    before[0] = 0.0
    open_moves[0] = bitboard.choices(layout, TARGET, none_before, path[0])
    for _ in range(nodes):
        moves = open_moves[depth]
        if path[depth] == layout[FULL]:
            orders += weight[depth]
            if orders > most:
                return orders
        elif moves != NONE:
            move = moves & (~moves + ONE)
            open_moves[depth] = moves ^ move
            occupied = path[depth] | move
            closed_cells = bitboard.closed(layout, TARGET, occupied)
            state = occupied | closed_cells
            slot = bitboard.hash_of(state) & mask
            ways = weight[depth] * insertions(cells, state, closed_cells)
            if memo[slot, 0] == state and memo[slot, 1] == number:
                orders += ways * worth[slot]
                if orders > most:
                    return orders
            elif not bitboard.lost(layout, TARGET, occupied, closed_cells):
                depth += 1
                path[depth] = state
                weight[depth] = ways
                before[depth] = orders
                open_moves[depth] = bitboard.choices(layout, TARGET, none_before, state)
            continue
        else:
            slot = bitboard.hash_of(path[depth]) & mask
            memo[slot, 0] = path[depth]
            memo[slot, 1] = number
            worth[slot] = (orders - before[depth]) / weight[depth]
        if depth == 0:
            return orders
        depth -= 1
    return -1.0


@njit(cache=True)
def insertions(cells, state, closed_cells):  # type: ignore[no-untyped-def]
    """Return the number of ways to insert the cells just closed among the moves that are left."""
    ways = 1.0
    left = cells - bitboard.size(state)
    for more in range(1, bitboard.size(closed_cells) + 1):
        ways *= left + more
    return ways


@njit(cache=True)
def scan_range(  # type: ignore[no-untyped-def]
    layout, start, images, orbits, base, factor, offset, first, last, least, most,
    memo, worth, nodes, path, open_moves, weight, before, found, tally,
):  # fmt: skip
    """Examine the targets numbered `first` to `last`, and write the wanted ones into `found`.

    Returns (kept, number): how many targets were written, and the target to continue with. The call
    ends early when `found` is full.
    """
    stored = 0
    mask = (ONE << np.uint64(orbits.size)) - ONE
    for number in range(first, last):
        if stored == found.size:
            return stored, number
        chosen = (np.uint64(number) * factor + offset) & mask
        white = base
        for i in range(orbits.size):
            if (chosen >> np.uint64(i)) & ONE != NONE:
                white |= orbits[i]
        alike = 1
        for g in range(images.shape[0]):
            image = bitboard.image_of(images[g], white)
            if image < white:
                alike = 0
                break
            alike += image == white
        tally[LOOKED] += 1
        if alike == 0:
            continue
        layout[WHITE] = white
        orders = orders_up_to(
            layout, start, most, memo, worth, np.uint64(number + 1), nodes,
            path, open_moves, weight, before,
        )  # fmt: skip
        if orders > 0:
            tally[REACHABLE] += (images.shape[0] + 1) // alike
        tally[UNDECIDED] += orders < 0
        if least <= orders <= most:
            found[stored] = white
            stored += 1
    return stored, last
