"""The rules of Max Strings, as plain as possible. They are the reference for everything else."""

from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from functools import lru_cache
from types import SimpleNamespace
from typing import NamedTuple

from solvers.grid import CLEAR, ToolMove, neighbours
from solvers.kind import Cell, IllegalMove, row_and_column
from solvers.message import Message, gettext_noop

FREE, BLACK, WHITE, EITHER, EMPTY, HOLE = ".xos-#"
"""The letters of the start's points: free, a stone of a colour, a stone of either colour, a point
that must stay empty, no point."""

STONES = (BLACK, WHITE)
Move = ToolMove
"""A move sets BLACK or WHITE on a point or clears the point."""

Board = tuple[str, ...]
"""Rows of letters of the start, or of the present board (`x`, `o`, `.`, `#`)."""

TEXTS = SimpleNamespace(
    outside=gettext_noop("There is no point at row {row}, column {column}."),
    given=gettext_noop("The stone at row {row}, column {column} belongs to the puzzle."),
    barred=gettext_noop("The point at row {row}, column {column} must stay empty."),
    none=gettext_noop("There is no stone at row {row}, column {column}."),
    same=gettext_noop("This stone stands at row {row}, column {column} already."),
    black=gettext_noop("Black to row {row}, column {column}"),
    white=gettext_noop("White to row {row}, column {column}"),
    cleared=gettext_noop("Row {row}, column {column} cleared"),
    lost=gettext_noop(
        "The string at row {row}, column {column} touches no empty point. Nothing is captured, but "
        "it does not count."
    ),
)
"""The texts of the rules, by the names under which `static/maxstrings.js` says them."""


@dataclass(frozen=True, slots=True)
class Position:
    """A start, its present board, and the moves since."""

    points: Board
    """The letters of the start."""
    goal: int | None
    """The number of strings that solves the puzzle, if the start names one."""
    now: Board
    """The present board: `x`, `o`, `.` (no stone), `#` (no point)."""
    line: tuple[Move, ...] = ()

    @property
    def rows(self) -> int:
        return len(self.points)

    @property
    def columns(self) -> int:
        return len(self.points[0])


class String(NamedTuple):
    """Connected stones of one colour and the empty points that they touch."""

    colour: str
    cells: tuple[Cell, ...]
    liberties: frozenset[Cell]


def start(points: Board, goal: int | None) -> Position:
    """Return the untouched start."""
    now = tuple("".join(p if p in "xo#" else FREE for p in row) for row in points)
    return Position(points, goal, now)


def cells(board: Board) -> Iterator[Cell]:
    """Yield all cells row by row, including holes."""
    for row in range(len(board)):
        for column in range(len(board[0])):
            yield row, column


@lru_cache(maxsize=64)
def strings(board: Board) -> tuple[String, ...]:
    """Return the strings on a board, ordered by their first cells.

    They are cached, because judging and drawing a board need them several times.
    """
    result: list[String] = []
    seen: set[Cell] = set()
    for first in cells(board):
        colour = board[first[0]][first[1]]
        if colour not in STONES or first in seen:
            continue
        group = connected(board, [first], colour)
        seen.update(group)
        liberties = around(board, group, FREE)
        result.append(String(colour, tuple(group), frozenset(liberties)))
    return tuple(result)


def connected(board: Board, first: Iterable[Cell], letters: str) -> list[Cell]:
    """Return the cells connected with the first ones through cells that have these letters."""
    group = list(first)
    seen = set(group)
    for cell in group:
        near = around(board, [cell], letters) - seen
        seen |= near
        group += sorted(near)
    return group


def around(board: Board, group: list[Cell], letters: str) -> set[Cell]:
    """Return the neighbours of some cells that have one of these letters."""
    rows, columns = len(board), len(board[0])
    near = (there for cell in group for there in neighbours(cell, rows, columns))
    return {(row, column) for row, column in near if board[row][column] in letters}


def moves(position: Position) -> Iterator[Move]:
    """Yield the stones that can be set on empty points, point by point, black before white.

    `play` also recolours and clears points, which is never needed for a solution.
    """
    for cell in cells(position.points):
        row, column = cell
        is_open = position.points[row][column] in (FREE, EITHER)
        if is_open and position.now[row][column] == FREE:
            yield Move(BLACK, cell)
            yield Move(WHITE, cell)


def play(position: Position, move: Move) -> Position:
    """Return the position after the move. Raise IllegalMove with the reason."""
    fault = _refusal(position, move)
    if fault is not None:
        raise IllegalMove(fault, cell=move.cell)
    after = FREE if move.tool == CLEAR else move.tool
    now = with_letter(position.now, move.cell, after)
    return Position(position.points, position.goal, now, (*position.line, move))


