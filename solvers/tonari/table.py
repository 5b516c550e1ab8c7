"""The table of all states that are reachable from a position, with exact numbers for each of them.

Recurrence. If a move leads from S to T, closes r cells on the way, and leaves L cells:
    orders(S) = sum over moves of orders(T) * (L + 1) * ... * (L + r),   orders(FULL) = 1
The values never exceed (cells left)!, which sets their size in words, so nothing can overflow.

Threads. New states may be found in any order, so all threads expand known states and enter the new
ones into one hash table. A state's number depends on the numbers of fuller states only, so the
states with equally many stones are shared out among the threads.

Time and memory grow with the number of reachable states. All black from a corner, 4x4 has 0.2
thousand, 5x5 has 6 thousand, and 6x6 a million (2 s on one thread). For all orders, 5x5 has 167,
6x6 has 2 thousand, and 8x8 has 3 million (16 s).
"""

# Numba infers the kernels' types: arrays as in `bitboard`, and int64.
# mypy: disable-error-code="no-untyped-def, call-arg"

from collections.abc import Callable
from functools import partial
from math import factorial, prod

import numpy as np
from numba import njit
from numpy.typing import NDArray

from solvers.bits import atomic_load, borrowed
from solvers.kind import Cell
from solvers.memory import MEMORY
from solvers.message import Message
from solvers.question import Clock, Progress, Run
from solvers.threads import THREADS, Threads
from solvers.tonari import bitboard
from solvers.tonari.bitboard import BEFORE, FREE, FULL, NONE, ONE, Words
from solvers.tonari.rules import Position

SLICE = 1 << 16
"""States examined between two points at which progress may be reported: well under a second."""

CHUNK = 1 << 8
"""States of one kernel call, which takes a third of a millisecond. A thread that has finished its
chunk takes the next one, so at the end no thread waits longer than that for the others."""

BLOCK = 64
"""Keys that each of several threads takes at a time. Those that are left over at the end of a call
keep the value NONE, which is no state. They are a few in a hundred."""

Chunk = tuple[int, int]
"""The first state and the one after the last."""


