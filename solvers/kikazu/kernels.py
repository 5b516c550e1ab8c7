"""The counting search, compiled.

Legend
    square     column * rows + row. Row 0 is at the top, and pieces attack upwards
    words      a set of squares as two uint64: columns 0-4 and columns 5-8, `rows` bits each
    reach      uint64[piece, square, 2]: the words of the squares that the piece attacks from
               there. The pieces are R B N K G S L P
    occ, bad   the occupied squares, and the squares where nothing may be put (occupied, attacked
               or barred), as words
    forward    K, G, S, L and P, each of which attacks the square ahead
    room       the free squares except those directly below an occupied one, from which a forward
               piece would attack it

The search places the pieces of `order` level by level, those of one kind on increasing squares. In
a column, a run of room with a given length has room for at most ceil(length / 2) forward pieces.
When the sum over all runs is less than the number of forward pieces still to come, the branch is
dead.

Only forward pieces are left at the bottom of the search. They are counted in one of two ways:

    fill       (`order` has R, B, N) The squares of the forward pieces are chosen column by
               column, no two of them neighbours. The occupied squares are then known, so each
               chosen square has its own set of possible kinds. The number of ways is a
               coefficient of a product: ways[k, g, s, l] after each square.
    polynomial (`order` has R, B, N, K, G, S) The columns are independent for pawns and lances,
               because a lance is the topmost piece of its column: ways[l, p] after each column.

Complexity: the nodes of the search; a fill costs up to squares * (K+1)(G+1)(S+1)(L+1) additions.
Largest safe size: 9 x 9. `fill` adds in 128 bits: at most 45 forward pieces fit, and 5^45 < 2^105.
A coefficient of `polynomial` is at most 2^63 (that of the empty 9 x 9 board; see the tests). Totals
are 128 bits wide.
"""
# Numba infers the types from the arguments: arrays of words or of int64.
# mypy: disable-error-code="no-untyped-def, call-arg, assignment"

import numpy as np
from numba import njit, uint64
from numpy.typing import NDArray

from solvers.bits import lowest

Words = NDArray[np.uint64]
Ints = NDArray[np.int64]

COLUMNS_IN_A_WORD = 5
RUNNING, FINISHED, FULL = 0, 1, 2


@njit(cache=True)
def word_and_bit(square, rows):
    """Return the index of a square's word, and the square's bit in it."""
    column, row = square // rows, square % rows
    shift = uint64((column % COLUMNS_IN_A_WORD) * rows + row)
    return column // COLUMNS_IN_A_WORD, uint64(1) << shift


