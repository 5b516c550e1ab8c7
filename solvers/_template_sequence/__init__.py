"""A template for a kind whose solution is an order of moves: a row of stones, taken from its ends.

`manage.py newkind NAME` copies this folder. docs/adding-a-kind.md explains how to go on.
"""

import random
from collections.abc import Iterable

from solvers import defaults
from solvers.capabilities import TinyBoard
from solvers.editor import GridEditor
from solvers.grid import CellMoves, GridKind, GridPosition, centre
from solvers.kind import Cell, IllegalMove, Verdict
from solvers.message import Message, gettext_noop
from solvers.picture import Circle, Shape

Row = GridPosition[Cell]

STYLES = {"b": "black", "w": "white"}
TAKEN = "."


def stone(letter: str, cell: Cell) -> tuple[Shape, ...]:
    """Return the shapes of a letter on a cell."""
    return (Circle(*centre(cell), 17, STYLES[letter]),) if letter in STYLES else ()


class RowEditor(GridEditor):
    """The editor. Its brushes set black and white stones in one row."""

    brushes = {"black": gettext_noop("Black stone"), "white": gettext_noop("White stone")}
    letters = {"black": "b", "white": "w"}
    largest = (1, 20)

    shapes = staticmethod(stone)

    def label(self, letter: str) -> Message:
        return Message("Point at row {row}, column {column}")


class Template(CellMoves[Row], GridKind[Cell]):
    """The kind. A solution takes all stones, and never two of one colour in succession."""

    interface = 1
    slug = "template"
    title = gettext_noop("Template")
    rule = gettext_noop("Take all stones from the ends of the row, black and white in turn.")
    aim = gettext_noop("Take all the stones.")
    family = "sequence"
    version = 1
    letters = "bw"
    editor = RowEditor()
    introduction = (
        TinyBoard(
            "bwb",
            before=gettext_noop("Take stones from the ends, black and white in turn."),
            after=gettext_noop("The row is empty: solved!"),
            slip="1,1 1,3",
        ),
    )
    questions = defaults.questions("solvers._template_sequence.solve:count", position="b")

    def moves(self, position: Row) -> Iterable[Cell]:
        last = position.initial[0][position.line[-1][1]] if position.line else ""
        return [cell for cell in self._ends(position) if position.letter(cell) != last]

    def play(self, position: Row, move: Cell) -> Row:
        self.check_cell(position, move)
        if move not in self._ends(position):
            raise IllegalMove("Take a stone from an end of the row.", cell=move)
        if move not in self.moves(position):
            raise IllegalMove("This stone has the colour of the last one.", cell=move)
        return position.after(move, {move: TAKEN})

    def _ends(self, position: Row) -> list[Cell]:
        left = [cell for cell in position.cells() if position.letter(cell) != TAKEN]
        return sorted({left[0], left[-1]}) if left else []

    def judge(self, position: Row) -> Verdict:
        is_empty = set(position.now[0]) == {TAKEN}
        return Verdict(solved=is_empty, over=not self.moves(position))

    def pressed(self, position: Row, cell: Cell, tool: str = "") -> Cell | None:
        return None if position.letter(cell) == TAKEN else cell

    def shapes_at(self, position: Row, cell: Cell) -> tuple[Shape, ...]:
        return stone(position.letter(cell), cell)

    def label_at(self, position: Row, cell: Cell) -> Message:
        return Message("Stone at row {row}, column {column}")

    def sample(self, rng: random.Random, size: int) -> Row:
        length = rng.randint(1, min(2 * size + 1, self.editor.largest[1]))
        return self.read_start("".join(rng.choices(self.letters, k=length)))


KIND = Template()
