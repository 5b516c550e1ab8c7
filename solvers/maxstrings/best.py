"""The question `best`: the most strings that can be reached from a position, and a board."""

from solvers.kind import Answer, Kind, Run
from solvers.maxstrings import form
from solvers.maxstrings.picture import form_colour
from solvers.maxstrings.plain import phases
from solvers.maxstrings.rules import FREE, STONES, Move, Position, merged


def moves_to(position: Position, stands: tuple[tuple[bool, ...], ...]) -> tuple[str, ...]:
    """Return the moves that add the stones of a checkerboard form to those that stand."""
    return tuple(
        f"{form_colour(position, (row, column))} {row + 1},{column + 1}"
        for row, letters in enumerate(position.now)
        for column, letter in enumerate(letters)
        if stands[row][column] and letter == FREE
    )


def best(kind: Kind[Position, Move], position: Position) -> Run:
    """Ask."""
    board = merged(position)
    found = yield from form.best(form.codes(board))
    if found is None or not phases(board):
        return Answer(None)
    return Answer(found.stones, moves_to(position, found.board))
