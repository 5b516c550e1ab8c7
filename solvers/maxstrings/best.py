"""The questions `best` and `large`: the most strings that can be reached from a position, or on an
empty board of any size. Both answers include a board.

`best` uses the cheaper of two proofs that applies:

    form       Some checkerboard form has the stones. Then some best board is such a form, and the
               best of these is found exactly (`checkerboard`).
    transfer   All boards with the stones are compared (`transfer`).

The first proof holds for any stones. Take a best board, keep in each string only the stones that
must stay, or one if there are none, and colour them as on a checkerboard. A string of n stones
becomes n strings. At most n - 1 of its stones are left without a liberty. Each gets one if a point
beside it is emptied that need not have a stone, and the form shows that there is such a point. So
no string is lost.

If neither applies, the answer is the best board known, is not proven, and states an upper bound.
"""

import random
from collections.abc import Sequence
from dataclasses import replace
from typing import NamedTuple

from solvers.answers import AnswerFile, AnswerTable, BestAnswer, Exact
from solvers.grid import neighbours
from solvers.kind import Cell, Kind
from solvers.maxstrings import rules, transfer
from solvers.maxstrings.checkerboard import best_form, codes_of
from solvers.maxstrings.games import games
from solvers.maxstrings.maximum import FORMULA_FROM, LARGEST, most_strings, phases
from solvers.maxstrings.questions import LargeAnswer
from solvers.maxstrings.rules import EMPTY, FREE, HOLE, STONES, Board, Move, Position
from solvers.maxstrings.study import BOARDS
from solvers.message import Message
from solvers.question import Progress, Run, relayed

FORM = Message("Some best board is a checkerboard form, and all of these were compared.")
TRANSFER = Message("All boards with the stones that stand now were compared.")


SLOW_SIDE = 15
"""The least shorter side of a board whose search takes so long that people watch its progress."""

GAMES = 5
"""The number of games of the careful player, for a board that is known at once."""


class BestBoard(NamedTuple):
    """The best board known."""

    strings: int | None
    """The strings of the board, or None if there is no board or none is known."""
    moves: tuple[str, ...]
    bound: int
    """The number of strings that no board exceeds, or -1 if there is no board."""
    proof: Message | None

    @property
    def proven(self) -> bool:
        """Whether no better board exists."""
        return self.bound == (-1 if self.strings is None else self.strings)

    def reaches(self, wanted: int) -> bool | None:
        """Return whether `wanted` strings can be reached, or None if undecided."""
        if self.strings is not None and self.strings >= wanted:
            return True
        return False if self.bound < wanted else None


def best(kind: Kind[Position, Move], position: Position) -> Run[BestAnswer]:
    """Find the most strings on a board that keeps the stones standing now.

    The value is None if no legal board keeps all the stones. On boards that take long, the first
    progress report already has a useful lower bound.
    """
    # Points that are missing or must be empty are no more than points without stones.
    at_most = BestAnswer(at_most=Exact(most_strings(position.rows, position.columns)))
    yield Progress(0, 1, found=at_most)
    known = yield from _known_at_once(position)
    best_answer = yield from relayed(
        _find(position),
        lambda sign: replace(
            sign, at_least=max(known or 0, sign.at_least or 0) or None, found=sign.found or at_most
        ),
    )
    note = best_answer.proof
    if not best_answer.proven:
        note = Message(
            "This is not proven to be the most. No board has more than {most} strings.",
            {"most": best_answer.bound},
        )
    elif best_answer.strings is None:
        note = Message("No legal board keeps all the stones that stand now.")
    if position.goal is not None and position.goal > best_answer.bound >= 0:
        note = Message(
            "The goal {goal} can't be reached: no board has more than {most} strings.",
            {"goal": position.goal, "most": best_answer.bound},
        )
    end = kind.play_line(position, " ".join(best_answer.moves))
    return BestAnswer(
        None if best_answer.strings is None else Exact(best_answer.strings),
        best_answer.moves,
        proven=best_answer.proven,
        note=note,
        at_most=None if best_answer.proven else Exact(best_answer.bound),
        board="/".join(end.now) if best_answer.strings is not None else "",
        proof=best_answer.proof,
    )


