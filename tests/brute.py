"""Slow twins: the answers to the questions, from the rules alone.

Every kind's question of a name in `TWINS` is tested against the function there, which knows
nothing but `moves`, `play` and `judge`. The rules of a kind are tested against a second
statement of them that shares no code with the first; that, and twins of its own where the lines
of moves are too many to walk, lie in the kind's `twin.py`.
"""

from collections.abc import Hashable, Iterator
from typing import Any

from solvers.goishi.twin import count_board as goishi_count  # noqa: F401
from solvers.maxstrings.twin import best as maxstrings_best  # noqa: F401
from solvers.maxstrings.twin import completions  # noqa: F401
from solvers.registry import AnyKind, Twin, twins

DEEPEST = 200
"""Moves of the longest line that is walked."""


def solutions(kind: AnyKind, position: Hashable, depth: int = 0) -> Iterator[tuple[Any, ...]]:
    """Yield the lines of moves from the position to a solved one."""
    assert depth < DEEPEST, f"the moves of {kind.slug} never run out: it needs a twin.py of its own"
    if kind.judge(position).solved:
        yield ()
    for move in kind.moves(position):
        for line in solutions(kind, kind.play(position, move), depth + 1):
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
    stages = [kind.start(position)]
    for move in kind.line(position):
        stages.append(kind.play(stages[-1], move))
    # Where pieces can be taken back, what was lost can be won back.
    is_solvable = twins(kind).get("solve", solve)
    solvable = [number for number, stage in enumerate(stages) if is_solvable(kind, stage)]
    if not solvable:
        return None
    return 0 if solvable[-1] == len(stages) - 1 else solvable[-1] + 1


TWINS: dict[str, Twin] = {
    "count": count,
    "orders": orders,
    "plain": count,
    "solve": solve,
    "review": review,
}


def twin(kind: AnyKind, name: str) -> Twin | None:
    """Return the twin of a question, if it has one: the kind's own before the general one."""
    return twins(kind).get(name) or TWINS.get(name)


def _play(kind: AnyKind, position: Hashable, line: tuple[Any, ...]) -> Hashable:
    for move in line:
        position = kind.play(position, move)
    return position
