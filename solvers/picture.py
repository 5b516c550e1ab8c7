"""Pictures of boards: shapes with style names, and their SVG.

A kind says what is where and what it is (`style`), never which colour it has:
style sheets do that. Lengths are in units; a board's cell is `CELL` units wide.
"""

from collections.abc import Callable, Iterable, Iterator, Mapping
from dataclasses import dataclass, replace
from xml.sax.saxutils import escape, quoteattr

from solvers.message import Message

CELL = 40


@dataclass(frozen=True, slots=True)
class Circle:
    x: float
    y: float
    r: float
    style: str


@dataclass(frozen=True, slots=True)
class Line:
    x1: float
    y1: float
    x2: float
    y2: float
    style: str


@dataclass(frozen=True, slots=True)
class Rect:
    x: float
    y: float
    width: float
    height: float
    style: str
    corner: float = 0


@dataclass(frozen=True, slots=True)
class Polygon:
    points: tuple[tuple[float, float], ...]
    style: str


@dataclass(frozen=True, slots=True)
class Text:
    """A short text, centred on its point."""

    x: float
    y: float
    text: str
    style: str


Shape = Circle | Line | Rect | Polygon | Text


@dataclass(frozen=True, slots=True)
class Spot:
    """Shapes that belong together and can be pressed: pressing them asks for `move`."""

    row: int
    column: int
    move: str
    label: Message
    shapes: tuple[Shape, ...]
    x: float
    y: float
    """The centre, where labels are put."""
    carries: str = ""
    """The tool that is taken up when it is dragged away; empty where it can't be."""
    back: str = ""
    """The move that takes it off the board, for a drag beyond the edge and the key Delete."""


@dataclass(frozen=True, slots=True)
class Picture:
    """Shapes, back to front, in a box of width x height units."""

    width: float
    height: float
    title: Message
    text: str
    """The board as text, for screen readers."""
    shapes: tuple[Shape | Spot, ...]

    def with_shapes(self, shapes: Iterable[Shape]) -> "Picture":
        """Return the picture with shapes on top."""
        return replace(self, shapes=(*self.shapes, *shapes))

    @property
    def is_wide(self) -> bool:
        """A strip rather than a board."""
        return self.width > 3 * self.height

    @property
    def all_shapes(self) -> Iterator[Shape]:
        """All shapes, those of the spots too."""
        for shape in self.shapes:
            yield from shape.shapes if isinstance(shape, Spot) else (shape,)

    def annotated(
        self,
        *,
        rings: Mapping[str, Iterable[tuple[int, int]]] | None = None,
        squares: Mapping[str, Iterable[tuple[int, int]]] | None = None,
        labels: Mapping[str, Mapping[str, str]] | None = None,
    ) -> "Picture":
        """Return the picture with what there is to say of its cells: hints, faults, numbers.

        `rings` and `squares`: style -> the cells that get one. `labels`: style -> move -> the text
        on the spot with that move.
        """
        drawn: list[Shape] = []
        for style, cells in (squares or {}).items():
            for row, column in cells:
                drawn.append(
                    Rect(column * CELL + 2, row * CELL + 2, CELL - 4, CELL - 4, style, corner=6)
                )
        for style, cells in (rings or {}).items():
            for row, column in cells:
                drawn.append(
                    Circle(column * CELL + CELL / 2, row * CELL + CELL / 2, CELL / 2 - 2, style)
                )
        for style, texts in (labels or {}).items():
            for spot in self.shapes:
                if isinstance(spot, Spot) and spot.move in texts:
                    drawn.append(Text(spot.x, spot.y, texts[spot.move], style))
        return self.with_shapes(drawn)


Say = Callable[[Message], str]
"""Puts a message into the reader's language."""


def to_svg(picture: Picture, say: Say = str, *, live: bool = False, head: str = "") -> str:
    """Return the picture as an SVG element.

    `head` is markup put before the shapes: a picture that leaves the page takes its style
    sheet along.
    `live` makes the spots buttons: `data-move`, `data-row` and `data-column` say
    which, and one of them (the first) is in the tab order; arrow keys do the rest.
    """
    shapes: list[str] = []
    first = True
    for shape in picture.shapes:
        if not isinstance(shape, Spot):
            shapes.append(_element(shape))
            continue
        inner = "".join(map(_element, shape.shapes))
        if not live:
            shapes.append(f'<g class="spot">{inner}</g>')
            continue
        attributes = _attributes(
            {
                "class": "spot",
                "role": "button",
                "tabindex": "0" if first else "-1",
                "data-move": shape.move,
                "data-row": shape.row,
                "data-column": shape.column,
                "aria-label": say(shape.label),
            }
            | {
                f"data-{name}": getattr(shape, name)
                for name in ("carries", "back")
                if getattr(shape, name)
            }
        )
        shapes.append(f"<g{attributes}>{inner}</g>")
        first = False
    role = "group" if live else "img"
    return (
        f'<svg xmlns="http://www.w3.org/2000/svg" class="picture" role="{role}"'
        f' viewBox="0 0 {_number(picture.width)} {_number(picture.height)}">'
        f"<title>{escape(say(picture.title))}</title><desc>{escape(picture.text)}</desc>"
        f"{head}{''.join(shapes)}</svg>"
    )


def _element(shape: Shape) -> str:
    match shape:
        case Circle(x, y, r, style):
            return _tag("circle", {"class": style, "cx": x, "cy": y, "r": r})
        case Line(x1, y1, x2, y2, style):
            return _tag("line", {"class": style, "x1": x1, "y1": y1, "x2": x2, "y2": y2})
        case Rect(x, y, width, height, style, corner):
            box = {"class": style, "x": x, "y": y, "width": width, "height": height}
            return _tag("rect", box | ({"rx": corner} if corner else {}))
        case Polygon(points, style):
            listed = " ".join(f"{_number(x)},{_number(y)}" for x, y in points)
            return _tag("polygon", {"class": style, "points": listed})
        case Text(x, y, text, style):
            place = _attributes({"class": style, "x": x, "y": y})
            return f"<text{place}>{escape(text)}</text>"


def _tag(name: str, attributes: Mapping[str, object]) -> str:
    return f"<{name}{_attributes(attributes)}/>"


def _attributes(attributes: Mapping[str, object]) -> str:
    return "".join(
        f" {name}={quoteattr(_number(value) if isinstance(value, float) else str(value))}"
        for name, value in attributes.items()
    )


def _number(value: float) -> str:
    return f"{value:.2f}".rstrip("0").rstrip(".") if isinstance(value, float) else str(value)


def grid_lines(rows: int, columns: int) -> Iterable[Line]:
    """Yield the lines of a Go-like grid whose points stand in the middle of the cells."""
    half = CELL / 2
    for row in range(rows):
        y = row * CELL + half
        yield Line(half, y, columns * CELL - half, y, "grid")
    for column in range(columns):
        x = column * CELL + half
        yield Line(x, half, x, rows * CELL - half, "grid")
