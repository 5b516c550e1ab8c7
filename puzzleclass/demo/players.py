"""Simulated students, who play boards move by move by the real rules."""

import random
from collections.abc import Iterator
from functools import cache
from typing import Any, Literal

from solvers.kind import split_moves
from solvers.registry import AnyKind, get_kind

Action = tuple[Literal["move", "undo", "restart", "hint"], str]
"""An action with its argument: the text of a move, the level of a hint, or an empty text."""

HINT_CHANCE = 0.02
"""The probability that a student who does not know a solution asks for a hint after a move."""

SEARCHES = 12
"""The most different searches in a class for one puzzle. Classmates then find the same solution."""

SEARCH_MOVES = 3000
"""The number of moves after which the search for a solution is given up."""


def play(
    kind: AnyKind, start: Any, rng: random.Random, skill: float, solution: str = ""
) -> Iterator[Action]:
    """Yield what a student does until the puzzle is solved or patience ends.

    `skill`, from 0 to 1, is the probability that the student knows a solution in an attempt. A
    student who does not makes any legal moves, takes some back and starts again; in a kind with a
    score, the student makes moves that raise it. `solution` is the one that students know on a
    board where the search would hardly find any.
    """
    has_score = kind.judge(start).score is not None
    known_solution = _shuffled_solution(kind, solution, rng) or (
        None if has_score else find_solution(kind, start, rng)
    )
    for _ in range(1 + rng.randrange(4)):
        if known_solution and rng.random() < skill:
            # Sometimes the lesson ends before the last moves.
            played = known_solution if rng.random() < 0.9 else known_solution[:-2]
            yield from (("move", kind.write_move(move)) for move in played)
            return
        if has_score:
            yield from (
                ("move", kind.write_move(move)) for move in _raise_score(kind, start, rng, skill)
            )
            return
        position = start
        while moves := list(kind.moves(position)):
            move = rng.choice(moves)
            position = kind.play(position, move)
            yield "move", kind.write_move(move)
            if kind.judge(position).solved:
                return
            if rng.random() < HINT_CHANCE:
                yield "hint", rng.choice("1123")
            if rng.random() < 0.04:
                return
        if rng.random() < 0.4:
            stands = len(split_moves(kind.write_line(position)))
            for _ in range(min(stands, rng.randint(1, 2))):
                yield "undo", ""
            return
        yield "restart", ""


def _raise_score(kind: AnyKind, start: Any, rng: random.Random, skill: float) -> Iterator[Any]:
    """Yield moves that each raise the score and break no rule, until patience ends."""
    position, score, misses = start, kind.judge(start).score or 0, 0
    while misses < 10 + 60 * skill and (moves := list(kind.moves(position))):
        move = rng.choice(moves)
        after = kind.play(position, move)
        verdict = kind.judge(after)
        misses += 1
        if (verdict.score or 0) > score and not verdict.faults:
            yield move
            position, score, misses = after, verdict.score or 0, 0


def _shuffled_solution(kind: AnyKind, solution: str, rng: random.Random) -> list[Any]:
    moves = [kind.read_move(move) for move in split_moves(solution)]
    if kind.family == "placement":
        # The board at the end is the solution, so its moves can be made in any order.
        rng.shuffle(moves)
    return moves


def find_solution(kind: AnyKind, start: Any, rng: random.Random) -> list[Any] | None:
    """Return one of a few solutions, or None if it is not found within `SEARCH_MOVES` moves."""
    return _search_solution(kind.slug, start, rng.randrange(SEARCHES))


@cache
def _search_solution(slug: str, start: Any, number: int) -> list[Any] | None:
    kind, rng = get_kind(slug), random.Random(number)
    left = SEARCH_MOVES
    stack = [(start, _shuffled_moves(kind, start, rng))]
    line: list[Any] = []
    while stack and left:
        position, moves = stack[-1]
        if not moves:
            stack.pop()
            # Nothing is left to take back after the first move.
            del line[-1:]
            continue
        left -= 1
        move = moves.pop()
        after = kind.play(position, move)
        if kind.obstacles and kind.obstacles.doomed(after):
            continue
        line.append(move)
        if kind.judge(after).solved:
            return line
        stack.append((after, _shuffled_moves(kind, after, rng)))
    return None


def _shuffled_moves(kind: AnyKind, position: Any, rng: random.Random) -> list[Any]:
    moves = list(kind.moves(position))
    rng.shuffle(moves)
    return moves
