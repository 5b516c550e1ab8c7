"""Lights Out, solved by examining every set of presses."""

from collections.abc import Hashable
from functools import cache
from itertools import combinations
from typing import Any

from solvers.kind import Kind
from solvers.registry import Reference


def count(kind: Kind[Any, Any], position: Any) -> int:
    """Return the number of sets of presses after which all lamps are out."""
    return _ways(kind, "/".join(position.now))


@cache
def _ways(kind: Kind[Any, Any], lamps: str) -> int:
    start = kind.read(lamps)
    cells = list(kind.moves(start))
    found = 0
    for number in range(len(cells) + 1):
        for presses in combinations(cells, number):
            end = start
            for cell in presses:
                end = kind.play(end, cell)
            found += kind.judge(end).solved
    return found


def solve(kind: Kind[Any, Any], position: Hashable) -> int:
    """Return 1 if some set of presses puts all lamps out, else 0."""
    return int(count(kind, position) > 0)


def review(kind: Kind[Any, Any], position: Hashable) -> int | None:
    """Return 0, or None for a start without a solution, because no press can lose a solution."""
    return 0 if solve(kind, kind.start(position)) else None


REFERENCES: dict[str, Reference] = {"count": count, "solve": solve, "review": review}
