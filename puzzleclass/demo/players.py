"""Simulated students: what they do at a board, move by move, through the real rules."""

import random
from collections.abc import Iterator
from functools import cache
from typing import Any, Literal

from solvers.kind import split_moves
from solvers.registry import AnyKind, get_kind

Action = tuple[Literal["move", "undo", "restart", "hint"], str]
"""What is done, and with what: a move's text, or a hint's level."""

HINT_CHANCE = 0.02
"""That a student who is lost asks for a hint after a move."""

WAYS = 12
"""So many different searches at most lead a class through a puzzle: classmates find the same."""

SEARCH_MOVES = 3000
"""How far ahead a student with the patience of a computer looks before giving up."""


def play(
    kind: AnyKind, start: Any, rng: random.Random, skill: float, solution: str = ""
) -> Iterator[Action]:
    """Yield what a student does until the puzzle is solved or patience ends.

    `skill`, 0 to 1, is the chance to know the way in a try; otherwise the student does
    anything the rules allow, takes back a little, and starts again, or, where there is a
    score, makes what raises it. `solution` is one for those who know the way, where they
    would hardly find one.
    """
    has_score = kind.judge(start).score is not None
    way = _shuffled_way(kind, solution, rng) or (None if has_score else find_way(kind, start, rng))
    for _ in range(1 + rng.randrange(4)):
        if way and rng.random() < skill:
            # Now and then the bell rings before the last moves.
            played = way if rng.random() < 0.9 else way[:-2]
            yield from (("move", kind.write_move(move)) for move in played)
            return
        if has_score:
            yield from (("move", kind.write_move(move)) for move in _climb(kind, start, rng, skill))
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


def _climb(kind: AnyKind, start: Any, rng: random.Random, skill: float) -> Iterator[Any]:
    """Yield moves each of which raises the score and breaks no rule, until patience ends."""
    position, score, misses = start, kind.judge(start).score or 0, 0
    while misses < 10 + 60 * skill and (moves := list(kind.moves(position))):
        move = rng.choice(moves)
        after = kind.play(position, move)
        verdict = kind.judge(after)
        misses += 1
        if (verdict.score or 0) > score and not verdict.faults:
            yield move
            position, score, misses = after, verdict.score or 0, 0


def _shuffled_way(kind: AnyKind, solution: str, rng: random.Random) -> list[Any]:
    way = [kind.read_move(move) for move in split_moves(solution)]
    if kind.family == "placement":
        # What stands at the end is the solution, set up in any order.
        rng.shuffle(way)
    return way


def find_way(kind: AnyKind, start: Any, rng: random.Random) -> list[Any] | None:
    """Return one of a few solutions, or None when it isn't found in `SEARCH_MOVES` moves."""
    return _way(kind.slug, start, rng.randrange(WAYS))


@cache
def _way(slug: str, start: Any, number: int) -> list[Any] | None:
    kind, rng = get_kind(slug), random.Random(number)
    left = SEARCH_MOVES
    stack = [(start, _shuffled(kind, start, rng))]
    way: list[Any] = []
    while stack and left:
        position, moves = stack[-1]
        if not moves:
            stack.pop()
            if way:
                way.pop()
            continue
        left -= 1
        move = moves.pop()
        after = kind.play(position, move)
        if kind.obstacles and kind.obstacles.doomed(after):
            continue
        way.append(move)
        if kind.judge(after).solved:
            return way
        stack.append((after, _shuffled(kind, after, rng)))
    return None


def _shuffled(kind: AnyKind, position: Any, rng: random.Random) -> list[Any]:
    moves = list(kind.moves(position))
    rng.shuffle(moves)
    return moves
