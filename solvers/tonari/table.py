"""The table of all states that are reachable from a position, with exact numbers for each of them.

Recurrence. Let share(S) be the share of the orders of a state's L cells that are allowed. If the
first stone of an order leads from S to the states T1, ..., Tk, those cells that are in none of them
may be filled at any moment, and the orders of the states are mixed in every possible way:
    share(S) = sum over moves of share(T1) * ... * share(Tk) / L,    orders(S) = share(S) * L!
So no number of ways to mix the orders is needed. The shares are kept modulo a few primes, in which
the division is a multiplication. Since orders(S) is at most L!, it is known by its residues when
the product of the primes is greater (Chinese remainder theorem). Nothing can overflow.

Threads. New states may be found in any order, so all threads expand known states and enter the new
ones into one hash table. A state's share depends on the shares of fuller states only, so the
states with equally many stones are shared out among the threads.

Time and memory grow with the number of reachable states. All black from a corner, 4x4 has 57, 5x5
has a thousand, 6x6 has 44 thousand and 7x7 has 5.5 million: each board has 125 times as many
as the one before, sets of cells 200 times. 8x8 would have some 10^9. For all orders, 5x5 has 104
and 6x6 has 1,239.
"""

# Numba infers the kernels' types: arrays as in `bitboard`, and int64.
# mypy: disable-error-code="no-untyped-def, call-arg"

from collections.abc import Callable
from functools import partial
from math import factorial, prod
from typing import Final

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
from solvers.tonari.bitboard import BEFORE, FREE, FULL, NONE, ONE, WHITE, Words
from solvers.tonari.rules import Position

SLICE = 1 << 16
"""States examined between two points at which progress may be reported: well under a second."""

CHUNK = 1 << 8
"""States of one kernel call, which takes a third of a millisecond. A thread that has finished its
chunk takes the next one, so at the end no thread waits longer than that for the others."""

BLOCK = 64
"""Keys that each of several threads takes at a time. Those that are left over at the end of a call
keep the value NONE, which is no state. They are a few in a hundred."""

PRIMES: Final = (
    2147483647, 2147483629, 2147483587, 2147483579, 2147483563, 2147483549, 2147483543, 2147483497,
    2147483489, 2147483477,
)  # fmt: skip
"""The greatest primes below 2^31. Their product is greater than 63!, and that of two residues fits
into 64 bits."""

_ROOM = 256
"""The most states to which the moves from one state lead: no move divides an area into more than
four."""

Chunk = tuple[int, int]
"""The first state and the one after the last."""


