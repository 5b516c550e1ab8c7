"""Slow twins: the answers to the questions, from the rules alone.

Every kind's question of a name in `TWINS` is tested against the function there, which knows
nothing but `moves`, `play` and `judge`. The rules of a kind are tested against a second
statement of them that shares no code with the first, like `goishi_count`.
"""

from collections.abc import Callable, Hashable, Iterator
from functools import cache
from itertools import product
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


def review(
    kind: AnyKind, position: Hashable, solve: Callable[[AnyKind, Hashable], int] = solve
) -> int | None:
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

OWN_TWINS: dict[tuple[str, str], Callable[[AnyKind, Hashable], int | None]] = {}
"""(kind, question) -> a twin instead, where the lines of moves are too many to walk."""


def twin(kind: AnyKind, name: str) -> Callable[[AnyKind, Hashable], int | None] | None:
    """Return the twin of a question, if it has one."""
    return OWN_TWINS.get((kind.slug, name)) or TWINS.get(name)


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


def completions(kind: AnyKind, position: Any) -> Iterator[Any]:
    """Yield the boards that a Max Strings position can become by adding stones."""
    open_points = sorted({move.cell for move in kind.moves(position)})
    for colours in product(("", "x", "o"), repeat=len(open_points)):
        placed = [
            f"{colour} {row + 1},{column + 1}"
            for colour, (row, column) in zip(colours, open_points)
            if colour
        ]
        yield kind.play_line(position, " ".join(placed))


def maxstrings_count(kind: AnyKind, position: Hashable) -> int:
    """Return the number of different solutions among the boards with more stones on which every
    string is a single stone; 1 if there are solutions, but only with longer strings."""
    solved = [end for end in completions(kind, position) if kind.judge(end).solved]
    single = [end for end in solved if kind.judge(end).score == sum(map(_stones, end.now))]
    return len({kind.solution(end) for end in single}) or int(bool(solved))


def _stones(row: str) -> int:
    return row.count("x") + row.count("o")


@cache
def _maxstrings_solve(kind: AnyKind, position: Any) -> int:
    return int(any(kind.judge(end).solved for end in completions(kind, position)))


def maxstrings_review(kind: AnyKind, position: Hashable) -> int | None:
    """Return the number of the move that put the goal out of reach."""
    return review(kind, position, _maxstrings_solve)


def maxstrings_best(kind: AnyKind, position: Hashable) -> int | None:
    """Return the most strings of a legal board with more stones; None when there is none.

    Strings are the islands of a graph here, joined step by step.
    """
    most = None
    for end in completions(kind, position):
        stones = {
            (row, column): letter
            for row, letters in enumerate(end.now)
            for column, letter in enumerate(letters)
        }
        points = {cell for cell, letter in stones.items() if letter != "#"}
        island = {cell: {cell} for cell in points if stones[cell] in "xo"}
        breathing = set()
        for row, column in points:
            for there in ((row, column + 1), (row + 1, column)):
                if there not in points:
                    continue
                pair = (row, column), there
                if stones[pair[0]] == stones[there] != ".":
                    joined = island[pair[0]] | island[there]
                    island.update(dict.fromkeys(joined, joined))
                elif "." in (stones[pair[0]], stones[there]):
                    breathing.update(pair)
        islands = {frozenset(cells) for cells in island.values()}
        given = zip(end.points, end.now)
        filled = all(n != "." for s, now in given for s, n in zip(s, now) if s == "s")
        if filled and all(cells & breathing for cells in islands):
            most = max(most or 0, len(islands))
    return most


OWN_TWINS["maxstrings", "count"] = maxstrings_count
OWN_TWINS["maxstrings", "best"] = maxstrings_best
OWN_TWINS["maxstrings", "review"] = maxstrings_review
