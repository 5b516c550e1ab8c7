"""The drawings of the page on Max Strings, laid over the boards that the kind draws."""

from collections.abc import Iterable, Iterator
from functools import cache

from msgspec.structs import replace

from solvers.grid import HALF, centre, neighbours
from solvers.kind import Cell
from solvers.maxstrings import KIND
from solvers.maxstrings.picture import STONE
from solvers.maxstrings.rules import FREE, Board, Position, cells, score, strings
from solvers.maxstrings.study import fits, groups, to_checkerboard, to_single_stones
from solvers.message import Message, gettext_noop
from solvers.picture import CELL, Circle, Line, Picture, Rect, Shape, Text

MIXED = (".ox.x", "oxoox", "x...x", "o.xo.", "o..xo")
"""A legal board with strings of several stones and a group in the other checkerboard's colours."""

SIX = ("oo.o", "oxx.", ".o.o", ".xoo")
"""A legal board of six strings that becomes the study's example. In its figures, the stone in the
first corner is the group that does not fit."""

CORNERS = tuple(
    tuple((r if top else 3 - r, c if left else 3 - c) for r, c in ((0, 0), (0, 1), (1, 0)))
    for top in (True, False)
    for left in (True, False)
)
"""The corners of a 4x4 board, three points each. Together they are its whole edge."""


def board(rows: Board) -> Picture:
    """Return a picture of the stones on an otherwise free board of any size."""
    return KIND.draw(Position((FREE * len(rows[0]),) * len(rows), None, rows))


@cache
def best_board(text: str) -> Picture:
    """Return the picture of a board whose rows are joined by `/`."""
    return board(tuple(text.split("/")))


def areas(rows: Board, *groups_of_points: Iterable[Cell]) -> Picture:
    """Return a board with tinted points, each group in a colour of its own."""
    tiles: list[Shape] = []
    for number, points in enumerate(groups_of_points, 1):
        tiles += [_tile(cell, number) for cell in points]
    return _tinted(board(rows), tiles)


def _tile(cell: Cell, number: int) -> Rect:
    return Rect(cell[1] * CELL, cell[0] * CELL, CELL, CELL, f"area area-{number}")


def _tinted(picture: Picture, tiles: Iterable[Shape]) -> Picture:
    """Return the picture with tiles on the wood, below lines and stones."""
    return replace(picture, shapes=(picture.shapes[0], *tiles, *picture.shapes[1:]))


def lamps(rows: Board) -> Picture:
    """Return a board whose empty points shine on their neighbours."""
    return board(rows).with_shapes(_lamp_shapes(rows))


def _lamp_shapes(rows: Board) -> Iterator[Shape]:
    empty = [(r, c) for r, c in cells(rows) if rows[r][c] == FREE]
    for cell in empty:
        for there in neighbours(cell, len(rows), len(rows[0])):
            yield Line(*centre(cell), *centre(there), "ray")
    for cell in empty:
        yield Circle(*centre(cell), 8, "lamp")


def one_lamp() -> Picture:
    """Return a board with an empty point in the middle and the points that it shines on."""
    x, y = centre((2, 2))
    near = list(neighbours((2, 2), 5, 5))
    rays = [Line(x, y, *centre(there), "ray") for there in near]
    return areas(("." * 5,) * 5, [(2, 2), *near]).with_shapes([*rays, Circle(x, y, 8, "lamp")])


def crosses(side: int) -> Picture:
    """Return a square cut out of the pattern that covers each point of the endless grid once."""
    rows = ("." * side,) * side
    on_board = range(side)
    middles = [
        (r, c) for r in range(-1, side + 1) for c in range(-1, side + 1) if (r + 2 * c) % 5 == 0
    ]
    tiles: list[Shape] = []
    for number, (row, column) in enumerate(middles):
        near = ((row, column), (row - 1, column), (row + 1, column), (row, column - 1),
                (row, column + 1))  # fmt: skip
        tiles += [_tile((r, c), number % 4 + 1) for r, c in near if r in on_board and c in on_board]
    centres = [(r, c) for r, c in middles if r in on_board and c in on_board]
    picture = _tinted(board(rows), tiles)
    return picture.with_shapes(Circle(*centre(cell), 8, "lamp") for cell in centres)


def lemma_boards(rows: Board) -> list[Board]:
    """Return the boards on the way to a checkerboard form, from the first to the last."""
    boards = [rows, *to_single_stones(rows)]
    return [*boards, *to_checkerboard(boards[-1])]


