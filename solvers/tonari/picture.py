"""How a Tonari Othello board is drawn, in play and in the editor.

The target is drawn as a tinted tile under each point, and the stones lie on the tiles. The last
stone has a ring, and the stones that it turned over are marked so that a style sheet can animate
them.
"""

from collections.abc import Iterator

from solvers.capabilities import Presses
from solvers.editor import GridEditor
from solvers.grid import centre, press_area, write_cell
from solvers.kind import Cell, row_and_column
from solvers.message import Message, gettext_noop
from solvers.picture import CELL, Circle, Line, Picture, Rect, Shape, Spot
from solvers.tonari import rules
from solvers.tonari.formats import LARGEST
from solvers.tonari.rules import Position

STONE = 14
"""The radius of a stone in the picture's units. The tile shows around it."""


def draw(position: Position) -> Picture:
    """Return the picture of the board: target tiles, stones, the last move and the stones it
    flipped.

    Every cell is a spot, and the points that may be played have a dot.
    """
    stones = rules.colours(position)
    playable = set(rules.moves(position))
    flipped = rules.flipped(position)
    odd = " odd" if len(position.placed) % 2 else ""
    shapes: list[Shape | Spot] = list(_board(position.rows, position.columns))
    for cell in position.cells:
        shapes.append(_tile(cell, rules.wants_white(position, cell)))
        inner: tuple[Shape, ...] = ()
        state = EMPTY
        if cell not in stones:
            if cell in playable:
                inner = (Circle(*centre(cell), 3.5, "tonari-playable"),)
        else:
            style = state = "white" if stones[cell] else "black"
            if cell in flipped:
                style += f" flipped{odd}"
            if position.placed and cell == position.placed[-1]:
                inner = (Circle(*centre(cell), STONE + 3, "tonari-last-ring"),)
                style, state = f"{style} placed{odd}", PLACED
            inner += (Circle(*centre(cell), STONE, style),)
        wants_white = rules.wants_white(position, cell)
        text = _LABELS_OF[stones.get(cell), wants_white]
        if cell in playable:
            text = _LABELS_OF_PLAYABLE[wants_white]
        label = Message(text, row_and_column(cell))
        inner = (*inner, press_area(cell))
        move, closed = write_cell(cell), cell not in playable
        shapes.append(Spot(*cell, move, label, inner, *centre(cell), state=state, is_closed=closed))
    values = {
        "rows": position.rows,
        "columns": position.columns,
        "empty": position.rows * position.columns - len(stones),
    }
    return Picture(
        width=position.columns * CELL,
        height=position.rows * CELL,
        title=Message("Tonari Othello, {rows} × {columns}. Empty points: {empty}.", values),
        text=_text(position, stones),
        shapes=tuple(shapes),
    )


_LABELS_OF = {
    (None, False): gettext_noop(
        "Empty point at row {row}, column {column}, to be black at the end"
    ),
    (None, True): gettext_noop("Empty point at row {row}, column {column}, to be white at the end"),
    (False, False): gettext_noop(
        "Black stone at row {row}, column {column}, to be black at the end"
    ),
    (False, True): gettext_noop(
        "Black stone at row {row}, column {column}, to be white at the end"
    ),
    (True, False): gettext_noop(
        "White stone at row {row}, column {column}, to be black at the end"
    ),
    (True, True): gettext_noop("White stone at row {row}, column {column}, to be white at the end"),
}
"""(whether the stone on a point is white, None for no stone; whether the target wants white) -> the
spot's label."""

_LABELS_OF_PLAYABLE = {
    False: gettext_noop(
        "Empty point at row {row}, column {column}, to be black at the end, free for a stone now"
    ),
    True: gettext_noop(
        "Empty point at row {row}, column {column}, to be white at the end, free for a stone now"
    ),
}


def turned_label(cell: Cell, is_white: bool) -> Message:
    """Return the announcement for a stone that has just been turned over."""
    return Message(rules.TEXTS.white if is_white else rules.TEXTS.black, row_and_column(cell))


