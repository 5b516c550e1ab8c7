"""Pictures of boards: shapes with style names, and their SVG.

A kind says where each shape is and what it represents (`style`). Style sheets determine the
colours. Lengths are in units, and a cell of a board is `CELL` units wide.
"""

import re
from abc import abstractmethod
from collections.abc import Callable, Container, Iterable, Iterator, Mapping
from functools import lru_cache
from xml.sax.saxutils import escape

import msgspec

from solvers.message import Message

CELL = 40

TEXT_REACH = 10
"""How far the text of a number at the edge of a board reaches from its middle, with its outline."""

GRID = "grid"
"""The style of the lines of a board, which run along its rows and columns."""


class _Drawn(msgspec.Struct, frozen=True, gc=False):
    """A shape. The structs are exempt from garbage collection (`gc=False`), as they have no cycles
    and a board makes hundreds of them for every move."""

    @abstractmethod
    def svg(self, x: float, y: float) -> str:
        """Return the shape as an SVG element, in coordinates relative to (x, y)."""


class Circle(_Drawn, frozen=True, gc=False):
    """A circle with centre (x, y) and radius r."""

    x: float
    y: float
    r: float
    style: str

    def svg(self, x: float, y: float) -> str:
        return _circle(self.x - x, self.y - y, self.r, self.style)


class Line(_Drawn, frozen=True, gc=False):
    """A straight line from (x1, y1) to (x2, y2)."""

    x1: float
    y1: float
    x2: float
    y2: float
    style: str

    def svg(self, x: float, y: float) -> str:
        return _line(self.x1 - x, self.y1 - y, self.x2 - x, self.y2 - y, self.style)


class Rect(_Drawn, frozen=True, gc=False):
    """A rectangle with the top left corner (x, y) and corners rounded with the radius `corner`."""

    x: float
    y: float
    width: float
    height: float
    style: str
    corner: float = 0

    def svg(self, x: float, y: float) -> str:
        return _rect(self.x - x, self.y - y, self.width, self.height, self.style, self.corner)


class Polygon(_Drawn, frozen=True, gc=False):
    """A polygon with the points as corners."""

    points: tuple[tuple[float, float], ...]
    style: str

    def svg(self, x: float, y: float) -> str:
        return _polygon(x, y, self.points, self.style)


class Text(_Drawn, frozen=True, gc=False):
    """A short text, centred on (x, y)."""

    x: float
    y: float
    text: str
    style: str

    def svg(self, x: float, y: float) -> str:
        return _text(self.x - x, self.y - y, self.text, self.style)


Shape = Circle | Line | Rect | Polygon | Text


class Spot(msgspec.Struct, frozen=True):
    """Shapes that are pressed together. Pressing them makes the move `move`."""

    row: int
    column: int
    move: str
    label: Message
    shapes: tuple[Shape, ...]
    x: float
    y: float
    """The vertical coordinate of the centre, on which labels are put."""
    carries: str = ""
    """The tool that dragging the spot takes up. Empty if the spot can't be dragged."""
    back: str = ""
    """The move that takes the piece off the board, for a drag beyond the edge or the key Delete."""
    state: str = ""
    """The state of the spot, as `Presses` names it. Empty if a press on it can't be predicted."""
    is_closed: bool = False
    """Whether the rules refuse the move. They give the reason when it is made."""


