"""The board as 64-bit words, and the rules compiled for sets of cells; the solvers build on it.

Legend
    cells     uint64: a set of cells, bit row * columns + column; at most 8x8, one word
    lay       uint64[5]: the board, as `layout` makes it: COLUMNS, FULL, and the cells that
              have a neighbour to their LEFT and RIGHT; WHITE is what the target wants white
    rule      TARGET: a stone goes where it keeps the target; FREE: anywhere it has company;
              BEFORE: after the cells of `before[cell]`, uint64[cells];
              STEPS: as TARGET, without the collapse below: each stone a step
    images    uint64[g, 8, 256]: g symmetries of the puzzle other than "as it is"; what the
              bits of each byte become
    keys, slots   the states, and the open-addressing hash table that finds them: int32[2^k],
              -1 is free, else an index in keys; never more than half full

States. What can still happen depends on the set of occupied cells alone: a stone's colour at
the end is settled when it is put down. *Collapse*: a cell that no longer matters to others is
left out and counted by where it may be slipped in. Under TARGET and BEFORE these are the
cells whose orthogonal neighbours are all filled (their diagonal neighbours have company
without them), under FREE the cells whose eight neighbours all have company already. A state
is the set with such cells filled.

*Areas*: where the empty cells have fallen apart, an area of the wrong parity is lost at once,
which leaves one state in seven at 6x6.
"""
# Types are inferred by numba from the arguments, arrays of the types above and int64.
# mypy: disable-error-code="no-untyped-def, call-arg, var-annotated"

from collections.abc import Callable, Iterator

import numpy as np
from numba import njit
from numpy.typing import NDArray

from solvers.bits import atomic_add, atomic_load, atomic_store, atomic_swap, lowest, popcount
from solvers.kind import Cell
from solvers.tonari.rules import Position

Words = NDArray[np.uint64]

COLUMNS, FULL, LEFT, RIGHT, WHITE = range(5)
TARGET, FREE, BEFORE, STEPS = range(4)

ONE = np.uint64(1)
NONE = np.uint64(0)

VACANT, TAKEN = np.int32(-1), np.int32(-2)
"""What `slots` holds besides indices: nothing, and the place of a state that is being entered."""


def layout(position: Position) -> Words:
    """Return the kernels' `lay` of the position's board and target."""
    first = sum(1 << (row * position.columns) for row in range(position.rows))
    full = (1 << (position.rows * position.columns)) - 1
    last = first << (position.columns - 1)
    words = [position.columns, full, full & ~first, full & ~last, position.white]
    return np.array(words, np.uint64)


def mirrors(rows: int, columns: int) -> list[Callable[[Cell], Cell]]:
    """Return the symmetries of an empty board other than "as it is"."""
    bottom, right = rows - 1, columns - 1
    maps: list[Callable[[Cell], Cell]] = [
        lambda cell: (cell[0], right - cell[1]),
        lambda cell: (bottom - cell[0], cell[1]),
        lambda cell: (bottom - cell[0], right - cell[1]),
    ]
    if rows == columns:
        maps += [
            lambda cell: (cell[1], cell[0]),
            lambda cell: (right - cell[1], right - cell[0]),
            lambda cell: (cell[1], right - cell[0]),
            lambda cell: (right - cell[1], cell[0]),
        ]
    return maps


def symmetries(position: Position, *, target: bool = True) -> Iterator[Callable[[Cell], Cell]]:
    """Yield the board's symmetries, other than "as it is", under which the occupied cells,
    and with `target` the colours wanted of the others, stay what they are."""
    occupied = position.occupied
    white = position.white & ~occupied if target else 0
    for image in mirrors(position.rows, position.columns):
        if all(
            bool(cells & position.bit(cell)) == bool(cells & position.bit(image(cell)))
            for cells in (occupied, white)
            for cell in position.cells
        ):
            yield image


def images(position: Position, *, target: bool = True) -> Words:
    """Return the kernels' `images` of the position's symmetries."""
    tables = [table_of(position, image) for image in symmetries(position, target=target)]
    return np.array(tables, np.uint64).reshape(-1, 8, 256)


def table_of(position: Position, image: Callable[[Cell], Cell]) -> Words:
    """Return for each byte of a set of cells, and each value of it, the cells it is mapped to."""
    table = np.zeros((8, 256), np.uint64)
    values = np.arange(256)
    for cell in position.cells:
        byte, bit = divmod(cell[0] * position.columns + cell[1], 8)
        table[byte, values >> bit & 1 == 1] |= np.uint64(position.bit(image(cell)))
    return table


@njit(cache=True)
def size(cells):
    """Return the number of cells of a set."""
    return popcount(cells)


@njit(cache=True)
def beside(lay, cells):
    """Return the cells with an orthogonal neighbour in the set."""
    return (
        ((cells & lay[RIGHT]) << ONE)
        | ((cells & lay[LEFT]) >> ONE)
        | (cells << lay[COLUMNS])
        | (cells >> lay[COLUMNS])
    ) & lay[FULL]


