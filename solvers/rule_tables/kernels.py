"""The compiled step of the frontier: from the states before a variable to those after it.

Legend
    states   uint16[n, width]: each row is a state. Its slots hold the states of the automata that
             are open, then the labels of each piece, then the mates of the loop
    ops      int64[k, 4]: slot, whether it is the first item, whether it is the last, and where its
             table begins in `tables`; a table is int32[states, values]
    pieces   int64[k, 9]: first slot, its end, own slot, the range of `beside` with the slots of
             neighbours that were read before, the range of `retired` with the slots of cells whose
             neighbours have all been read, the slot of the outside of the board if it begins here,
             or -1, and whether rings are forbidden instead of several pieces. The slot at the end
             is 1 when a piece has been closed
    is_on    uint8[pieces, values]
    loop     int64[7]: first slot, its end, the slots of both ends, the number of ends that begin
             here and of ends that are read for the last time here; 0 slots if there is no loop
    child    int32[n, values]: the state that follows, or -1
"""
# Numba infers the types from the arguments: arrays of the types above, and int64.
# mypy: disable-error-code="no-untyped-def, call-arg, var-annotated"

import numpy as np
from numba import njit

DONE, FULL = 0, 1
NEW = 60_000
"""The label of the piece to which the cell that is read belongs, until labels are renamed."""
THROUGH = 60_001
"""The mate of a corner through which the line goes."""


@njit(cache=True, inline="always")
def hash_of(row):
    """Return a hash of a state."""
    value = np.uint64(0xCBF29CE484222325)
    for slot in range(row.size):
        value = (value ^ np.uint64(row[slot])) * np.uint64(0x100000001B3)
    return value ^ (value >> np.uint64(29))


@njit(cache=True, nogil=True)
def rehash(states, count, heads):
    """Enter the first `count` states into the empty hash table `heads`."""
    mask = np.uint64(heads.size - 1)
    for number in range(count):
        at = hash_of(states[number]) & mask
        while heads[at] >= 0:
            at = (at + np.uint64(1)) & mask
        heads[at] = number


@njit(cache=True, inline="always")
def find(states, row, heads, count):
    """Return the number of a state, and enter it as number `count` if it is new."""
    mask = np.uint64(heads.size - 1)
    at = hash_of(row) & mask
    while heads[at] >= 0:
        other = heads[at]
        is_same = True
        for slot in range(row.size):
            if states[other, slot] != row[slot]:
                is_same = False
                break
        if is_same:
            return other
        at = (at + np.uint64(1)) & mask
    heads[at] = count
    states[count] = row
    return count


@njit(cache=True)
def join_piece(row, piece, on, beside, retired):
    """Carry one variable into the labels of a piece. Return whether the piece can still hang
    together."""
    begin, end, own = piece[0], piece[1], piece[2]
    if piece[7] >= 0:
        row[piece[7]] = 1
    if on:
        if row[end]:
            return False
        row[own] = NEW
        for at in range(piece[3], piece[4]):
            label = row[beside[at]]
            if label and label != NEW:
                for slot in range(begin, end):
                    if row[slot] == label:
                        row[slot] = NEW
            elif label and piece[8]:
                return False
    else:
        row[own] = 0
    for at in range(piece[5], piece[6]):
        label = row[retired[at]]
        row[retired[at]] = 0
        if label and not piece[8]:
            goes_on = False
            others = False
            for slot in range(begin, end):
                if row[slot] == label:
                    goes_on = True
                elif row[slot]:
                    others = True
            if not goes_on:
                if others or row[end]:
                    return False
                row[end] = 1
    # Rename the labels to 1, 2, 3 in the order of their slots, so that equal states are equal rows.
    # While some labels are still old, the new ones lie above all of them.
    fresh = 0
    for slot in range(begin, end):
        label = row[slot]
        if label and label <= NEW:
            fresh += 1
            for later in range(slot, end):
                if row[later] == label:
                    row[later] = THROUGH + fresh
    for slot in range(begin, end):
        if row[slot]:
            row[slot] -= THROUGH
    return True


