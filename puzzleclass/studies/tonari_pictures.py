"""The drawings of the page on Tonari Othello."""

import math
from collections.abc import Iterator, Sequence
from statistics import mean

from puzzleclass.studies.figures import TonariSet
from solvers.grid import centre, write_cell
from solvers.kind import Cell
from solvers.message import Message
from solvers.picture import CELL, Circle, Line, Picture, Polygon, Rect, Shape, Text
from solvers.registry import get_kind
from solvers.tonari import rules
from solvers.tonari.rules import Position

KIND = get_kind("tonari")


def position_after(side: int, cells: str) -> Position:
    """Return the study's board with stones on these cells, named as in the study: "22 33"."""
    position: Position = KIND.read(f"{side}x{side} 11")
    for name in cells.split():
        position = KIND.play(position, (int(name[0]) - 1, int(name[1]) - 1))
    return position


def empty_neighbours() -> Picture:
    """Return the study's example with the number of empty points beside each next point."""
    position = position_after(4, "22 33 44")
    picture = KIND.draw(position)
    labels = {
        write_cell(move): str(rules.empties_beside(position, move))
        for move in rules.moves(position)
    }
    neighbours = [
        Circle(*centre(move), 14, "kept")
        for move in rules.moves(position)
        if rules.keeps_target(position, move)
    ]
    return picture.with_shapes(neighbours).annotated(labels={"label": labels})


def symmetric_half(cells: str, *, other: bool = False) -> Picture:
    """Return a symmetric board with its mirror line. The half that is left out is shaded."""
    position = position_after(4, cells)
    last = position.rows - 1
    out = [
        cell
        for cell in position.cells
        if cell[0] > cell[1] or (other and sum(cell) > last)
    ]  # fmt: skip
    shades = [
        Rect(column * CELL, row * CELL, CELL, CELL, "shade")
        for row, column in out
        if not position.occupied & position.bit((row, column))
    ]
    far = position.rows * CELL
    lines = [Line(0, 0, far, far, "axis")] + [Line(far, 0, 0, far, "axis")] * other
    return KIND.draw(position).with_shapes([*shades, *lines])


def ending(side: int, cells: str, *, axis: bool = False) -> Picture:
    """Return a board on which only closed points are left. They are ringed."""
    position = position_after(side, cells)
    rings = [
        Circle(*centre(cell), 13, "closed-ring")
        for cell in position.cells
        if not position.occupied & position.bit(cell) and not rules.empties_beside(position, cell)
    ]
    far = side * CELL
    return KIND.draw(position).with_shapes([*rings, *[Line(0, 0, far, far, "axis")] * axis])


def numbered(cells: str) -> Picture:
    """Return a board with the numbers of the moves on its stones; 1 is the start stone."""
    position = position_after(4, cells)
    moves = [(0, 0), *position.placed]
    texts = [Text(*centre(cell), str(i), "label") for i, cell in enumerate(moves, 1)]
    return KIND.draw(position).with_shapes(texts)


def flips(side: int, arrows: Sequence[tuple[Cell, Cell]]) -> Picture:
    """Return a picture of arrows from each earlier stone to the later neighbours of it."""
    far = side * CELL
    marks: list[Shape] = [Rect(0, 0, far, far, "board", corner=4)]
    for first, later in sorted(arrows):
        marks += _arrow(centre(first), centre(later))
    for row in range(side):
        marks += [Circle(*centre((row, column)), 7, "black") for column in range(side)]
    text = "\n".join(f"{write_cell(a)} > {write_cell(b)}" for a, b in sorted(arrows))
    return Picture(far, far, Message("Who flips whom"), text, tuple(marks))


def _arrow(start: tuple[float, float], end: tuple[float, float]) -> Iterator[Shape]:
    (x1, y1), (x2, y2) = start, end
    dx, dy = (x2 - x1) / CELL, (y2 - y1) / CELL
    tip, back = (x2 - 8 * dx, y2 - 8 * dy), (x2 - 17 * dx, y2 - 17 * dy)
    yield Line(x1 + 8 * dx, y1 + 8 * dy, *back, "arrow")
    sides = [(back[0] + 5 * k * dy, back[1] + 5 * k * dx) for k in (-1, 1)]
    yield Polygon((tip, *sides), "arrow-head")


# All sets of 3x3

_UNIT = 7
_ACROSS, _DOWN = 34, 62


def sets(position: Position, layers: Sequence[Sequence[TonariSet]]) -> Picture:
    """Return every reachable set as a small board, with the number of orders that lead to it.

    Each number of stones has a layer. Lost sets are pale. Lines lead to sets with one more stone.
    """
    wide = max(map(len, layers)) * _ACROSS
    place: dict[int, tuple[float, float]] = {}
    before: dict[int, list[float]] = {}
    for depth, layer in enumerate(layers):
        # Each set stands below the middle of those that lead to it, so that fewer lines cross.
        row = sorted(layer, key=lambda one: mean(before.get(one.occupied, [0])))
        left = (wide - len(row) * _ACROSS) / 2
        for i, one in enumerate(row):
            place[one.occupied] = (left + i * _ACROSS + _ACROSS / 2, depth * _DOWN + 14)
            for later in one.after:
                before.setdefault(later, []).append(place[one.occupied][0])
    everything = [one for layer in layers for one in layer]
    alive = {one.occupied for one in everything if one.futures}
    lines: list[Shape] = []
    boards: list[Shape] = []
    for one in everything:
        x, y = place[one.occupied]
        for later in one.after:
            style = "way" if later in alive else "way lost"
            to = place[later]
            lines.append(Line(x, y + 24, to[0], to[1] - 12, style))
        boards += _small_board(position, one, x, y)
    text = "\n".join(" ".join(str(one.ways) for one in layer) for layer in layers)
    title = Message("All sets of stones from the start (above) to the full board (below)")
    high = (len(layers) - 1) * _DOWN + 42
    return Picture(wide, high, title, text, (*lines, *boards))


def _small_board(position: Position, one: TonariSet, x: float, y: float) -> Iterator[Shape]:
    lost = "" if one.futures else " lost"
    size = _UNIT * position.rows
    left, top = x - size / 2, y - size / 2
    yield Rect(left, top, size, size, f"tiny{lost}")
    for row, column in position.cells:
        if one.occupied & position.bit((row, column)):
            middle = (left + (column + 0.5) * _UNIT, top + (row + 0.5) * _UNIT)
            yield Circle(*middle, 3, f"tiny-stone{lost}")
    yield Text(x, y + 18, str(one.ways), f"ways{lost}")


# Times

_SHORTEST, _LONGEST = -5.0, math.log10(2593202)


def bar(seconds: float, style: str) -> Picture:
    """Return a bar as long as the logarithm of a time: a tenth of it is a factor of about ten."""
    share = (math.log10(max(seconds, 1e-5)) - _SHORTEST) / (_LONGEST - _SHORTEST)
    length = 6 + 294 * share
    marks: list[Shape] = [Rect(0, 0, 300, 10, "bar-track", corner=5)]
    marks.append(Rect(0, 0, length, 10, style, corner=5))
    return Picture(300, 10, Message("{s} s", {"s": f"{seconds:.3g}"}), "", tuple(marks))
