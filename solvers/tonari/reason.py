"""The question `reason`: points of which at least one ends in the wrong colour, whatever the order.

The elements are the points whose colour is not yet right for certain: empty ones, and stones that
will end in the wrong colour. A set of them is met by an order of the stones after which all of them
have the colour that the target wants, whatever colours the others have.
"""
# Numba infers the kernels' types: arrays as in `bitboard`, and int64.
# mypy: disable-error-code="no-untyped-def, call-arg, var-annotated"

from dataclasses import replace
from itertools import pairwise

import numpy as np
from numba import njit

from solvers.answers import Reason, ReasonAnswer
from solvers.kind import Cell, Kind, row_and_column
from solvers.message import Message
from solvers.question import Progress, Run
from solvers.reasons import IMPOSSIBLE, ImpossibleSet, answer_with, impossible_set
from solvers.tonari import bitboard, rules
from solvers.tonari.bitboard import COLUMNS, FULL, NONE, ONE, RIGHT, WHITE, Words
from solvers.tonari.rules import Position

NODES = 1 << 19
"""The most search nodes for one set of points, which take a third of a second."""

_SLICE = 1 << 16

_MEMO_SLOTS = 1 << 18


def reason(kind: Kind[Position, Cell], position: Position) -> Run[ReasonAnswer]:
    """Find a smallest set of points that can't all get their colours any more."""
    doomed = rules.doomed(position)
    empty = [cell for cell in position.cells if not position.occupied & position.bit(cell)]
    elements = [*doomed, *empty]
    layout = bitboard.layout(position)

    def meet(wanted: int) -> Run[int | None]:
        chosen = [cell for number, cell in enumerate(elements) if wanted >> number & 1]
        if not set(chosen).isdisjoint(doomed):
            return IMPOSSIBLE
        order = yield from _order(layout, position, sum(map(position.bit, chosen)))
        if order is None:
            return None
        if empty and not order:
            return IMPOSSIBLE
        end = replace(position, placed=(*position.placed, *order))
        wrong = set(rules.doomed(end))
        return sum(1 << number for number, cell in enumerate(elements) if cell not in wrong)

    found = (yield from impossible_set(len(elements), meet)) if elements else None
    return answer_with(found, lambda found: _reason(position, elements, found))


def _order(layout: Words, position: Position, wanted: int) -> Run[list[Cell] | None]:
    """Return an order of all empty points in which the wanted ones get their colours, [] if there
    is none, or None if undecided."""
    depths = position.rows * position.columns + 1
    path, waiting = np.zeros(depths, np.uint64), np.zeros(depths, np.uint64)
    memo = np.zeros(_MEMO_SLOTS, np.uint64)
    care = np.uint64(wanted)
    path[0] = position.occupied
    waiting[0] = choices(layout, care, path[0])
    depth = 0
    if is_lost(layout, care, path[0]):
        return []
    for used in range(0, NODES, _SLICE):
        outcome, depth = search(layout, care, path, waiting, depth, memo, _SLICE)
        if outcome == 0:
            return []
        if outcome > 0:
            filled = [int(after ^ before) for before, after in pairwise(path[: depth + 1])]
            return [divmod(bit.bit_length() - 1, position.columns) for bit in filled]
        yield Progress(used, NODES)
    return None


@njit(cache=True)
def choices(layout, care, occupied):
    """Return the points on which the next stone may be put and, if it is wanted, gets its
    colour."""
    touching = bitboard.around(layout, occupied) & ~occupied
    return touching & (bitboard.keeping(layout, occupied) | ~care)


@njit(cache=True)
def is_lost(layout, care, occupied):
    """Return whether an empty area of wanted points has the wrong parity (see `rules`)."""
    empty = layout[FULL] & ~occupied
    rest = empty
    while rest != NONE:
        area = rest & (~rest + ONE)
        grown = (area | bitboard.beside(layout, area)) & empty
        while grown != area:
            area = grown
            grown = (area | bitboard.beside(layout, area)) & empty
        rest &= ~area
        pairs = (area & layout[RIGHT] & (area >> ONE)) ^ (area & (area >> layout[COLUMNS]))
        if area & ~care == NONE and bitboard.size(pairs ^ (area & layout[WHITE])) & 1:
            return True
    return False


@njit(cache=True)
def search(layout, care, path, waiting, depth, memo, nodes):
    """Continue a depth-first search for an order that fills the board and gives the wanted points
    their colours. Stones that get their colour are put first.

    path, waiting   uint64[points + 1]: the occupied points, and the next ones to be examined
    memo            uint64[2^k]: states that failed, each at the position of its hash

    Returns (outcome, depth). The outcome is 1 for found, 0 for none, -1 for undecided.
    """
    mask = np.uint64(memo.size - 1)
    for _ in range(nodes):
        if path[depth] == layout[FULL]:
            return 1, depth
        moves = waiting[depth]
        if moves == NONE:
            memo[bitboard.hash_of(path[depth]) & mask] = path[depth]
            if depth == 0:
                return 0, depth
            depth -= 1
            continue
        good = moves & bitboard.keeping(layout, path[depth])
        if good == NONE:
            good = moves
        move = good & (~good + ONE)
        waiting[depth] = moves ^ move
        occupied = path[depth] | move
        if memo[bitboard.hash_of(occupied) & mask] == occupied or is_lost(layout, care, occupied):
            continue
        depth += 1
        path[depth] = occupied
        waiting[depth] = choices(layout, care, occupied)
    return -1, depth


def _reason(position: Position, elements: list[Cell], found: ImpossibleSet) -> Reason:
    cells = sorted(elements[number] for number in found.numbers())
    word = "wrong colour"
    message = Message(
        "Whatever the order, at least one of the {number} marked points ends in the wrong colour.",
        {"number": len(cells)},
    )
    known = (plain for plain, about in rules.reasons(position) if sorted(about) == cells)
    if plain := next(known, None):
        message = plain
        is_doomed = bool(position.occupied & position.bit(cells[0]))
        word = "doomed" if is_doomed else "parity" if "points" in plain.values else "next"
    elif len(cells) == 1:
        message = Message(
            "Whatever the order, the stone at row {row}, column {column} ends in the wrong colour.",
            row_and_column(cells[0]),
        )
    return found.reason(word, message, cells)
