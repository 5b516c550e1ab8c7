"""The pictures of Max Strings boards, in play and in the editor."""

from collections.abc import Iterable, Iterator
from functools import cache
from itertools import groupby

from msgspec.structs import replace

from solvers.capabilities import Presses
from solvers.editor import GridEditor
from solvers.grid import CLEAR, HALF, centre, neighbours, press_area, wooden_board, write_cell
from solvers.kind import Cell, row_and_column
from solvers.maxstrings import rules
from solvers.maxstrings.formats import check_size, split_goal
from solvers.maxstrings.maximum import LARGEST
from solvers.maxstrings.rules import BLACK, EITHER, EMPTY, FREE, HOLE, STONES, WHITE, Position
from solvers.message import Message, gettext_noop
from solvers.picture import CELL, Circle, Line, Picture, Rect, Shape, Spot, Text

STONE = 17
"""The radius of a stone."""

CYCLE, FORM = "cycle", "form"
"""Two more tools: black, white and clear in turn, and the colour of the checkerboard."""

TOOLS = {
    CYCLE: Message("Black, white, clear in turn"),
    FORM: Message("Checkerboard colours"),
    BLACK: Message("Black"),
    WHITE: Message("White"),
    CLEAR: Message("Clear"),
}

_STYLES = {BLACK: "black", WHITE: "white"}

