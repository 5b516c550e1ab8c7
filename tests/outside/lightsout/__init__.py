"""Lights Out (ライツアウト): every press switches a lamp and its neighbours. Put all lamps out.

This kind lives outside of PuzzleClass. Its moves never run out, because a lamp may be pressed
again. A solution is the set of lamps that have been pressed an odd number of times.
"""

import random
from collections.abc import Iterable

from solvers import defaults
from solvers.editor import GridEditor
from solvers.grid import CellMoves, GridKind, GridPosition, centre, neighbours
from solvers.kind import Cell, Verdict
from solvers.message import Message, gettext_noop
from solvers.picture import Circle, Shape

Lamps = GridPosition[Cell]

ON, OFF = "1", "0"


def lamp(letter: str, cell: Cell) -> tuple[Shape, ...]:
    """Return the shapes of a lamp."""
    return (Circle(*centre(cell), 16, f"lightsout-lamp{' lightsout-on' if letter == ON else ''}"),)


class LampEditor(GridEditor):
    """The editor for the lamps that are lit at the start."""

    brushes = {"lit": gettext_noop("Lit lamp")}
    letters = {"lit": ON}
    empty = OFF
    largest = (7, 7)

    def shapes(self, letter: str, cell: Cell) -> tuple[Shape, ...]:
        return lamp(letter, cell)

    def label(self, letter: str) -> Message:
        return Message("Lamp at row {row}, column {column}")


class LightsOut(CellMoves[Lamps], GridKind[Cell]):
    """The kind Lights Out."""

    interface = 1
    slug = "lightsout"
    title = gettext_noop("Lights Out")
    rule = gettext_noop(
        "Put all the lamps out. Pressing a lamp switches it and its neighbours above, below, "
        "left and right: lit ones go out, the others light up."
    )
    family = "placement"
    version = 1
    letters = ON + OFF
    editor = LampEditor()
    questions = defaults.questions("lightsout.solve:count", position="111/111/111")

    def moves(self, position: Lamps) -> Iterable[Cell]:
        return position.cells()

    def play(self, position: Lamps, move: Cell) -> Lamps:
        self.check_cell(position, move)
        switched = [move, *neighbours(move, position.rows, position.columns)]
        return position.after(
            move, {cell: OFF if position.letter(cell) == ON else ON for cell in switched}
        )

    def judge(self, position: Lamps) -> Verdict:
        return Verdict(solved=not any(ON in row for row in position.now), over=False)

    def solution(self, position: Lamps) -> str:
        odd = {cell for cell in position.line if position.line.count(cell) % 2}
        return " ".join(map(self.write_move, sorted(odd)))

    def pressed(self, position: Lamps, cell: Cell, tool: str = "") -> Cell | None:
        return cell

    def shapes_at(self, position: Lamps, cell: Cell) -> tuple[Shape, ...]:
        return lamp(position.letter(cell), cell)

    def label_at(self, position: Lamps, cell: Cell) -> Message:
        if position.letter(cell) == ON:
            return Message("Lit lamp at row {row}, column {column}")
        return Message("Dark lamp at row {row}, column {column}")

    def sample(self, rng: random.Random, size: int) -> Lamps:
        rows, columns = rng.randint(1, size), rng.randint(1, size)
        side = "/".join(
            "".join(rng.choice(self.letters) for _ in range(columns)) for _ in range(rows)
        )
        return self.read_start(side)


KIND = LightsOut()
