"""A template for a kind whose moves lead from one cell to another: peg solitaire.

One press takes up a piece, and the next press sets it down. `manage.py newkind NAME --moves` copies
this folder. docs/adding-a-kind.md explains how to go on.
"""

import random
from collections.abc import Iterable, Iterator, Mapping

from solvers import defaults
from solvers.capabilities import TinyBoard, Tools
from solvers.editor import GridEditor
from solvers.grid import GridKind, GridPosition, PieceMove, PieceMoves, carried, centre
from solvers.kind import Cell, IllegalMove, Verdict
from solvers.message import Message, gettext_noop
from solvers.picture import CELL, Circle, Picture, Rect, Shape

Board = GridPosition[PieceMove]

PEG, EMPTY, BARRED = "o.#"
LARGEST = 7
JUMPS = ((-2, 0), (0, -2), (0, 2), (2, 0))
"""The rows and columns from a peg to the cell behind its neighbour, in each direction."""


def board(rows: int, columns: int) -> Iterable[Shape]:
    """Return a plain board without lines."""
    return (Rect(0, 0, columns * CELL, rows * CELL, "board", corner=8),)


def drawn(letter: str, cell: Cell) -> tuple[Shape, ...]:
    """Return the shapes of a letter on a cell."""
    x, y = centre(cell)
    if letter == BARRED:
        return (Rect(x - CELL / 2, y - CELL / 2, CELL, CELL, "hole"),)
    return (Circle(x, y, 15, "black") if letter == PEG else Circle(x, y, 5, "hoshi"),)


def between(move: PieceMove) -> Cell:
    """Return the cell that a jump passes over."""
    return (move.source[0] + move.cell[0]) // 2, (move.source[1] + move.cell[1]) // 2


def jumps(position: Board, source: Cell) -> Iterator[PieceMove]:
    """Yield the jumps of a peg that stay on the board, legal or not."""
    for down, right in JUMPS:
        cell = source[0] + down, source[1] + right
        if position.holds(cell):
            yield PieceMove(PEG, source, cell)


class PegsEditor(GridEditor):
    """The editor. Its brushes set pegs and cells that do not belong to the board."""

    brushes = {"peg": gettext_noop("Peg"), "barred": gettext_noop("No hole")}
    letters = {"peg": PEG, "barred": BARRED}
    largest = (LARGEST, LARGEST)

    board = staticmethod(board)
    shapes = staticmethod(drawn)

    def label(self, letter: str) -> Message:
        return Message("Hole at row {row}, column {column}")


class PegTools(Tools[Board, PieceMove]):
    """The tools: each peg on the board can be taken up. There are no pieces beside the board."""

    def names(self, position: Board) -> Mapping[str, Message]:
        return {}

    def movable(self, position: Board) -> Mapping[str, Message]:
        return {
            carried(PEG, cell): Message(
                "Peg at row {row}, column {column}", {"row": cell[0] + 1, "column": cell[1] + 1}
            )
            for cell in position.cells()
            if position.letter(cell) == PEG
        }

    def draw(self, position: Board, tool: str) -> Picture:
        return KIND.draw_with(position, tool)

    def tool_of(self, move: PieceMove) -> str:
        return move.carried


