"""The maximum of every whole rectangle, by table and formula.

In the checkerboard form every stone needs an empty neighbour, so the empty points are a
dominating set of the grid, and the maximum is rows * columns - gamma(rows, columns), gamma being
the grid's domination number: OEIS A104519 for squares; for both sides from 16 on

    gamma = floor((rows + 2)(columns + 2) / 5) - 4

(Goncalves, Pinlou, Rao, Thomasse, "The domination number of grids", SIAM J. Discrete Math. 25,
2011). The table of the smaller ones comes from `form`, and a test computes it anew.
"""

LARGEST = 19
"""Rows and columns of the boards that are played and solved exactly."""

_GAMMA = {
    1: (1, 1, 1, 2, 2, 2, 3, 3, 3, 4, 4, 4, 5, 5, 5, 6, 6, 6, 7),
    2: (2, 2, 3, 3, 4, 4, 5, 5, 6, 6, 7, 7, 8, 8, 9, 9, 10, 10),
    3: (3, 4, 4, 5, 6, 7, 7, 8, 9, 10, 10, 11, 12, 13, 13, 14, 15),
    4: (4, 6, 7, 7, 8, 10, 10, 11, 12, 13, 14, 15, 16, 17, 18, 19),
    5: (7, 8, 9, 11, 12, 13, 14, 16, 17, 18, 19, 20, 22, 23, 24),
    6: (10, 11, 12, 14, 16, 17, 18, 20, 21, 22, 24, 26, 27, 28),
    7: (12, 14, 16, 17, 19, 21, 22, 24, 26, 27, 29, 31, 32),
    8: (16, 18, 20, 22, 24, 26, 28, 29, 31, 33, 35, 37),
    9: (20, 22, 24, 26, 29, 31, 33, 35, 37, 39, 41),
    10: (24, 27, 29, 31, 34, 36, 38, 41, 43, 45),
    11: (29, 32, 35, 37, 40, 42, 45, 47, 50),
    12: (35, 38, 40, 43, 46, 49, 51, 54),
    13: (40, 44, 47, 49, 53, 55, 58),
    14: (47, 50, 53, 56, 60, 63),
    15: (53, 57, 60, 64, 67),
}
"""Shorter side -> gamma for the longer side from there to 19."""


def most_strings(rows: int, columns: int) -> int | None:
    """Return the maximum on an empty rectangle; None for thin ones longer than 19."""
    shorter, longer = sorted((rows, columns))
    if shorter > 15:
        return rows * columns - (rows + 2) * (columns + 2) // 5 + 4
    if longer > LARGEST:
        return None
    return rows * columns - _GAMMA[shorter][longer - shorter]
