"""The board as 64-bit words, and the rules compiled for sets of cells. The solvers build on it.

Legend
    cells     uint64: a set of cells, bit row * columns + column. A board has at most 8x8 cells,
              so one word is enough
    layout    uint64[5]: the board, as the function `layout` makes it: COLUMNS, FULL, the cells
              that have a neighbour to their LEFT, those that have one to their RIGHT, and WHITE,
              the cells that the target wants white
    rule      which cells may be filled next. Every cell must touch a stone, if only at a corner.
              TARGET: its stone must also get the colour that the target wants. FREE: nothing else
              is required. BEFORE: its predecessors `before[cell]`, uint64[cells], must be filled.
              STEPS: as TARGET, but without the collapse described below, so that each stone is
              one step
    images    uint64[g, 8, 256]: the g symmetries of the puzzle without the identity, as tables:
              symmetry, byte of a set, value of that byte -> the cells it is mapped to
    keys, slots   the states, and the open-addressing hash table that finds them. `slots` is
              int32[2^k]: an index in `keys`, or -1 in a free slot. It is at most half full

States. What can still happen depends on the set of occupied cells alone, because a stone's colour
at the end is settled when it is put down.

*Areas* (TARGET and BEFORE). The empty cells fall into areas that are connected orthogonally. What
happens in one area changes nothing in another: a cell has the orthogonal neighbours of its own area
only. A cell that has a diagonal neighbour in another area touches a stone in any case, for each of
the two points that lie beside both cells is taken, as it would join the areas otherwise. A state is
one area of two cells or more, written as the set of all other cells. The orders of several areas
are combined in every possible way. An area whose number of white cells has the wrong parity (see
`rules`) is lost at once.

*Collapse* (FREE). A cell whose eight neighbours all touch a stone already no longer matters to the
others. It is treated as filled, and may be filled at any moment. A state is the set of the
occupied and of these closed cells. For the searches that follow one line of moves, the closed cells
under TARGET and BEFORE are the areas of a single cell.
"""
# Numba infers the types from the arguments: arrays of the types above, and int64.
# mypy: disable-error-code="no-untyped-def, call-arg, var-annotated"

from collections.abc import Callable, Iterator

import numpy as np
from numba import njit
from numpy.typing import NDArray

from solvers.bits import atomic_add, atomic_load, atomic_store, atomic_swap, lowest, popcount
from solvers.kind import Cell
from solvers.symmetry import Symmetry, symmetries
from solvers.tonari.rules import Position

Words = NDArray[np.uint64]

COLUMNS, FULL, LEFT, RIGHT, WHITE = range(5)
TARGET, FREE, BEFORE, STEPS = range(4)

ONE = np.uint64(1)
NONE = np.uint64(0)

VACANT, TAKEN = np.int32(-1), np.int32(-2)
"""The values of `slots` that are not indices: a free slot, and a slot that a thread has reserved
for a state whose index it has not written yet."""


def layout(position: Position) -> Words:
    """Return the board and the target of a position as the kernels' `layout`, uint64[5]."""
    first = sum(1 << (row * position.columns) for row in range(position.rows))
    full = (1 << (position.rows * position.columns)) - 1
    last = first << (position.columns - 1)
    words = [position.columns, full, full & ~first, full & ~last, position.white]
    return np.array(words, np.uint64)


def mirrors(rows: int, columns: int) -> list[Symmetry]:
    """Return the symmetries that keep the size of an empty board, without the identity."""
    _, *others = symmetries(rows, columns)
    return [other for other in others if other.keeps_size]


def own_symmetries(
    position: Position, *, target: bool = True, occupied: bool = True
) -> Iterator[Symmetry]:
    """Yield the symmetries of the board, without the identity. With `occupied` they map the
    occupied cells to themselves. With `target` they also keep the colours that the target wants on
    the empty cells, where an occupied cell counts as black."""
    white = position.white & ~position.occupied if target else 0
    stones = position.occupied if occupied else 0
    for image in mirrors(position.rows, position.columns):
        if all(
            bool(cells & position.bit(cell)) == bool(cells & position.bit(image(cell)))
            for cells in (stones, white)
            for cell in position.cells
        ):
            yield image


