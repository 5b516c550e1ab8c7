"""Asking a kind, in one line, and boards of Goishi Hiroi to ask about."""

import random
from collections.abc import Callable, Container, Hashable
from typing import Any

from solvers.question import Progress, finish
from solvers.registry import AnyKind


def asker(kind: AnyKind) -> Callable[..., Any]:
    """Return `ask(name, position, signs, **options)`: the answer to the kind's question about a
    position or its text, its options being values; the signs of life are put into a list."""

    def ask(
        name: str, position: Hashable, signs: list[Progress] | None = None, **options: Any
    ) -> Any:
        asked = kind.read(position) if isinstance(position, str) else position
        run = kind.questions[name].ask(kind, asked, **options)
        return finish(run, None if signs is None else signs.append)

    return ask


def full(rows: int, columns: int) -> str:
    """Return a full board."""
    return "/".join(["o" * columns] * rows)


def board_of(stones: Container[int], rows: int, columns: int) -> str:
    """Return the board with stones on these points, counted row by row from 0."""
    signs = "".join(".o"[point in stones] for point in range(rows * columns))
    return "/".join(signs[row * columns :][:columns] for row in range(rows))


def random_board(rng: random.Random, rows: int, columns: int, stones: int) -> str:
    """Return a board with so many stones on random points."""
    return board_of(set(rng.sample(range(rows * columns), stones)), rows, columns)
