"""The question `best`: the most strings that can be reached from a position, and a board.

Three proofs, the cheapest that holds:

    form       stones of either colour, or of none, are given: some best board is a checkerboard
               form, and the best of these is found exactly (`form`)
    bound      stones are given in colours, and the best checkerboard form with them is as good as
               the best without: no board of this shape has more
    search     every board with the stones given is ruled out or found (`general`)

Else the answer is the best board known, not proven, and the gap is said.
"""

from collections.abc import Generator
from typing import NamedTuple

from solvers.kind import Answer, Kind, Progress, Run
from solvers.maxstrings import form, general
from solvers.maxstrings.picture import form_colour
from solvers.maxstrings.plain import phases
from solvers.maxstrings.rules import (
    EITHER,
    EMPTY,
    FREE,
    HOLE,
    STONES,
    Board,
    Move,
    Position,
    merged,
)
from solvers.message import Message

FORM = Message("Some best board is a checkerboard form, and all of these were compared.")
BOUND = Message("This checkerboard form has as many strings as any board of this shape can have.")
SEARCH = Message("All boards with the stones that stand were compared.")


class Best(NamedTuple):
    """The best board known."""

    strings: int | None
    """None when there is no board, or none is known."""
    moves: tuple[str, ...]
    bound: int
    """No board has more; -1 when there is none."""
    proof: Message | None

    @property
    def proven(self) -> bool:
        """Whether nothing better exists."""
        return self.bound == (-1 if self.strings is None else self.strings)


def best(kind: Kind[Position, Move], position: Position) -> Run:
    """Ask for the most strings on a board that keeps the stones standing now.

    Value None when the stones can't all be kept on any legal board. details: `board`, the best
    one known; `proof`, what proves it; `at_most`, when it is not proven.
    """
    found = yield from find(position)
    details: dict[str, object] = {}
    if found.proof is not None:
        details["proof"] = found.proof.to_json()
    if not found.proven:
        details["at_most"] = found.bound
    if found.strings is not None:
        end = kind.play_line(position, " ".join(found.moves))
        details["board"] = "/".join(end.now)
    elif found.proven:
        note = Message("No legal board keeps all the stones that stand now.")
        details["note"] = note.to_json()
    return Answer(found.strings, found.moves, proven=found.proven, details=details)


def find(position: Position) -> Generator[Progress, None, Best]:
    """Return the best board that keeps the stones standing now."""
    board = merged(position)
    single = None
    if phases(board):
        single = yield from form.best(form.codes(board))
    strings = single.stones if single else None
    moves = moves_to(position, single.board) if single else ()
    letters = set("".join(board))
    if not letters & {*STONES, EITHER} and strings is not None:
        return Best(strings, moves, strings, FORM)
    bound = yield from _bound(board)
    if strings == bound:
        return Best(strings, moves, bound, BOUND)
    if min(len(board), len(board[0])) > general.WIDEST:
        return Best(strings, moves, bound, None)
    least = 0 if strings is None else strings + 1
    outcome = yield from general.search(board, least)
    if outcome.board is not None:
        return Best(outcome.bound, moves_between(position, outcome.board), outcome.bound, SEARCH)
    if not outcome.is_over:
        return Best(strings, moves, outcome.bound, None)
    return Best(strings, moves, least - 1, SEARCH)


def _bound(board: Board) -> Generator[Progress, None, int]:
    """Return the most strings of a board of this shape, whatever stones are given."""
    freed = tuple("".join(p if p in (EMPTY, HOLE) else FREE for p in row) for row in board)
    free = yield from form.best(form.codes(freed))
    # There is one: a board without stones is legal.
    return free.stones if free else 0


def moves_to(position: Position, stands: tuple[tuple[bool, ...], ...]) -> tuple[str, ...]:
    """Return the moves that add the stones of a checkerboard form to those that stand."""
    return tuple(
        f"{form_colour(position, (row, column))} {row + 1},{column + 1}"
        for row, letters in enumerate(position.now)
        for column, letter in enumerate(letters)
        if stands[row][column] and letter == FREE
    )


def moves_between(position: Position, board: Board) -> tuple[str, ...]:
    """Return the moves that add the stones of a board to those that stand."""
    return tuple(
        f"{wanted} {row + 1},{column + 1}"
        for row, letters in enumerate(board)
        for column, wanted in enumerate(letters)
        if wanted in STONES and position.now[row][column] == FREE
    )
