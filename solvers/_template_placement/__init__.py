"""A template for a kind whose solution is the board at the end: queens in peace.

Pieces are set and taken back, and the generator has an option of its own. `manage.py newkind NAME
--placement` copies this folder. docs/adding-a-kind.md explains how to go on.
"""

import random
from collections.abc import Iterable
from dataclasses import replace

from solvers import defaults, options
from solvers.capabilities import Obstacles, Presses
from solvers.editor import GridEditor
from solvers.grid import CLEAR, GridKind, GridPosition, ToolMove, ToolMoves, centre
from solvers.kind import Cell, IllegalMove, Verdict, row_and_column
from solvers.message import Message, gettext_noop
from solvers.picture import CELL, Circle, Rect, Shape, Text

Board = GridPosition[ToolMove]

FREE, BARRED, QUEEN = ".", "#", "Q"
LARGEST = 10


def queen(x: float, y: float, style: str) -> tuple[Shape, ...]:
    """Return the shapes of a queen around a point."""
    return (Circle(x, y, 16, style), Text(x, y, "♛", "label"))


def drawn(letter: str, cell: Cell, style: str) -> tuple[Shape, ...]:
    """Return the shapes of a letter on a cell. `style` is the style of a queen."""
    x, y = centre(cell)
    if letter == BARRED:
        return (Rect(x - CELL / 2, y - CELL / 2, CELL, CELL, "hole"),)
    return queen(x, y, style) if letter == QUEEN else ()


def queens(position: Board) -> list[Cell]:
    """Return the cells with a queen, row by row."""
    return [cell for cell in position.cells() if position.letter(cell) == QUEEN]


def attacks(queen: Cell, cell: Cell) -> bool:
    """Return whether a queen attacks a cell. Nothing on this board blocks a queen."""
    down, right = cell[0] - queen[0], cell[1] - queen[1]
    return cell != queen and (not down or not right or abs(down) == abs(right))


class QueensEditor(GridEditor):
    """The editor. Its brushes set clues: queens, and squares that must stay empty."""

    brushes = {"barred": gettext_noop("Barred square"), "queen": gettext_noop("Queen")}
    letters = {"barred": BARRED, "queen": QUEEN}
    largest = (LARGEST, LARGEST)

    def shapes(self, letter: str, cell: Cell) -> tuple[Shape, ...]:
        return drawn(letter, cell, "white")

    def label(self, letter: str) -> Message:
        return Message("Square at row {row}, column {column}")


def obstacle(position: Board) -> Message | None:
    """Return a reason why there is no solution if one is seen without a search, else None."""
    if position.rows > position.columns:
        return Message("There are more queens to place than columns.")
    return None


class Queens(ToolMoves[Board], GridKind[ToolMove]):
    """The kind. A solution has a queen in every row, and none attacks another."""

    interface = 1
    slug = "queens"
    title = gettext_noop("Queens in peace")
    rule = gettext_noop(
        "Put a queen into every row so that no queen attacks another along a row, a column or a "
        "diagonal. Press a queen of yours to take it back."
    )
    aim = gettext_noop("Put a queen into every row so that none attacks another.")
    family = "placement"
    version = 1
    letters = FREE + BARRED + QUEEN
    pieces = QUEEN
    editor = QueensEditor()
    obstacles = Obstacles(obstacle)
    presses = Presses(
        looks={FREE: (), QUEEN: queen(0, 0, "black")},
        rules={"": {FREE: (QUEEN, QUEEN), QUEEN: (CLEAR, FREE)}},
    )

    usual = defaults.questions("solvers._template_placement.solve:count", position="....")
    questions = usual | {
        "generate": replace(
            usual["generate"],
            solver="solvers._template_placement.solve:generate",
            options={
                "size": options.whole(gettext_noop("Rows and columns"), 6, 4, LARGEST),
                "barred": options.whole(gettext_noop("Barred squares"), 4, 0, 30),
                "solutions": options.span(gettext_noop("Number of solutions"), "1", 1, 1000),
                "many": options.many(),
                "seed": options.seed(),
            },
        )
    }

    def moves(self, position: Board) -> Iterable[ToolMove]:
        standing = queens(position)
        for cell in position.cells():
            is_free = position.letter(cell) == FREE
            if is_free and not any(attacks(queen, cell) for queen in standing):
                yield ToolMove(QUEEN, cell)

    def play(self, position: Board, move: ToolMove) -> Board:
        self.check_cell(position, move.cell)
        row, column = move.cell
        letter = position.letter(move.cell)
        if move.tool == CLEAR:
            if letter != QUEEN or position.initial[row][column] == QUEEN:
                raise IllegalMove("There is no queen of yours to take back.", cell=move.cell)
            return position.after(move, {move.cell: FREE})
        if letter != FREE:
            raise IllegalMove("A queen can only be put on a free square.", cell=move.cell)
        # An attacked square can be taken, too. The board shows the fault, and it can be corrected.
        return position.after(move, {move.cell: QUEEN})

    def judge(self, position: Board) -> Verdict:
        standing = queens(position)
        faults = tuple(
            (cell, Message("Another queen attacks this one: row {row}, column {column}",
                           row_and_column(cell)))
            for cell in standing
            if any(attacks(queen, cell) for queen in standing)
        )  # fmt: skip
        is_whole = len(standing) == position.rows and not faults
        return Verdict(is_whole, over=not any(self.moves(position)), faults=faults)

    def pressed(self, position: Board, cell: Cell, tool: str = "") -> ToolMove | None:
        if position.initial[cell[0]][cell[1]] != FREE:
            return None
        return ToolMove(CLEAR if position.letter(cell) == QUEEN else QUEEN, cell)

    def state_at(self, position: Board, cell: Cell) -> str:
        return position.letter(cell)

    def shapes_at(self, position: Board, cell: Cell) -> tuple[Shape, ...]:
        is_given = position.initial[cell[0]][cell[1]] == QUEEN
        return drawn(position.letter(cell), cell, "white" if is_given else "black")

    def label_at(self, position: Board, cell: Cell) -> Message:
        if position.letter(cell) == QUEEN:
            return Message("Queen at row {row}, column {column}")
        return Message("Free square at row {row}, column {column}")

    def describe(self, move: ToolMove) -> Message:
        values = row_and_column(move.cell)
        if move.tool == CLEAR:
            return Message("Row {row}, column {column} cleared", values)
        return Message("Queen at row {row}, column {column}", values)

    def sample(self, rng: random.Random, size: int) -> Board:
        rows, columns = rng.randint(1, size + 1), rng.randint(1, size + 1)
        letters = rng.choices(FREE * 6 + BARRED, k=rows * columns)
        board = ("".join(letters[row * columns :][:columns]) for row in range(rows))
        return self.read_start("/".join(board))


KIND = Queens()