class Pegs(PieceMoves[Board], GridKind[PieceMove]):
    """The kind. A solution leaves a single peg."""

    interface = 1
    slug = "pegs"
    title = gettext_noop("Peg solitaire")
    rule = gettext_noop(
        "Jump with a peg over the next one, up, down, left or right, into the empty hole behind "
        "it. The peg that was jumped over is taken off. Leave a single peg."
    )
    aim = gettext_noop("Jump until a single peg is left.")
    family = "sequence"
    version = 1
    letters = PEG + EMPTY + BARRED
    pieces = PEG
    editor = PegsEditor()
    tools = PegTools()
    introduction = (
        TinyBoard(
            "oo.",
            before=gettext_noop("Press the left peg, then the empty hole on the right."),
            after=gettext_noop("The peg in the middle was taken off: solved!"),
        ),
        TinyBoard(
            "oo.o",
            before=gettext_noop("A peg jumps over one peg only. Two jumps solve this board."),
            after=gettext_noop("Each jump takes off one peg."),
            slip="o1,4> 1,2",
        ),
    )
    misunderstandings = {
        "A peg jumps over one other peg. None lies between here and there.": gettext_noop(
            "The player may think that a peg can move without jumping over another."
        )
    }
    questions = defaults.questions("solvers._template_moves.solve:count", position="oo.")

    board = staticmethod(board)

    def moves(self, position: Board) -> Iterable[PieceMove]:
        return [
            move
            for source in position.cells()
            if position.letter(source) == PEG
            for move in jumps(position, source)
            if position.letter(between(move)) == PEG and position.letter(move.cell) == EMPTY
        ]

    def play(self, position: Board, move: PieceMove) -> Board:
        self.check_cell(position, move.source)
        self.check_cell(position, move.cell)
        if position.letter(move.source) != PEG:
            raise IllegalMove("There is no peg at row {row}, column {column}.", cell=move.source)
        if position.letter(move.cell) != EMPTY:
            raise IllegalMove("A peg jumps into an empty hole.", cell=move.cell)
        if move not in jumps(position, move.source):
            raise IllegalMove(
                "A peg jumps up, down, left or right, into the hole behind the next one.",
                cell=move.cell,
                path=(move.source, move.cell),
            )
        if position.letter(between(move)) != PEG:
            raise IllegalMove(
                "A peg jumps over one other peg. None lies between here and there.",
                cell=move.cell,
                path=(move.source, move.cell),
            )
        letters = {move.source: EMPTY, between(move): EMPTY, move.cell: PEG}
        return position.after(move, letters)

    def judge(self, position: Board) -> Verdict:
        pegs = sum(row.count(PEG) for row in position.now)
        return Verdict(solved=pegs == 1, over=not self.moves(position))

    def carried_at(self, position: Board, cell: Cell) -> str:
        return carried(PEG, cell) if position.letter(cell) == PEG else ""

    def pressed(self, position: Board, cell: Cell, tool: str = "") -> PieceMove | None:
        if position.letter(cell) != EMPTY:
            return None
        # If nothing is taken up, the rules refuse the move. The hole is a spot nevertheless, so
        # that a peg can be dragged to it.
        source = self.read_move(f"{tool} 1,1").source if tool else cell
        return PieceMove(PEG, source, cell)

    def shapes_at(self, position: Board, cell: Cell) -> tuple[Shape, ...]:
        return drawn(position.letter(cell), cell)

    def label_at(self, position: Board, cell: Cell) -> Message:
        if position.letter(cell) == PEG:
            return Message("Peg at row {row}, column {column}")
        return Message("Empty hole at row {row}, column {column}")

    def sample(self, rng: random.Random, size: int) -> Board:
        rows = rng.randint(1, min(size + 1, LARGEST))
        columns = rng.randint(3, min(size + 3, LARGEST))
        cells = [[rng.choice(EMPTY * 9 + BARRED) for _ in range(columns)] for _ in range(rows)]
        cells[rng.randrange(rows)][rng.randrange(columns)] = PEG
        position = self.read_start("/".join(map("".join, cells)))
        # Play jumps backwards from a single peg, so that most samples have a solution.
        for _ in range(rng.randint(2, size + 4)):
            back = [
                move
                for cell in position.cells()
                if position.letter(cell) == PEG
                for move in jumps(position, cell)
                if position.letter(between(move)) == EMPTY == position.letter(move.cell)
            ]
            if back:
                move = rng.choice(back)
                letters = {move.source: EMPTY, between(move): PEG, move.cell: PEG}
                position = position.after(move, letters)
        return self.read_start("/".join(position.now))


KIND = Pegs()
