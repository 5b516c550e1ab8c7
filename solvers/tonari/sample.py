"""The question `sample`, from the table of the count: it is made once for all drawings."""

import random
from dataclasses import replace
from functools import cache

from solvers.answers import Exact
from solvers.kind import Cell, Kind
from solvers.memory import MEMORY, memory_exceeded
from solvers.question import Run
from solvers.samples import SampleAnswer, answer_of, draw_lines, drawn
from solvers.tonari.bitboard import TARGET
from solvers.tonari.count import numbers_by_move
from solvers.tonari.rules import Position, doomed, obstacle
from solvers.tonari.table import Table


def sample(
    kind: Kind[Position, Cell], position: Position, *, many: int, seed: int, memory: int = MEMORY
) -> Run[SampleAnswer]:
    """Draw `many` orders that reach the target. The same seed draws the same orders.

    The answer is not proven if the table needs more than `memory` bytes.
    """
    if doomed(position):
        return SampleAnswer(Exact(0), note=obstacle(position))
    table = Table(position, TARGET, memory=memory)
    if not (yield from table.reach()):
        return SampleAnswer(None, proven=False, note=memory_exceeded(memory))
    yield from table.complete()
    total = table.orders(position.occupied)
    if not total:
        return SampleAnswer(Exact(0), note=obstacle(position))
    rng = random.Random(seed)

    @cache
    def numbers(occupied: int) -> dict[Cell, int]:
        here = replace(position, starts=occupied, placed=())
        return dict(numbers_by_move(kind, here, table))

    def draw() -> str:
        moves, occupied = [], position.occupied
        while occupied.bit_count() < position.rows * position.columns:
            by_move = numbers(occupied)
            moves.append(drawn(rng, [*by_move], by_move.values()))
            occupied |= position.bit(moves[-1])
        return " ".join(map(kind.write_move, moves))

    return (yield from answer_of(kind, position, total, (yield from draw_lines(many, draw))))
