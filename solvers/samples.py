"""The question `sample`: solutions drawn at random, each of them equally likely.

A drawing goes down the counts of the kind, move by move: a move is drawn with the chance that its
number of solutions has among those of all moves. All chances are quotients of whole numbers, so no
rounding favours a solution. Once few solutions are left, they are listed and drawn by their number.

Let every solution be counted under c moves (`Kind.counted_moves`), and let n be the number of
solutions. A move with m of them is drawn with the chance m / (c n), and then each of its solutions
with 1 / m. So a solution is drawn with the chance 1 / n, whichever of its c moves leads to it. In a
sequence c is 1. A kind of placements whose solutions differ in c needs a solver of its own.
"""

import random
from collections import Counter
from collections.abc import Callable, Iterable, Sequence
from dataclasses import replace
from itertools import accumulate
from typing import Any, TypeVar

from solvers import options
from solvers.answers import CountAnswer, Exact, ShownAnswer, ShownBoard
from solvers.kind import Kind, split_moves
from solvers.message import Message, gettext_noop
from solvers.question import Progress, Question, Run, relayed
from solvers.solutions import MAX_SOLUTIONS, check_lines

MAX_SAMPLED = 1000
"""The most solutions that are drawn at once."""


class SampleAnswer(ShownAnswer, frozen=True, kw_only=True):
    """Solutions drawn at random. The value is the number of all solutions.

    Nothing is drawn, and the answer is not proven, unless that number is exact.
    """

    solutions: tuple[str, ...] = ()
    """The drawn solutions, each a line of moves as text. A solution may be drawn twice."""


SAMPLE = Question(
    gettext_noop("Which solutions does a draw give?"),
    f"{__name__}:sample",
    SampleAnswer,
    about=gettext_noop(
        "Each solution is equally likely, because the draw follows the exact counts."
    ),
    options={
        "many": options.whole(gettext_noop("Number of solutions"), 1, 1, MAX_SAMPLED),
        "seed": replace(
            options.whole(gettext_noop("Number of the draw"), 1, 0, 10**9),
            hint=gettext_noop(
                "The same number draws the same solutions, another one draws others."
            ),
        ),
    },
)
"""The question, which suits every sequence."""

T = TypeVar("T")


def sample(
    kind: Kind[Any, Any], position: Any, *, many: int, seed: int, listed: int = MAX_SOLUTIONS
) -> Run[SampleAnswer]:
    """Draw `many` solutions from the position. The same seed draws the same solutions.

    Up to `listed` solutions are listed and drawn by their number.
    """
    rng = random.Random(seed)
    lines: list[str] = []
    total: Exact | None = None
    # The drawings that have led to a position so far are continued together.
    waiting: list[tuple[Any, str, int]] = [(position, "", many)]
    while waiting:
        here, line, number = waiting.pop()
        report = Progress(len(lines), many)
        counted = yield from _asked(kind, "count", here, report)
        if not counted.proven or counted.value is None:
            return SampleAnswer(None, proven=False, note=counted.note)
        if total is None:
            total = counted.value
            if not total:
                return SampleAnswer(total, note=counted.note)
        if counted.value <= listed:
            every = yield from _asked(kind, "solutions", here, report, first=1, limit=listed)
            if every.proven and len(every.solutions) == counted.value:
                lines += (f"{line} {rng.choice(every.solutions)}".strip() for _ in range(number))
                continue
        if kind.judge(here).solved:
            lines += [line] * number
            continue
        weights = yield from _numbers_by_move(kind, here, counted, report)
        if weights is None:
            return SampleAnswer(None, proven=False)
        chosen = Counter(drawn(rng, [*weights], [*weights.values()]) for _ in range(number))
        for move, times in chosen.items():
            after = kind.play(here, kind.read_move(move))
            waiting.append((after, f"{line} {move}".strip(), times))
    # Drawings that went the same way stand together.
    rng.shuffle(lines)
    return (yield from answer_of(kind, position, total or Exact(0), lines))


def _asked(
    kind: Kind[Any, Any], question: str, position: Any, report: Progress, **options: Any
) -> Run[Any]:
    """Return an answer. Its progress concerns only a part of the work, whose report is relayed."""
    run = kind.questions[question].ask(kind, position, **options)
    return (yield from relayed(run, lambda _: report))


def _numbers_by_move(
    kind: Kind[Any, Any], position: Any, counted: CountAnswer, report: Progress
) -> Run[dict[str, int] | None]:
    """Return the number of solutions under each move, or None if not all are known. They are
    counted move by move if the count did not find them."""
    if counted.by_move:
        return dict(counted.by_move)
    numbers: dict[str, int] = {}
    for move in kind.moves(position):
        after = yield from _asked(kind, "count", kind.play(position, move), report)
        if not after.proven:
            return None
        numbers[kind.write_move(move)] = int(after.value)
    return numbers


def drawn(rng: random.Random, things: Sequence[T], numbers: Iterable[int]) -> T:
    """Return one of the things, drawn with chances proportional to the exact numbers."""
    ends = list(accumulate(numbers))
    ticket = rng.randrange(ends[-1])
    return next(thing for thing, end in zip(things, ends) if ticket < end)


def draw_lines(many: int, draw: Callable[[], str]) -> Run[list[str]]:
    """Return the results of `many` calls of a function that draws a line of moves."""
    lines = []
    for number in range(many):
        yield Progress(number, many)
        lines.append(draw())
    return lines


def answer_of(
    kind: Kind[Any, Any], position: Any, total: int, lines: Sequence[str]
) -> Run[SampleAnswer]:
    """Return the answer with these lines. Each of them is played by the rules before."""
    yield from check_lines(kind, position, lines)
    ends = (kind.write(kind.play_line(position, line)) for line in lines)
    boards = tuple(
        ShownBoard(end, Message("Solution {number}", {"number": number}))
        for number, end in enumerate(ends, 1)
    )
    moves = tuple(split_moves(lines[0]))
    return SampleAnswer(Exact(total), moves, solutions=tuple(lines), boards=boards)
