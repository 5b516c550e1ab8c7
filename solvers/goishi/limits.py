"""How large a board may be."""

from solvers.goishi.rules import Position
from solvers.kind import BadText

LARGEST = 19
"""Rows and columns: a Go board."""


def check_size(rows: int, columns: int) -> None:
    """Raise BadText for a board that is too large."""
    if rows > LARGEST or columns > LARGEST:
        raise BadText(
            "The size of this board, rows × columns, is {rows} × {columns}. At most "
            "{most} × {most} is possible, as on a Go board.",
            rows=rows,
            columns=columns,
            most=LARGEST,
        )


def start(rows: int, columns: int, stones: int) -> Position:
    """Return the start with these stones. Raises BadText when there are none."""
    if not stones:
        raise BadText("The board is empty. Put at least one stone on it.")
    return Position(rows, columns, stones)
