"""Shapes of boards, looks that are symmetric, and when two boards are the same puzzle."""

from collections.abc import Callable

from solvers.goishi.rules import Position, cells, text_rows
from solvers.kind import Cell
from solvers.message import gettext_noop

SHAPES = {
    "rectangle": gettext_noop("Rectangle"),
    "diamond": gettext_noop("Diamond"),
    "circle": gettext_noop("Circle"),
    "ring": gettext_noop("Ring"),
    "cross": gettext_noop("Cross"),
    "drawn": gettext_noop("The points drawn on the board"),
}

LOOKS = {
    "none": gettext_noop("No symmetry"),
    "half-turn": gettext_noop("Half-turn"),
    "left-right": gettext_noop("Mirror, left and right"),
    "up-down": gettext_noop("Mirror, up and down"),
    "diagonal": gettext_noop("Mirror along the diagonal"),
    "quarter-turn": gettext_noop("Quarter-turn"),
}

SQUARE_LOOKS = ("diagonal", "quarter-turn")
"""They map only square boards on themselves."""


def points(shape: str, rows: int, columns: int) -> list[Cell]:
    """Return the points of a shape, other than "drawn", that fills a board of this size."""
    across, full = columns, rows * columns

    def holds(row: int, column: int) -> bool:
        # Twice the distances from the middle, in parts of a common unit.
        y, x = abs(2 * row - rows + 1), abs(2 * column - columns + 1)
        far = (y * across) ** 2 + (x * rows) ** 2
        if shape == "diamond":
            return y * across + x * rows <= full
        if shape == "circle":
            return far <= full**2
        if shape == "ring":
            return full**2 < 4 * far <= 4 * full**2
        if shape == "cross":
            return 3 * y <= rows or 3 * x <= columns
        return True

    return [(row, column) for row in range(rows) for column in range(columns) if holds(row, column)]


def groups(look: str, allowed: list[Cell], rows: int, columns: int) -> list[list[Cell]]:
    """Return the sets of points that a look takes together, those wholly in `allowed`."""
    images: dict[str, Callable[[Cell], Cell]] = {
        "none": lambda cell: cell,
        "half-turn": lambda cell: (rows - 1 - cell[0], columns - 1 - cell[1]),
        "left-right": lambda cell: (cell[0], columns - 1 - cell[1]),
        "up-down": lambda cell: (rows - 1 - cell[0], cell[1]),
        "diagonal": lambda cell: (cell[1], cell[0]),
        "quarter-turn": lambda cell: (cell[1], rows - 1 - cell[0]),
    }
    found = []
    for cell in allowed:
        group = [cell]
        while (image := images[look](group[-1])) != cell:
            group.append(image)
        if cell == min(group) and set(group) <= set(allowed):
            found.append(group)
    return found


def canonical(position: Position) -> str:
    """Return a text that is the same for two starts if and only if they are the same puzzle:
    turned, mirrored, or with empty rows and columns put in."""
    stones = list(cells(position, position.stones))
    rows = sorted({row for row, _ in stones})
    columns = sorted({column for _, column in stones})
    bits = sum(
        1 << (rows.index(row) * len(columns) + columns.index(column)) for row, column in stones
    )
    squeezed = Position(len(rows), len(columns), bits)
    text = text_rows(squeezed, squeezed.stones)
    turned = ["".join(column) for column in zip(*text)]
    forms = []
    for form in (text, turned):
        for upright in (form, form[::-1]):
            forms += [upright, [row[::-1] for row in upright]]
    return min("/".join(form) for form in forms)