def _known_at_once(position: Position) -> Run[int | None]:
    """Return the strings of a good board, or None for boards that are searched quickly anyway and
    for boards for which no such board is known at once."""
    board = rules.merged(position)
    if min(len(board), len(board[0])) < SLOW_SIDE or not phases(board):
        return None
    if rules.missing_stones(position) or any(rules.faults(position.now)):
        # The careful player might leave a stone without a liberty.
        return None
    points = sum(letter != HOLE for row in board for letter in row)
    missing = yield from games(board, points, random.Random(1), GAMES)
    return points - min(missing)


def find(position: Position) -> Run[BestBoard]:
    """Return the best board that keeps the stones standing now."""
    # The bounds of a best board say nothing about the answer of another question.
    return (yield from relayed(_find(position), lambda sign: Progress(sign.done, sign.total)))


def _find(position: Position) -> Run[BestBoard]:
    """Return the best board. Where that takes long, progress carries bounds of it."""
    board = rules.merged(position)
    single = (yield from best_form(codes_of(board))) if phases(board) else None
    if single:
        moves = rules.moves_to_form(position, single.board)
        return BestBoard(single.stones, moves, single.stones, FORM)
    bound = yield from upper_bound(board)
    most, moves = yield from _form_around_misfits(position)
    if transfer.is_narrow(board):
        at_most = BestAnswer(at_most=Exact(bound))
        outcome = yield from relayed(
            transfer.best_board(board), lambda sign: replace(sign, at_least=most, found=at_most)
        )
        if outcome.board is not None:
            moves = rules.moves_to_board(position, outcome.board)
            return BestBoard(outcome.bound, moves, outcome.bound, TRANSFER)
        if outcome.bound < 0:
            return BestBoard(None, (), -1, TRANSFER)
        bound = min(bound, outcome.bound)
    return BestBoard(most, moves, bound, None)


def reaches(position: Position, wanted: int) -> Run[bool | None]:
    """Return whether `wanted` strings can be reached, or None if undecided."""
    board = rules.merged(position)
    if all(letter == FREE for row in board for letter in row):
        return most_strings(len(board), len(board[0])) >= wanted
    if phases(board):
        single = yield from best_form(codes_of(board))
        if single:
            return single.stones >= wanted
    if (yield from upper_bound(board)) < wanted:
        return False
    if not transfer.is_narrow(board):
        return None
    outcome = yield from transfer.best_board(board)
    if outcome.bound < wanted:
        return False
    return None if outcome.board is None else True


def has_no_board(position: Position) -> Run[bool]:
    """Return whether no legal board has the start's stones, as far as that is found."""
    start = rules.start(position.points, position.goal)
    if phases(start.points) and (yield from best_form(codes_of(start.points))) is not None:
        return False
    best_answer = yield from find(start)
    return best_answer.strings is None and best_answer.proven


def _form_around_misfits(position: Position) -> Run[tuple[int | None, tuple[str, ...]]]:
    """Return the strings and moves of a good board if the stones don't fit one checkerboard.

    It is the better of the two checkerboards, with the free points around each stone that does not
    fit left empty. Return (None, ()) if every such board has a string without a liberty.
    """
    board = rules.merged(position)
    candidates: list[tuple[int, tuple[str, ...]]] = []
    for phase in (0, 1):
        closed = [list(row) for row in board]
        for row, column in rules.cells(board):
            letter = board[row][column]
            if letter in STONES and letter != STONES[(row + column + phase) % 2]:
                for r, c in neighbours((row, column), len(board), len(board[0])):
                    if board[r][c] == FREE:
                        closed[r][c] = EMPTY
        single = yield from best_form(codes_of(tuple(map("".join, closed))))
        if single is None:
            continue
        coloured = tuple(
            "".join(
                STONES[(row + column + phase) % 2] if stone and letter == FREE else letter
                for column, (stone, letter) in enumerate(zip(stands, letters))
            )
            for row, (stands, letters) in enumerate(zip(single.board, position.now))
        )
        if not any(rules.faults(coloured)):
            candidates.append((rules.score(coloured), rules.moves_to_board(position, coloured)))
    return max(candidates, default=(None, ()))


def upper_bound(board: Board) -> Run[int]:
    """Return a number of strings that no board with the stones exceeds.

    Keep one stone of each string of any board, which leaves a checkerboard form. At most one of
    adjacent stones of one colour is kept, and it may as well be the first.
    """
    rows = [
        [letter if letter in (EMPTY, HOLE) else FREE for letter in letters] for letters in board
    ]
    for string in rules.strings(board):
        for row, column in string.cells[1:]:
            rows[row][column] = EMPTY
    free = yield from best_form(codes_of(tuple(map("".join, rows))))
    # There is a form, because a board without stones is legal.
    return free.stones if free else 0


