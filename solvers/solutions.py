"""The shared parts of the question `solutions`: its options, its limit, the page that answers it,
and the check of each line of moves by the rules."""

from collections.abc import Callable, Iterable, Iterator, Sequence
from typing import Any

from solvers import options
from solvers.answers import Exact, SolutionsAnswer
from solvers.kind import Kind, M, P
from solvers.message import Message, gettext_noop
from solvers.question import Progress, Run

MAX_SOLUTIONS = 10_000
"""The most solutions that are listed."""

LISTING = {
    "first": options.whole(gettext_noop("From number"), 1, 1, MAX_SOLUTIONS),
    "limit": options.whole(gettext_noop("Number shown at once"), 100, 1, MAX_SOLUTIONS),
}
"""The options of the question."""

_CHUNK = 500
"""The number of positions between two progress reports."""


def last_number(first: int, limit: int) -> int:
    """Return the number of the last solution of a page. Searching for one more tells whether
    others follow."""
    return min(first + limit - 1, MAX_SOLUTIONS)


def page_of(lines: Sequence[str], first: int, limit: int) -> SolutionsAnswer:
    """Return a page of the solutions.

    `lines` are all solutions, or at least one more than the page's last. The answer's value is
    their number up to the end of the page, and it is proven if there are no others.
    """
    last = last_number(first, limit)
    note = None
    if len(lines) > MAX_SOLUTIONS:
        note = Message(
            "There are more than {most} solutions. They are not listed.", {"most": MAX_SOLUTIONS}
        )
    return SolutionsAnswer(
        Exact(min(len(lines), last)),
        proven=len(lines) <= last,
        note=note,
        solutions=tuple(lines[first - 1 : last]),
        more=len(lines) > last,
    )


def walk_solutions(
    kind: Kind[P, M], position: P, live_moves: Callable[[P], Iterable[M]], most: int
) -> Run[list[str]]:
    """Return up to `most` lines of moves to a solved position, played by the rules to their ends.

    `live_moves` returns the moves after which a position can still be solved, in the order of the
    rules.
    """
    played, steps = len(kind.line(position)), 0
    lines: list[str] = []
    branches: list[Iterator[P]] = [iter([position])]
    while branches and len(lines) < most:
        here = next(branches[-1], None)
        if here is None:
            branches.pop()
            continue
        steps += 1
        if steps % _CHUNK == 0:
            yield Progress(len(lines), most, at_least=len(lines))
        moves = list(live_moves(here))
        if not moves and kind.judge(here).solved:
            lines.append(" ".join(map(kind.write_move, kind.line(here)[played:])))
        branches.append(kind.play(before, move) for before in [here] for move in moves)
    return lines


def check_lines(kind: Kind[Any, Any], position: Any, lines: Sequence[str]) -> Run[None]:
    """Play each line by the rules. Raise RuntimeError if one does not solve the puzzle."""
    for number, line in enumerate(lines):
        if not kind.judge(kind.play_line(position, line)).solved:
            raise RuntimeError(f"no solution of {kind.write(position)}: {line}")
        if number % _CHUNK == 0:
            yield Progress(number, len(lines), at_least=number)