@njit(cache=True)
def join_loop(row, loop, begun, ended, on):
    """Carry one edge into the mates of a loop. Return whether one loop is still possible.

    The mate of a corner is its own number + 1 while no line ends there, the other end of the line
    that ends there, or `THROUGH`. The slot at the end is 1 when the loop is closed.
    """
    begin, end, one, two = loop[0], loop[1], loop[2], loop[3]
    for at in range(begun.size):
        row[begun[at]] = begun[at] - begin + 1
    if on:
        mate, other = row[one], row[two]
        if row[end] or mate == THROUGH or other == THROUGH:
            return False
        if mate == two - begin + 1:
            row[one] = THROUGH
            row[two] = THROUGH
            row[end] = 1
            for slot in range(begin, end):
                if row[slot] and row[slot] != THROUGH and row[slot] != slot - begin + 1:
                    return False
        else:
            row[one] = THROUGH
            row[two] = THROUGH
            row[begin + mate - 1] = other
            row[begin + other - 1] = mate
    for at in range(ended.size):
        slot = ended[at]
        if row[slot] != THROUGH and row[slot] != slot - begin + 1:
            return False
        row[slot] = 0
    return True


@njit(cache=True, nogil=True)
def expand(
    states, first, end, values, ops, tables, pieces, is_on, beside, retired,
    loop, begun, ended, out, count, heads, child,
):  # fmt: skip
    """Make the states that follow those from `first` to `end`.

    Return (the first state that has not been read, the number of states made, DONE or FULL). FULL
    means that `out` has no room for what may follow the next state.
    """
    row = np.empty(states.shape[1], np.uint16)
    for number in range(first, end):
        if count + values > out.shape[0]:
            return number, count, FULL
        for value in range(values):
            row[:] = states[number]
            is_good = True
            for op in range(ops.shape[0]):
                slot = ops[op, 0]
                state = 0 if ops[op, 1] else row[slot]
                to = tables[ops[op, 3] + state * values + value]
                if to < 0:
                    is_good = False
                    break
                row[slot] = 0 if ops[op, 2] else to
            if is_good:
                for piece in range(pieces.shape[0]):
                    if not join_piece(row, pieces[piece], is_on[piece, value], beside, retired):
                        is_good = False
                        break
            if is_good and loop[1] > 0:
                is_good = join_loop(row, loop, begun, ended, value == 1)
            if is_good:
                found = find(out, row, heads, count)
                child[number, value] = found
                count = max(count, found + 1)
            else:
                child[number, value] = -1
    return end, count, DONE


@njit(cache=True, nogil=True)
def back(child, after, prime):
    """Return the number of ways from each state before a variable, modulo a prime."""
    before = np.zeros(child.shape[0], np.uint64)
    for number in range(child.shape[0]):
        ways = np.uint64(0)
        for value in range(child.shape[1]):
            to = child[number, value]
            if to >= 0:
                ways += after[to]
        before[number] = ways % prime
    return before


@njit(cache=True, nogil=True)
def forth(child, before, after, size, prime, by_value):
    """Return the number of ways to each of the `size` states after a variable, modulo a prime, and
    add the number of ways with each value to `by_value`."""
    ways = np.zeros(size, np.uint64)
    for number in range(child.shape[0]):
        for value in range(child.shape[1]):
            to = child[number, value]
            if to >= 0:
                ways[to] = (ways[to] + before[number]) % prime
                by_value[value] = (by_value[value] + before[number] * after[to]) % prime
    return ways


@njit(cache=True, nogil=True)
def size_of(child, after):
    """Return the number of ways from each state as floating-point numbers, which don't overflow
    below 1e308 and are right to some digits."""
    before = np.zeros(child.shape[0])
    for number in range(child.shape[0]):
        for value in range(child.shape[1]):
            to = child[number, value]
            if to >= 0:
                before[number] += after[to]
    return before
