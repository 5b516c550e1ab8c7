"""The number of sets of presses that put the lamps out, by linear algebra over two elements.

Pressing is addition modulo 2, so the solutions from a position are those of a system of linear
equations: none, or 2^k, where k is the dimension of the presses that change nothing.
"""

from lightsout import ON, Lamps
from solvers.answers import CountAnswer, Exact
from solvers.grid import neighbours
from solvers.kind import Cell, Kind
from solvers.question import Progress, Run


def count(kind: Kind[Lamps, Cell], position: Lamps) -> Run[CountAnswer]:
    """Count the sets of lamps to press, and find one of them."""
    cells = list(position.cells())
    bit = {cell: 1 << number for number, cell in enumerate(cells)}
    # An equation has the lamps that switch a lamp, and in its highest bit whether that lamp is lit.
    rhs = 1 << len(cells)
    rows = [
        bit[cell]
        | sum(bit[near] for near in neighbours(cell, position.rows, position.columns))
        | (rhs if position.letter(cell) == ON else 0)
        for cell in cells
    ]
    pivots: dict[Cell, int] = {}
    for done, cell in enumerate(cells):
        yield Progress(done, len(cells))
        row = next((row for row in rows if row & bit[cell]), None)
        if row is None:
            continue
        rows.remove(row)
        rows = [other ^ row if other & bit[cell] else other for other in rows]
        pivots = {c: other ^ row if other & bit[cell] else other for c, other in pivots.items()}
        pivots[cell] = row
    if any(row & rhs for row in rows):
        return CountAnswer(Exact(0))
    presses = sorted(cell for cell, row in pivots.items() if row & rhs)
    free = len(cells) - len(pivots)
    return CountAnswer(Exact(2**free), tuple(kind.write_move(cell) for cell in presses))
