"""All targets of a board and its start stones, run through one by one."""

import random
from collections.abc import Iterator, Sequence

import numpy as np

from solvers.tonari.layout import images, layout
from solvers.tonari.rules import Position
from solvers.tonari.sift_kernel import LOOKED, REACHABLE, UNDECIDED, sift

NODES = 50_000
"""Search nodes for one target; most need a few dozen."""

_SLICE = 1 << 15
"""Targets of one call."""

_ROOM = 256
"""Targets found by one call."""

_MEMO = 1 << 13
"""States remembered of one target."""


class Sift:
    """The targets in which the cells of each orbit, a set as bits, are all white or all black,
    and all other cells have the colours of `start`'s target. Sifted for those with `least` to
    `most` orders; by lot if `rng` is given, else in the order of the orbits. Where each orbit is a
    single cell, only one of several mirror images is found.
    """

    def __init__(
        self,
        start: Position,
        orbits: Sequence[int],
        least: int,
        most: int,
        rng: random.Random | None = None,
    ) -> None:
        self._start = start
        self._orbits = np.array(orbits, np.uint64)
        self._bounds = float(least), float(most)
        mixed = (rng.getrandbits(62) | 1, rng.getrandbits(62)) if rng else (1, 0)
        self._mixed = np.uint64(mixed[0]), np.uint64(mixed[1])
        self._tally = np.zeros(3, np.int64)
        self.total = 1 << len(orbits)
        """Targets in all."""

    @property
    def looked(self) -> int:
        """Targets looked at."""
        return int(self._tally[LOOKED])

    @property
    def reachable(self) -> int:
        """Of these, those that some order reaches."""
        return int(self._tally[REACHABLE])

    @property
    def undecided(self) -> int:
        """Of these, those about which a search of `NODES` nodes did not tell."""
        return int(self._tally[UNDECIDED])

    def run(self) -> Iterator[list[Position]]:
        """Yield those found, a few milliseconds' work at a time: mostly empty lists."""
        start = self._start
        lay = layout(start)
        bare = Position(start.rows, start.columns, 0, start.starts)
        singles = all(orbit.bit_count() == 1 for orbit in self._orbits.tolist())
        folded = images(bare, target=False) if singles else images(bare)[:0]
        base = np.uint64(start.white & ~sum(self._orbits.tolist()))
        memo, worth = np.zeros((_MEMO, 2), np.uint64), np.zeros(_MEMO)
        path, open_moves = np.zeros((2, start.rows * start.columns + 1), np.uint64)
        weight, before = np.zeros((2, len(path)))
        found = np.zeros(_ROOM, np.uint64)
        while self.looked < self.total:
            kept, _ = sift(
                lay, np.uint64(start.starts), folded, self._orbits, base, *self._mixed,
                self.looked, min(self.looked + _SLICE, self.total), *self._bounds,
                memo, worth, NODES, path, open_moves, weight, before, found, self._tally,
            )  # fmt: skip
            yield [
                Position(start.rows, start.columns, white, start.starts)
                for white in found[:kept].tolist()
            ]
