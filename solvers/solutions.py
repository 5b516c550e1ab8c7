"""The question `solutions`, as far as it is the same for all kinds: its options, its bound, the
page that answers it, and the rules' own word on each line of moves."""

from collections.abc import Callable, Iterable, Iterator, Sequence
from typing import Any

from solvers import options
from solvers.answers import Exact, SolutionsAnswer
from solvers.kind import Kind, M, P
from solvers.message import Message, gettext_noop
from solvers.question import Progress, Run

MOST = 10_000
"""More solutions than these are not listed."""

LISTING = {
    "first": options.whole(gettext_noop("From number"), 1, 1, MOST),
    "limit": options.whole(gettext_noop("How many at once"), 100, 1, MOST),
}
"""The options of the question."""

_CHUNK = 500
"""Positions between two signs of life."""


def last_of(first: int, limit: int) -> int:
    """Return the number of the last solution of a page; one more tells whether others follow."""
    return min(first + limit - 1, MOST)


def page_of(lines: Sequence[str], first: int, limit: int) -> SolutionsAnswer:
    """Return a page of the solutions. `lines` are all of them, or the first, at least one more than
    the page's last. Value: how many there are, proven when it is all."""
    last = last_of(first, limit)
    note = None
    if len(lines) > MOST:
        note = Message("There are more than {most} solutions. They are not listed.", {"most": MOST})
    return SolutionsAnswer(
        Exact(min(len(lines), last)),
        proven=len(lines) <= last,
        note=note,
        solutions=tuple(lines[first - 1 : last]),
        more=len(lines) > last,
    )


def walked(
    kind: Kind[P, M], position: P, live_moves: Callable[[P], Iterable[M]], most: int
) -> Run[list[str]]:
    """Return up to `most` lines of moves to a solved position, played by the rules to their ends.

    `live_moves`: the moves after which it can still be solved, in the order of the rules.
    """
    played, steps = len(kind.line(position)), 0
    found: list[str] = []
    branches: list[Iterator[P]] = [iter([position])]
    while branches and len(found) < most:
        here = next(branches[-1], None)
        if here is None:
            branches.pop()
            continue
        steps += 1
        if steps % _CHUNK == 0:
            yield Progress(len(found), most, at_least=len(found))
        moves = list(live_moves(here))
        if not moves and kind.judge(here).solved:
            found.append(" ".join(map(kind.write_move, kind.line(here)[played:])))
        branches.append(kind.play(before, move) for before in [here] for move in moves)
    return found


def replayed(kind: Kind[Any, Any], position: Any, lines: Sequence[str]) -> Run[None]:
    """Play each line by the rules. Raises RuntimeError for one that does not solve the puzzle."""
    for number, line in enumerate(lines):
        if not kind.judge(kind.play_line(position, line)).solved:
            raise RuntimeError(f"no solution of {kind.write(position)}: {line}")
        if number % _CHUNK == 0:
            yield Progress(number, len(lines), at_least=number)
