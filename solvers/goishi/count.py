"""The questions `count` and `estimate`: in how many orders all stones can be picked."""

import math
from dataclasses import dataclass
from statistics import fmean, stdev
from typing import Any, TypeVar

import numpy as np

from solvers.answers import CountAnswer, EstimateAnswer, Exact
from solvers.goishi import kernels, plain
from solvers.goishi.layers import Layers
from solvers.goishi.network import Network, State, network
from solvers.goishi.rules import Position
from solvers.goishi.search import find, tags
from solvers.grid import write_cell
from solvers.kind import Cell, Kind
from solvers.memory import MEMORY, too_little
from solvers.message import Message
from solvers.question import Progress, Run
from solvers.threads import THREADS

E = TypeVar("E", bound=EstimateAnswer)

_PLAIN_STATE = 600
"""Bytes of a state in `plain`."""

_QUICK_LOOK = 20_000
"""Search nodes spent on a first solution before counting."""

PROBES = 300_000
"""Random walks: about half a second, and a standard error of some percent."""

_PROBE_SLICE = 10_000
_SEED = 0x9E3779B97F4A7C15


def count(
    kind: Kind[Position, Cell], position: Position, *, memory: int = MEMORY, threads: int = THREADS
) -> Run[CountAnswer]:
    """Ask for the number of solutions from the position on, and one of them.

    `by_move` is left out when the layers don't fit into `memory` bytes. Not proven, with a lower
    bound and an estimate, when `memory` does not suffice at all.
    """
    if kind.judge(position).solved:
        return CountAnswer(Exact(1), states=0)
    board, starts = network(position)
    by_move = {kind.write_move(move): Exact(0) for move in kind.moves(position)}
    line = yield from find(board, starts, _QUICK_LOOK)
    if line == []:
        return CountAnswer(Exact(0), states=0, by_move=by_move)
    at_least = int(bool(line))
    if len(board.cells) > kernels.MOST_STONES:
        total, states = yield from plain.ways(board, starts, memory // _PLAIN_STATE, at_least)
        by_move = {}
    else:
        layers = Layers(board, starts, memory, at_least, threads)
        total = yield from layers.ways()
        at_least = layers.at_least
        states = layers.states
        if layers.links is None or total is None:
            by_move = {}
        else:
            completions = yield from layers.completions()
            for state, number in zip(starts, completions):
                by_move[write_cell(board.cells[state.stone])] = Exact(number)
    if total is None:
        estimate = yield from probed(board, starts)
        moves, note = board.line(line or ()), too_little(memory)
        return estimate.in_answer(CountAnswer, at_least, moves=moves, note=note, states=states)
    if total and line is None:
        line = yield from find(board, starts, 1 << 62)
    return CountAnswer(Exact(total), board.line(line or ()), states=states, by_move=by_move)


@dataclass(frozen=True, slots=True)
class Estimate:
    """A mean over random games, and its standard error."""

    mean: float
    error: float
    games: int

    @property
    def note(self) -> Message:
        """How it was found, in words."""
        return Message(
            "Estimated from {probes} random games: about {mean}, ± {percent} %.",
            {
                "probes": self.games,
                "mean": f"{self.mean:.3g}",
                "percent": f"{100 * self.error / self.mean:.1f}" if self.mean else "100",
            },
        )

    def in_answer(self, answer: type[E], value: int | None, **fields: Any) -> E:
        """Return an answer of this type that says the estimate. Never proven."""
        return answer(
            None if value is None else Exact(value),
            proven=False,
            estimate=float(f"{self.mean:.4g}"),
            error=float(f"{self.error:.2g}"),
            estimate_note=self.note,
            **fields,
        )


def estimate(kind: Kind[Position, Cell], position: Position) -> Run[EstimateAnswer]:
    """Ask about how many solutions there are from the position on.

    Never proven. Value: the estimate, rounded; None when no random game ended well, which
    proves nothing.
    """
    if kind.judge(position).solved:
        return EstimateAnswer(Exact(1))
    board, starts = network(position)
    found = yield from probed(board, starts)
    # One game that ended well is a solution.
    value = max(1, round(found.mean)) if found.mean else None
    return found.in_answer(EstimateAnswer, value)


def probed(board: Network, starts: list[State]) -> Run[Estimate]:
    """Return the estimate for the states together, from always the same random games."""
    if not starts:
        return Estimate(0.0, 0.0, 0)
    if len(board.cells) > kernels.MOST_STONES:
        means = yield from plain.crowds(board, starts)
        error = stdev(means) / math.sqrt(len(means))
        return Estimate(fmean(means), error, plain.CROWD * len(means))
    ahead = np.array(board.ahead, np.uint64)
    rests = np.array([state.rest for state in starts], np.uint64)
    packed = tags(starts)
    total = squares = 0.0
    random = np.uint64(_SEED)
    for done in range(0, PROBES, _PROBE_SLICE):
        added, more, random = kernels.probe(ahead, rests, packed, np.uint64(random), _PROBE_SLICE)
        total += added
        squares += more
        yield Progress(done + _PROBE_SLICE, PROBES)
    mean = total / PROBES
    variance = max(0.0, squares / PROBES - mean * mean)
    return Estimate(mean, math.sqrt(variance / PROBES), PROBES)
