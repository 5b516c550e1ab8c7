"""The question `rate`: how hard a puzzle is, as chances of two players who can't think ahead."""

import math
import random

import numpy as np
from numba import njit

from solvers.answers import BANDS, RateAnswer
from solvers.kind import Cell, Kind
from solvers.memory import MEMORY as ALLOWED
from solvers.message import Message
from solvers.question import Clock, Progress, Run
from solvers.tonari import bitboard, rules
from solvers.tonari.bitboard import FREE, FULL, NONE, ONE, STEPS
from solvers.tonari.questions import CHANCES
from solvers.tonari.rules import Position
from solvers.tonari.table import Table

MEMORY = min(256 << 20, ALLOWED)
"""Bytes for the exact chances: boards of up to some 30 cells. Beyond that games are played."""

GAMES = 4000
"""Games of the careful player where the chances are too many to be summed up."""


def rate(
    kind: Kind[Position, Cell], position: Position, *, memory: int = MEMORY
) -> Run[RateAnswer]:
    """Ask how hard the position is.

    The careful player dooms no stone. Exact where the table fits into `memory` bytes; else not
    proven, from games played, with the standard error of `careful`. The `note` says it in a
    sentence, or why there is no chance. No value.
    """
    lucky, careful, error = 0.0, 0.0, None
    if not rules.doomed(position):
        table = Table(position, STEPS, memory=memory)
        if (yield from table.reach()):
            lucky, careful = yield from chances(table)
        else:
            lucky, careful, error = yield from _play_games(position)
    note = Message(
        "Of 1000 tries without a plan, this many succeed: {careful}, if no stone is put where "
        "it can't get its colour; {random}, if any legal move is played.",
        {"careful": _per_mille(careful), "random": _per_mille(lucky)},
    )
    return RateAnswer(
        None,
        proven=error is None,
        note=(rules.obstacle(position) if not careful else None) or note,
        band=next(band for band, least in zip(BANDS, CHANCES) if careful >= least),
        random=lucky,
        careful=careful,
        random_level=-math.log10(lucky) if lucky else None,
        careful_level=-math.log10(careful) if careful else None,
        error=error,
    )


def _per_mille(chance: float) -> str:
    if 0 < chance < 1e-6:
        return "< 0.001"
    return f"{1000 * chance:.2g}" if chance < 0.1 else f"{1000 * chance:.0f}"


def _play_games(position: Position) -> Run[tuple[float, float, float]]:
    """Return (random, careful, standard error of careful) from games of the careful player.

    A game of the careful player with choices k1, k2, ... among l1, l2, ... legal moves is
    played by the random one with the chance (k1 / l1) * (k2 / l2) * ...: the mean of that
    product over the careful player's games, 0 for a lost one, is the random one's chance.
    """
    lay = bitboard.layout(position)
    rng = random.Random(1)
    full = (1 << (position.rows * position.columns)) - 1
    won, lucky = 0, 0.0
    clock = Clock()
    for game in range(GAMES):
        occupied, chance = position.occupied, 1.0
        while occupied != full:
            legal = bitboard.choices(lay, FREE, lay[:0], np.uint64(occupied))
            kept = int(bitboard.choices(lay, STEPS, lay[:0], np.uint64(occupied)))
            if not kept:
                break
            chance *= kept.bit_count() / int(legal).bit_count()
            for _ in range(rng.randrange(kept.bit_count())):
                kept &= kept - 1
            occupied |= kept & -kept
        else:
            won += 1
            lucky += chance
        if clock.is_due():
            yield Progress(game, GAMES)
    careful = won / GAMES
    return lucky / GAMES, careful, math.sqrt(careful * (1 - careful) / GAMES)


def chances(table: Table) -> Run[tuple[float, float]]:
    """Return how likely the random and the careful player solve the position of a reached table.

    Of a table of TARGET the careful player's chance alone means something: a stone on a closed
    cell is always safe and changes nothing for the others, so the choices among those are as
    likely with closed cells as without.
    """
    random, careful = np.zeros((2, table.end))
    yield from table.backwards(
        lambda first, last: fill_chances(
            table.lay, table.rule, table.images, table.keys, table.slots, table.order,
            first, last, random, careful,
        )
    )  # fmt: skip
    return (float(random[0]), float(careful[0])) if table.end else (0.0, 0.0)


# Numba infers the kernel's types: arrays as in `bitboard`, and int64.
@njit(cache=True, nogil=True)
def fill_chances(  # type: ignore[no-untyped-def]
    lay, rule, images, keys, slots, order, first, last, random, careful
):
    """Fill in the chances to solve the states `order[first:last]`, fullest states first.

    The random player plays any legal move, the careful one any that keeps the target, all
    equally likely.
    """
    for position in range(first, last):
        i = order[position]
        if keys[i] == lay[FULL]:
            random[i] = careful[i] = 1.0
            continue
        legal = bitboard.around(lay, keys[i]) & ~keys[i]
        moves = legal & bitboard.keeping(lay, keys[i])
        kept = bitboard.size(moves)
        while moves != NONE:
            move = moves & (~moves + ONE)
            moves ^= move
            occupied = keys[i] | move
            shut = bitboard.closed(lay, rule, occupied)
            if not bitboard.lost(lay, rule, occupied, shut):
                slot = bitboard.find(keys, slots, bitboard.least_image(images, occupied | shut))
                random[i] += random[slots[slot]] / bitboard.size(legal)
                careful[i] += careful[slots[slot]] / kept
