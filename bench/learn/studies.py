"""More figures that the studies print: run times of the integer programme with and without its
cuts, positions on the Go board, squares that can be left out, orders of the pieces, skeletons."""

from collections import Counter
from time import process_time

from bench.learn.kikazu import BARE, LADDER, SIDE
from bench.study_kikazu import ORDER, PAWNS_LAST, search
from puzzleclass.learn.study_figures import (
    GoPositions,
    LeftOut,
    PieceOrders,
    ProgrammeTimes,
    StudyFigures,
)
from puzzleclass.learn.tonari_methods import LADDER as TONARI_LADDER
from puzzleclass.learn.tonari_methods import position_text
from solvers.grid import neighbours
from solvers.kikazu import KIND as KIKAZU
from solvers.kikazu import skeletons
from solvers.maxstrings import KIND as MAX_STRINGS
from solvers.maxstrings import count
from solvers.maxstrings import search as go
from solvers.maxstrings.maximum import most_strings
from solvers.question import finish
from solvers.registry import get_kind
from solvers.tonari.plain import endings, layers
from solvers.warm import warm

TONARI = get_kind("tonari")

PROGRAMMES = range(2, 15)
"""Sides of the boards whose programme HiGHS solves."""
POSITIONS = range(1, 7)
"""Sides of the Go boards whose positions are counted."""
ORDERED = (*LADDER[3:5], *LADDER[6:8], LADDER[9])
"""Boards on which the study's search ends soon with both orders of the pieces."""


def figures() -> StudyFigures:
    """Return all figures. HiGHS takes five minutes; the rest is a matter of seconds."""
    warm()
    programme(PROGRAMMES[0])  # loads HiGHS
    began = process_time()
    skeletons.skeletons(SIDE, SIDE, BARE)
    seconds = process_time() - began
    return StudyFigures(
        programmes=tuple(map(programme, PROGRAMMES)),
        positions=tuple(map(positions, POSITIONS)),
        left_out=tuple(map(left_out, TONARI_LADDER.sides)),
        piece_orders=tuple(map(piece_orders, ORDERED)),
        skeleton_seconds=float(f"{seconds:.2g}"),
    )


def programme(n: int) -> ProgrammeTimes:
    """Have HiGHS solve the study's programme with and without the symmetry cuts."""
    times = {}
    for cuts in ("no", "yes"):
        board = MAX_STRINGS.read(f"{n}x{n}")
        began = process_time()
        ask = MAX_STRINGS.questions["model"].ask
        answer = finish(ask(MAX_STRINGS, board, cuts=cuts, solver="highs"))
        times[cuts] = float(f"{process_time() - began:.2g}")
        assert answer.value == most_strings(n, n)
    return ProgrammeTimes(n, most_strings(n, n), times["no"], times["yes"])


def positions(n: int) -> GoPositions:
    """Count the legal positions, and those with the most strings."""
    way = finish(go.decision_order(("." * n,) * n))
    legal = finish(count.count_boards(way, n, None))
    best = finish(count.count_boards(way, n, n * n - most_strings(n, n)))
    return GoPositions(n, legal or 0, best or 0)


def left_out(side: int) -> LeftOut:
    """Return how many squares are left where closed ones are left out."""
    start = TONARI.read(position_text(side))
    left = Counter(side * side - board.bit_count() for board in endings(start))
    beside = {cell: sum(map(start.bit, neighbours(cell, side, side))) for cell in start.cells}

    def has_closed(occupied: int) -> bool:
        return any(
            not occupied & start.bit(cell) and not near & ~occupied for cell, near in beside.items()
        )

    found = (number for number, layer in enumerate(layers(start), 1)
             if any(has_closed(one.occupied) for one in layer if one.futures))  # fmt: skip
    return LeftOut(side, tuple(sorted(left.items())), next(found))


def piece_orders(text: str) -> PieceOrders:
    """Run the study's search with both orders of the pieces."""
    start = KIKAZU.read(text)
    last, first = (search(start, order) for order in (PAWNS_LAST, ORDER))
    assert last.ways == first.ways
    return PieceOrders(text, last.ways, last.boards, first.boards)
