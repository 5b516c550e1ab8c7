"""How many solutions are their own mirror image: what a count up to the mirror needs.

A search over units: a piece of the middle column, or a piece and its mirror image.
"""

from typing import NamedTuple

from solvers.kikazu.rules import PIECES
from solvers.kikazu.search import Problem

NODES = 100_000
"""Search nodes before it is given up, about half a second."""


class _Unit(NamedTuple):
    pieces: int
    squares: int
    reach: int


def symmetric(asked: Problem, nodes: int = NODES) -> int | None:
    """Return how many solutions of a symmetric position are symmetric, None if undecided."""
    hand = dict(zip(PIECES, asked.hand))
    order = [piece for piece in "RBNKGSLP" if hand[piece]]
    units = [_units(asked, piece) for piece in order]
    top = sum(1 << column * asked.rows for column in range(asked.columns))
    board = (1 << asked.rows * asked.columns) - 1
    total = 0
    # kind, first unit to try, pieces of the kind left, occupied, barred, forward pieces left
    forward = sum(hand[piece] for piece in "KGSLP")
    stack = [(0, 0, hand[order[0]], asked.occupied, asked.barred, forward)]
    while stack:
        nodes -= 1
        if nodes < 0:
            return None
        kind, first, left, occupied, barred, forward = stack.pop()
        if not left:
            kind, first = kind + 1, 0
            if kind == len(order):
                total += 1
                continue
            left = hand[order[kind]]
        room = board & ~barred & ~(occupied << 1 & ~top)
        if _capacity(room, top) < forward:
            continue
        for at in range(first, len(units[kind])):
            unit = units[kind][at]
            if unit.pieces <= left and not unit.squares & barred and not unit.reach & occupied:
                stack.append(
                    (
                        kind,
                        at + 1,
                        left - unit.pieces,
                        occupied | unit.squares,
                        barred | unit.squares | unit.reach,
                        forward - unit.pieces * (order[kind] in "KGSLP"),
                    )
                )
    return total


def _units(asked: Problem, piece: str) -> list[_Unit]:
    reach = asked.reach[PIECES.index(piece)]
    units = []
    for square in range(asked.rows * -(-asked.columns // 2)):
        column, row = divmod(square, asked.rows)
        other = (asked.columns - 1 - column) * asked.rows + row
        squares = 1 << square | 1 << other
        if not reach[square] & squares:
            units.append(_Unit(squares.bit_count(), squares, reach[square] | reach[other]))
    return units


def _capacity(room: int, top: int) -> int:
    """Return how many squares of the room can be taken, none directly below another."""
    taken = 0
    while room:
        first_of_run = room & ~(room << 1 & ~top)
        taken += first_of_run.bit_count()
        room &= ~(first_of_run | (first_of_run << 1 & ~top))
    return taken
