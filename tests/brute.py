"""Slow twins: the answers to the questions, from the rules alone.

Every kind's question of a name in `TWINS` is tested against the function there, which knows
nothing but `moves`, `play` and `judge`. The rules of a kind are tested against a second
statement of them that shares no code with the first, like `goishi_count`.
"""

from collections.abc import Callable, Hashable, Iterator
from functools import cache
from typing import Any

from solvers.registry import AnyKind


def solutions(kind: AnyKind, position: Hashable) -> Iterator[tuple[Any, ...]]:
    """Yield the lines of moves from the position to a solved one."""
    if kind.judge(position).solved:
        yield ()
    for move in kind.moves(position):
        for line in solutions(kind, kind.play(position, move)):
            yield (move, *line)


def count(kind: AnyKind, position: Hashable) -> int:
    """Return the number of solutions from the position on, different texts only."""
    return len({kind.solution(_play(kind, position, line)) for line in solutions(kind, position)})


def solve(kind: AnyKind, position: Hashable) -> int:
    """Return 1 if there is a solution from the position on, else 0."""
    return int(any(True for _ in solutions(kind, position)))


def orders(kind: AnyKind, position: Hashable) -> int:
    """Return the number of lines of moves from the position on to where no move is left."""
    moves = list(kind.moves(position))
    return sum(orders(kind, kind.play(position, move)) for move in moves) if moves else 1


def review(kind: AnyKind, position: Hashable) -> int | None:
    """Return the number of the move that gave the last solution away; see `solvers.review`."""
    stage = kind.start(position)
    if not solve(kind, stage):
        return None
    for number, move in enumerate(kind.line(position), 1):
        stage = kind.play(stage, move)
        if not solve(kind, stage):
            return number
    return 0


TWINS: dict[str, Callable[[AnyKind, Hashable], int | None]] = {
    "count": count,
    "orders": orders,
    "plain": count,
    "solve": solve,
    "review": review,
}


def _play(kind: AnyKind, position: Hashable, line: tuple[Any, ...]) -> Hashable:
    for move in line:
        position = kind.play(position, move)
    return position


def goishi_count(board: str) -> int:
    """Return the number of orders of picking, by the rules of Goishi Hiroi said once more.

    Stones are points of a plane. From a point one may go to another if they share exactly
    one coordinate and no stone still there is between, unless the scalar product of this
    step and the last is negative.
    """
    stones = frozenset(
        complex(x, y)
        for y, row in enumerate(board.split("/"))
        for x, sign in enumerate(row)
        if sign == "o"
    )

    @cache
    def ways(rest: frozenset[complex], here: complex, step: complex) -> int:
        if not rest:
            return 1
        total = 0
        for there in rest:
            way = there - here
            straight = (way.real == 0) != (way.imag == 0)
            back = (way * step.conjugate()).real < 0
            blocked = any(
                abs(other - here) + abs(there - other) == abs(way) for other in rest - {there}
            )
            if straight and not back and not blocked:
                total += ways(rest - {there}, there, way / abs(way))
        return total

    return sum(ways(stones - {first}, first, 0j) for first in stones)
