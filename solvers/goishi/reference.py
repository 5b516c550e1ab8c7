"""A second, slow and plain version of the rules, with which tests compare the solvers."""

from functools import cache


def count_board(board: str) -> int:
    """Return the number of orders of picking, by an independent version of the rules.

    Stones are points of a plane. A step from one point to another is allowed if they share exactly
    one coordinate and no remaining stone is between them, unless the scalar product of this step
    and the last one is negative.
    """
    stones = frozenset(
        complex(x, y)
        for y, row in enumerate(board.split("/"))
        for x, sign in enumerate(row)
        if sign == "o"
    )

    @cache
    def ways(rest: frozenset[complex], here: complex, step: complex) -> int:
        if not rest:
            return 1
        total = 0
        for there in rest:
            way = there - here
            straight = (way.real == 0) != (way.imag == 0)
            back = (way * step.conjugate()).real < 0
            blocked = any(
                abs(other - here) + abs(there - other) == abs(way) for other in rest - {there}
            )
            if straight and not back and not blocked:
                total += ways(rest - {there}, there, way / abs(way))
        return total

    return sum(ways(stones - {first}, first, 0j) for first in stones)
