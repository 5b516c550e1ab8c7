"""The orders for boards of Max Strings that are made for practice, from easy to hard."""

from itertools import product

from solvers.registry import Order

SIZES = ((3, 3), (3, 4), (4, 4), (4, 5), (5, 5), (5, 6), (6, 6), (6, 7), (7, 7), (8, 8), (9, 9))

ORDERS = tuple(
    Order(
        f"{rows}x{columns}",
        {"style": style, "holes": holes, "last": rows * columns // 4, "many": 5},
    )
    for rows, columns in SIZES
    for holes, style in product((0, rows * columns // 12), ("empty", "stones", "last"))
)
"""The orders. The boards, some with points removed, have clues that leave one form with the most
strings: points that stay empty, points with a stone, or all stones of the form but the last."""