ICONS: dict[str, tuple[Shape, ...]] = {
    CYCLE: (Circle(14, 15, 11, "black"), Circle(26, 25, 11, "white")),
    FORM: tuple(
        Circle(11 + 18 * (at % 2), 11 + 18 * (at // 2), 8, style)
        for at, style in enumerate(("black", "white", "white", "black"))
    ),
    BLACK: (Circle(20, 20, STONE, "black"),),
    WHITE: (Circle(20, 20, STONE, "white"),),
    CLEAR: (Line(10, 10, 30, 30, "maxstrings-cross"), Line(10, 30, 30, 10, "maxstrings-cross")),
}
"""The name of a tool -> the shapes on its button."""


def draw(position: Position, tool: str = CYCLE) -> Picture:
    """Return the picture of the board. The spots' moves are those of the selected tool.

    The string of the last stone is highlighted with its liberties. Strings without a liberty are
    ringed as faults.
    """
    standing = rules.strings(position.now)
    drawn: list[Shape | Spot] = list(_board(position.points))
    lit = _last_string(position, standing)
    for cell in rules.cells(position.points):
        drawn += _point(position, cell, tool, lit)
    for string in standing:
        if not string.liberties:
            drawn += [Circle(*centre(cell), HALF - 3, "fault") for cell in string.cells]
    return Picture(
        width=position.columns * CELL,
        height=position.rows * CELL,
        title=Message(
            "Max Strings, {rows} × {columns}. Strings: {score}.",
            {
                "rows": position.rows,
                "columns": position.columns,
                "score": sum(1 for string in standing if string.liberties),
            },
        ),
        text="\n".join(rules.merged(position)),
        shapes=tuple(drawn),
    )


def _last_string(position: Position, standing: Iterable[rules.String]) -> rules.String | None:
    """Return the string of the stone that was set last, or None if the last move set no stone."""
    if not position.line:
        return None
    return next((s for s in standing if position.line[-1].cell in s.cells), None)


def counted_strings(position: Position) -> tuple[Shape, ...]:
    """Return lines that join the stones of each string, lines to its liberties, and the number of
    each string that counts."""
    shapes: list[Shape] = []
    number = 0
    for string in rules.strings(position.now):
        for cell in string.cells:
            for there in neighbours(cell, position.rows, position.columns):
                if there in string.liberties:
                    shapes.append(Line(*centre(cell), *centre(there), "way"))
                elif there > cell and there in string.cells:
                    shapes.append(Line(*centre(cell), *centre(there), "bond"))
        if string.liberties:
            number += 1
            shapes.append(Text(*centre(string.cells[0]), str(number), "count"))
    return tuple(shapes)


@cache
def illustrations() -> tuple[tuple[Picture, Message], ...]:
    """Return the pictures beside the rules, each with its caption."""
    return (
        (_illustrated("xx.", "..."), Message("Side by side in one colour: one string.")),
        (_illustrated("xo.", "..."), Message("Two colours: two strings.")),
        (_illustrated("x..", ".x."), Message("Only at a corner: two strings.")),
        (_illustrated("ox.", "x.."), Message("White touches no empty point. It does not count.")),
    )


def _illustrated(*board: str) -> Picture:
    position = Position((FREE * len(board[0]),) * len(board), None, board)
    drawn = draw(position)
    return replace(drawn, shapes=(*drawn.shapes, *counted_strings(position)))


def _board(points: rules.Board) -> Iterator[Shape]:
    """Yield the board and its lines. Both are left out where points are missing."""
    rows, columns = len(points), len(points[0])
    if not any(HOLE in row for row in points):
        yield from wooden_board(rows, columns)
        return
    yield Rect(0, 0, columns * CELL, rows * CELL, "board", corner=4)
    holes = {cell for cell in rules.cells(points) if points[cell[0]][cell[1]] == HOLE}
    for row, column in sorted(holes):
        yield Rect(column * CELL, row * CELL, CELL, CELL, "hole")
    lines = (
        *([(row, column) for column in range(columns)] for row in range(rows)),
        *([(row, column) for row in range(rows)] for column in range(columns)),
    )
    for line in lines:
        for is_hole, cells in groupby(line, holes.__contains__):
            run = list(cells)
            if len(run) > 1 and not is_hole:
                yield Line(*centre(run[0]), *centre(run[-1]), "grid")


def _point(
    position: Position, cell: Cell, tool: str, lit: rules.String | None
) -> Iterator[Shape | Spot]:
    row, column = cell
    initial, now = position.points[row][column], position.now[row][column]
    if initial in (EITHER, EMPTY):
        yield from _clue_shapes(initial, cell)
    shapes: tuple[Shape, ...] = ()
    if now in STONES:
        is_lit = lit is not None and cell in lit.cells
        shapes = (
            Circle(
                *centre(cell), STONE, f"{_STYLES[now]} maxstrings-lit" if is_lit else _STYLES[now]
            ),
        )
        if initial in (*STONES, EITHER):
            shapes += (Circle(*centre(cell), 4, "maxstrings-pin"),)
    elif lit is not None and cell in lit.liberties:
        shapes += (Circle(*centre(cell), 6, "maxstrings-liberty"),)
    if initial == HOLE:
        return
    where = row_and_column(cell)
    if initial in (FREE, EITHER):
        what = _pressed(position, cell, tool)
        label = Message(_LABELS[now, what], where)
        if (initial, now) == (EITHER, FREE):
            label = Message("{what}, needs a stone", {"what": label})
        state = now
    else:
        # Pressing the spot is refused with the reason.
        what, label, state = BLACK, Message(_CLUE_LABELS[initial], where), ""
    spot = f"{what} {write_cell(cell)}", label, (*shapes, press_area(cell)), *centre(cell)
    is_closed = not state or (what, now) == (CLEAR, FREE)
    yield Spot(row, column, *spot, state=state, is_closed=is_closed)


_CLUE_LABELS = {
    BLACK: gettext_noop("Black stone of the puzzle at row {row}, column {column}"),
    WHITE: gettext_noop("White stone of the puzzle at row {row}, column {column}"),
    EMPTY: gettext_noop("Point that must stay empty at row {row}, column {column}"),
}
"""The letter of a point that no move changes -> the name of its spot."""

_LABELS = {
    (FREE, CLEAR): gettext_noop("Empty point at row {row}, column {column}"),
    (FREE, BLACK): gettext_noop("Black to row {row}, column {column} (empty now)"),
    (FREE, WHITE): gettext_noop("White to row {row}, column {column} (empty now)"),
    (BLACK, WHITE): gettext_noop("White to row {row}, column {column} (black now)"),
    (WHITE, BLACK): gettext_noop("Black to row {row}, column {column} (white now)"),
    (BLACK, CLEAR): gettext_noop("Clear row {row}, column {column} (black now)"),
    (WHITE, CLEAR): gettext_noop("Clear row {row}, column {column} (white now)"),
}
"""(what stands on the point, what pressing does) -> the name of its spot."""


MOVE_DESCRIPTIONS = {BLACK: rules.TEXTS.black, WHITE: rules.TEXTS.white, CLEAR: rules.TEXTS.cleared}
"""The tool of a move -> a description of the move."""


def _pressed(position: Position, cell: Cell, tool: str) -> str:
    """Return what pressing the point with the tool does."""
    now = position.now[cell[0]][cell[1]]
    if tool == FORM and now == FREE:
        return rules.form_colour(position, cell)
    return _PRESS_RESULTS.get(tool, _PRESS_RESULTS[CYCLE])[now]


_PRESS_RESULTS = {
    CYCLE: {FREE: BLACK, BLACK: WHITE, WHITE: CLEAR},
    BLACK: {FREE: BLACK, BLACK: CLEAR, WHITE: BLACK},
    WHITE: {FREE: WHITE, WHITE: CLEAR, BLACK: WHITE},
    CLEAR: {FREE: CLEAR, BLACK: CLEAR, WHITE: CLEAR},
    FORM: {BLACK: CLEAR, WHITE: CLEAR},
}
"""The name of a tool -> what stands on the point -> what pressing does."""

PRESSES = Presses(
    looks={
        FREE: (),
        BLACK: (Circle(0, 0, STONE, "black"),),
        WHITE: (Circle(0, 0, STONE, "white"),),
    },
    rules={
        tool: {
            now: (what, FREE if what == CLEAR else what)
            for now, what in turns.items()
            if (now, what) != (FREE, CLEAR)
        }
        for tool, turns in _PRESS_RESULTS.items()
    },
    vacant="",
)


def _clue_shapes(letter: str, cell: Cell) -> tuple[Shape, ...]:
    """Return the shapes of a letter of the start."""
    x, y = centre(cell)
    if letter in STONES:
        return Circle(x, y, STONE, _STYLES[letter]), Circle(x, y, 4, "maxstrings-pin")
    if letter == EITHER:
        return (Circle(x, y, STONE - 2, "maxstrings-either"),)
    if letter == EMPTY:
        return Line(x - 7, y - 7, x + 7, y + 7, "maxstrings-cross"), Line(
            x - 7, y + 7, x + 7, y - 7, "maxstrings-cross"
        )
    if letter == HOLE:
        return (Rect(x - HALF, y - HALF, CELL, CELL, "hole"),)
    return ()


class MaxStringsEditor(GridEditor):
    """The editor. Its brushes set clues, points that must stay empty, and holes. In a drawing, the
    goal (the number of strings to reach) follows the rows."""

    brushes = {
        "black": gettext_noop("Black stone"),
        "white": gettext_noop("White stone"),
        "either": gettext_noop("Stone of either colour"),
        "empty": gettext_noop("Must stay empty"),
        "hole": gettext_noop("No point"),
        "clear": gettext_noop("Clear"),
    }
    letters = {
        "black": BLACK,
        "white": WHITE,
        "either": EITHER,
        "empty": EMPTY,
        "hole": HOLE,
        "clear": FREE,
    }
    has_points = True
    largest = (LARGEST, LARGEST)
    largest_for_students = (9, 9)
    formats = {
        gettext_noop("Rows, top to bottom"): "..x/.-./s.#",
        gettext_noop("An empty board by its size"): "9x9",
        gettext_noop("With the number of strings to reach"): "9x9 60",
        gettext_noop("A diagram of a Go program"): "  A B C\n3 . X . 3\n2 . . O 2\n1 . . . 1",
        gettext_noop("The same as Sgfmill prints it"): (
            "3  .  #  .\n2  .  .  o\n1  .  .  .\n   A  B  C"
        ),
        gettext_noop("A diagram of Sensei's Library"): (
            "$$B Title\n$$ | . X .\n$$ | . . O\n$$ | . 1 ."
        ),
        gettext_noop("A board drawn with lines"): "┌●┐\n├┼○\n└┴┘",
        gettext_noop("SGF, the record of Go programs"): "(;SZ[3]AB[ba]AW[cb])",
    }

    def blank(self, rows: int, columns: int) -> str:
        check_size(rows, columns)
        return super().blank(rows, columns)

    def resize(self, drawing: str, rows: int, columns: int) -> str:
        board, goal = split_goal(drawing)
        return super().resize(board, rows, columns) + goal

    def paint(self, drawing: str, cell: Cell, brush: str) -> str:
        board, goal = split_goal(drawing)
        return super().paint(board, cell, brush) + goal

    def shapes(self, letter: str, cell: Cell) -> tuple[Shape, ...]:
        return _clue_shapes(letter, cell)

    def label(self, letter: str) -> Message:
        return _EDITOR_LABELS[letter]

    def _rows(self, drawing: str) -> list[str]:
        return super()._rows(split_goal(drawing)[0])


_EDITOR_LABELS = {
    FREE: Message("Empty point at row {row}, column {column}"),
    BLACK: Message("Black stone at row {row}, column {column}"),
    WHITE: Message("White stone at row {row}, column {column}"),
    EITHER: Message("Stone of either colour at row {row}, column {column}"),
    EMPTY: Message("Point that must stay empty at row {row}, column {column}"),
    HOLE: Message("No point at row {row}, column {column}"),
}
