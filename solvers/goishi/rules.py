"""The rules of Goishi Hiroi, as plain as possible. They are the reference for everything else."""

from collections.abc import Iterator
from dataclasses import dataclass
from itertools import pairwise
from types import SimpleNamespace

from solvers.grid import Rectangle
from solvers.kind import BadText, Cell, IllegalMove, Verdict
from solvers.message import gettext_noop
from solvers.symmetry import images

LARGEST = 19
"""The most rows and columns, as on a Go board."""

DIRECTIONS = ((0, 1), (1, 0), (0, -1), (-1, 0))
"""Right, down, left, up, as steps (row, column). Direction d + 2 (modulo 4) is opposite to d."""

TEXTS = SimpleNamespace(
    none=gettext_noop("There is no stone at row {row}, column {column}."),
    picked=gettext_noop("The stone at row {row}, column {column} has already been picked up."),
    aside=gettext_noop(
        "The stone at row {row}, column {column} is not in line with the last one. "
        "The way goes straight up, down, left or right."
    ),
    back=gettext_noop("You may not turn straight back."),
    jumped=gettext_noop(
        "Another stone lies on the way, at row {row}, column {column}. "
        "You may not jump over a stone."
    ),
    left=gettext_noop("Stones left: {left}"),
    stone=gettext_noop("Stone at row {row}, column {column}"),
    next=gettext_noop("Stone at row {row}, column {column}, can be picked up now"),
)
"""The texts of the rules, by the names under which `static/goishi.js` says them."""


@dataclass(frozen=True, slots=True)
class Position(Rectangle):
    """A board and the stones picked from it so far, in order."""

    rows: int
    columns: int
    stones: int
    """The stones of the start: bit `row * columns + column` is set if a stone stood there."""
    picked: tuple[Cell, ...] = ()

    @property
    def left(self) -> int:
        """The stones still on the board, as bits."""
        left = self.stones
        for cell in self.picked:
            left &= ~self.bit(cell)
        return left

    @property
    def arrival(self) -> int | None:
        """The direction of the last step, or None before the second stone was picked."""
        if len(self.picked) < 2:
            return None
        return _towards(self.picked[-2], self.picked[-1])


def check_size(rows: int, columns: int) -> None:
    """Raise BadText if the board is too large."""
    if rows > LARGEST or columns > LARGEST:
        raise BadText(
            "The size of this board, rows × columns, is {rows} × {columns}. At most "
            "{most} × {most} is possible, as on a Go board.",
            rows=rows,
            columns=columns,
            most=LARGEST,
        )


def start(rows: int, columns: int, stones: int) -> Position:
    """Return the start with these stones. Raise BadText if there are none."""
    if not stones:
        raise BadText("The board is empty. Put at least one stone on it.")
    return Position(rows, columns, stones)


def cells(position: Position, bits: int) -> Iterator[Cell]:
    """Yield the cells of the set bits, row by row."""
    while bits:
        lowest = bits & -bits
        yield divmod(lowest.bit_length() - 1, position.columns)
        bits ^= lowest


def _towards(here: Cell, there: Cell) -> int | None:
    """Return the direction of a straight way between two different cells, or None."""
    step = (
        (there[0] > here[0]) - (there[0] < here[0]),
        (there[1] > here[1]) - (there[1] < here[1]),
    )
    return DIRECTIONS.index(step) if 0 in step else None


def _nearest(position: Position, left: int, here: Cell, direction: int) -> Cell | None:
    """Return the first remaining stone in a direction. Picked stones count as empty points."""
    down, right = DIRECTIONS[direction]
    cell = here[0] + down, here[1] + right
    while position.holds(cell):
        if left & position.bit(cell):
            return cell
        cell = cell[0] + down, cell[1] + right
    return None


def moves(position: Position) -> Iterator[Cell]:
    """Yield the stones that may be picked next: at first any, then those right, down, left, up."""
    left = position.left
    if not position.picked:
        yield from cells(position, left)
        return
    back = None if position.arrival is None else (position.arrival + 2) % 4
    for direction in range(4):
        if direction != back:
            cell = _nearest(position, left, position.picked[-1], direction)
            if cell:
                yield cell


def play(position: Position, move: Cell) -> Position:
    """Return the position after picking the stone. Raise IllegalMove with the reason."""
    if not position.holds(move) or not position.stones & position.bit(move):
        raise IllegalMove(TEXTS.none, cell=move)
    left = position.left
    if not left & position.bit(move):
        raise IllegalMove(TEXTS.picked, cell=move)
    if position.picked:
        here = position.picked[-1]
        direction = _towards(here, move)
        if direction is None:
            raise IllegalMove(TEXTS.aside, cell=move, path=(here, move))
        if position.arrival is not None and direction == (position.arrival + 2) % 4:
            way = position.picked[-2], here, move
            raise IllegalMove(TEXTS.back, cell=move, path=way)
        nearest = _nearest(position, left, here, direction)
        if nearest is not None and nearest != move:
            raise IllegalMove(TEXTS.jumped, cell=nearest, path=(here, nearest))
    return Position(position.rows, position.columns, position.stones, (*position.picked, move))


def judge(position: Position) -> Verdict:
    """Return whether all stones are picked and whether any move is left."""
    return Verdict(solved=not position.left, over=next(moves(position), None) is None)


def text_rows(position: Position, bits: int) -> list[str]:
    """Return the rows of the board with `o` at the set bits and `.` elsewhere."""
    return [
        "".join(
            "o" if bits & position.bit((row, column)) else "." for column in range(position.columns)
        )
        for row in range(position.rows)
    ]


def canonical(position: Position) -> str:
    """Return a text that two starts share if and only if they are the same puzzle up to rotation,
    reflection and the insertion of empty rows and columns."""
    stones = list(cells(position, position.stones))
    rows = sorted({row for row, _ in stones})
    columns = sorted({column for _, column in stones})
    bits = sum(
        1 << (rows.index(row) * len(columns) + columns.index(column)) for row, column in stones
    )
    squeezed = Position(len(rows), len(columns), bits)
    return min(map("/".join, images(text_rows(squeezed, squeezed.stones))))


def turns(position: Position) -> int:
    """Return how often the way through the stones that were picked up turns left or right."""
    ways = [(here[0] == there[0]) for here, there in pairwise(position.picked)]
    return sum(one != other for one, other in pairwise(ways))
