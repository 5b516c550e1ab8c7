"""More figures that the studies print: run times of the integer programme with and without its
cuts, positions on the Go board, squares that can be left out, orders of the pieces, skeletons."""

from collections import Counter
from collections.abc import Iterable
from itertools import combinations
from time import process_time

from bench.studies.kikazu import BARE, LADDER, SIDE
from bench.study_kikazu import ORDER, PAWNS_LAST, search
from puzzleclass.studies.kikazu_pictures import attacked
from puzzleclass.studies.printed_figures import (
    GoPositions,
    LeftOut,
    PieceOrders,
    PrintedFigures,
    ProgrammeTimes,
    RoomLeft,
)
from puzzleclass.studies.tonari_methods import LADDER as TONARI_LADDER
from puzzleclass.studies.tonari_methods import position_text
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


def figures() -> PrintedFigures:
    """Return all figures. HiGHS takes five minutes; the rest is a matter of seconds."""
    warm()
    programme(PROGRAMMES[0])  # loads HiGHS
    began = process_time()
    skeletons.skeletons(SIDE, SIDE, BARE)
    seconds = process_time() - began
    return PrintedFigures(
        programmes=tuple(map(programme, PROGRAMMES)),
        positions=tuple(map(positions, POSITIONS)),
        left_out=tuple(map(left_out, TONARI_LADDER.sides)),
        piece_orders=tuple(map(piece_orders, ORDERED)),
        room=room_left(),
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

    numbers = (number for number, layer in enumerate(layers(start), 1)
             if any(has_closed(one.occupied) for one in layer if one.futures))  # fmt: skip
    return LeftOut(side, tuple(sorted(left.items())), next(numbers))


def piece_orders(text: str) -> PieceOrders:
    """Run the study's search with both orders of the pieces."""
    start = KIKAZU.read(text)
    last, first = (search(start, order) for order in (PAWNS_LAST, ORDER))
    assert last.ways == first.ways
    return PieceOrders(text, last.ways, last.boards, first.boards)


def room_left() -> RoomLeft:
    """Try every way to place two rooks and two bishops, none of which attacks another."""
    squares = range(SIDE * SIDE)
    taken = {
        piece: [
            _bits({at, *attacked("." * at + piece + "." * (SIDE**2 - at - 1))}) for at in squares
        ]
        for piece in "RB"
    }
    rooms = []
    for first, second in combinations(squares, 2):
        rooks = taken["R"][first] | taken["R"][second]
        if taken["R"][first] >> second & 1:
            continue
        left = [at for at in squares if not rooks >> at & 1
                and not taken["B"][at] & (1 << first | 1 << second)]  # fmt: skip
        for third, fourth in combinations(left, 2):
            if not taken["B"][third] >> fourth & 1:
                used = rooks | taken["B"][third] | taken["B"][fourth]
                rooms.append((SIDE**2 - used.bit_count(), (first, second, third, fourth)))
    least, most = min(rooms), max(rooms)
    return RoomLeft(len(rooms), least[0], most[0], _far(least[1]), _far(most[1]))


def _bits(squares: Iterable[int]) -> int:
    return sum(1 << at for at in squares)


def _far(squares: tuple[int, ...]) -> str:
    """Return the board with the two rooks and the two bishops on the squares."""
    signs = dict(zip(squares, "RRBB", strict=True))
    return "".join(signs.get(at, ".") for at in range(SIDE * SIDE))