def images(position: Position, *, target: bool = True, occupied: bool = True) -> Words:
    """Return the symmetries of `own_symmetries` as the kernels' `images`, uint64[g, 8, 256]."""
    own = own_symmetries(position, target=target, occupied=occupied)
    tables = [table_of(position, image) for image in own]
    return np.array(tables, np.uint64).reshape(-1, 8, 256)


def table_of(position: Position, image: Callable[[Cell], Cell]) -> Words:
    """Return a symmetry as a table, uint64[8, 256]: byte of a set, value of that byte -> the cells
    to which `image` maps the cells of that byte."""
    table = np.zeros((8, 256), np.uint64)
    values = np.arange(256)
    for cell in position.cells:
        byte, bit = divmod(cell[0] * position.columns + cell[1], 8)
        table[byte, values >> bit & 1 == 1] |= np.uint64(position.bit(image(cell)))
    return table


@njit(cache=True)
def size(cells):
    """Return the number of cells in a set."""
    return popcount(cells)


@njit(cache=True)
def beside(layout, cells):
    """Return the cells that have an orthogonal neighbour in the set."""
    return (
        ((cells & layout[RIGHT]) << ONE)
        | ((cells & layout[LEFT]) >> ONE)
        | (cells << layout[COLUMNS])
        | (cells >> layout[COLUMNS])
    ) & layout[FULL]


@njit(cache=True)
def around(layout, cells):
    """Return the set together with all cells that have one of their eight neighbours in it."""
    wide = cells | ((cells & layout[RIGHT]) << ONE) | ((cells & layout[LEFT]) >> ONE)
    return (wide | (wide << layout[COLUMNS]) | (wide >> layout[COLUMNS])) & layout[FULL]


@njit(cache=True)
def keeping(layout, occupied):
    """Return the empty cells where a stone would get the colour that the target wants."""
    empty = layout[FULL] & ~occupied
    odd = (
        ((empty & layout[RIGHT]) << ONE)
        ^ ((empty & layout[LEFT]) >> ONE)
        ^ (empty << layout[COLUMNS])
        ^ (empty >> layout[COLUMNS])
    )
    return empty & ~(odd ^ layout[WHITE])


@njit(cache=True)
def choices(layout, rule, before, occupied):
    """Return the empty cells that the rule allows to be filled next."""
    touching = around(layout, occupied) & ~occupied
    if rule == FREE:
        return touching
    if rule != BEFORE:
        return touching & keeping(layout, occupied)
    chosen = NONE
    rest = touching
    while rest != NONE:
        cell = lowest(rest)
        rest &= rest - ONE
        if before[cell] & ~occupied == NONE:
            chosen |= ONE << np.uint64(cell)
    return chosen


@njit(cache=True)
def closed(layout, rule, occupied):
    """Return the empty cells that no longer matter to the other cells; none under STEPS."""
    empty = layout[FULL] & ~occupied
    if rule == STEPS:
        return NONE
    if rule == FREE:
        return empty & ~around(layout, layout[FULL] & ~around(layout, occupied))
    return empty & ~beside(layout, empty)


@njit(cache=True)
def lost(layout, rule, occupied, closed_cells):
    """Return whether the target is seen to be out of reach, given the closed cells as a set.

    In each orthogonally connected area of empty cells the number of cells to be white must have the
    parity of the number of neighbour pairs (see `rules`). A closed cell has no pairs, so its stone
    ends black.
    """
    if rule != TARGET and rule != STEPS:
        return False
    if closed_cells & layout[WHITE] != NONE:
        return True
    rest = layout[FULL] & ~(occupied | closed_cells)
    while rest != NONE:
        area = area_of(layout, rest)
        rest ^= area
        if is_odd(layout, area):
            return True
    return False


