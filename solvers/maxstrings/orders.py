"""What boards of Max Strings are made to order, from easy to hard."""

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
"""Boards, some with points taken out, where points that stay empty or bear a stone leave one form
with the most strings; and such forms that lack their last stones."""
