"""The tree of all placements: the points get their stones in the order of the rows."""

from collections.abc import Iterator

from solvers.capabilities import Branching
from solvers.maxstrings.maximum import are_forms, goal_of
from solvers.maxstrings.rules import (
    EITHER,
    FREE,
    STONES,
    Move,
    Position,
    cells,
    form_colour,
    pattern,
    strings,
)
from solvers.message import gettext_noop


def _branches(position: Position) -> Iterator[Move]:
    """Yield the next stone on each point behind the last one, from which the goal can be reached.

    The points in between stay empty. The colours are those of a checkerboard, so each stone is a
    string of its own.
    """
    goal = goal_of(position)
    if goal is None or _is_dead_end(position):
        return
    last = position.line[-1].cell if position.line else (-1, -1)
    behind = [
        (row, column)
        for row, column in cells(position.points)
        if (row, column) > last and position.points[row][column] in (FREE, EITHER)
    ]
    stones = sum(letter in STONES for letters in position.now for letter in letters)
    for number, cell in enumerate(behind):
        if stones + len(behind) - number < goal:
            return
        yield Move(form_colour(position, cell), cell)
        if position.points[cell[0]][cell[1]] == EITHER:
            return


def _suits(start: Position) -> bool:
    return are_forms(start.points)


def _is_dead_end(position: Position) -> bool:
    return any(not string.liberties for string in strings(position.now))


def _contains(played: Position, case: Position) -> bool:
    """Return whether the stones of a case, up to its last point, are those of the solution towards
    which a board was played (`pattern`)."""
    row, column = case.line[-1].cell
    size = row * (case.columns + 1) + column + 1
    return pattern(played)[:size] == pattern(case)[:size]


BRANCHING = Branching(
    _branches,
    _is_dead_end,
    _contains,
    gettext_noop(
        "Each branch sets the next stone, in the order of the letters. The points in between stay "
        "empty. Neighbours have different colours."
    ),
    gettext_noop("dead end: a stone has no empty point beside it"),
    suits=_suits,
)