class Table:
    """The states that are reachable from one position under a rule of `bitboard`.

    Call `reach` first, then `complete` (or run another kernel `backwards`), then ask for numbers.
    `values`, uint32[states, words], has the exact numbers, 32 bits a word, lowest first.
    """

    def __init__(
        self,
        position: Position,
        rule: int,
        *,
        before: Words | None = None,
        memory: int = MEMORY,
        threads: int = THREADS,
    ) -> None:
        self._position = position
        self.rule = rule
        self.layout = bitboard.layout(position)
        self._before = np.empty(0, np.uint64) if before is None else before
        self.images = bitboard.images(position, target=rule != FREE)
        if rule == BEFORE:  # A symmetry of the board need not keep the order of the cells.
            self.images = self.images[:0]
        self.memory = memory
        self._threads = threads
        self.cells = position.rows * position.columns
        left = self.cells - position.occupied.bit_count()
        self._words = factorial(left).bit_length() // 32 + 1
        self.at_least = 0
        self._clock = Clock()
        self.end = 0
        """The index after the last state in `keys`. Not every key before it is a state (see
        `BLOCK`)."""
        self.keys = np.zeros(4096, np.uint64)
        self.slots = np.full(8192, -1, np.int32)
        self.values = np.empty((0, self._words), np.uint32)
        self.order = np.empty(0, np.int32)

    @property
    def count(self) -> int:
        """The number of states found."""
        return int(np.count_nonzero(self.keys[: self.end]))

    def reach(self) -> Run[bool]:
        """Find all states. Return False when they don't fit into the memory."""
        root, closed_cells = self._state(self._position.occupied)
        if self._is_lost(self._position.occupied, closed_cells):
            return True
        self.keys[0] = root
        bitboard.refill(self.keys, self.slots, 0, 1)
        counter = np.ones(1, np.int64)
        first, self.end = 0, 1
        with Threads(self._threads) as threads:
            while first < self.end:
                chunks = _chunks(first, min(first + SLICE, self.end))
                first = chunks[-1][1]
                while chunks := self._expand(threads, chunks, counter):
                    if not self._grow(threads):
                        return False
                if self._clock.is_due():
                    # At least one of these keys is a state: a block is never left over as a whole.
                    last = self.keys[max(0, first - BLOCK) : first]
                    yield self._progress(int(np.bitwise_count(last).max()))
        filled = np.bitwise_count(self.keys[: self.end])
        self.order = np.argsort(filled, kind="stable")[::-1][: self.count].astype(np.int32)
        return True

    def _expand(
        self, threads: Threads, chunks: list[Chunk], counter: NDArray[np.int64]
    ) -> list[Chunk]:
        """Add the states that follow from these; return the chunks for which there was no room."""
        left: list[Chunk] = []

        def expand_chunk(chunk: Chunk) -> None:
            done = expand(
                self.layout, self.rule, self._before, self.images,
                self.keys, self.slots, counter, self._threads, *chunk,
            )  # fmt: skip
            if done < chunk[1]:
                left.append((done, chunk[1]))

        threads.map(expand_chunk, chunks)
        self.end = int(counter[0])
        return left

    def _grow(self, threads: Threads) -> bool:
        capacity = 2 * len(self.keys)
        # The old and the new keys exist at the same time while they are copied. A state needs its
        # key, two slots, its number and its place in the order (and an index while sorting).
        if capacity * (8 + 8 + 4 * self._words + 4) + 8 * self.end > self.memory:
            return False
        self.keys = np.concatenate((self.keys, np.zeros_like(self.keys)))
        self.slots = np.full(2 * capacity, -1, np.int32)
        refill = partial(bitboard.refill, self.keys, self.slots)
        threads.map(lambda chunk: refill(*chunk), _chunks(0, self.end))
        return True

    def complete(self) -> Run[None]:
        """Compute the number of orders of every state."""
        self.values = np.zeros((self.end, self._words), np.uint32)
        yield from self.backwards(
            lambda first, last: complete(
                self.layout, self.rule, self._before, self.images,
                self.keys, self.slots, self.order, first, last, self.values,
            )
        )  # fmt: skip

    def backwards(self, fill: Callable[[int, int], object]) -> Run[None]:
        """Call `fill(first, last)` for all states, where the range is one of `order`, the fullest
        first.

        The calls run on several threads at once. States with equally many stones don't depend on
        each other.
        """
        filled = np.bitwise_count(self.keys[self.order])
        ends = [*(np.flatnonzero(np.diff(filled)) + 1).tolist(), len(self.order)]
        first = 0
        with Threads(self._threads) as threads:
            for end in ends:
                while first < end:
                    last = min(first + SLICE, end)
                    threads.map(lambda chunk: fill(*chunk), _chunks(first, last))
                    if self._clock.is_due():
                        if len(self.values):
                            self._raise_bound(first, last)
                        yield self._progress(2 * self.cells - int(filled[last - 1]))
                    first = last

    def _raise_bound(self, first: int, last: int) -> None:
        """Raise the lower bound of the answer, using the sets of one size that have been counted.

        Orders that pass through different sets of one size are different, and each set is passed by
        at least one order. So the numbers of such sets add up to a lower bound. Cells that were
        filled because they are closed stand for stones that may come later; this makes more orders,
        not fewer.
        """
        chosen = self.order[first:last]
        filled = np.bitwise_count(self.keys[chosen])
        same = chosen[filled == filled[-1]]
        total = sum(self._number(row) for row in self.values[same].sum(axis=0)[None, :])
        self.at_least = max(self.at_least, total)

    def _progress(self, filled: int) -> Progress:
        start = self._position.occupied.bit_count()
        note = Message("Situations found: {states}.", {"states": self.count})
        total = 2 * (self.cells - start)
        return Progress(min(total, filled - start), total, note, self.at_least)

    def orders(self, occupied: int) -> int:
        """Return the number of orders that fill the board from a set of occupied cells.

        The rule must lead to the set. The number is 0 for a set that is lost.
        """
        state, closed_cells = self._state(occupied)
        if self._is_lost(occupied, closed_cells):
            return 0
        index = self.slots[bitboard.find(self.keys, self.slots, state)]
        left = self.cells - int(state).bit_count()
        insertion_count = prod(range(left + 1, left + closed_cells.bit_count() + 1))
        return self._number(self.values[index]) * insertion_count

    def line(self) -> list[Cell]:
        """Return one order that fills the board; it is empty when there is none."""
        occupied, line = self._position.occupied, []
        full = (1 << self.cells) - 1
        while occupied != full and self.orders(occupied):
            moves = self.may_fill(occupied)
            while not self.orders(occupied | moves & -moves):
                moves &= moves - 1
            line.append(divmod((moves & -moves).bit_length() - 1, self._position.columns))
            occupied |= moves & -moves
        return line

    def may_fill(self, occupied: int) -> int:
        """Return the cells that the rule allows to be filled next, including closed ones."""
        return int(bitboard.choices(self.layout, self.rule, self._before, np.uint64(occupied)))

    def _is_lost(self, occupied: int, closed_cells: int) -> bool:
        return bool(
            bitboard.lost(self.layout, self.rule, np.uint64(occupied), np.uint64(closed_cells))
        )

    def _state(self, occupied: int) -> tuple[np.uint64, int]:
        closed_cells = bitboard.closed(self.layout, self.rule, np.uint64(occupied))
        state = bitboard.least_image(self.images, np.uint64(occupied) | closed_cells)
        return np.uint64(state), int(closed_cells)

    def _number(self, words: NDArray[np.uint32]) -> int:
        return sum(int(word) << (32 * i) for i, word in enumerate(words))