class Picture(msgspec.Struct, frozen=True):
    """A picture of `width` x `height` units. Its shapes are ordered from back to front."""

    width: float
    height: float
    title: Message
    text: str
    """The board as text, for screen readers."""
    shapes: tuple[Shape | Spot, ...]

    def with_shapes(self, shapes: Iterable[Shape]) -> "Picture":
        """Return the picture with the shapes added on top."""
        return msgspec.structs.replace(self, shapes=(*self.shapes, *shapes))

    @property
    def is_wide(self) -> bool:
        """Whether the picture is a strip rather than a board."""
        return self.width > 3 * self.height

    @property
    def all_shapes(self) -> Iterator[Shape]:
        """All shapes, including those of the spots."""
        for shape in self.shapes:
            yield from shape.shapes if isinstance(shape, Spot) else (shape,)

    def annotated(
        self,
        *,
        rings: Mapping[str, Iterable[tuple[int, int]]] | None = None,
        squares: Mapping[str, Iterable[tuple[int, int]]] | None = None,
        labels: Mapping[str, Mapping[str, str]] | None = None,
    ) -> "Picture":
        """Return the picture with marks on its cells, such as hints, faults and numbers.

        `rings` and `squares` map a style to the cells that get a ring or a square. `labels` maps a
        style to a mapping from a move to the text on the spot with that move.
        """
        drawn: list[Shape] = []
        for style, cells in (squares or {}).items():
            for row, column in cells:
                drawn.append(
                    Rect(column * CELL + 2, row * CELL + 2, CELL - 4, CELL - 4, style, corner=6)
                )
        for style, cells in (rings or {}).items():
            for row, column in cells:
                drawn.append(ring((row, column), style))
        for style, texts in (labels or {}).items():
            for spot in self.shapes:
                if isinstance(spot, Spot) and spot.move in texts:
                    drawn.append(Text(spot.x, spot.y, texts[spot.move], style))
        return self.with_shapes(drawn)


def ring(cell: tuple[int, int], style: str) -> Circle:
    """Return a ring in a cell, such as that of a hint or a fault."""
    row, column = cell
    return Circle(column * CELL + CELL / 2, row * CELL + CELL / 2, CELL / 2 - 2, style)


Translate = Callable[[Message], str]
"""A function that translates a message into the reader's language."""


def to_svg(
    picture: Picture,
    translate: Translate = str,
    *,
    live: bool = False,
    named: bool = False,
    tools: Container[str] = (),
    movable: Container[str] = (),
    axes: bool = False,
    text: bool = True,
    head: str = "",
) -> str:
    """Return the picture as an SVG element.

    `translate` translates the texts. `head` is markup put before the shapes, such as the style
    sheet of a picture that leaves the page. `axes` numbers the rows and columns beside the board.
    Without `text` the picture has no description with the board as text, because a screen reader
    would read its letters aloud on a page.

    `named` keeps the names of the spots, so that a board that can't be pressed can be read.

    `live` makes the spots buttons. Each has the attributes `data-move`, `data-row` and
    `data-column`. Only the first is in the tab order, and arrow keys lead to the others. Spots that
    take up one of the `tools` or of the `movable` pieces have the attribute `data-take`, and those
    for `tools` also have `data-tool`.

    A live board is sent after every move, so equal parts are written alike to compress well. Spots
    are drawn around (0, 0) and moved to their places, and the lines of the grid form one path.
    """
    drawn: list[str] = []
    grid: list[Line] = []
    tabindex = "0"
    for shape in picture.shapes:
        if isinstance(shape, Line) and shape.style == GRID:
            grid.append(shape)
            continue
        if grid:
            drawn.append(_path(grid))
            grid = []
        if not isinstance(shape, Spot):
            drawn.append(shape.svg(0, 0))
        elif live:
            take = " data-take data-tool" if shape.move in tools else ""
            if shape.move in movable:
                take = " data-take"
            drawn.append(_button(shape, translate, tabindex, take))
            tabindex = "-1"
        elif named:
            drawn.append(_named(shape, translate))
        else:
            drawn += [part.svg(0, 0) for part in shape.shapes]
    if grid:
        drawn.append(_path(grid))
    # SVG in a page needs no name space, but a file does.
    space = ' xmlns="http://www.w3.org/2000/svg"' if text and not live else ""
    is_group = live or (named and any(isinstance(shape, Spot) for shape in picture.shapes))
    role = "group" if is_group else "img"
    description = f"<desc>{escape(picture.text)}</desc>" if text else ""
    before, after = _beyond(picture)
    margin, end = before, after
    boards = (s for s in picture.shapes if isinstance(s, Rect) and s.style == "board")
    if axes and (board := next(boards, None)):
        # The frame is drawn along the board's edge, so half of its width lies outside.
        end = max(1.0, after)
        # The numbers are as large as the text around the board, at any size of the cells, or as
        # small as can be read beside the puzzle's own numbers, for which nobody may take them.
        longest = max(board.width, board.height)
        size = longest / 24
        if before <= TEXT_REACH:
            size = max(size, min(16, 5 + longest / 28))
        margin = before + size
        drawn.append(_axes(board, -before - size / 2, size))
    return (
        f'<svg{space} class="picture" role="{role}"'
        f' viewBox="{_number(-margin)} {_number(-margin)} {_number(picture.width + margin + end)}'
        f' {_number(picture.height + margin + end)}">'
        f"<title>{escape(translate(picture.title))}</title>{description}{head}{''.join(drawn)}</svg>"
    )


