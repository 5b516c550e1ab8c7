"""The question `reason`: stones of the player with which the strings asked for are out of reach.

The elements are the stones that the player has set. A set of them is met by a board that reaches
the goal and has them, with the other stones taken back.
"""

from solvers.answers import Reason, ReasonAnswer
from solvers.kind import Kind, row_and_column
from solvers.maxstrings import rules
from solvers.maxstrings.best import reaches
from solvers.maxstrings.maximum import goal_of
from solvers.maxstrings.rules import STONES, Move, Position
from solvers.message import Message
from solvers.question import Run, within
from solvers.reasons import IMPOSSIBLE, ImpossibleSet, answer_with, impossible_set, start_with

SEARCH_SECONDS = 0.3
"""The most seconds for one set of stones."""


def reason(kind: Kind[Position, Move], position: Position) -> Run[ReasonAnswer]:
    """Find a smallest set of the player's stones with which the goal can't be reached."""
    wanted = goal_of(position)
    placed = [
        Move(position.now[row][column], (row, column))
        for row, column in rules.cells(position.now)
        if position.now[row][column] in STONES and position.points[row][column] not in STONES
    ]

    def meet(kept: int) -> Run[int | None]:
        here = start_with(kind, position, placed, kept)
        if _without_liberty(here):
            return IMPOSSIBLE
        live = yield from within(reaches(here, wanted or 0), SEARCH_SECONDS)
        return None if live is None else kept if live else IMPOSSIBLE

    found = None if wanted is None else (yield from impossible_set(len(placed), meet))
    return answer_with(found, lambda found: _reason(kind, position, placed, found))


def _without_liberty(position: Position) -> rules.String | None:
    """Return a string that touches no empty point. No further stone gives it one: a stone of its
    own colour beside it would need an empty point there."""
    return next((each for each in rules.strings(position.now) if not each.liberties), None)


def _reason(
    kind: Kind[Position, Move], position: Position, placed: list[Move], found: ImpossibleSet
) -> Reason:
    cells = [placed[number].cell for number in found.numbers()]
    string = _without_liberty(start_with(kind, position, placed, found.elements))
    if string:
        word, message = (
            "liberty",
            Message(
                "The string at row {row}, column {column} touches no empty point any more.",
                row_and_column(string.cells[0]),
            ),
        )
    elif not cells:
        word, message = ("start", Message("The strings asked for can't be reached on this board."))
    else:
        word, message = (
            "strings",
            Message(
                "With the marked stones where they stand, the strings asked for can't be reached."
            ),
        )
    return found.reason(word, message, cells)