@njit(cache=True)
def column_of(words, column, rows):
    """Return the squares of a column as bits, the top row lowest."""
    shift = uint64((column % COLUMNS_IN_A_WORD) * rows)
    return np.int64((words[column // COLUMNS_IN_A_WORD] >> shift) & uint64((1 << rows) - 1))


@njit(cache=True)
def find_room(occ, bad, rows, columns, room):
    """Write the room of each column into `room`, int64[columns], as bits with the top row
    lowest."""
    full = (1 << rows) - 1
    for column in range(columns):
        below = (column_of(occ, column, rows) << 1) & full
        room[column] = full & ~column_of(bad, column, rows) & ~below


@njit(cache=True)
def assign(chosen, occ, reach, wanted, pawns, rows, columns, low, high):
    """Count the ways to give kinds to the chosen squares, and write them into low[-1] and high[-1].

    `wanted`, int64[4], has the numbers of K, G, S and L. `low` and `high` are scratch arrays of
    product(wanted + 1) words.
    """
    size = len(low)
    low[:] = 0
    high[:] = 0
    low[0] = 1
    strides = (
        (wanted[1] + 1) * (wanted[2] + 1) * (wanted[3] + 1),
        (wanted[2] + 1) * (wanted[3] + 1),
        wanted[3] + 1,
        1,
    )
    forced = 0
    for square in range(rows * columns):
        word, bit = word_and_bit(square, rows)
        if not chosen[word] & bit:
            continue
        possible = 0
        for kind in range(4):
            if wanted[kind] and not (
                reach[kind, square, 0] & occ[0] or reach[kind, square, 1] & occ[1]
            ):
                possible |= 1 << kind
        if not possible:
            forced += 1
            if forced > pawns:
                low[size - 1] = 0
                high[size - 1] = 0
                return
            continue
        for at in range(size - 1, -1, -1):
            for kind in range(4):
                # The digit of `at` for this kind must be at least 1.
                if possible >> kind & 1 and at // strides[kind] % (wanted[kind] + 1):
                    more = low[at - strides[kind]]
                    low[at] += more
                    high[at] += high[at - strides[kind]] + uint64(low[at] < more)


@njit(cache=True)
def polynomial(occ, room, lances, pawns, rows, columns, apart, ways, new):
    """Return the number of ways to put the lances and pawns into the room.

    apart       int64[masks, n]: the number of subsets of n squares of a column's mask, no two of
                them neighbours
    ways, new   uint64 scratch arrays of at least (lances + 1) x (pawns + 1)
    """
    most = apart.shape[1]
    with_lance = np.zeros(most, np.uint64)
    ways[:] = 0
    ways[0, 0] = 1
    for column in range(columns):
        free = room[column]
        above = column_of(occ, column, rows)
        # The lance is above everything else in its column.
        open_rows = rows if above == 0 else lowest(uint64(above))
        with_lance[:] = 0
        for row in range(open_rows):
            if free >> row & 1:
                below = free >> (row + 2) << (row + 2)
                for n in range(most):
                    with_lance[n] += uint64(apart[below, n])
        new[:] = 0
        for l in range(lances + 1):  # noqa: E741
            for p in range(pawns + 1):
                before = ways[l, p]
                if before == 0:
                    continue
                for n in range(min(most, pawns - p + 1)):
                    new[l, p + n] += before * uint64(apart[free, n])
                    if l < lances:
                        new[l + 1, p + n] += before * with_lance[n]
        ways[:] = new
    return ways[lances, pawns]


@njit(cache=True)
def search(
    rows, columns, order, forward, reach, wanted, most_pawns, capacity, subset_start, subsets,
    apart, occ, bad, squares, rooms, pointers, filled, rests, spare, state, nodes, total, leaves,
):  # fmt: skip
    """Continue the search for up to `nodes` nodes.

    order       the pieces of the levels, as indices into `reach`
    forward     forward[level]: the forward pieces still to come when `level` pieces are placed
    wanted      for `fill` the numbers of K, G, S and L; for `polynomial` the lances in wanted[3]
    state       int64[3]: the level; 1 for `fill`; the number of bottoms with ways so far
    squares, occ, bad, pointers, filled, rests   the stack
    total       uint64[2]: the low and the high word of the number of ways so far
    leaves      uint64[rows, 2 + levels]: each bottom with ways is written there (its chosen words,
                then a square for each level) until it is full. With no rows, none is written

    Returns (outcome, written, used): RUNNING, FINISHED or FULL, the number of leaves written, and
    the number of nodes used.
    """
    levels = len(order)
    is_fill = state[1] == 1
    cells = rows * columns
    size = (wanted[0] + 1) * (wanted[1] + 1) * (wanted[2] + 1) * (wanted[3] + 1)
    low = np.empty(size if is_fill else 1, np.uint64)
    high = np.empty(size if is_fill else 1, np.uint64)
    ways = np.empty((wanted[3] + 1, most_pawns + 1), np.uint64)
    new = np.empty((wanted[3] + 1, most_pawns + 1), np.uint64)
    room = np.empty(columns, np.int64)
    everything = np.empty(2, np.uint64)
    nothing = np.zeros(2, np.uint64)
    written = 0
    used = 0
    level = state[0]
    while level >= 0:
        if used >= nodes:
            state[0] = level
            return RUNNING, written, used
        if len(leaves) and written == len(leaves):
            state[0] = level
            return FULL, written, used
        used += 1
        if level < levels:
            piece = order[level]
            square = squares[level] + 1
            while square < cells:
                word, bit = word_and_bit(square, rows)
                if (
                    not bad[level, word] & bit
                    and not reach[piece, square, 0] & occ[level, 0]
                    and not reach[piece, square, 1] & occ[level, 1]
                ):
                    break
                square += 1
            squares[level] = square
            if square == cells:
                level -= 1
                continue
            for i in range(2):
                occ[level + 1, i] = occ[level, i]
                bad[level + 1, i] = bad[level, i] | reach[piece, square, i]
            occ[level + 1, word] |= bit
            bad[level + 1, word] |= bit
            find_room(occ[level + 1], bad[level + 1], rows, columns, room)
            fits = 0
            for column in range(columns):
                fits += capacity[room[column]]
            if fits < forward[level + 1]:
                continue
            level += 1
            if level < levels:
                squares[level] = square if order[level] == piece else -1
                continue
            start_bottom(room, rooms, capacity, spare, pointers, filled, rests, forward[level])
        elif is_fill and level < levels + columns:
            column = level - levels
            first, last = subset_start[rooms[column]], subset_start[rooms[column] + 1]
            rest = rests[column]
            pointer = pointers[column] + 1
            # Subsets are sorted by size, the largest first. The capacity of a subset is its size.
            while first + pointer < last and capacity[subsets[first + pointer]] > rest:
                pointer += 1
            pointers[column] = pointer
            if (
                first + pointer >= last
                or rest - capacity[subsets[first + pointer]] > spare[column + 1]
            ):
                level -= 1
                continue
            subset = subsets[first + pointer]
            for i in range(2):
                filled[column + 1, i] = filled[column, i]
            shift = uint64((column % COLUMNS_IN_A_WORD) * rows)
            filled[column + 1, column // COLUMNS_IN_A_WORD] |= uint64(subset) << shift
            rests[column + 1] = rest - capacity[subset]
            pointers[column + 1] = -1
            level += 1
        else:
            if is_fill:
                chosen = filled[columns]
                for i in range(2):
                    everything[i] = occ[levels, i] | chosen[i]
                assign(chosen, everything, reach[3:7], wanted, most_pawns, rows, columns, low, high)
                more_low, more_high = low[size - 1], high[size - 1]
            else:
                chosen = nothing
                more_low = polynomial(
                    occ[levels], rooms, wanted[3], most_pawns, rows, columns, apart, ways, new
                )
                more_high = uint64(0)
            total[0] += more_low
            total[1] += more_high + uint64(total[0] < more_low)
            if more_low or more_high:
                state[2] += 1
                if len(leaves):
                    leaves[written, 0] = chosen[0]
                    leaves[written, 1] = chosen[1]
                    for i in range(levels):
                        leaves[written, 2 + i] = uint64(squares[i])
                    written += 1
            level -= 1
    state[0] = level
    return FINISHED, written, used


@njit(cache=True)
def start_bottom(room, rooms, capacity, spare, pointers, filled, rests, rest):
    """Prepare the stack for putting `rest` forward pieces into this room."""
    columns = len(room)
    rooms[:] = room
    spare[columns] = 0
    for column in range(columns - 1, -1, -1):
        spare[column] = spare[column + 1] + capacity[room[column]]
    pointers[0] = -1
    filled[0] = 0
    rests[0] = rest


@njit(cache=True)
def tally(rows, columns, order, is_fill, reach, wanted, pawns, apart, occ, bad, leaves, with_move):
    """Add to with_move[piece, square] the number of the leaves' solutions with the piece there.

    A piece of the rest is counted on each square by taking the square and the piece out and
    counting the ways to place what is left. `occ` and `bad` are those of the position. The numbers
    are wrong above 2^64 solutions, because they have no carry.
    """
    levels = len(order)
    kinds = np.empty(4, np.int64)
    most = 1
    for kind in range(4):
        most *= wanted[kind] + 1
    low, high = np.empty(most, np.uint64), np.empty(most, np.uint64)
    table = (wanted[3] + 1, pawns + 1)
    ways, new = np.empty(table, np.uint64), np.empty(table, np.uint64)
    room, less = np.empty(columns, np.int64), np.empty(columns, np.int64)
    taken, barred = np.empty(2, np.uint64), np.empty(2, np.uint64)
    chosen = np.empty(2, np.uint64)
    for leaf in leaves:
        for i in range(2):
            taken[i] = occ[i] | leaf[i]
            barred[i] = bad[i]
        for level in range(levels):
            square = np.int64(leaf[2 + level])
            word, bit = word_and_bit(square, rows)
            taken[word] |= bit
            for i in range(2):
                barred[i] |= taken[i] | reach[order[level], square, i]
        find_room(taken, barred, rows, columns, room)
        if is_fill:
            assign(leaf, taken, reach[3:7], wanted, pawns, rows, columns, low, high)
            number = low[most - 1]
        else:
            number = polynomial(taken, room, wanted[3], pawns, rows, columns, apart, ways, new)
        for level in range(levels):
            with_move[order[level], np.int64(leaf[2 + level])] += number
        for square in range(rows * columns):
            word, bit = word_and_bit(square, rows)
            column, row = square // rows, square % rows
            if is_fill:
                if not leaf[word] & bit:
                    continue
                chosen[:] = leaf[:2]
                chosen[word] &= ~bit
                for piece in range(3, 8):
                    is_pawn = piece == 7
                    if reach[piece, square, 0] & taken[0] or reach[piece, square, 1] & taken[1]:
                        continue
                    if (pawns if is_pawn else wanted[piece - 3]) == 0:
                        continue
                    size = 1
                    for kind in range(4):
                        kinds[kind] = wanted[kind] - (kind == piece - 3)
                        size *= kinds[kind] + 1
                    less_low, less_high = low[:size], high[:size]
                    assign(chosen, taken, reach[3:7], kinds, pawns - is_pawn, rows, columns,
                           less_low, less_high)  # fmt: skip
                    with_move[piece, square] += low[size - 1]
            elif room[column] >> row & 1:
                taken[word] |= bit
                less[:] = room
                if pawns:
                    less[column] = room[column] & ~(7 << row >> 1)
                    with_move[7, square] += polynomial(
                        taken, less, wanted[3], pawns - 1, rows, columns, apart, ways, new
                    )
                if wanted[3] and not (
                    reach[6, square, 0] & taken[0] or reach[6, square, 1] & taken[1]
                ):
                    less[column] = room[column] >> (row + 2) << (row + 2)
                    with_move[6, square] += polynomial(
                        taken, less, wanted[3] - 1, pawns, rows, columns, apart, ways, new
                    )
                taken[word] &= ~bit
