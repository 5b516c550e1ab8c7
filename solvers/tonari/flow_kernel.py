"""The compiled inner loop of `flow`: from the boards of one layer to those of the next.

Legend
    boards, ways   uint64[b], uint32[b, words]: the boards after k stones, in the order of their
              least lines, and how many orders lead to each, 32 bits a word, lowest first
    over      bool[b]: set for the boards on which an order ends
    closed    whether closed points are left empty
    mirrors, upper   uint64[f, 8, 256], uint64[f]: the filters. A board that is its own image
              under `mirrors[f]` goes on with points of `upper[f]` only
    keys, sums, parents, cells   what follows: boards, ways, and the first board and point each
              comes from
    slots     the hash table that finds the keys, as in `kernels`

The boards are taken in order and their points in reading order, so a new board is found by its
least line first: the next layer is in order without being sorted. Two thirds of the moves lead
to a board that is known, so that is asked before whether it is lost.
"""
# Types are inferred by numba from the arguments, arrays of the types above and int64.
# mypy: disable-error-code="no-untyped-def, call-arg, var-annotated"

import numpy as np
from numba import njit

from solvers.bits import lowest
from solvers.tonari.kernels import (
    FULL,
    NONE,
    ONE,
    STEPS,
    WHITE,
    around,
    beside,
    find,
    image_of,
    keeping,
    lost,
)


@njit(cache=True)
def follow(
    lay, closed, mirrors, upper, boards, ways, over, first, last,
    keys, sums, parents, cells, slots, count,
):  # fmt: skip
    """Add what follows from the boards `first` to `last`.

    Returns the board to go on with and the number of keys; stops early when `keys` might not
    hold the next board's followers.
    """
    words = ways.shape[1]
    for i in range(first, last):
        if count + 64 > keys.size:
            return i, count
        board = boards[i]
        empty = lay[FULL] & ~board
        moves = keeping(lay, board) & around(lay, board)
        if closed:
            still_open = empty & beside(lay, empty)
            moves &= still_open
            # A closed point that should be white is none that changes nothing.
            over[i] = still_open == NONE and empty & lay[WHITE] == NONE
        else:
            over[i] = empty == NONE
        for f in range(upper.size):
            if image_of(mirrors[f], board) == board:
                moves &= upper[f]
        while moves != NONE:
            cell = lowest(moves)
            moves &= moves - ONE
            after = board | (ONE << np.uint64(cell))
            slot = find(keys, slots, after)
            j = slots[slot]
            if j < 0:
                if lost(lay, STEPS, after, NONE):
                    continue
                j = count
                keys[j] = after
                slots[slot] = j
                parents[j] = i
                cells[j] = cell
                count += 1
            carry = NONE
            for word in range(words):
                carry += np.uint64(sums[j, word]) + np.uint64(ways[i, word])
                sums[j, word] = np.uint32(carry & np.uint64(0xFFFFFFFF))
                carry >>= np.uint64(32)
    return last, count
