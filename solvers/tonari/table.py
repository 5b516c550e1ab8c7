"""The table of all states reachable from a position, and exact numbers for each of them.

Recurrence. If a move leads from S to T, and closed r cells on the way, L cells being left:
    orders(S) = sum over moves of orders(T) * (L + 1) * ... * (L + r),   orders(FULL) = 1
The values never exceed (cells left)!, which sets their size in words: nothing can overflow.

Time and memory are those of the reachable states. All black from a corner: 4x4 0.2 thousand,
5x5 6 thousand, 6x6 a million (2 s). All orders: 5x5 167, 6x6 2 thousand, 8x8 3 million (16 s).
"""

import time
from collections.abc import Callable, Generator
from math import factorial, prod

import numpy as np
from numba import njit
from numpy.typing import NDArray

from solvers.kind import Cell, Progress
from solvers.memory import MEMORY
from solvers.message import Message
from solvers.tonari.bitboard import (
    BEFORE,
    FREE,
    FULL,
    NONE,
    ONE,
    Words,
    choices,
    closed,
    find,
    images,
    layout,
    least_image,
    lost,
    refill,
    size,
)
from solvers.tonari.rules import Position

REPORT = 0.5
"""Seconds between two signs of life."""

SLICE = 1 << 16
"""States of one call: well under a second."""


class Table:
    """The states reachable under a rule of `bitboard`, from one position.

    First `reach`, then `complete` (or another kernel run `backwards`), then ask. `values`,
    uint32[states, words], are exact numbers, 32 bits a word, lowest first.
    """

    def __init__(
        self, position: Position, rule: int, *, before: Words | None = None, memory: int = MEMORY
    ) -> None:
        self._position = position
        self.rule = rule
        self.lay = layout(position)
        self._before = np.empty(0, np.uint64) if before is None else before
        self.images = images(position, target=rule != FREE)
        if rule == BEFORE:  # What must come before what has no symmetry to speak of.
            self.images = self.images[:0]
        self.memory = memory
        self.cells = position.rows * position.columns
        left = self.cells - position.occupied.bit_count()
        self._words = factorial(left).bit_length() // 32 + 1
        self.at_least = 0
        self._reported = time.monotonic()
        self.count = 0
        self.keys = np.empty(256, np.uint64)
        self.slots = np.full(512, -1, np.int32)
        self.values = np.empty((0, self._words), np.uint32)
        self.order = np.empty(0, np.int32)

    def reach(self) -> Generator[Progress, None, bool]:
        """Find all states. Returns False when they don't fit into the memory."""
        root, shut = self._state(self._position.occupied)
        if self._is_lost(self._position.occupied, shut):
            return True
        self.keys[0] = root
        self.count = 1
        refill(self.keys, 1, self.slots)
        first = 0
        while first < self.count:
            last = min(first + SLICE, self.count)
            done, self.count = expand(
                self.lay, self.rule, self._before, self.images,
                self.keys, self.slots, self.count, first, last,
            )  # fmt: skip
            if done < last and not self._grow():
                return False
            first = done
            if self._is_time():
                yield self._progress(int(self.keys[max(0, first - 1)]).bit_count())
        filled = np.bitwise_count(self.keys[: self.count])
        self.order = np.argsort(filled, kind="stable")[::-1].astype(np.int32)
        return True

    def _grow(self) -> bool:
        capacity = 2 * len(self.keys)
        # Old and new keys stand side by side while they are copied; a state needs its key,
        # two slots, its number and its place in the order (and an index while sorting).
        if capacity * (8 + 8 + 4 * self._words + 4) + 8 * self.count > self.memory:
            return False
        self.keys = np.concatenate((self.keys, np.empty_like(self.keys)))
        self.slots = np.full(2 * capacity, -1, np.int32)
        refill(self.keys, self.count, self.slots)
        return True

    def complete(self) -> Generator[Progress, None, None]:
        """Find the number of orders of every state."""
        self.values = np.zeros((self.count, self._words), np.uint32)
        yield from self.backwards(
            lambda first, last: complete(
                self.lay, self.rule, self._before, self.images,
                self.keys, self.slots, self.order, first, last, self.values,
            )
        )  # fmt: skip

    def backwards(self, fill: Callable[[int, int], object]) -> Generator[Progress, None, None]:
        """Call a kernel for all states, the fullest first: `fill(first, last)` for a slice of
        `order`."""
        for first in range(0, self.count, SLICE):
            last = min(first + SLICE, self.count)
            fill(first, last)
            if self._is_time():
                if len(self.values):
                    self._raise_bound(first, last)
                filled = int(self.keys[self.order[last - 1]]).bit_count()
                yield self._progress(2 * self.cells - filled)

    def _is_time(self) -> bool:
        """Return whether a sign of life is due, and take it for given."""
        now = time.monotonic()
        due = now > self._reported + REPORT
        self._reported = now if due else self._reported
        return due

    def _raise_bound(self, first: int, last: int) -> None:
        """Orders that pass through different sets of one size differ, and each set is passed
        by one at least: so the numbers of such sets add up to a lower bound. (Cells that were
        filled as closed stand for stones that may come later: more orders, not fewer.)"""
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

    def index(self, occupied: int) -> int:
        """Return the index of the occupied cells' state, -1 when it was not reached."""
        state, _ = self._state(occupied)
        return int(self.slots[find(self.keys, self.slots, state)])

    def orders(self, occupied: int) -> int:
        """Return the number of orders that fill the board from a set of occupied cells.

        The set must be one that the rule leads to; a lost one has none.
        """
        state, shut = self._state(occupied)
        if self._is_lost(occupied, shut):
            return 0
        index = self.index(occupied)
        left = self.cells - int(state).bit_count()
        places = prod(range(left + 1, left + shut.bit_count() + 1))
        return self._number(self.values[index]) * places

    def line(self) -> list[Cell]:
        """Return one order that fills the board; empty when there is none."""
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
        """Return the cells that the rule lets be filled next, closed ones among them."""
        return int(choices(self.lay, self.rule, self._before, np.uint64(occupied)))

    def _is_lost(self, occupied: int, shut: int) -> bool:
        return bool(lost(self.lay, self.rule, np.uint64(occupied), np.uint64(shut)))

    def _state(self, occupied: int) -> tuple[np.uint64, int]:
        shut = closed(self.lay, self.rule, np.uint64(occupied))
        state = least_image(self.images, np.uint64(occupied) | shut)
        return np.uint64(state), int(shut)

    def _number(self, words: NDArray[np.uint32]) -> int:
        return sum(int(word) << (32 * i) for i, word in enumerate(words))


