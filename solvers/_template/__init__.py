"""A tiny kind to start from: a row of stones, taken from its ends in changing colours.

Copy this folder, without the underscore in its name, and change one thing after another; the
contract tests in tests/solvers say what is still missing. The menu, the editor, the boards,
the jobs and the command line follow by themselves.
"""

import random
from collections.abc import Iterable
from dataclasses import dataclass

from solvers.answers import Answer, CountAnswer, ReviewAnswer
from solvers.editor import GridEditor
from solvers.grid import CellMoves, centre, letter_rows, press, wooden_board, write_cell
from solvers.kind import BadText, Cell, IllegalMove, Place, Verdict
from solvers.message import Message, gettext_noop
from solvers.picture import CELL, Circle, Picture, Shape, Spot
from solvers.question import Question

LONGEST = 20
STYLES = {"b": "black", "w": "white"}


@dataclass(frozen=True, slots=True)
class Row:
    """A row of stones and the columns taken so far, in order."""

    stones: str
    taken: tuple[int, ...] = ()
    first: int = 0
    """The leftmost column that is left."""

    @property
    def left(self) -> range:
        """The columns in which stones are left."""
        return range(self.first, self.first + len(self.stones) - len(self.taken))


class RowEditor(GridEditor):
    """Black and white stones in one row."""

    brushes = {"black": gettext_noop("Black stone"), "white": gettext_noop("White stone")}
    letters = {"black": "b", "white": "w"}
    largest = (1, LONGEST)

    def shapes(self, letter: str, cell: Cell) -> tuple[Shape, ...]:
        return (Circle(*centre(cell), 17, STYLES[letter]),) if letter in STYLES else ()

    def label(self, letter: str) -> Message:
        return Message("Point at row {row}, column {column}")


class Template(CellMoves[Row]):
    """The kind. A solution takes all stones, no two of one colour in succession."""

    slug = "template"
    title = gettext_noop("Template")
    rule = gettext_noop("Take all stones from the ends of the row, black and white in turn.")
    family = "sequence"
    version = 1
    questions = {
        "count": Question(
            gettext_noop("How many solutions?"), "solvers._template.solve:count", CountAnswer
        ),
        "solve": Question(
            gettext_noop("Is there a solution?"), "solvers._template.solve:solve", Answer
        ),
        "review": Question(
            gettext_noop("Where was the last solution lost?"),
            "solvers.review:review",
            ReviewAnswer,
            "hint",
        ),
    }
    editor = RowEditor()

    def read_start(self, text: str) -> Row:
        rows = letter_rows(text, STYLES)
        if len(rows) > 1 or not 1 <= len(text) <= LONGEST:
            raise BadText("Write one row of 1 to {most} stones.", most=LONGEST)
        return Row(text)

    def write_start(self, position: Row) -> str:
        return position.stones

    def start(self, position: Row) -> Row:
        return Row(position.stones)

    def line(self, position: Row) -> tuple[Cell, ...]:
        return tuple((0, column) for column in position.taken)

    def moves(self, position: Row) -> Iterable[Cell]:
        left = position.left
        last = position.stones[position.taken[-1]] if position.taken else ""
        ends = sorted({left[0], left[-1]}) if left else []
        return [(0, column) for column in ends if position.stones[column] != last]

    def play(self, position: Row, move: Cell) -> Row:
        row, column = move
        place = Place(cell=move)
        if row or not position.left or column not in (position.left[0], position.left[-1]):
            raise IllegalMove("Take a stone from an end of the row.", place=place)
        if move not in self.moves(position):
            raise IllegalMove("This stone has the colour of the last one.", place=place)
        first = position.first + (column == position.first)
        return Row(position.stones, (*position.taken, column), first)

    def judge(self, position: Row) -> Verdict:
        return Verdict(solved=not position.left, over=not self.moves(position))

    def draw(self, position: Row) -> Picture:
        width = len(position.stones)
        return Picture(
            width=width * CELL,
            height=CELL,
            title=Message("A row of stones. Stones left: {left}.", {"left": len(position.left)}),
            text="".join(s if c in position.left else "." for c, s in enumerate(position.stones)),
            shapes=(*wooden_board(1, width), *(self._spot(position, c) for c in position.left)),
        )

    def _spot(self, position: Row, column: int) -> Spot:
        cell = (0, column)
        circle = Circle(*centre(cell), 17, STYLES[position.stones[column]])
        label = Message("Stone at row {row}, column {column}", {"row": 1, "column": column + 1})
        return Spot(*cell, write_cell(cell), label, (circle, press(cell)), *centre(cell))

    def sample(self, rng: random.Random, size: int) -> Row:
        longest = min(2 * size + 1, LONGEST)
        return Row("".join(rng.choice("bw") for _ in range(rng.randint(1, longest))))


KIND = Template()
