"""The figures about the poster 碁石拾い: its example, its random boards and its running time."""

import random
from collections import Counter
from collections.abc import Callable, Iterator, Sequence
from fractions import Fraction
from math import perm
from time import process_time

from bench.goishi import KIND, OURS_AGAIN, solvable
from bench.study_goishi import count_in_numba, count_in_python
from bench.timing import Length, measure
from puzzleclass.studies.figures import (
    CountTimes,
    GoishiFigures,
    RandomBoards,
    RandomDraws,
    RandomSurvey,
    SetState,
)
from solvers.answers import SurveyRow
from solvers.goishi.rules import cells
from solvers.question import finish
from solvers.warm import warm

EXAMPLE = ((1, 1), (1, 3), (1, 4), (2, 1), (2, 3))
"""The poster's stones, as x and y; y grows upwards."""

DRAWN = range(6, 11)
"""The numbers of stones on the poster's random boards."""
WIDTH = 5
SHOWN = 2000
"""The number of boards that the trial of the poster's generator shows."""

TIMED = ((8, 5), (10, 5), (12, 6), (14, 6), (16, 8), (18, 8), (20, 8), (25, 10), (30, 10), (35, 10))
"""The number of stones and the side of each board on which the counts are timed."""
POSTER = 20
"""The most stones for which the poster's algorithm is run."""

SURVEYED = ((6, 24), (8, 32), (10, 36))
"""The side of the boards in each survey, and the most stones on them."""
BOARDS = 500
"""The number of random boards with each number of stones."""

NAMES = ("up", "right", "down", "left")
STEPS = ((0, 1), (1, 0), (0, -1), (-1, 0))
"""The poster's directions 0 to 3. The opposite of a direction is two places further on."""

Stone = tuple[int, int]
Entry = tuple[frozenset[int], int, str]
"""The picked stones, the last of them, and the direction of the last step."""


def figures() -> GoishiFigures:
    """Return the figures. The poster's count of 20 stones takes two minutes and 4 GB."""
    warm()
    count_in_numba((0, 1), (0, 0))
    states = tuple(table(EXAMPLE))
    printed, doubled = trial(SHOWN)
    return GoishiFigures(
        states=states,
        solutions=sum(each.ways for each in states if len(each.picked) == len(EXAMPLE)),
        with_turns=orders(EXAMPLE, may_turn=True),
        blocked=orders(EXAMPLE, is_blocked=True),
        draws=tuple(draws()),
        shown=printed,
        shown_doubled=doubled,
        times=tuple(timed(*size) for size in TIMED),
        surveys=tuple(surveyed(*size) for size in SURVEYED),
    )


def table(stones: Sequence[Stone]) -> list[SetState]:
    """Return the poster's table, from sets of one picked stone to the set of all stones.

    The poster enters every first stone with four directions, three of which allow any next step,
    and divides the sum by three at the end. Here a first stone has no direction, so nothing is
    divided.
    """
    everything = set(range(len(stones)))
    layer = {(frozenset([at]), at, ""): 1 for at in everything}
    entries: list[tuple[Entry, int, list[Entry]]] = []
    while layer:
        following: Counter[Entry] = Counter()
        for entry in sorted(layer, key=lambda entry: (sorted(entry[0]), *entry[1:])):
            picked, last, direction = entry
            ways = steps(stones, last, direction, everything - picked)
            after = [(picked | {there}, there, name) for there, name in ways]
            following.update(dict.fromkeys(after, layer[entry]))
            entries.append((entry, layer[entry], after))
        layer = following
    number = {entry: at for at, (entry, _, _) in enumerate(entries)}
    return [
        SetState(
            tuple(sorted(at + 1 for at in picked)),
            last + 1,
            direction,
            ways,
            tuple(number[later] for later in after),
        )
        for (picked, last, direction), ways, after in entries
    ]


