"""Reference implementations: slow answers to the questions, from the rules alone.

The contract tests compare each question that has an entry in `REFERENCES` with the function there.
The functions use only `moves`, `play` and `judge`. A kind has reference implementations of its own
in its `reference.py` if its lines of moves never end or are too many to walk through.
"""

from collections.abc import Hashable, Iterator
from functools import cache
from typing import Any

from solvers.registry import AnyKind, Reference, references

LONGEST_LINE = 200
"""The most moves of a line that is walked through."""


def solutions(kind: AnyKind, position: Hashable, depth: int = 0) -> Iterator[tuple[Any, ...]]:
    """Yield the lines of moves that lead from the position to a solved one. Raise AssertionError
    for a line of more than `LONGEST_LINE` moves."""
    assert depth < LONGEST_LINE, (
        f"The moves of “{kind.slug}” never run out, so its lines cannot be walked through. "
        "Write a reference.py with REFERENCES beside its rules: see solvers.registry.references."
    )
    if kind.judge(position).solved:
        yield ()
    for move in kind.moves(position):
        for line in solutions(kind, kind.play(position, move), depth + 1):
            yield (move, *line)


def count(kind: AnyKind, position: Hashable) -> int:
    """Return the number of different solutions (`Kind.solution`) that the position leads to."""
    return len({kind.solution(_play(kind, position, line)) for line in solutions(kind, position)})


def solve(kind: AnyKind, position: Hashable) -> int:
    """Return 1 if the position leads to a solution, else 0."""
    return int(any(True for _ in solutions(kind, position)))


def orders(kind: AnyKind, position: Hashable) -> int:
    """Return the number of lines of moves from the position to where no move is left."""
    moves = list(kind.moves(position))
    return sum(orders(kind, kind.play(position, move)) for move in moves) if moves else 1


def review(kind: AnyKind, position: Hashable) -> int | None:
    """Return the number of the move that gave away the last solution, counted from 1. Return 0 if a
    solution is left, and None if there never was one."""
    stages = [kind.start(position)]
    for move in kind.line(position):
        stages.append(kind.play(stages[-1], move))
    # If pieces can be taken back, a lost board can become solvable again.
    solvable = [number for number, stage in enumerate(stages) if _is_solvable(kind, stage)]
    if not solvable:
        return None
    return 0 if solvable[-1] == len(stages) - 1 else solvable[-1] + 1


@cache
def _is_solvable(kind: AnyKind, position: Hashable) -> bool:
    """Return whether the position leads to a solution. Lines of moves share most of their
    positions."""
    return bool(references(kind).get("solve", solve)(kind, position))


REFERENCES: dict[str, Reference] = {
    "count": count,
    "orders": orders,
    "plain": count,
    "solve": solve,
    "review": review,
}


def reference(kind: AnyKind, name: str) -> Reference | None:
    """Return the reference implementation of a question, or None. The kind's own has precedence."""
    return references(kind).get(name) or REFERENCES.get(name)


def _play(kind: AnyKind, position: Hashable, line: tuple[Any, ...]) -> Hashable:
    for move in line:
        position = kind.play(position, move)
    return position