def turns(position: Position, move: Cell) -> tuple[Shape, ...]:
    """Return the stone of a move before it is made, and each stone as it will be turned over."""
    after = rules.play(position, move)
    stones = rules.colours(after)
    shapes: list[Shape] = [Circle(*centre(move), STONE / 2, "black preview")]
    for cell in sorted(rules.flipped(after)):
        colour = "white" if stones[cell] else "black"
        shapes.append(Line(*centre(move), *centre(cell), "way"))
        shapes.append(Circle(*centre(cell), STONE / 2, f"{colour} preview"))
    return tuple(shapes)


EMPTY, PLACED = ".", "placed"
PRESSES = Presses(
    looks={
        EMPTY: (),
        "black": (Circle(0, 0, STONE, "black"),),
        "white": (Circle(0, 0, STONE, "white"),),
        PLACED: (Circle(0, 0, STONE + 3, "tonari-last-ring"), Circle(0, 0, STONE, "black placed")),
    },
    rules={"": {EMPTY: ("", PLACED)}},
    turns={"black": "white", "white": "black", PLACED: "white"},
)


def _text(position: Position, stones: dict[Cell, bool]) -> str:
    """Return the board beside its target as text: `x` black, `o` white, `.` empty, then `b` and
    `w`."""
    signs = {cell: "o" if white else "x" for cell, white in stones.items()}
    rows = []
    for row, target in enumerate(rules.text_rows(position)):
        now = "".join(signs.get((row, column), ".") for column in range(position.columns))
        rows.append(f"{now}  {target.lower()}")
    return "\n".join(rows)


def _board(rows: int, columns: int) -> Iterator[Shape]:
    yield Rect(0, 0, columns * CELL, rows * CELL, "board", corner=4)
    for row in range(1, rows):
        yield Line(0, row * CELL, columns * CELL, row * CELL, "grid")
    for column in range(1, columns):
        yield Line(column * CELL, 0, column * CELL, rows * CELL, "grid")


def _tile(cell: Cell, white: bool) -> Rect:
    row, column = cell
    style = "tonari-want-white" if white else "tonari-want-black"
    return Rect(column * CELL + 2, row * CELL + 2, CELL - 4, CELL - 4, style, corner=6)


class TonariEditor(GridEditor):
    """The editor for the target, painted in black and white, and for the start stones on it.

    Every point of a drawing has a wanted colour. On an empty board it is black.
    """

    brushes = {
        "start": gettext_noop("Start stone"),
        "white": gettext_noop("White target"),
        "black": gettext_noop("Black target"),
    }
    letters = {"start": "B", "start on white": "W", "white": "w", "black": "b"}
    empty = "b"
    largest = (LARGEST, LARGEST)
    formats = {
        gettext_noop("Rows of b and w; a capital is a start stone"): "Bbw\nbwb\nbbb",
        gettext_noop("Rows with a slash between them"): "Bbw/bwb/bbb",
        gettext_noop("Signs, and the start stones by row and column"): "■■□\n■□■\n■■■\n11",
        gettext_noop(
            "The size, the start stones and the white points, each named by row and column"
        ): "4x4 11 white 13 14 23 24",
    }

    def painted(self, letter: str, brush: str) -> str:
        if brush == "start":
            return letter.swapcase()
        # The white brush on a white point makes it black. A start stone stays where it is.
        wanted = "w" if brush == "white" and letter.lower() == "b" else "b"
        return wanted.upper() if letter.isupper() else wanted

    def board(self, rows: int, columns: int) -> Iterator[Shape]:
        return _board(rows, columns)

    def shapes(self, letter: str, cell: Cell) -> tuple[Shape, ...]:
        tile = _tile(cell, letter in "wW")
        return (tile, Circle(*centre(cell), STONE, "black")) if letter.isupper() else (tile,)

    def label(self, letter: str) -> Message:
        return _LABELS[letter]


_LABELS = {
    "b": Message("Row {row}, column {column}: to be black"),
    "w": Message("Row {row}, column {column}: to be white"),
    "B": Message("Row {row}, column {column}: start stone, to be black at the end"),
    "W": Message("Row {row}, column {column}: start stone, to be white at the end"),
}
