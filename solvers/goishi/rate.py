"""The question `rate`: how hard a board is, as chances of players who can't think ahead."""

import math
import random
from collections.abc import Generator

from solvers.goishi import kernels
from solvers.goishi.layers import Layers
from solvers.goishi.network import FREE, Network, State, network
from solvers.goishi.rules import Position
from solvers.goishi.solve import find
from solvers.kind import Answer, Cell, Kind, Progress, Run
from solvers.memory import MEMORY
from solvers.message import Message, gettext_noop

BANDS = (
    (0.7, gettext_noop("easy")),
    (1.3, gettext_noop("medium")),
    (2.0, gettext_noop("hard")),
    (math.inf, gettext_noop("very hard")),
)
"""D_careful below this -> name. The bands are numbered from 1."""

GAMES = 200
"""Random games for the two means that are not exact."""

_SEARCH_NODES = 100_000


def rate(kind: Kind[Position, Cell], position: Position, *, memory: int = MEMORY) -> Run:
    """Ask how hard the position is.

    Value: the band, 1 to 4; None when there is no solution, or, not proven, when it can't be
    worked out within `memory` bytes. details: `random` and `careful`, the exact chances to
    solve it of a player who picks evenly among all legal moves, and among those that are not
    visibly dead; `random_level` and `careful_level`, -log10 of these; `band`, its name;
    `solutions`; from random games (always the same ones) `branching`, the mean number of moves
    to choose from, and `trap_depth`, the mean number of moves from the one that loses to where
    it shows; `note`, it all in a sentence.
    """
    if kind.judge(position).solved:
        return Answer(1, details=_describe(1, [1.0, 1.0], 0.0, 0.0))
    board, starts = network(position)
    line = yield from find(board, starts, _SEARCH_NODES)
    if line == []:
        return Answer(None, details={"note": _NONE.to_json(), "solutions": "0"})
    if len(board.cells) > kernels.MOST_STONES:
        return Answer(None, proven=False, details={"note": _TOO_LARGE.to_json()})
    layers = Layers(board, starts, memory, int(bool(line)))
    total = yield from layers.ways()
    if total is None or layers.links is None:
        return Answer(None, proven=False, details={"note": _TOO_LARGE.to_json()})
    if total == 0:
        return Answer(None, details={"note": _NONE.to_json(), "solutions": "0"})
    chances = yield from layers.chances()
    legal = len(list(kind.moves(position)))
    lucky, careful = (sum(column) for column in zip(*chances))
    branching, trap_depth = yield from _play(board, _legal_starts(board, position, kind))
    details = _describe(total, [lucky / legal, careful / len(starts)], branching, trap_depth)
    return Answer(band(-math.log10(careful / len(starts))), details=details)


_NONE = Message("This board has no solution.")
_TOO_LARGE = Message("This board is too large for its difficulty to be worked out exactly.")


def band(careful_level: float) -> int:
    """Return the number of the band of a D_careful."""
    return next(n for n, (limit, _) in enumerate(BANDS, 1) if careful_level < limit)


def _describe(
    total: int, chances: list[float], branching: float, trap_depth: float
) -> dict[str, object]:
    levels = [round(abs(math.log10(chance)), 3) for chance in chances]
    note = Message(
        "Without a plan, one try in {random} succeeds; one in {careful}, if moves that are seen "
        "to be lost at once are avoided. A mistake shows after {trap} more moves on average.",
        {
            "random": _one_in(chances[0]),
            "careful": _one_in(chances[1]),
            "trap": round(trap_depth, 1),
        },
    )
    return {
        "solutions": str(total),
        "random": float(f"{chances[0]:.4g}"),
        "careful": float(f"{chances[1]:.4g}"),
        "random_level": levels[0],
        "careful_level": levels[1],
        "band": BANDS[band(levels[1]) - 1][1],
        "branching": round(branching, 2),
        "trap_depth": round(trap_depth, 2),
        "note": note.to_json(),
    }


def _one_in(chance: float) -> str:
    tries = 1 / chance
    return f"{tries:.1f}" if tries < 10 else f"{float(f'{tries:.2g}'):,.0f}"


Stage = tuple[int, int, int]
"""A position in a game without foresight: the stones left, the current one, the way back."""


def _legal_starts(board: Network, position: Position, kind: Kind[Position, Cell]) -> list[Stage]:
    everything = (1 << len(board.cells)) - 1
    stages = []
    for move in kind.moves(position):
        arrival = kind.play(position, move).arrival
        stone = board.cells.index(move)
        back = FREE if arrival is None else (arrival + 2) % 4
        stages.append((everything & ~(1 << stone), stone, back))
    return stages


def _play(board: Network, starts: list[Stage]) -> Generator[Progress, None, tuple[float, float]]:
    """Return the means of the number of choices and of the moves made in vain, over games."""
    rng = random.Random(1)
    choices: list[int] = []
    in_vain: list[int] = []
    for game in range(GAMES):
        stages, ways = [], starts
        while ways:
            stages.append(rng.choice(ways))
            ways = _ways(board, stages[-1])
            choices += [len(ways)] if ways else []
        if stages[-1][0]:
            lost = yield from _first_lost(board, stages)
            in_vain.append(len(stages) - 1 - lost)
        yield Progress(game, GAMES)
    return sum(choices) / max(1, len(choices)), sum(in_vain) / max(1, len(in_vain))


def _ways(board: Network, stage: Stage) -> list[Stage]:
    rest, stone, back = stage
    ways = []
    for direction in range(4):
        there = board.nearest(stone, direction, rest)
        if direction != back and there is not None:
            ways.append((rest & ~(1 << there), there, (direction + 2) % 4))
    return ways


def _first_lost(board: Network, stages: list[Stage]) -> Generator[Progress, None, int]:
    """Return the index of the first stage without a solution; the last one has none."""
    low, high = -1, len(stages) - 1
    while low + 1 < high:
        middle = (low + high) // 2
        state: State | None = board.state(*stages[middle])
        line = (yield from find(board, [state], _SEARCH_NODES)) if state else []
        if line == []:
            high = middle
        else:
            low = middle
    return high
