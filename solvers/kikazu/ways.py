"""All solutions of a start, where they are few enough to be kept, and quick questions about them.

With every solution at hand as a bit, "how many are left when these pieces are given?" is an
intersection of sets, in microseconds, where a search takes milliseconds.
"""

from collections.abc import Generator, Iterable
from math import inf

from solvers.kikazu.placements import Placement, Put, placements, sort_key
from solvers.kikazu.rules import Position
from solvers.kikazu.search import Problem, Race, problem
from solvers.kind import Progress

LISTED = 10_000
"""Solutions that are kept at most."""

KEPT = 2
"""Starts whose solutions a process keeps: who orders more puzzles of one set, or turns to another
question about it, waits for no search."""

_kept: dict[Problem, list[Placement]] = {}


def all_ways(
    position: Position, seconds: float = inf
) -> Generator[Progress, None, list[Placement] | None]:
    """Return the ways to place the rest of the hand, sorted by kind and then row by row.

    Not to be changed. None when there are more than `LISTED`, or when `seconds` of searching
    did not find them all.
    """
    asked = problem(position)
    if asked is None:
        return []
    if not any(position.hand):
        return [()]
    if asked in _kept:
        return _kept[asked]
    race = Race(asked, keep=LISTED)
    while not race.leader.finished:
        progress = race.step()
        if (progress.at_least or 0) > LISTED or race.seconds > seconds:
            return None
        yield progress
    if race.leader.total > LISTED:
        return None
    found = [way for leaf in race.leader.leaves() for way in placements(asked, leaf)]
    found.sort(key=lambda way: sort_key(asked, way))
    while len(_kept) >= KEPT:
        del _kept[next(iter(_kept))]
    _kept[asked] = found
    return found


class Ways:
    """Solutions, numbered from 0, and for each piece on a square the set of those that have it.

    Sets are Python integers: bit n stands for solution n.
    """

    def __init__(self, ways: list[Placement]) -> None:
        self.ways = ways
        self.everything = (1 << len(ways)) - 1
        numbers: dict[Put, list[int]] = {}
        for number, way in enumerate(ways):
            for put in way:
                numbers.setdefault(put, []).append(number)
        self.having = {put: _as_bits(listed) for put, listed in numbers.items()}

    def left(self, puts: Iterable[Put], among: int | None = None) -> int:
        """Return the set of solutions, of those in `among`, that have all of these pieces."""
        left = self.everything if among is None else among
        for put in puts:
            left &= self.having.get(put, 0)
        return left


def _as_bits(numbers: list[int]) -> int:
    marks = bytearray(numbers[-1] // 8 + 1)
    for number in numbers:
        marks[number // 8] |= 1 << number % 8
    return int.from_bytes(marks, "little")