def lemma_frames(rows: Board) -> list[dict[str, object]]:
    """Return the steps from a board to a checkerboard form.

    Each step has a picture, the number of strings as its title, and a text that says what is done.
    """
    steps: list[tuple[Picture, Board, str]] = []
    rings = [cell for string in strings(rows) if len(string.cells) > 1 for cell in string.cells]
    steps.append((_ringed(board(rows), rings), rows, START))
    now = rows
    for after in to_single_stones(rows):
        steps.append((_with_traces(after, now), after, SHRUNK))
        now = after
    wrong = [cell for group in groups(now) if not fits(now, group) for cell in group]
    steps.append((_ringed(board(now), wrong), now, GROUPS))
    for after in to_checkerboard(now):
        turned = [(r, c) for r, c in cells(now) if after[r][c] != now[r][c]]
        steps.append((_ringed(board(after), turned), after, TURNED_OVER))
        now = after
    steps.append((board(now), now, END))
    return [
        {
            "picture": picture,
            "title": Message("Strings: {n}", {"n": score(cells_shown)}),
            "text": Message(text),
        }
        for picture, cells_shown, text in steps
    ]


START = gettext_noop("A legal board. The ringed stones belong to strings of several stones.")
SHRUNK = gettext_noop(
    "One string keeps a single stone. The stones that go leave it room to breathe."
)
GROUPS = gettext_noop(
    "Only single stones are left. The ringed group does not fit the checkerboard."
)
TURNED_OVER = gettext_noop("The whole group changes its colours. No other stone touches the group.")
END = gettext_noop("A checkerboard form, with as many strings as before.")


def _ringed(picture: Picture, ringed: Iterable[Cell]) -> Picture:
    return picture.with_shapes(Circle(*centre(cell), HALF - 2, "ring") for cell in ringed)


def _with_traces(after: Board, before: Board) -> Picture:
    """Return the board with a trace of each stone that has gone."""
    gone = [(r, c) for r, c in cells(before) if after[r][c] != before[r][c]]
    return board(after).with_shapes(Circle(*centre(cell), STONE - 2, "trace") for cell in gone)


def proof_of_four() -> dict[str, Picture]:
    """Return the pictures of the proof that a 4x4 board holds twelve strings."""
    bare = ("....",) * 4
    dead = board(("xo..", "o...", "....", "...."))
    centre_points = [(r, c) for r in (1, 2) for c in (1, 2)]
    best = ("xo.o", ".xox", "xox.", "o.ox")
    return {
        "corners": areas(bare, *CORNERS),
        "dead": replace(dead, title=Message(DEAD_CORNER)),
        "centre": areas(bare, centre_points),
        "best": areas(best, *CORNERS),
    }


DEAD_CORNER = gettext_noop("A black stone in the corner, white stones on both points beside it")


def patterns() -> dict[str, Picture]:
    """Return the three patterns that must not occur: a stone without an empty point beside it."""
    return {
        "centre": _pattern(".....", "..x..", ".xox.", "..x..", "....."),
        "corner": _pattern("ox...", "x....", ".....", ".....", "....."),
        "edge": _pattern(".xox.", "..x..", ".....", ".....", "....."),
    }


def _pattern(*rows: str) -> Picture:
    ones = [cell for cell in cells(rows) if rows[cell[0]][cell[1]] != FREE]
    middle = next(cell for cell in ones if rows[cell[0]][cell[1]] == "o")
    return _ringed(areas(rows, ones), [middle])


def quarters(side: int, *, with_middle: bool = False) -> dict[str, list[Cell]]:
    """Return the areas A, B, C and D of a board, clockwise from the upper left quarter.

    `with_middle` gives the middle row and column of an odd side to A and C.
    """
    low, high, middle = range(side // 2), range((side + 1) // 2, side), side // 2
    areas = {
        name: [(r, c) for r in rows for c in columns]
        for name, rows, columns in (
            ("A", low, low), ("B", low, high), ("C", high, high), ("D", high, low),
        )
    }  # fmt: skip
    if with_middle and side % 2:
        areas["A"] += [(r, middle) for r in low] + [(middle, c) for c in low]
        areas["C"] += [(r, middle) for r in high] + [(middle, c) for c in high]
    return areas


def halves(side: int) -> dict[str, list[Cell]]:
    """Return the upper and the lower half of a board with an even side."""
    points = [divmod(at, side) for at in range(side * side)]
    return {"U": points[: len(points) // 2], "D": points[len(points) // 2 :]}


def cuts() -> dict[str, Picture]:
    """Return the areas of the study's figures 14 to 17."""
    return {
        "two": _named_areas(6, halves(6)),
        "four": _named_areas(6, quarters(6)),
        "unused": _named_areas(7, quarters(7)),
        "used": _named_areas(7, quarters(7, with_middle=True)),
    }


def _named_areas(side: int, found: dict[str, list[Cell]]) -> Picture:
    picture = areas(("." * side,) * side, *found.values())
    names = [Text(*_middle(points), name, "area-name") for name, points in found.items()]
    return picture.with_shapes(names)


def _middle(points: list[Cell]) -> tuple[float, float]:
    xs, ys = zip(*map(centre, points))
    return sum(xs) / len(xs), sum(ys) / len(ys)