# Numba infers the kernels' types: arrays as in `bitboard`, and int64.
@njit(cache=True)
def expand(lay, rule, before, images, keys, slots, count, first, last):  # type: ignore[no-untyped-def]
    """Add what follows from states `first` to `last`.

    Returns the state to go on with and the number of states; stops early when `keys` might
    not hold the next state's followers.
    """
    for i in range(first, last):
        if count + 64 > keys.size:
            return i, count
        moves = choices(lay, rule, before, keys[i])
        while moves != NONE:
            move = moves & (~moves + ONE)
            moves ^= move
            occupied = keys[i] | move
            shut = closed(lay, rule, occupied)
            if lost(lay, rule, occupied, shut):
                continue
            state = least_image(images, occupied | shut)
            slot = find(keys, slots, state)
            if slots[slot] < 0:
                keys[count] = state
                slots[slot] = count
                count += 1
    return last, count


@njit(cache=True)
def complete(lay, rule, before, images, keys, slots, order, first, last, values):  # type: ignore[no-untyped-def]
    """Fill in the numbers of orders of the states `order[first:last]`, fullest states first."""
    cells = size(lay[FULL])
    words = values.shape[1]
    term = np.empty(words, np.uint64)
    low = np.uint64(0xFFFFFFFF)
    for position in range(first, last):
        i = order[position]
        if keys[i] == lay[FULL]:
            values[i, 0] = 1
            continue
        moves = choices(lay, rule, before, keys[i])
        while moves != NONE:
            move = moves & (~moves + ONE)
            moves ^= move
            occupied = keys[i] | move
            shut = closed(lay, rule, occupied)
            if lost(lay, rule, occupied, shut):
                continue
            after = occupied | shut
            j = slots[find(keys, slots, least_image(images, after))]
            for word in range(words):
                term[word] = np.uint64(values[j, word])
            left = cells - size(after)
            for slipped in range(1, size(shut) + 1):
                carry = NONE
                for word in range(words):
                    carry += term[word] * np.uint64(left + slipped)
                    term[word] = carry & low
                    carry >>= np.uint64(32)
            carry = NONE
            for word in range(words):
                carry += term[word] + np.uint64(values[i, word])
                values[i, word] = np.uint32(carry & low)
                carry >>= np.uint64(32)