@njit(cache=True)
def area_of(layout, cells):
    """Return one orthogonally connected area of a set that is not empty."""
    area = cells & (~cells + ONE)
    grown = (area | beside(layout, area)) & cells
    while grown != area:
        area = grown
        grown = (area | beside(layout, area)) & cells
    return area


@njit(cache=True)
def is_odd(layout, area):
    """Return whether the number of white cells of an empty area can't be what the target wants."""
    pairs = (area & layout[RIGHT] & (area >> ONE)) ^ (area & (area >> layout[COLUMNS]))
    return size(pairs ^ (area & layout[WHITE])) & 1 == 1


@njit(cache=True)
def states_of(layout, rule, images, occupied, found):
    """Write the states into which a set of occupied cells falls to `found`, uint64[32].

    Returns their number, or -1 if the set is seen to be lost. The states don't influence each
    other.
    """
    if rule in (FREE, STEPS):
        closed_cells = closed(layout, rule, occupied)
        if lost(layout, rule, occupied, closed_cells):
            return -1
        found[0] = least_image(images, occupied | closed_cells)
        return 1
    number = 0
    rest = layout[FULL] & ~occupied
    while rest != NONE:
        area = area_of(layout, rest)
        rest ^= area
        if rule == TARGET and is_odd(layout, area):
            return -1
        if area & (area - ONE) != NONE:
            found[number] = least_image(images, layout[FULL] & ~area)
            number += 1
    return number


@njit(cache=True)
def image_of(table, cells):
    """Return the image of a set under one symmetry; `table` is `images[g]`."""
    image = NONE
    byte = 0
    while cells != NONE:
        image |= table[byte, np.int64(cells & np.uint64(255))]
        cells >>= np.uint64(8)
        byte += 1
    return image


@njit(cache=True)
def least_image(images, cells):
    """Return the least of a set and its images, so that all of them are one state."""
    least = cells
    for g in range(images.shape[0]):
        least = min(least, image_of(images[g], cells))
    return least


@njit(cache=True)
def hash_of(cells):
    """Return a hash of the set, a uint64."""
    mixed = (cells ^ (cells >> np.uint64(31))) * np.uint64(0x9E3779B97F4A7C15)
    mixed ^= mixed >> np.uint64(29)
    mixed *= np.uint64(0xD6E8FEB86659FD93)
    return mixed ^ (mixed >> np.uint64(32))


@njit(cache=True)
def find(keys, slots, cells):
    """Return the slot that holds the index of the state, or the free slot where it belongs."""
    mask = np.uint64(slots.size - 1)
    slot = hash_of(cells) & mask
    while slots[slot] >= 0 and keys[slots[slot]] != cells:
        slot = (slot + ONE) & mask
    return np.int64(slot)


@njit(cache=True, nogil=True)
def insert(keys, slots, counter, block, free, end, cells):
    """Add the state to the table unless it is there, while other threads may add states too.

    `counter`, int64[1], is the number of keys handed out. A thread takes `block` keys at a time,
    and those from `free` up to but not including `end` belong to the calling thread. Returns the
    new (free, end).

    A free slot is reserved before it is filled, so no state is entered twice. A thread that meets a
    reserved slot waits for the few instructions until it is filled.
    """
    mask = np.uint64(slots.size - 1)
    slot = hash_of(cells) & mask
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
    """Enter the states `first` to `last`, all different, into a hash table that has none of
    them."""
    mask = np.uint64(slots.size - 1)
    for i in range(first, last):
        if keys[i] == NONE:
            continue
        slot = hash_of(keys[i]) & mask
        while atomic_swap(slots, slot, VACANT, np.int32(i)) != VACANT:
            slot = (slot + ONE) & mask
