"""The baseline: the count of the school poster 碁石拾い, written anew from its description.

    nearest[picked, i, d]   the nearest stone to stone i in direction d (0 up, 1 right, 2 down,
                            3 left) that is not in the set `picked`, or -1
    ways[picked, i, d]      the number of ways to pick exactly this set with i last, reached in
                            direction d

Both tables are dense: 2^n sets times n stones times 4 directions. Each start is entered with all
four directions of arrival. Three of them allow any first step, so the sum is divided by three at
the end. As on the poster, `picked` grows as a binary number, so every set is complete before it is
read.
"""

from collections.abc import Sequence

import numpy as np
from numba import njit


def count_in_python(xs: Sequence[int], ys: Sequence[int]) -> int:
    """Return the number of solutions of a board with two or more stones. The ys grow upwards."""
    return _ways(
        xs,
        ys,
        [[[-1] * 4 for _ in xs] for _ in range(1 << len(xs))],
        [[[0] * 4 for _ in xs] for _ in range(1 << len(xs))],
    )


def count_in_numba(xs: Sequence[int], ys: Sequence[int]) -> int:
    """Return the number of solutions, by the same loops compiled. It is exact below 2^63."""
    shape = 1 << len(xs), len(xs), 4
    nearest = np.full(shape, -1, np.int8)
    return int(_compiled(np.array(xs), np.array(ys), nearest, np.zeros(shape, np.int64)))


def _ways(xs, ys, nearest, ways):
    n = len(xs)
    for picked in range(1, 1 << n):
        for i in range(n):
            for j in range(n):
                if picked >> j & 1 or i == j:
                    continue
                if xs[i] == xs[j]:
                    direction = 0 if ys[j] > ys[i] else 2
                elif ys[i] == ys[j]:
                    direction = 1 if xs[j] > xs[i] else 3
                else:
                    continue
                k = nearest[picked][i][direction]
                far = abs(xs[j] - xs[i]) + abs(ys[j] - ys[i])
                if k < 0 or far < abs(xs[k] - xs[i]) + abs(ys[k] - ys[i]):
                    nearest[picked][i][direction] = j
    for i in range(n):
        for direction in range(4):
            ways[1 << i][i][direction] = 1
    for picked in range(1, 1 << n):
        for i in range(n):
            for arrival in range(4):
                for departure in range(4):
                    if abs(arrival - departure) == 2:
                        continue
                    j = nearest[picked][i][departure]
                    if j >= 0:
                        after = picked | 1 << j
                        ways[after][j][departure] += ways[picked][i][arrival]
    total = 0
    for i in range(n):
        for direction in range(4):
            total += ways[(1 << n) - 1][i][direction]
    return total // 3


_compiled = njit(cache=True)(_ways)
