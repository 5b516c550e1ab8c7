"""The question `rate`: how hard a puzzle is, as the chances of two players who can't think
ahead."""

import math
import random

import numpy as np
from msgspec.structs import replace
from numba import njit

from solvers.answers import BANDS, RateAnswer
from solvers.kind import Cell, Kind
from solvers.memory import MEMORY as ALLOWED
from solvers.message import Message
from solvers.question import Clock, Progress, Run
from solvers.rating import UNDECIDED, UNSOLVABLE
from solvers.tonari import bitboard, rules
from solvers.tonari.bitboard import FREE, FULL, NONE, ONE, STEPS
from solvers.tonari.questions import CHANCES
from solvers.tonari.rules import Position
from solvers.tonari.solve import find
from solvers.tonari.table import Table

MEMORY = min(256 << 20, ALLOWED)
"""Bytes for the exact chances, which suffice for boards of up to about 30 cells. On larger boards
the chances are estimated from games."""

GAMES = 4000
"""Games of the careful player where there are too many states for exact chances."""


def rate(
    kind: Kind[Position, Cell], position: Position, *, memory: int = MEMORY
) -> Run[RateAnswer]:
    """Rate the position by the chances of a random player and of a careful one.

    The random player makes any legal move. The careful player never puts a stone where it can't get
    the colour the target wants. Returns a `RateAnswer` without a value. It is exact where the table
    of states fits into `memory` bytes. Otherwise it is not proven: the chances are estimated from
    `GAMES` games, and `error` is the standard error of `careful`. `note` states the chances in a
    sentence, or why there is none. There is no band without a solution, and none if all games are
    lost and a search finds no solution in time.
    """
    random_chance, careful, error = 0.0, 0.0, None
    if not rules.doomed(position):
        table = Table(position, STEPS, memory=memory)
        if (yield from table.reach()):
            random_chance, careful = yield from chances(table)
        else:
            random_chance, careful, error = yield from _play_games(position)
    if not careful:
        # Games may all be lost although there is a solution.
        line = [] if error is None else (yield from find(position))
        if line is None:
            return UNDECIDED
        if not line:
            reason = rules.obstacle(position) or UNSOLVABLE.note
            return replace(UNSOLVABLE, random=0.0, careful=0.0, note=reason)
    note = Message(
        "Of 1000 tries without a plan, {careful} succeed if no stone is put where it can't get "
        "its colour, and {random} if any legal move is played.",
        {"careful": _per_mille(careful), "random": _per_mille(random_chance)},
    )
    return RateAnswer(
        None,
        proven=error is None,
        note=note,
        band=next(band for band, least in zip(BANDS, CHANCES) if careful >= least),
        random=random_chance,
        careful=careful,
        random_level=-math.log10(random_chance) if random_chance else None,
        careful_level=-math.log10(careful) if careful else None,
        error=error,
    )


def _per_mille(chance: float) -> str:
    if 0 < chance < 1e-6:
        return "< 0.001"
    return f"{1000 * chance:.2g}" if chance < 0.1 else f"{1000 * chance:.0f}"


def _play_games(position: Position) -> Run[tuple[float, float, float]]:
    """Return (random, careful, standard error of careful), estimated from games of the careful
    player.

    The careful player has the choices k1, k2, ... among l1, l2, ... legal moves in a game. The
    random player plays the same game with (k1 / l1) * (k2 / l2) * ... times the careful player's
    probability. So the mean of that product over the careful player's games, 0 for a lost one, is
    the random player's chance.
    """
    layout = bitboard.layout(position)
    rng = random.Random(1)
    full = (1 << (position.rows * position.columns)) - 1
    won, random_chance = 0, 0.0
    clock = Clock()
    for game in range(GAMES):
        occupied, chance = position.occupied, 1.0
        while occupied != full:
            legal = bitboard.choices(layout, FREE, layout[:0], np.uint64(occupied))
            choices = int(bitboard.choices(layout, STEPS, layout[:0], np.uint64(occupied)))
            if not choices:
                break
            chance *= choices.bit_count() / int(legal).bit_count()
            for _ in range(rng.randrange(choices.bit_count())):
                choices &= choices - 1
            occupied |= choices & -choices
        else:
            won += 1
            random_chance += chance
        if clock.is_due():
            yield Progress(game, GAMES)
    careful = won / GAMES
    return random_chance / GAMES, careful, math.sqrt(careful * (1 - careful) / GAMES)


def chances(table: Table) -> Run[tuple[float, float]]:
    """Return how likely the random and the careful player solve the position of a reached table.

    In a table of the rule TARGET only the careful player's chance is meaningful. Areas don't
    influence each other, so the position is solved with the product of their chances.
    """
    chances_of = np.zeros((2, table.end))
    yield from table.backwards(
        lambda first, last: fill_chances(
            table.layout, table.rule, table.images, table.keys, table.slots, table.order,
            first, last, *chances_of,
        )
    )  # fmt: skip
    rows = table.rows(table.position.occupied)
    random, careful = (0.0, 0.0) if rows is None else chances_of[:, rows].prod(axis=1).tolist()
    return random, careful


# Numba infers the kernel's types: arrays as in `bitboard`, and int64.
@njit(cache=True, nogil=True)
def fill_chances(  # type: ignore[no-untyped-def]
    layout, rule, images, keys, slots, order, first, last, random, careful
):
    """Fill in the chances to solve the states `order[first:last]`, in the order fullest states
    first.

    `random` and `careful` are float64[states]. The random player chooses among all legal moves, the
    careful one among those that keep the target; all of a player's choices are equally likely.
    """
    predecessors = np.empty(32, np.uint64)
    for position in range(first, last):
        i = order[position]
        if keys[i] == layout[FULL]:
            random[i] = careful[i] = 1.0
            continue
        legal = bitboard.around(layout, keys[i]) & ~keys[i]
        moves = legal & bitboard.keeping(layout, keys[i])
        size = bitboard.size(moves)
        while moves != NONE:
            move = moves & (~moves + ONE)
            moves ^= move
            number = bitboard.states_of(layout, rule, images, keys[i] | move, predecessors)
            if number < 0:
                continue
            random_after = careful_after = 1.0
            for k in range(number):
                j = slots[bitboard.find(keys, slots, predecessors[k])]
                random_after *= random[j]
                careful_after *= careful[j]
            random[i] += random_after / bitboard.size(legal)
            careful[i] += careful_after / size