class Table:
    """The states that are reachable from one position under a rule of `bitboard`.

    Call `reach` first, then `complete` (or run another kernel `backwards`), then ask for numbers.
    `shares`, uint32[states, primes], has the share of each state modulo the first `PRIMES`.
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
        self.position = position
        self.rule = rule
        self.layout = bitboard.layout(position)
        self.layout[WHITE] &= ~np.uint64(position.occupied)  # An image of an area may lie there.
        self._before = np.empty(0, np.uint64) if before is None else before
        self.images = bitboard.images(position, target=rule != FREE, occupied=False)
        if rule == BEFORE:  # A symmetry of the board need not keep the order of the cells.
            self.images = self.images[:0]
        self.memory = memory
        self._threads = threads
        self.cells = position.rows * position.columns
        left = self.cells - position.occupied.bit_count()
        used = next(k for k in range(1, len(PRIMES) + 1) if prod(PRIMES[:k]) > factorial(left))
        self._primes = np.array(PRIMES[:used], np.uint64)
        self.at_least = 0
        self._clock = Clock()
        self.end = 0
        """The index after the last state in `keys`. Not every key before it is a state (see
        `BLOCK`)."""
        self.keys = np.zeros(4096, np.uint64)
        self.slots = np.full(8192, -1, np.int32)
        self.shares = np.empty((0, used), np.uint32)
        self.order = np.empty(0, np.int32)

    @property
    def count(self) -> int:
        """The number of states found."""
        return int(np.count_nonzero(self.keys[: self.end]))

    def reach(self) -> Run[bool]:
        """Find all states. Return False when they don't fit into the memory."""
        roots = self._states_of(self.position.occupied)
        if roots is None:
            return True
        self.end = len(roots)
        self.keys[: self.end] = roots
        bitboard.refill(self.keys, self.slots, 0, self.end)
        counter = np.array([self.end], np.int64)
        first = 0
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
                    yield self._progress(int(np.bitwise_count(last[last > NONE]).min()))
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
        if capacity * (8 + 8 + 4 * len(self._primes) + 4) + 8 * self.end > self.memory:
            return False
        self.keys = np.concatenate((self.keys, np.zeros_like(self.keys)))
        self.slots = np.full(2 * capacity, -1, np.int32)
        refill = partial(bitboard.refill, self.keys, self.slots)
        threads.map(lambda chunk: refill(*chunk), _chunks(0, self.end))
        return True

    def complete(self) -> Run[None]:
        """Compute the share of every state."""
        self.shares = np.zeros((self.end, len(self._primes)), np.uint32)
        numbers, primes = range(1, self.cells + 1), self._primes.tolist()
        inverses = np.array([[pow(n, -1, prime) for prime in primes] for n in numbers], np.uint64)
        yield from self.backwards(
            lambda first, last: complete(
                self.layout, self.rule, self._before, self.images, self.keys, self.slots,
                self.order, first, last, self._primes, inverses, self.shares,
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
                        yield self._progress(2 * self.cells - int(filled[last - 1]))
                    first = last

    def _progress(self, filled: int) -> Progress:
        start = self.position.occupied.bit_count()
        note = Message("Situations found: {states}.", {"states": self.count})
        total = 2 * (self.cells - start)
        return Progress(min(total, filled - start), total, note, self.at_least)

    def orders(self, occupied: int) -> int:
        """Return the number of orders that fill the board from a set of occupied cells.

        The rule must lead to the set. The number is 0 for a set that is lost.
        """
        rows = self.rows(occupied)
        if rows is None:
            return 0
        share, modulus = 0, int(prod(self._primes.tolist()))
        for prime, shares in zip(self._primes.tolist(), self.shares[rows].T.tolist()):
            others = modulus // prime
            share += prod(shares) * pow(others, -1, prime) % prime * others
        return share * factorial(self.cells - occupied.bit_count()) % modulus

    def line(self) -> list[Cell]:
        """Return one order that fills the board; it is empty when there is none."""
        occupied, line = self.position.occupied, []
        full = (1 << self.cells) - 1
        while occupied != full and self.orders(occupied):
            moves = self.may_fill(occupied)
            while not self.orders(occupied | moves & -moves):
                moves &= moves - 1
            line.append(divmod((moves & -moves).bit_length() - 1, self.position.columns))
            occupied |= moves & -moves
        return line

    def may_fill(self, occupied: int) -> int:
        """Return the cells that the rule allows to be filled next, including closed ones."""
        return int(bitboard.choices(self.layout, self.rule, self._before, np.uint64(occupied)))

    def rows(self, occupied: int) -> list[int] | None:
        """Return the indices of the states into which a set falls, or None if it is lost."""
        states = self._states_of(occupied)
        if states is None:
            return None
        return [self.slots[bitboard.find(self.keys, self.slots, state)] for state in states]

    def _states_of(self, occupied: int) -> Words | None:
        predecessors = np.empty(32, np.uint64)
        number = bitboard.states_of(
            self.layout, self.rule, self.images, np.uint64(occupied), predecessors
        )
        return None if number < 0 else predecessors[:number]


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
    predecessors = np.empty(32, np.uint64)
    layout, before, images = borrowed(layout), borrowed(before), borrowed(images)
    keys, slots, counter = borrowed(keys), borrowed(slots), borrowed(counter)
    for i in range(first, last):
        if atomic_load(counter, NONE) + (_ROOM + block) * threads > keys.size:
            return i
        moves = bitboard.choices(layout, rule, before, keys[i])
        while moves != NONE:
            move = moves & (~moves + ONE)
            moves ^= move
            for k in range(bitboard.states_of(layout, rule, images, keys[i] | move, predecessors)):
                free, end = bitboard.insert(keys, slots, counter, block, free, end, predecessors[k])
    return last


@njit(cache=True, nogil=True)
def complete(
    layout, rule, before, images, keys, slots, order, first, last, primes, inverses, shares
):
    """Fill in the shares of the states `order[first:last]`, fullest states first.

    `inverses`, uint64[cells, primes], has the inverses of 1, 2, ... modulo the primes.
    """
    layout, before, images = borrowed(layout), borrowed(before), borrowed(images)
    keys, slots, order, shares = borrowed(keys), borrowed(slots), borrowed(order), borrowed(shares)
    predecessors = np.empty(32, np.uint64)
    rows = np.empty(32, np.int64)
    total = np.empty(primes.size, np.uint64)
    for position in range(first, last):
        i = order[position]
        if keys[i] == layout[FULL]:
            shares[i] = 1
            continue
        total[:] = NONE
        moves = bitboard.choices(layout, rule, before, keys[i])
        while moves != NONE:
            move = moves & (~moves + ONE)
            moves ^= move
            number = bitboard.states_of(layout, rule, images, keys[i] | move, predecessors)
            if number < 0:
                continue
            for k in range(number):
                rows[k] = slots[bitboard.find(keys, slots, predecessors[k])]
            for p in range(primes.size):
                term = np.uint64(shares[rows[0], p]) if number > 0 else ONE
                for k in range(1, number):
                    term = term * np.uint64(shares[rows[k], p]) % primes[p]
                total[p] += term
        left = bitboard.size(layout[FULL] & ~keys[i])
        for p in range(primes.size):
            shares[i, p] = np.uint32(total[p] % primes[p] * inverses[left - 1, p] % primes[p])