@njit(cache=True)
def around(lay, cells):
    """Return the set and all cells with one of their eight neighbours in it."""
    wide = cells | ((cells & lay[RIGHT]) << ONE) | ((cells & lay[LEFT]) >> ONE)
    return (wide | (wide << lay[COLUMNS]) | (wide >> lay[COLUMNS])) & lay[FULL]


@njit(cache=True)
def keeping(lay, occupied):
    """Return the empty cells where a stone would get the colour the target wants."""
    empty = lay[FULL] & ~occupied
    odd = (
        ((empty & lay[RIGHT]) << ONE)
        ^ ((empty & lay[LEFT]) >> ONE)
        ^ (empty << lay[COLUMNS])
        ^ (empty >> lay[COLUMNS])
    )
    return empty & ~(odd ^ lay[WHITE])


@njit(cache=True)
def choices(lay, rule, before, occupied):
    """Return the cells that the rule lets be filled next."""
    company = around(lay, occupied) & ~occupied
    if rule == FREE:
        return company
    if rule != BEFORE:
        return company & keeping(lay, occupied)
    chosen = NONE
    rest = company
    while rest != NONE:
        cell = lowest(rest)
        rest &= rest - ONE
        if before[cell] & ~occupied == NONE:
            chosen |= ONE << np.uint64(cell)
    return chosen


@njit(cache=True)
def closed(lay, rule, occupied):
    """Return the empty cells that no longer matter to others."""
    empty = lay[FULL] & ~occupied
    if rule == STEPS:
        return NONE
    if rule == FREE:
        return empty & ~around(lay, lay[FULL] & ~around(lay, occupied))
    return empty & ~beside(lay, empty)


@njit(cache=True)
def lost(lay, rule, occupied, shut):
    """Return whether the target is seen to be out of reach, the closed cells being `shut`.

    In each orthogonally connected area of empty cells the number of white ones must have the
    parity of the neighbour pairs (see `obstacle`); a closed cell, without pairs, will be black.
    """
    if rule != TARGET and rule != STEPS:
        return False
    if shut & lay[WHITE] != NONE:
        return True
    empty = lay[FULL] & ~(occupied | shut)
    rest = empty
    while rest != NONE:
        area = rest & (~rest + ONE)
        grown = (area | beside(lay, area)) & empty
        while grown != area:
            area = grown
            grown = (area | beside(lay, area)) & empty
        rest &= ~area
        pairs = (area & lay[RIGHT] & (area >> ONE)) ^ (area & (area >> lay[COLUMNS]))
        if size(pairs ^ (area & lay[WHITE])) & 1:
            return True
    return False


@njit(cache=True)
def image_of(table, cells):
    """Return the set that one symmetry, `images[g]`, makes of a set."""
    image = NONE
    byte = 0
    while cells != NONE:
        image |= table[byte, np.int64(cells & np.uint64(255))]
        cells >>= np.uint64(8)
        byte += 1
    return image


@njit(cache=True)
def least_image(images, cells):
    """Return the least of the set's images: one state for all of them."""
    least = cells
    for g in range(images.shape[0]):
        least = min(least, image_of(images[g], cells))
    return least


@njit(cache=True)
def place(cells):
    """Return a hash of the set."""
    mixed = (cells ^ (cells >> np.uint64(31))) * np.uint64(0x9E3779B97F4A7C15)
    mixed ^= mixed >> np.uint64(29)
    mixed *= np.uint64(0xD6E8FEB86659FD93)
    return mixed ^ (mixed >> np.uint64(32))


@njit(cache=True)
def find(keys, slots, cells):
    """Return the slot that holds the index of the state, or the free one where it belongs."""
    mask = np.uint64(slots.size - 1)
    slot = place(cells) & mask
    while slots[slot] >= 0 and keys[slots[slot]] != cells:
        slot = (slot + ONE) & mask
    return np.int64(slot)


@njit(cache=True, nogil=True)
def enter(keys, slots, counter, block, free, end, cells):
    """Add the state to the table, unless it is there; other threads may do the same.

    `counter`, int64[1], is the number of keys given out, `block` how many a thread takes at a time:
    those from `free` up to but not `end` are this one's. Returns the two as they are then. A free
    slot is taken first and filled then, so that no state is entered twice; whoever comes by
    between waits for those few instructions.
    """
    mask = np.uint64(slots.size - 1)
    slot = place(cells) & mask
    while True:
        i = atomic_load(slots, slot)
        if i == VACANT:
            if atomic_swap(slots, slot, VACANT, TAKEN) == VACANT:
                if free == end:
                    free = atomic_add(counter, NONE, np.int64(block))
                    end = free + block
                keys[free] = cells
                atomic_store(slots, slot, np.int32(free))
                return free + 1, end
        elif i != TAKEN:
            if keys[i] == cells:
                return free, end
            slot = (slot + ONE) & mask


@njit(cache=True, nogil=True)
def refill(keys, slots, first, last):
    """Enter the states `first` to `last`, all different, into a hash table without them."""
    mask = np.uint64(slots.size - 1)
    for i in range(first, last):
        if keys[i] == NONE:
            continue
        slot = place(keys[i]) & mask
        while atomic_swap(slots, slot, VACANT, np.int32(i)) != VACANT:
            slot = (slot + ONE) & mask