def _chunks(first: int, last: int) -> list[Chunk]:
    return [(start, min(start + CHUNK, last)) for start in range(first, last, CHUNK)]


@njit(cache=True, nogil=True)
def expand(layout, rule, before, images, keys, slots, counter, threads, first, last):
    """Add the states that follow from `first` to `last`, while other threads expand others.

    Returns the state to continue with. The call ends early when `keys` might not have room for what
    all threads find next.
    """
    block = BLOCK if threads > 1 else 1
    free = end = np.int64(0)
    layout, before, images = borrowed(layout), borrowed(before), borrowed(images)
    keys, slots, counter = borrowed(keys), borrowed(slots), borrowed(counter)
    for i in range(first, last):
        if atomic_load(counter, NONE) + (64 + block) * threads > keys.size:
            return i
        moves = bitboard.choices(layout, rule, before, keys[i])
        while moves != NONE:
            move = moves & (~moves + ONE)
            moves ^= move
            occupied = keys[i] | move
            closed_cells = bitboard.closed(layout, rule, occupied)
            if not bitboard.lost(layout, rule, occupied, closed_cells):
                state = bitboard.least_image(images, occupied | closed_cells)
                free, end = bitboard.insert(keys, slots, counter, block, free, end, state)
    return last


@njit(cache=True, nogil=True)
def complete(layout, rule, before, images, keys, slots, order, first, last, values):
    """Fill in the numbers of orders of the states `order[first:last]`, fullest states first."""
    layout, before, images = borrowed(layout), borrowed(before), borrowed(images)
    keys, slots, order, values = borrowed(keys), borrowed(slots), borrowed(order), borrowed(values)
    cells = bitboard.size(layout[FULL])
    words = values.shape[1]
    term = np.empty(words, np.uint64)
    low = np.uint64(0xFFFFFFFF)
    for position in range(first, last):
        i = order[position]
        if keys[i] == layout[FULL]:
            values[i, 0] = 1
            continue
        moves = bitboard.choices(layout, rule, before, keys[i])
        while moves != NONE:
            move = moves & (~moves + ONE)
            moves ^= move
            occupied = keys[i] | move
            closed_cells = bitboard.closed(layout, rule, occupied)
            if bitboard.lost(layout, rule, occupied, closed_cells):
                continue
            after = occupied | closed_cells
            j = slots[bitboard.find(keys, slots, bitboard.least_image(images, after))]
            for word in range(words):
                term[word] = np.uint64(values[j, word])
            left = cells - bitboard.size(after)
            for inserted in range(1, bitboard.size(closed_cells) + 1):
                carry = NONE
                for word in range(words):
                    carry += term[word] * np.uint64(left + inserted)
                    term[word] = carry & low
                    carry >>= np.uint64(32)
            carry = NONE
            for word in range(words):
                carry += term[word] + np.uint64(values[i, word])
                values[i, word] = np.uint32(carry & low)
                carry >>= np.uint64(32)
