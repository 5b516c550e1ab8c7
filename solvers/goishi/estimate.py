"""The question `estimate`: about how many solutions, for boards too large to be counted."""

import math
from collections.abc import Generator
from dataclasses import dataclass
from statistics import fmean, stdev

import numpy as np

from solvers.goishi import kernels
from solvers.goishi.crowd import CROWD, crowds
from solvers.goishi.network import Network, State, network
from solvers.goishi.rules import Position
from solvers.goishi.solve import tags
from solvers.kind import Answer, Cell, Kind, Progress, Run
from solvers.message import Message

PROBES = 300_000
"""Random walks: about half a second, and a standard error of some percent."""

_SLICE = 10_000
_SEED = 0x9E3779B97F4A7C15


@dataclass(frozen=True, slots=True)
class Estimate:
    """A mean over random games, and its standard error."""

    mean: float
    error: float
    games: int

    def details(self) -> dict[str, object]:
        """Return it as the details of an answer: always shown as an estimate."""
        note = Message(
            "Estimated from {probes} random games: about {mean}, ± {percent} %.",
            {
                "probes": self.games,
                "mean": f"{self.mean:.3g}",
                "percent": f"{100 * self.error / self.mean:.1f}" if self.mean else "100",
            },
        )
        return {
            "estimate": float(f"{self.mean:.4g}"),
            "error": float(f"{self.error:.2g}"),
            "estimate_note": note.to_json(),
        }


def estimate(kind: Kind[Position, Cell], position: Position) -> Run:
    """Ask about how many solutions there are from the position on.

    Never proven. Value: the estimate, rounded; None when no random game ended well, which
    proves nothing. details: `estimate`, `error` (its standard error), `estimate_note`.
    """
    if kind.judge(position).solved:
        return Answer(1)
    board, starts = network(position)
    found = yield from probed(board, starts)
    # One game that ended well is a solution.
    value = max(1, round(found.mean)) if found.mean else None
    return Answer(value, proven=False, details=found.details())


def probed(board: Network, starts: list[State]) -> Generator[Progress, None, Estimate]:
    """Return the estimate for the states together, from always the same random games."""
    if not starts:
        return Estimate(0.0, 0.0, 0)
    if len(board.cells) > kernels.MOST_STONES:
        means = yield from crowds(board, starts)
        error = stdev(means) / math.sqrt(len(means))
        return Estimate(fmean(means), error, CROWD * len(means))
    ahead = np.array(board.ahead, np.uint64)
    rests = np.array([state.rest for state in starts], np.uint64)
    packed = tags(starts)
    total = squares = 0.0
    random = np.uint64(_SEED)
    for done in range(0, PROBES, _SLICE):
        added, more, random = kernels.probe(ahead, rests, packed, np.uint64(random), _SLICE)
        total += added
        squares += more
        yield Progress(done + _SLICE, PROBES)
    mean = total / PROBES
    variance = max(0.0, squares / PROBES - mean * mean)
    return Estimate(mean, math.sqrt(variance / PROBES), PROBES)