def steps(
    stones: Sequence[Stone], here: int, came: str, rest: set[int], *, may_turn: bool = False
) -> Iterator[tuple[int, str]]:
    """Yield the stones that may come next, with the direction of the step.

    Two stones on one point lie in no direction from each other, so no step leads between them.
    """
    x, y = stones[here]
    for number, (right, up) in enumerate(STEPS):
        if came == NAMES[number - 2] and not may_turn:
            continue
        far = {
            at: abs(stones[at][0] - x) + abs(stones[at][1] - y)
            for at in rest
            if _sign(stones[at][0] - x) == right and _sign(stones[at][1] - y) == up
        }
        if far:
            yield min(far, key=lambda at: far[at]), NAMES[number]


def _sign(number: int) -> int:
    return (number > 0) - (number < 0)


def orders(stones: Sequence[Stone], *, may_turn: bool = False, is_blocked: bool = False) -> int:
    """Return the number of orders in which all stones can be picked.

    With `may_turn`, a step may go straight back. With `is_blocked`, no step passes the place of a
    picked stone.
    """

    def go_on(here: int, came: str, rest: set[int]) -> int:
        if not rest:
            return 1
        seen = set(range(len(stones))) - {here} if is_blocked else rest
        ways = steps(stones, here, came, seen, may_turn=may_turn)
        return sum(go_on(there, name, rest - {there}) for there, name in ways if there in rest)

    everything = set(range(len(stones)))
    return sum(go_on(start, "", everything - {start}) for start in everything)


def draws() -> Iterator[RandomDraws]:
    """Yield the exact chances that two stones of a random board lie on one point."""
    points = WIDTH**2
    for stones in DRAWN:
        apart = Fraction(perm(points, stones), points**stones)
        yield RandomDraws(stones, round(float(1 - apart), 4))


def trial(wanted: int) -> tuple[int, int]:
    """Draw boards as the poster does until `wanted` of them have a solution by its count.

    Return how many were shown, and on how many of them two stones share a point.
    """
    rng = random.Random(1)
    printed = doubled = 0
    while printed < wanted:
        number = rng.choice(DRAWN)
        stones = [(rng.randint(1, WIDTH), rng.randint(1, WIDTH)) for _ in range(number)]
        if _can_be_picked(stones):
            printed += 1
            doubled += len(set(stones)) < number
    return printed, doubled


def _can_be_picked(stones: Sequence[Stone]) -> bool:
    failed: set[tuple[int, str, frozenset[int]]] = set()

    def go_on(here: int, came: str, rest: frozenset[int]) -> bool:
        if not rest:
            return True
        if (here, came, rest) in failed:
            return False
        ways = steps(stones, here, came, set(rest))
        if any(go_on(there, name, rest - {there}) for there, name in ways):
            return True
        failed.add((here, came, rest))
        return False

    everything = frozenset(range(len(stones)))
    return any(go_on(start, "", everything - {start}) for start in everything)


def timed(stones: int, side: int) -> CountTimes:
    """Time the counts on a random board that has a solution, each on one core."""
    position = solvable(stones, side)
    ask = KIND.questions["count"].ask
    ours, seconds = measure(lambda: finish(ask(KIND, position, threads=1)), OURS_AGAIN[Length.LONG])
    assert ours.proven and ours.value is not None
    xs, ys = zip(*((column, -row) for row, column in cells(position, position.stones)))

    def poster(count: Callable[[Sequence[int], Sequence[int]], int]) -> float | None:
        if stones > POSTER:
            return None
        began = process_time()
        assert count(xs, ys) == ours.value
        return float(f"{process_time() - began:.2g}")

    return CountTimes(
        stones,
        side,
        int(ours.value),
        ours.states,
        poster(count_in_python),
        poster(count_in_numba),
        float(f"{seconds:.2g}"),
    )


def surveyed(side: int, most: int) -> RandomSurvey:
    """Return the survey of random boards with 2 to `most` stones."""
    question = KIND.questions["survey"]
    options = {"size": [side, side], "stones": [2, most], "boards": BOARDS, "seed": 1}
    answer = finish(question.ask(KIND, KIND.read(question.position), **options))
    return RandomSurvey(side, side, tuple(map(_random_boards, answer.survey)))


def _random_boards(row: SurveyRow) -> RandomBoards:
    median = None if row.median is None else int(row.median)
    return RandomBoards(
        row.stones,
        row.boards,
        row.solvable,
        row.unique,
        row.undecided,
        median,
        row.is_bound,
        row.careful_level,
    )
