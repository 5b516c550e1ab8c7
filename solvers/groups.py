"""The question `groups`: the solutions of a board, grouped by how they differ.

It suits every kind. The kind says how its solutions differ (`Kind.groupings`). If there are too
many solutions to list, or if the kind does not list them, they are grouped by exact counts of
moves.
"""

from collections import Counter
from collections.abc import Iterable
from typing import Any

from solvers.answers import (
    Answer,
    CountAnswer,
    CountedGroup,
    Exact,
    GroupedSolutions,
    GroupsAnswer,
    SolutionsAnswer,
)
from solvers.kind import Kind
from solvers.message import Message
from solvers.question import Clock, Progress, Run, within
from solvers.solutions import MAX_SOLUTIONS

MAX_GROUPS = 200
"""The most groups of one grouping that are kept, the largest ones."""

MAX_MOVES = 100
"""The most moves under which solutions are counted."""

SECONDS_PER_MOVE = 3.0
"""Seconds for the count under a move, and for the search of a solution with it."""


def groups(kind: Kind[Any, Any], position: Any) -> Run[GroupsAnswer]:
    """Group the solutions of a position. Every line in the answer was played by the rules."""
    counted: CountAnswer = yield from kind.questions["count"].ask(kind, position)
    if counted.proven and counted.value == 0:
        return GroupsAnswer(Exact(0), note=counted.note)
    if counted.proven and (counted.value or 0) <= MAX_SOLUTIONS and "solutions" in kind.questions:
        listing = kind.questions["solutions"].ask(kind, position, first=1, limit=MAX_SOLUTIONS)
        listed: SolutionsAnswer = yield from listing
        if listed.proven and listed.value == counted.value:
            return (yield from _grouped(kind, position, listed.solutions))
    return (yield from _counted_by_move(kind, position, counted))


def _grouped(kind: Kind[Any, Any], position: Any, lines: tuple[str, ...]) -> Run[GroupsAnswer]:
    """Group the listed solutions in every way of the kind."""
    groupings, clock = kind.groupings, Clock()
    sizes: dict[str, Counter[str]] = {name: Counter() for name in groupings}
    first: dict[str, dict[str, str]] = {name: {} for name in groupings}
    for number, line in enumerate(lines):
        end = _played(kind, position, line)
        for name, grouping in groupings.items():
            key = grouping.key(end)
            sizes[name][key] += 1
            first[name].setdefault(key, line)
        if clock.is_due():
            yield Progress(number, len(lines))
    groups = {
        name: GroupedSolutions(Exact(len(sizes[name])), _largest(sizes[name].items(), first[name]))
        for name in groupings
    }
    return GroupsAnswer(Exact(len(lines)), groupings=groups)


def _largest(sizes: Iterable[tuple[str, int]], lines: dict[str, str]) -> tuple[CountedGroup, ...]:
    ordered = sorted(sizes, key=lambda group: -group[1])[:MAX_GROUPS]
    return tuple(CountedGroup(key, Exact(size), lines.get(key, "")) for key, size in ordered)


def _counted_by_move(
    kind: Kind[Any, Any], position: Any, counted: CountAnswer
) -> Run[GroupsAnswer]:
    """Group the solutions by the moves under which they are counted exactly."""
    sizes: dict[str, int] = dict(counted.by_move) if counted.proven else {}
    moves = [] if sizes else [move for move, _ in zip(kind.moves(position), range(MAX_MOVES))]
    for move in moves:
        asked = kind.questions["count"].ask(kind, kind.play(position, move))
        after: CountAnswer | None = yield from within(asked, SECONDS_PER_MOVE)
        if after and after.proven:
            sizes[kind.write_move(move)] = int(after.value or 0)
    sizes = {move: size for move, size in sizes.items() if size}
    lines: dict[str, str] = {}
    for move in sorted(sizes, key=lambda move: -sizes[move])[:MAX_GROUPS]:
        lines[move] = yield from _solution_with(kind, position, move)
    note = Message("There are too many solutions to list, so they are counted by their moves.")
    if not counted.proven:
        note = Message("The solutions can't all be counted. Each group is counted exactly.")
    by_move = _largest(sizes.items(), lines)
    return GroupsAnswer(counted.value, proven=counted.proven, note=note, by_move=by_move)


def _solution_with(kind: Kind[Any, Any], position: Any, move: str) -> Run[str]:
    """Return a solution that begins with the move, or an empty text if none is found in time."""
    if "solve" not in kind.questions:
        return ""
    asked = kind.questions["solve"].ask(kind, kind.play(position, kind.read_move(move)))
    solved: Answer | None = yield from within(asked, SECONDS_PER_MOVE)
    if solved is None or not solved.value or not solved.proven:
        return ""
    line = " ".join((move, *solved.moves))
    _played(kind, position, line)
    return line


def _played(kind: Kind[Any, Any], position: Any, line: str) -> Any:
    """Return the position after a solution. Raise RuntimeError if it does not solve the puzzle."""
    end = kind.play_line(position, line)
    if not kind.judge(end).solved:
        raise RuntimeError(f"no solution of {kind.write(position)}: {line}")
    return end
