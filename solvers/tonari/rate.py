"""The question `rate`: how hard a puzzle is, as chances of two players who can't think ahead."""

import math
import random
import time
from collections.abc import Generator

import numpy as np

from solvers.kind import Answer, Cell, Kind, Progress, Run
from solvers.message import Message
from solvers.tonari import kernels, rules
from solvers.tonari.bands import BANDS
from solvers.tonari.layout import layout
from solvers.tonari.obstacle import noted
from solvers.tonari.rules import Position
from solvers.tonari.table import REPORT, Table

MEMORY = 256 << 20
"""Bytes for the exact chances: boards of up to some 30 cells. Beyond that games are played."""

GAMES = 4000
"""Games of the careful player where the chances are too many to be summed up."""


def rate(kind: Kind[Position, Cell], position: Position, *, memory: int = MEMORY) -> Run:
    """Ask how hard the position is.

    details: `random` and `careful`, the chances that a player solves it who plays any legal
    move, or any that dooms no stone; the same as `random_level` and `careful_level`,
    -log10 of the chance (null for 0); `band`, the name of the difficulty, and `note`, it in a
    sentence, or why there is no chance. Exact where the table fits into `memory`; else not
    proven, from games played, with the standard error of `careful` as `error`. No value.
    """
    lucky, careful, error = 0.0, 0.0, None
    if not rules.doomed(position):
        table = Table(position, kernels.STEPS, memory=memory)
        if (yield from table.reach()):
            lucky, careful = yield from table.chances()
        else:
            lucky, careful, error = yield from _play_games(position)
    band = next(name for least, name in BANDS if careful >= least)
    note = Message(
        "Of 1000 tries without a plan, this many succeed: {careful}, if no stone is put where "
        "it can't get its colour; {random}, if any legal move is played.",
        {"careful": _per_mille(careful), "random": _per_mille(lucky)},
    )
    details: dict[str, object] = {
        "random": lucky,
        "careful": careful,
        "random_level": -math.log10(lucky) if lucky else None,
        "careful_level": -math.log10(careful) if careful else None,
        "band": band,
        "note": note.to_json(),
    }
    if not careful:
        details |= noted(position)
    if error is not None:
        details["error"] = error
    return Answer(None, proven=error is None, details=details)


def _per_mille(chance: float) -> str:
    if 0 < chance < 1e-6:
        return "< 0.001"
    return f"{1000 * chance:.2g}" if chance < 0.1 else f"{1000 * chance:.0f}"


def _play_games(position: Position) -> Generator[Progress, None, tuple[float, float, float]]:
    """Return (random, careful, standard error of careful) from games of the careful player.

    A game of the careful player with choices k1, k2, ... among l1, l2, ... legal moves is
    played by the random one with the chance (k1 / l1) * (k2 / l2) * ...: the mean of that
    product over the careful player's games, 0 for a lost one, is the random one's chance.
    """
    lay = layout(position)
    rng = random.Random(1)
    full = (1 << (position.rows * position.columns)) - 1
    won, lucky = 0, 0.0
    reported = time.monotonic()
    for game in range(GAMES):
        occupied, chance = position.occupied, 1.0
        while occupied != full:
            legal = kernels.choices(lay, kernels.FREE, lay[:0], np.uint64(occupied))
            kept = int(kernels.choices(lay, kernels.STEPS, lay[:0], np.uint64(occupied)))
            if not kept:
                break
            chance *= kept.bit_count() / int(legal).bit_count()
            for _ in range(rng.randrange(kept.bit_count())):
                kept &= kept - 1
            occupied |= kept & -kept
        else:
            won += 1
            lucky += chance
        if time.monotonic() > reported + REPORT:
            reported = time.monotonic()
            yield Progress(game, GAMES)
    careful = won / GAMES
    return lucky / GAMES, careful, math.sqrt(careful * (1 - careful) / GAMES)
