"""The orders for boards of Goishi Hiroi that are made for practice, from easy to hard."""

from solvers.registry import Order

SIZES = (
    (4, 7, 9), (5, 7, 8), (5, 9, 12), (6, 9, 11), (6, 12, 15), (7, 12, 15), (7, 16, 19),
    (8, 14, 18), (8, 19, 23), (9, 20, 24), (9, 25, 28), (10, 24, 29), (10, 30, 34),
)  # fmt: skip
"""The side, the fewest and the most stones of a board. At most a third of the points have
stones."""

ORDERS = tuple(
    Order("o", {"size": [side, side], "stones": stones, "solutions": [1, 1], "many": 20})
    for side, *stones in SIZES
)
"""The orders. Each asks for boards with one solution."""
