"""The pictures of Goishi Hiroi boards, in play and in the editor."""

from functools import lru_cache
from itertools import pairwise

from solvers.capabilities import Presses
from solvers.editor import GridEditor
from solvers.goishi.rules import TEXTS, Position, cells, moves, text_rows
from solvers.grid import centre, press_area, wooden_board, write_cell
from solvers.kind import Cell, row_and_column
from solvers.message import Message, gettext_noop
from solvers.picture import CELL, Circle, Line, Picture, Shape, Spot, Text

STONE = 17
"""The radius of a stone."""
RING = 13
"""The radius of the ring where a stone was picked up before the latest one."""


def draw(position: Position) -> Picture:
    """Return the picture of the stones left, the picked ones as numbered rings, and the path."""
    left = position.left
    reachable = set(moves(position)) if position.picked else None
    stones = tuple(_stone(cell, reachable) for cell in cells(position, left))
    return Picture(
        width=position.columns * CELL,
        height=position.rows * CELL,
        title=Message(
            "Goishi Hiroi, {rows} × {columns}. Stones left: {left} of {stones}.",
            {
                "rows": position.rows,
                "columns": position.columns,
                "left": left.bit_count(),
                "stones": position.stones.bit_count(),
            },
        ),
        text="\n".join(text_rows(position, left)),
        shapes=(*wooden_board(position.rows, position.columns), *_path(position.picked), *stones),
    )


def _stone(cell: Cell, reachable: set[Cell] | None) -> Spot:
    """Return a stone. `reachable` are the stones that may be picked next, or None for all."""
    return _stone_as(cell, None if reachable is None else cell in reachable)


@lru_cache(maxsize=2048)
def _stone_as(cell: Cell, is_next: bool | None) -> Spot:
    """Return a stone. `is_next` is whether it may be picked next, or None if all stones may."""
    shapes = (Circle(*centre(cell), STONE, "stone next" if is_next else "stone"), press_area(cell))
    label, closed = (next_label if is_next else stone_label)(cell), is_next is False
    return Spot(
        *cell, write_cell(cell), label, shapes, *centre(cell), state=STANDS, is_closed=closed
    )


STANDS, PICKED, PASSED = "o", "picked", "passed"

PRESSES = Presses(
    looks={
        STANDS: (Circle(0, 0, STONE, "stone"),),
        # A browser continues counting from the numbers that the board has.
        PICKED: (Circle(0, 0, STONE, "stone current"), Text(0, 0, "1", "order")),
        PASSED: (Circle(0, 0, RING, "picked"), Text(0, 0, "1", "order")),
    },
    rules={"": {STANDS: ("", PICKED)}},
    trail="path last",
)


def next_label(move: Cell) -> Message:
    """Return the name of a stone that may be picked next, for screen readers."""
    return Message(TEXTS.next, row_and_column(move))


def stone_label(move: Cell) -> Message:
    """Return the name of a stone for screen readers."""
    return Message(TEXTS.stone, row_and_column(move))


def _path(picked: tuple[Cell, ...]) -> list[Shape]:
    steps = list(pairwise(picked))
    shapes: list[Shape] = [
        Line(*centre(here), *centre(there), "path last" if (here, there) == steps[-1] else "path")
        for here, there in steps
    ]
    for number, cell in enumerate(picked, 1):
        is_last = number == len(picked)
        x, y = centre(cell)
        shapes.append(
            Circle(x, y, STONE, "stone current") if is_last else Circle(x, y, RING, "picked")
        )
        shapes.append(Text(x, y, str(number), "order"))
    return shapes


def ways(position: Position) -> tuple[Shape, ...]:
    """Return the ways from the last stone to those that may be picked up next."""
    if not position.picked:
        return ()
    here = position.picked[-1]
    return tuple(Line(*centre(here), *centre(there), "way") for there in moves(position))


class GoishiEditor(GridEditor):
    """The editor. The same press sets a stone and takes it away."""

    brushes = {"stone": gettext_noop("Stone"), "clear": gettext_noop("Clear")}
    letters = {"stone": "o", "clear": "."}
    has_points = True
    largest = (15, 15)
    largest_for_students = (10, 10)
    formats = {
        gettext_noop("Rows, one a line"): "o.oo\noo..",
        gettext_noop("Rows with a slash between them"): "o.oo/oo..",
        gettext_noop("Rows in quotation marks, where a space is an empty point"): '"o oo"\n"oo  "',
        gettext_noop(
            "The number of stones, then x and y of each; y counts upwards"
        ): "5\n1 1\n1 3\n1 4\n2 1\n2 3",
        gettext_noop("An address of puzz.link or pzv.jp"): "https://puzz.link/p?goishi/4/2/8k",
        gettext_noop("SGF, the record of Go programs"): "(;SZ[4:2]AB[aa][ca][da][ab][bb])",
        gettext_noop("A diagram of a Go program"): "  A B C\n2 # . o 2\n1 # o . 1",
        gettext_noop("A diagram of Sensei's Library"): "$$ Title\n$$ | X . X X\n$$ | X X . .",
        gettext_noop("A board drawn with lines"): "●┬●┐\n●┴○┘",
        gettext_noop("A pzprv3 file"): "pzprv3\ngoishi\n2\n4\n0 . 0 0 \n0 . 0 . ",
        gettext_noop("Kanpen or PencilBox text"): "2\n4\n1 . 1 1 \n1 . 1 . ",
        gettext_noop("Kanpen or PencilBox XML"): (
            '<puzzle type="goishi"><size row="1" col="3"/><board><number r="1" c="1" n="1"/>'
            '<number r="1" c="3" n="1"/></board></puzzle>'
        ),
    }

    def shapes(self, letter: str, cell: Cell) -> tuple[Shape, ...]:
        return (Circle(*centre(cell), STONE, "stone"),) if letter == "o" else ()

    def label(self, letter: str) -> Message:
        if letter == "o":
            return Message("Stone at row {row}, column {column}")
        return Message("Empty point at row {row}, column {column}")