def _beyond(picture: Picture) -> tuple[float, float]:
    """Return how far shapes reach beyond the board: to the left or upwards, and to the right or
    downwards.

    The dots at the corners of squares lie half outside of it, and the numbers at its edge wholly.
    """
    before = after = 0.0
    for shape in picture.shapes:
        if isinstance(shape, Circle):
            reach = shape.r
        elif isinstance(shape, Text):
            reach = TEXT_REACH
        else:
            continue
        for at, length in ((shape.x, picture.width), (shape.y, picture.height)):
            if isinstance(shape, Circle) or not 0 <= at <= length:
                before, after = max(before, reach - at), max(after, at + reach - length)
    return before, after


def _axes(board: Rect, side: float, size: float) -> str:
    """Return the numbers of the rows and columns beside the board, which messages refer to."""
    columns, rows = int(board.width // CELL), int(board.height // CELL)
    return (
        f'<g class="axes" font-size="{_number(round(size * 0.8))}" aria-hidden="true">'
        f"{_numbers(columns, 'x', 'y', _number(side))}{_numbers(rows, 'y', 'x', _number(side))}</g>"
    )


def _numbers(many: int, along: str, across: str, side: str) -> str:
    """Return the numbers along one side. All one-digit numbers share one element, with a position
    for each digit."""
    places = [_number(CELL / 2 + CELL * at) for at in range(many)]
    first, rest = places[:9], places[9:]
    digits = "".join(str(number) for number in range(1, len(first) + 1))
    sides = " ".join([side] * len(first))
    drawn = f'<text {along}="{" ".join(first)}" {across}="{sides}">{digits}</text>'
    return drawn + "".join(
        f'<text {along}="{place}" {across}="{side}">{number}</text>'
        for number, place in enumerate(rest, 10)
    )


def looks_svg(
    looks: Mapping[str, Iterable[Shape]], names: Mapping[str, Message], translate: Translate
) -> str:
    """Return an SVG element with a group for each state, which holds the shapes in that state and
    has its name, if there is one."""
    named = {state: f' data-name="{_quoted(translate(name))}"' for state, name in names.items()}
    groups = (
        f'<g data-state="{_quoted(state)}"{named.get(state, "")}>'
        f"{''.join(shape.svg(0, 0) for shape in shapes)}</g>"
        for state, shapes in looks.items()
    )
    return f"<svg>{''.join(groups)}</svg>"


def _button(spot: Spot, translate: Translate, tabindex: str, take: str) -> str:
    """Return a spot as a button."""
    x, y = spot.x, spot.y
    more = f' data-is="{_quoted(spot.state)}"' if spot.state else ""
    if spot.is_closed:
        more += ' data-closed=""'
    more += take
    if spot.carries:
        more += f' data-carries="{_quoted(spot.carries)}"'
    if spot.back:
        more += f' data-back="{_quoted(spot.back)}"'
    # This order of the attributes compresses best of all orders, by a tenth.
    return (
        f'<g class="spot" role="button" tabindex="{tabindex}" data-column="{spot.column}"'
        f' transform="translate({_number(x)} {_number(y)})" data-move="{_quoted(spot.move)}"'
        f' data-row="{spot.row}" aria-label="{_quoted(translate(spot.label))}"{more}>'
        f"{''.join([part.svg(x, y) for part in spot.shapes])}</g>"
    )


def _named(spot: Spot, translate: Translate) -> str:
    """Return a spot as a part of the picture with a name of its own."""
    return (
        f'<g role="img" data-row="{spot.row}" aria-label="{_quoted(translate(spot.label))}">'
        f"{''.join([part.svg(0, 0) for part in spot.shapes])}</g>"
    )


def _path(lines: Iterable[Line]) -> str:
    """Return one path for lines of the grid, each of which runs along a row or a column."""
    steps = "".join(
        f"M{_number(line.x1)} {_number(line.y1)}"
        + (f"H{_number(line.x2)}" if line.y1 == line.y2 else f"V{_number(line.y2)}")
        for line in lines
    )
    return f'<path class="{GRID}" d="{steps}"/>'


@lru_cache(maxsize=4096)
def _quoted(text: str) -> str:
    """Return the text escaped for a quoted attribute."""
    return text if _HARMLESS(text) else escape(text, {'"': "&quot;"})


_HARMLESS = re.compile(r'[^&<>"]*').fullmatch


# Shapes of one form and style are written alike wherever they stand, so each text is cached.


@lru_cache(maxsize=4096)
def _circle(x: float, y: float, r: float, style: str) -> str:
    return f'<circle class="{style}"{_at("cx", x)}{_at("cy", y)} r="{_number(r)}"/>'


@lru_cache(maxsize=4096)
def _rect(x: float, y: float, width: float, height: float, style: str, corner: float) -> str:
    box = f'width="{_number(width)}" height="{_number(height)}"{_at("rx", corner)}'
    return f'<rect class="{style}"{_at("x", x)}{_at("y", y)} {box}/>'


@lru_cache(maxsize=4096)
def _text(x: float, y: float, text: str, style: str) -> str:
    # Screen readers read the label of the spot or the picture's title instead.
    return (
        f'<text class="{style}"{_at("x", x)}{_at("y", y)} aria-hidden="true">{escape(text)}</text>'
    )


@lru_cache(maxsize=4096)
def _line(x1: float, y1: float, x2: float, y2: float, style: str) -> str:
    start = f"{_at('x1', x1)}{_at('y1', y1)}"
    return f'<line class="{style}"{start}{_at("x2", x2)}{_at("y2", y2)}/>'


@lru_cache(maxsize=4096)
def _polygon(x: float, y: float, points: tuple[tuple[float, float], ...], style: str) -> str:
    listed = " ".join(f"{_number(right - x)},{_number(down - y)}" for right, down in points)
    return f'<polygon class="{style}" points="{listed}"/>'


def _at(name: str, value: float) -> str:
    """Return a coordinate as an attribute, or nothing for 0, which is SVG's default."""
    return f' {name}="{_number(value)}"' if value else ""


@lru_cache(maxsize=4096)
def _number(value: float) -> str:
    # The cache takes 0, 0.0 and -0.0 for one key, so all of them are written alike.
    return f"{round(value, 2) + 0.0:.2f}".rstrip("0").rstrip(".")


def grid_lines(rows: int, columns: int) -> Iterable[Line]:
    """Yield the lines of a Go-like grid, whose points are the middles of the cells."""
    half = CELL / 2
    for row in range(rows):
        y = row * CELL + half
        yield Line(half, y, columns * CELL - half, y, GRID)
    for column in range(columns):
        x = column * CELL + half
        yield Line(x, half, x, rows * CELL - half, GRID)
