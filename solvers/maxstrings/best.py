"""The question `best`: the most strings that can be reached from a position, and a board.

Three proofs, the cheapest that holds:

    form       stones of either colour, or of none, are given: some best board is a checkerboard
               form, and the best of these is found exactly (`form`)
    bound      stones are given in colours, and the best checkerboard form with them is as good as
               the best without, and no board can have more
    search     every board with the stones given is ruled out or found (`general`)

Else the answer is the best board known, not proven, and the gap is said.
"""

import random
from collections.abc import Generator
from dataclasses import replace
from typing import NamedTuple

from solvers.grid import neighbours, read_cell
from solvers.kind import Answer, Kind, Progress, Run
from solvers.maxstrings import form, general
from solvers.maxstrings.picture import form_colour
from solvers.maxstrings.plain import phases
from solvers.maxstrings.players import games
from solvers.maxstrings.rules import (
    EITHER,
    EMPTY,
    FREE,
    HOLE,
    STONES,
    Board,
    Move,
    Position,
    cells,
    faults,
    merged,
    play,
    score,
    strings,
    unmet,
)
from solvers.message import Message

FORM = Message("Some best board is a checkerboard form, and all of these were compared.")
BOUND = Message(
    "This checkerboard form has as many strings as any board with these stones can have."
)
SEARCH = Message("All boards with the stones that stand were compared.")


SLOW = 15
"""The shorter side from which on a search is long enough to be watched."""

GAMES = 5
"""Of the careful player, for a board that is known at once."""


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
    one known; `proof`, what proves it; `at_most`, when it is not proven; `note`, it in words, or
    that the mark is out of reach.
    """
    found = yield from _with_bound(find(position), (yield from _known_at_once(position)))
    details: dict[str, object] = {}
    if found.proof is not None:
        details["proof"] = details["note"] = found.proof.to_json()
    if not found.proven:
        details["at_most"] = str(found.bound)
        note = Message("This is not proven to be the most. No board has more than {most} strings.",
                       {"most": found.bound})  # fmt: skip
        details["note"] = note.to_json()
    if found.strings is not None:
        end = kind.play_line(position, " ".join(found.moves))
        details["board"] = "/".join(end.now)
    elif found.proven:
        note = Message("No legal board keeps all the stones that stand now.")
        details["note"] = note.to_json()
    if position.mark is not None and position.mark > found.bound >= 0:
        note = Message(
            "The mark {mark} can't be reached: no board has more than {most} strings.",
            {"mark": position.mark, "most": found.bound},
        )
        details["note"] = note.to_json()
    return Answer(found.strings, found.moves, proven=found.proven, details=details)


def _known_at_once(position: Position) -> Generator[Progress, None, int | None]:
    """Return the strings of a good board, on boards that take long enough for it to be of use."""
    board = merged(position)
    if min(len(board), len(board[0])) < SLOW or not phases(board):
        return None
    if unmet(position) or any(faults(position.now)):
        # The careful player may have to leave a stone without a liberty.
        return None
    points = sum(letter != HOLE for row in board for letter in row)
    missing = yield from games(board, points, random.Random(1), GAMES)
    return points - min(missing)


def _with_bound(
    run: Generator[Progress, None, Best], at_least: int | None
) -> Generator[Progress, None, Best]:
    """Pass a run on, its signs of life with a lower bound."""
    while True:
        try:
            progress = next(run)
        except StopIteration as end:
            found: Best = end.value
            return found
        yield replace(progress, at_least=max(at_least or 0, progress.at_least or 0) or None)


def find(position: Position) -> Generator[Progress, None, Best]:
    """Return the best board that keeps the stones standing now."""
    board = merged(position)
    single = None
    if phases(board):
        single = yield from form.best(form.codes(board))
    most = single.stones if single else None
    moves = moves_to(position, single.board) if single else ()
    letters = set("".join(board))
    if not letters & {*STONES, EITHER} and most is not None:
        return Best(most, moves, most, FORM)
    bound = yield from _bound(board)
    if most == bound:
        return Best(most, moves, bound, BOUND)
    if min(len(board), len(board[0])) > general.WIDEST:
        if most is None:
            most, moves = yield from _mixed(position)
        return Best(most, moves, bound, None)
    least = 0 if most is None else most + 1
    outcome = yield from general.search(board, least)
    if outcome.board is not None:
        return Best(outcome.bound, moves_between(position, outcome.board), outcome.bound, SEARCH)
    if not outcome.is_over:
        if most is None:
            most, moves = yield from _mixed(position)
        return Best(most, moves, outcome.bound, None)
    return Best(most, moves, least - 1, SEARCH)


def reaches(position: Position, wanted: int) -> Generator[Progress, None, bool | None]:
    """Return whether `wanted` strings can be reached, None if undecided. Quicker than the exact
    maximum: boards with fewer are of no interest."""
    board = merged(position)
    if phases(board):
        single = yield from form.best(form.codes(board))
        if single and single.stones >= wanted:
            return True
    if (yield from _bound(board)) < wanted:
        return False
    if min(len(board), len(board[0])) > general.WIDEST:
        return None
    outcome = yield from general.search(board, wanted)
    if outcome.board is not None:
        return True
    return False if outcome.bound < wanted else None


def _mixed(
    position: Position,
) -> Generator[Progress, None, tuple[int | None, tuple[str, ...]]]:
    """Return a good board where the stones don't fit one checkerboard: its strings and moves.

    The better of the two checkerboards with the free points around each stone that doesn't fit
    left empty; None where that leaves a string without a liberty.
    """
    board = merged(position)
    found: list[tuple[int, tuple[str, ...]]] = []
    for phase in (0, 1):
        closed = [list(row) for row in board]
        for row, column in cells(board):
            letter = board[row][column]
            if letter in STONES and letter != STONES[(row + column + phase) % 2]:
                for r, c in neighbours((row, column), len(board), len(board[0])):
                    if board[r][c] == FREE:
                        closed[r][c] = EMPTY
        single = yield from form.best(form.codes(tuple(map("".join, closed))))
        if single is None:
            continue
        moves = tuple(
            f"{STONES[(row + column + phase) % 2]} {row + 1},{column + 1}"
            for row, column in cells(board)
            if single.board[row][column] and position.now[row][column] == FREE
        )
        end = position
        for move in moves:
            what, _, cell = move.partition(" ")
            end = play(end, Move(what, read_cell(cell)))
        if not any(faults(end.now)):
            found.append((score(end.now), moves))
    return max(found, default=(None, ()))


def _bound(board: Board) -> Generator[Progress, None, int]:
    """Return a number of strings that no board with the stones exceeds.

    Keep one stone of each string of any board: that is a checkerboard form at heart. Of stones
    of one colour side by side one at most is kept, and it may as well be the first.
    """
    rows = [
        [letter if letter in (EMPTY, HOLE) else FREE for letter in letters] for letters in board
    ]
    for string in strings(board):
        for row, column in string.cells[1:]:
            rows[row][column] = EMPTY
    free = yield from form.best(form.codes(tuple(map("".join, rows))))
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