def _refusal(position: Position, move: Move) -> str | None:
    """Return why a move is illegal, with the fields {row} and {column} unfilled, or None."""
    row, column = move.cell
    if not (row < position.rows and column < position.columns) or (
        position.points[row][column] == HOLE
    ):
        return str(TEXTS.outside)
    if position.points[row][column] in STONES:
        return str(TEXTS.given)
    if position.points[row][column] == EMPTY:
        return str(TEXTS.barred)
    if move.tool == CLEAR and position.now[row][column] == FREE:
        return str(TEXTS.none)
    if move.tool == position.now[row][column]:
        return str(TEXTS.same)
    return None


def score(board: Board) -> int:
    """Return the number of strings that have a liberty."""
    return sum(1 for string in strings(board) if string.liberties)


def faults(board: Board) -> Iterator[tuple[Cell, Message]]:
    """Yield the stones of each string without a liberty, with a message about the fault."""
    for string in strings(board):
        if not string.liberties:
            message = Message(TEXTS.lost, row_and_column(string.cells[0]))
            yield from ((cell, message) for cell in string.cells)


def missing_stones(position: Position) -> list[Cell]:
    """Return the points of the start that need a stone but have none."""
    return [
        (row, column)
        for row, column in cells(position.points)
        if position.points[row][column] == EITHER and position.now[row][column] == FREE
    ]


def with_letter(board: Board, cell: Cell, letter: str) -> Board:
    """Return the board with another letter on a cell."""
    row, column = cell
    changed = board[row][:column] + letter + board[row][column + 1 :]
    return (*board[:row], changed, *board[row + 1 :])


def merged(position: Position) -> Board:
    """Return the board as a start that contains the stones set so far."""
    return tuple(
        "".join(n if n in STONES else s for s, n in zip(start, now))
        for start, now in zip(position.points, position.now)
    )


@lru_cache(maxsize=64)
def pattern(position: Position) -> str:
    """Return rows of `s` and `.`: the clues in each string, or its first stone if it has none.

    Strings cut down to single stones still have liberties, and single stones may exchange their
    colours together. The rows therefore tell which checkerboard form the board reduces to. Boards
    with equal rows are the same solution.
    """
    strength: set[Cell] = set()
    for string in strings(position.now):
        clues = [(r, c) for r, c in string.cells if position.points[r][c] not in (FREE, HOLE)]
        strength.update(clues or string.cells[:1])
    return "/".join(
        "".join("s" if (row, column) in strength else "." for column in range(position.columns))
        for row in range(position.rows)
    )


def stones_in_corners(position: Position) -> str:
    """Return which corners of the board have a stone of the solution, as `pattern` tells it."""
    rows = pattern(position).split("/")
    return "".join(row[at] for row in (rows[0], rows[-1]) for at in (0, -1))


def pattern_moves(position: Position) -> frozenset[str]:
    """Return the moves that set a stone of the solution (`pattern`).

    The colours of stones that touch a coloured stone of the puzzle, directly or through others, are
    certain. All others may be exchanged, so they are counted in both colours.
    """
    rows = tuple(pattern(position).split("/"))
    moves: set[str] = set()
    seen: set[Cell] = set()
    for first in cells(rows):
        if rows[first[0]][first[1]] != "s" or first in seen:
            continue
        group = connected(rows, [first], "s")
        seen.update(group)
        is_certain = any(position.points[row][column] in STONES for row, column in group)
        for row, column in group:
            colours = position.now[row][column] if is_certain else STONES
            moves.update(f"{colour} {row + 1},{column + 1}" for colour in colours)
    return frozenset(moves)


def form_colour(position: Position, cell: Cell) -> str:
    """Return the colour of a point in the checkerboard of the first stone on the board."""
    for row, column in cells(position.now):
        if position.now[row][column] in STONES:
            first = STONES.index(position.now[row][column])
            return STONES[(first + row + column + sum(cell)) % 2]
    return STONES[sum(cell) % 2]


def moves_to_form(position: Position, stands: tuple[tuple[bool, ...], ...]) -> tuple[str, ...]:
    """Return the moves that add the stones of a checkerboard form to those on the board."""
    return tuple(
        f"{form_colour(position, (row, column))} {row + 1},{column + 1}"
        for row, letters in enumerate(position.now)
        for column, letter in enumerate(letters)
        if stands[row][column] and letter == FREE
    )


def moves_to_board(position: Position, board: Board) -> tuple[str, ...]:
    """Return the moves that add the stones of another board to those on the board."""
    return tuple(
        f"{wanted} {row + 1},{column + 1}"
        for row, letters in enumerate(board)
        for column, wanted in enumerate(letters)
        if wanted in STONES and position.now[row][column] == FREE
    )
