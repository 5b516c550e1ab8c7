"""The boards of Tonari Othello that are made for practice, from easy to hard."""

from solvers.registry import Order

SIZES = ((3, 3), (3, 4), (4, 3), (3, 5), (3, 6), (4, 4), (4, 5))


def all_black(rows: int, columns: int, start: int) -> str:
    """Return the text of a board with one start stone whose target is all black."""
    board = "".join("B" if cell == start else "b" for cell in range(rows * columns))
    return "/".join(board[row * columns :][:columns] for row in range(rows))


ORDERS = tuple(
    Order(all_black(rows, columns, start), {"orders": orders, "classes": classes, "many": 2})
    for rows, columns in SIZES
    for start in range(rows * columns)
    for orders, classes in (([1, 1], "any"), ([2, 100], "one"))
)
"""Orders for targets that exactly one order of moves reaches, and for targets with few solutions in
all of which the same stones flip the same others."""
