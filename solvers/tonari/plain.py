"""The question `plain`: the count over sets of occupied cells, in plain Python.

The idea alone, without the collapse, the symmetries, the tests and the compiler of `kernels`:
a stone's colour is settled when it is put down, so all orders that fill the same cells have
the same future, and their numbers may be added. A lesson, and a slow twin.
"""

import time
from collections import defaultdict

from solvers.grid import neighbours
from solvers.kind import Answer, Cell, Kind, Progress, Run
from solvers.message import Message
from solvers.tonari import rules
from solvers.tonari.obstacle import noted
from solvers.tonari.rules import Position

_EVERY = 20_000
"""Sets between two signs of life."""


def plain(kind: Kind[Position, Cell], position: Position) -> Run:
    """Ask for the number of solutions, added up set by set.

    details: `states`, the sets looked at; `seconds`; `table`, the same to be shown; without a
    solution the reason as `note`, where one is seen.
    """
    began = time.perf_counter()
    cells = [
        (
            position.bit(cell),
            [position.bit(other) for other in neighbours(cell, position.rows, position.columns)],
            sum(position.bit((r, c)) for r, c in position.cells
                if max(abs(r - cell[0]), abs(c - cell[1])) == 1),
            rules.wants_white(position, cell),
        )
        for cell in position.cells
    ]  # fmt: skip
    layer = {} if rules.doomed(position) else {position.occupied: 1}
    looked_at = 0
    left = position.rows * position.columns - position.occupied.bit_count()
    for stones in range(left):
        following: defaultdict[int, int] = defaultdict(int)
        for occupied, ways in layer.items():
            looked_at += 1
            if looked_at % _EVERY == 0:
                yield Progress(stones, left)
            for bit, beside, around, white in cells:
                if not occupied & bit and occupied & around:
                    empty = sum(not occupied & other for other in beside)
                    if empty % 2 == white:
                        following[occupied | bit] += ways
        layer = following
    seconds = round(time.perf_counter() - began, 4)
    rows = [
        [Message("Sets of occupied points looked at").to_json(), str(looked_at)],
        [Message("Seconds").to_json(), str(seconds)],
    ]
    table = {"head": [Message("What").to_json(), Message("Number").to_json()], "rows": rows}
    details: dict[str, object] = {"states": looked_at, "seconds": seconds, "table": table}
    total = sum(layer.values())
    return Answer(total, details=details | ({} if total else noted(position)))