FORMULA = Message(
    "Rows × columns − (⌊(rows + 2) × (columns + 2) ÷ 5⌋ − 4), from 16 rows and columns on: "
    "Gonçalves, Pinlou, Rao, Thomassé, The domination number of grids, 2011."
)
PERIOD = Message(
    "For a board this thin, the search's table repeats itself after some rows, so the maximum is "
    "known for any length."
)
FORMS_COMPARED = Message("All checkerboard forms were compared.")


def large(kind: Kind[Position, Move], position: Position, *, size: list[int]) -> Run[LargeAnswer]:
    """Find the most strings on an empty board of the size [rows, columns].

    The position does not matter. The value is proven.
    """
    rows, columns = size
    yield Progress(0, 1)
    most = most_strings(rows, columns)
    if min(size) < FORMULA_FROM:
        # Thin boards of any length are searched quickly, and the pattern suits them badly.
        best = yield from best_form(codes_of((FREE * columns,) * rows))
        assert best is not None
        board = _checkered(best.board)
    else:
        board = good_board(rows, columns)
    drawn, why = rules.score(board), source(rows, columns)
    table = AnswerTable(
        head=(
            Message("Board of {rows} × {columns}", {"rows": rows, "columns": columns}),
            Message("Answer"),
        ),
        rows=(
            (Message("Most strings"), most),
            (Message("Why that is known"), why),
            (Message("Strings of the board that comes with it"), drawn),
            (Message("Short of the maximum by"), most - drawn),
        ),
    )
    title = Message("The board as text: x black, o white")
    file = AnswerFile(f"max-strings-{rows}x{columns}.txt", title, "\n".join(board))
    return LargeAnswer(
        Exact(most),
        source=why,
        board="/".join(board),
        drawn=drawn,
        gap=most - drawn,
        tables=(table,),
        files=(file,),
    )


def source(rows: int, columns: int) -> Message:
    """Return the reason why the maximum of an empty board of this size is known."""
    if min(rows, columns) >= FORMULA_FROM:
        return FORMULA
    return PERIOD if max(rows, columns) > LARGEST else FORMS_COMPARED


def good_board(rows: int, columns: int) -> Board:
    """Return a best board if one is stored, else a good one. Rows and columns must be positive."""
    if rows == columns <= len(BOARDS):
        return tuple(BOARDS[rows - 1].split("/"))
    return _checkered(good_form(rows, columns))


def _checkered(stands: Sequence[Sequence[bool]]) -> Board:
    """Return the board of a checkerboard form, with the stones in their colours."""
    return tuple(
        "".join(STONES[(r + c) % 2] if stone else FREE for c, stone in enumerate(row))
        for r, row in enumerate(stands)
    )


def good_form(rows: int, columns: int) -> list[list[bool]]:
    """Return a checkerboard form with many stones: whether each point has one. Rows and columns
    must be positive."""
    patterns = (
        _thinned(_pattern(rows, columns, shift, step), rows, columns)
        for shift in range(5)
        for step in (2, 3)
    )
    empty = min(patterns, key=len)
    return [[(r, c) not in empty for c in range(columns)] for r in range(rows)]


def _pattern(rows: int, columns: int, shift: int, step: int) -> set[Cell]:
    """Return empty points from which every stone gets a liberty, except in some corners."""
    return {
        (min(max(r, 0), rows - 1), min(max(c, 0), columns - 1))
        for r in range(-1, rows + 1)
        for c in range(-1, columns + 1)
        if (r + step * c + shift) % 5 == 0 and (0 <= r < rows or 0 <= c < columns)
    }


def _thinned(empty: set[Cell], rows: int, columns: int) -> set[Cell]:
    """Return the empty points without those that are not needed, and with those that the corners
    lack."""
    served: dict[Cell, int] = {(r, c): 0 for r in range(rows) for c in range(columns)}
    for point in served:
        near = (point, *neighbours(point, rows, columns))
        served[point] = sum(cell in empty for cell in near)
    for point, number in served.items():
        if number == 0:
            empty.add(point)
            for cell in (point, *neighbours(point, rows, columns)):
                served[cell] += 1
    for point in sorted(empty):
        near = (point, *neighbours(point, rows, columns))
        if all(served[cell] > 1 for cell in near):
            empty.remove(point)
            for cell in near:
                served[cell] -= 1
    return empty
