"""Good boards of any size, at once: for boards too large to be solved exactly.

Points with row + 2 * column the same modulo 5 dominate the endless grid, each point once. On a
board such a pattern is cut out, one line wider all around; what lies on that outer line moves
inwards by one; and points that are not needed get their stones back. The best of the five
patterns and their mirror images misses the formula's maximum (`known`) by some strings only.
"""

from solvers.grid import neighbours
from solvers.kind import Cell


def good_form(rows: int, columns: int) -> list[list[bool]]:
    """Return a checkerboard form with many stones: True where one stands. Rows, columns >= 1."""
    patterns = (
        _thinned(_pattern(rows, columns, shift, step), rows, columns)
        for shift in range(5)
        for step in (2, 3)
    )
    empty = min(patterns, key=len)
    return [[(r, c) not in empty for c in range(columns)] for r in range(rows)]


def _pattern(rows: int, columns: int, shift: int, step: int) -> set[Cell]:
    """Return empty points that leave every stone a liberty."""
    return {
        (min(max(r, 0), rows - 1), min(max(c, 0), columns - 1))
        for r in range(-1, rows + 1)
        for c in range(-1, columns + 1)
        if (r + step * c + shift) % 5 == 0 and (0 <= r < rows or 0 <= c < columns)
    }


def _thinned(empty: set[Cell], rows: int, columns: int) -> set[Cell]:
    """Return the empty points without those that are not needed, and with those that are missing
    in the corners."""
    served: dict[Cell, int] = {(r, c): 0 for r in range(rows) for c in range(columns)}
    for point in served:
        near = (point, *neighbours(point, rows, columns))
        served[point] = sum(cell in empty for cell in near)
    for point, number in served.items():
        if number == 0:
            empty.add(point)
            for cell in (point, *neighbours(point, rows, columns)):
                served[cell] += 1
    for point in sorted(empty):
        near = (point, *neighbours(point, rows, columns))
        if all(served[cell] > 1 for cell in near):
            empty.remove(point)
            for cell in near:
                served[cell] -= 1
    return empty
