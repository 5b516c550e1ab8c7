"""The compiled search for all ways to say, of each two neighbours, which comes first.

"Who flips whom": of two orthogonal neighbours the later stone flips the earlier. An order
fixes this for each pair of neighbours, an *orientation* of the grid; a stone ends white iff
an odd number of its neighbours come later. So the orientations that fit the target solve a
linear system modulo 2, and those without a cycle that leave every stone company are the
classes of solutions. Nothing is shared with `kernels`: the two check each other.

Legend
    cells     the empty cells, numbered row by row; EMPTY[i] their bits on the board
    right, below   int64[n]: the number of the empty neighbour there, or -1
    odd       int64[n]: 1 where the target wants white
    before    uint64[depth, n]: the cells (as bits of their numbers) that come before each, in
              all chains of pairs, after the pairs of the first `depth` cells are settled
    out       int64[depth, n]: how many of its neighbours come later, modulo 2
    tried     int64[n]: the next of the four ways to settle the pairs to the right and below

The cells are taken row by row, so that a cell's pairs to the left and above are settled
before it: its parity leaves two ways in the inside, one on the last row or column. Pairs
that close a cycle are refused at once. 6x6 from a corner: 2^24 orientations, of which
16502 are classes, in well under a second.
"""
# Types are inferred by numba from the arguments, arrays of the types above and int64.
# mypy: disable-error-code="no-untyped-def, call-arg, var-annotated"

import numpy as np
from numba import njit

ONE = np.uint64(1)
NONE = np.uint64(0)


@njit(cache=True)
def precede(before, first, second):
    """Note that one cell comes before another; return whether that leaves no cycle."""
    bit = ONE << np.uint64(second)
    if before[first] & bit != NONE:
        return False
    gained = before[first] | (ONE << np.uint64(first))
    for cell in range(before.size):
        if cell == second or before[cell] & bit != NONE:
            before[cell] |= gained
    return True


@njit(cache=True)
def fill(before, near, begun, line):
    """Write into `line` the first order that fits, always taking the first cell that may come.

    `near` are each cell's eight neighbours, `begun` the cells that touch a standing stone.
    Returns whether all cells find company. Waiting never harms, so this decides it.
    """
    cells = before.size
    placed = NONE
    for step in range(cells):
        found = False
        for cell in range(cells):
            bit = ONE << np.uint64(cell)
            may_come = placed & bit == NONE and before[cell] & ~placed == NONE
            if may_come and (begun & bit != NONE or near[cell] & placed != NONE):
                placed |= bit
                line[step] = cell
                found = True
                break
        if not found:
            return False
    return True


@njit(cache=True)
def enumerate_classes(
    right, below, odd, near, begun, before, out, tried, depth, lines, room, nodes
):
    """Go on listing classes, one order of each, into `lines`.

    Returns (depth, found): the search goes on from `depth`, and is over when that is -1. Stops
    after `nodes` nodes or when `room` orders are written.
    """
    cells = right.size
    found = 0
    for _ in range(nodes):
        if depth < 0 or found == room:
            break
        if depth == cells:
            if fill(before[depth], near, begun, lines[found]):
                found += 1
            depth -= 1
            continue
        way = tried[depth]
        if way == 4:
            tried[depth] = 0
            depth -= 1
            continue
        tried[depth] += 1
        # Bit 0: the right neighbour comes later; bit 1: the one below does.
        if (right[depth] < 0 and way & 1) or (below[depth] < 0 and way & 2):
            continue
        if (out[depth, depth] + (way & 1) + (way >> 1)) & 1 != odd[depth]:
            continue
        before[depth + 1] = before[depth]
        out[depth + 1] = out[depth]
        fits = True
        for axis in range(2):
            other = right[depth] if axis == 0 else below[depth]
            if other < 0 or not fits:
                continue
            if way >> axis & 1:
                fits = precede(before[depth + 1], depth, other)
            else:
                fits = precede(before[depth + 1], other, depth)
                out[depth + 1, other] ^= 1
        if fits:
            depth += 1
    return depth, found
