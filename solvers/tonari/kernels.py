"""The compiled inner loops; `table` and `solve` drive them.

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
    values    uint32[states, words]: exact numbers, 32 bits a word, lowest first

States. What can still happen depends on the set of occupied cells alone: a stone's colour at
the end is settled when it is put down. *Collapse*: a cell that no longer matters to others is
left out and counted by where it may be slipped in. Under TARGET and BEFORE these are the
cells whose orthogonal neighbours are all filled (their diagonal neighbours have company
without them), under FREE the cells whose eight neighbours all have company already. A state
is the set with such cells filled.

Recurrence. If a move leads from S to T, and closed r cells on the way, L cells being left:
    orders(S) = sum over moves of orders(T) * (L + 1) * ... * (L + r),   orders(FULL) = 1
The values never exceed (cells left)!, which sets `words`: nothing can overflow.

*Areas*: where the empty cells have fallen apart, an area of the wrong parity is lost at once,
which leaves one state in seven at 6x6.

Time and memory are those of the reachable states. All black from a corner: 4x4 0.2 thousand,
5x5 6 thousand, 6x6 a million (2 s). All orders: 5x5 167, 6x6 2 thousand, 8x8 3 million (16 s).
"""
# Types are inferred by numba from the arguments, arrays of the types above and int64.
# mypy: disable-error-code="no-untyped-def, call-arg, var-annotated"

import numpy as np
from numba import njit

from solvers.bits import lowest

COLUMNS, FULL, LEFT, RIGHT, WHITE = range(5)
TARGET, FREE, BEFORE, STEPS = range(4)
SLICE = 1 << 16
"""States of one call: well under a second."""

ONE = np.uint64(1)
NONE = np.uint64(0)


@njit(cache=True)
def size(cells):
    """Return the number of cells of a set."""
    cells -= (cells >> ONE) & np.uint64(0x5555555555555555)
    cells = (cells & np.uint64(0x3333333333333333)) + (
        (cells >> np.uint64(2)) & np.uint64(0x3333333333333333)
    )
    cells = (cells + (cells >> np.uint64(4))) & np.uint64(0x0F0F0F0F0F0F0F0F)
    return np.int64((cells * np.uint64(0x0101010101010101)) >> np.uint64(56))


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
        pairs = size(area & lay[RIGHT] & (area >> ONE)) + size(area & (area >> lay[COLUMNS]))
        if (pairs + size(area & lay[WHITE])) & 1:
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


@njit(cache=True)
def refill(keys, count, slots):
    """Enter the first states, all different, into an empty hash table."""
    for i in range(count):
        slots[find(keys, slots, keys[i])] = i


@njit(cache=True)
def expand(lay, rule, before, images, keys, slots, count, first, last):
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
def complete(lay, rule, before, images, keys, slots, order, first, last, values):
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


@njit(cache=True)
def chances(lay, images, keys, slots, order, first, last, random, careful):
    """Fill in the chances to solve the states `order[first:last]`, fullest states first.

    `random` plays any legal move, `careful` any that keeps the target, all equally likely.
    The table is one of STEPS.
    """
    for position in range(first, last):
        i = order[position]
        if keys[i] == lay[FULL]:
            random[i] = careful[i] = 1.0
            continue
        legal = around(lay, keys[i]) & ~keys[i]
        moves = legal & keeping(lay, keys[i])
        kept = size(moves)
        while moves != NONE:
            move = moves & (~moves + ONE)
            moves ^= move
            slot = find(keys, slots, least_image(images, keys[i] | move))
            if slots[slot] >= 0:  # Else it is lost.
                random[i] += random[slots[slot]] / size(legal)
                careful[i] += careful[slots[slot]] / kept


@njit(cache=True)
def careful_chances(lay, images, keys, slots, order, first, last, careful):
    """The same for the careful player alone, on a table of TARGET.

    A stone on a closed cell is always safe and changes nothing for the others, so the choices
    among those are as likely with closed cells as without.
    """
    none_before = keys[:0]
    for position in range(first, last):
        i = order[position]
        if keys[i] == lay[FULL]:
            careful[i] = 1.0
            continue
        moves = choices(lay, TARGET, none_before, keys[i])
        kept = size(moves)
        while moves != NONE:
            move = moves & (~moves + ONE)
            moves ^= move
            occupied = keys[i] | move
            shut = closed(lay, TARGET, occupied)
            if not lost(lay, TARGET, occupied, shut):
                slot = find(keys, slots, least_image(images, occupied | shut))
                careful[i] += careful[slots[slot]] / kept


@njit(cache=True)
def search(lay, path, open_moves, depth, memo, seed, nodes):
    """Go on with a depth-first search for an order that reaches the target.

    path        uint64[cells + 1]: the states from the root on; open_moves beside them: the
                moves still to try. `depth` is where the search stands.
    memo        uint64[2^k]: states known to fail, each at the place of its hash
    seed        other than 0: the moves are tried in another order

    Returns (outcome, depth, nodes used): outcome 1 found, 0 none, -1 not decided yet.
    """
    mask = np.uint64(memo.size - 1)
    none_before = np.empty(0, np.uint64)
    for used in range(nodes):
        if path[depth] == lay[FULL]:
            return 1, depth, used
        moves = open_moves[depth]
        if moves == NONE:
            memo[place(path[depth]) & mask] = path[depth]
            if depth == 0:
                return 0, depth, used
            depth -= 1
            continue
        move = moves & (~moves + ONE)
        if seed != 0:
            mixed = place(path[depth] ^ (np.uint64(seed) * np.uint64(0x9E3779B97F4A7C15)))
            skip = np.int64(mixed % np.uint64(size(moves)))
            rest = moves
            for _ in range(skip):
                rest &= rest - ONE
            move = rest & (~rest + ONE)
        open_moves[depth] = moves ^ move
        occupied = path[depth] | move
        shut = closed(lay, TARGET, occupied)
        state = occupied | shut
        if memo[place(state) & mask] == state or lost(lay, TARGET, occupied, shut):
            continue
        depth += 1
        path[depth] = state
        open_moves[depth] = choices(lay, TARGET, none_before, state)
    return -1, depth, nodes
