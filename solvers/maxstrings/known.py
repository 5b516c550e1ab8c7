"""The maximum of every whole rectangle, by table and formulas.

In the checkerboard form every stone needs an empty neighbour, so the empty points are a
dominating set of the grid, and the maximum is rows * columns - gamma(rows, columns), gamma being
the grid's domination number: OEIS A104519 for squares; for both sides from 16 on

    gamma = floor((rows + 2)(columns + 2) / 5) - 4

(Goncalves, Pinlou, Rao, Thomasse, "The domination number of grids", SIAM J. Discrete Math. 25,
2011). The table of the smaller ones comes from `frontier`, and a test computes it anew. Thin
boards of any length: the frontier's costs, row after row, come back to what they were plus a
constant, so gamma repeats with a period and a rise. `_LONG` says so in few numbers; the test that
finds the periods is the proof.
"""

LARGEST = 19
"""Rows and columns of the boards that are played and solved exactly."""

FORMULA_FROM = 16
"""The shorter side from which on the formula holds."""

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


_LONG = {
    1: (1, 2, 3, ()),
    2: (1, 2, 2, ()),
    3: (3, 4, 4, ()),
    4: (1, 0, 1, ()),
    5: (6, 8, 5, ()),
    6: (10, 12, 7, (1,)),
    7: (5, 3, 3, ()),
    8: (15, 14, 8, ()),
    9: (23, 20, 11, ()),
    10: (30, 27, 13, (10,)),
    11: (38, 36, 15, ()),
    12: (80, 66, 29, ()),
    13: (98, 86, 33, (13, 16, 18, 19)),
    14: (70, 60, 22, (7,)),
    15: (88, 80, 26, (5,)),
}
"""Shorter side -> rise, summand, period, remainders: for a longer side n from 20 on, gamma is
(rise * n + summand) / period rounded down, and 1 less where n leaves one of the remainders."""

_SMALLER_BY_ONE = {(11, 20), (11, 22), (11, 33)}
"""(shorter, longer) side of the boards that come before the period of `_LONG`."""


def most_strings(rows: int, columns: int) -> int:
    """Return the maximum on an empty rectangle of any size; rows, columns >= 1."""
    shorter, longer = sorted((rows, columns))
    if shorter >= FORMULA_FROM:
        return rows * columns - (rows + 2) * (columns + 2) // 5 + 4
    if longer <= LARGEST:
        return rows * columns - _GAMMA[shorter][longer - shorter]
    rise, summand, period, remainders = _LONG[shorter]
    is_smaller = longer % period in remainders or (shorter, longer) in _SMALLER_BY_ONE
    return rows * columns - (rise * longer + summand) // period + is_smaller
