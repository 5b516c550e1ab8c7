"""The question `estimate`: about how many ways there are to place the pieces.

A random game puts the rooks, bishops, knights, kings, golds and silvers one after another on a
random square where they attack nothing and are not attacked. A square from which a piece bars many
others is chosen less often, because fewer games that go on from there solve the board. The ways to
place the lances and pawns of the rest are counted exactly (`solvers.kikazu.kernels.polynomial`).
This number, divided by the chances of all choices and by the orders of equal pieces, has the number
of solutions as its mean.
"""

from math import factorial, prod

import numpy as np
from numba import njit

from solvers.answers import EstimateAnswer, Exact
from solvers.bits import popcount
from solvers.estimate import RandomEstimate
from solvers.kikazu import columns
from solvers.kikazu.kernels import find_room, polynomial, word_and_bit
from solvers.kikazu.rules import PIECES, Move, Position, obstacle
from solvers.kikazu.search import Problem, problem_of, tables_of
from solvers.kind import Kind
from solvers.question import Progress, Run

MAX_GAMES = 300_000
"""The most random games, which take some seconds."""
SMALL_ERROR = 0.02
"""The share of the estimate that its standard error may have when no more games are played."""

_GAMES_PER_REPORT = 15_000
_CARE = 1.25
"""How much less often squares are chosen that bar many others. With this the error is smallest on
most boards. Any value gives the right mean."""
_ORDER = "RBNKGS"


def estimate(kind: Kind[Position, Move], position: Position) -> Run[EstimateAnswer]:
    """Estimate the number of ways to place the rest of the hand.

    The answer is not proven, unless the rules alone give the number. Its value is the rounded
    estimate. If too few random games solve the board, it is 1, a proven bound, or None if none did,
    which proves nothing.
    """
    if kind.judge(position).solved:
        return EstimateAnswer(Exact(1))
    problem = problem_of(position)
    reason = obstacle(position)
    if problem is None or reason:
        return EstimateAnswer(Exact(0), note=reason)
    games = yield from random_games(problem)
    at_most = yield from columns.bound(problem)
    return games.to_answer(EstimateAnswer, games.value, at_most=Exact(at_most))


def random_games(problem: Problem, most: int = MAX_GAMES) -> Run[RandomEstimate]:
    """Return the estimate of the number of ways from at most this number of random games, which are
    the same each time."""
    hand = dict(zip(PIECES, problem.hand))
    order = np.array(
        [_ORDER.index(piece) for piece in _ORDER for _ in range(hand[piece])], np.int64
    )
    pieces = np.array(order, np.int64)
    tables = tables_of(problem.rows, problem.columns)
    orders = prod(factorial(hand[piece]) for piece in _ORDER)
    occupied, barred = (
        np.array(problem.words(squares), np.uint64)
        for squares in (problem.occupied, problem.barred)
    )
    total = squares = 0.0
    estimated = RandomEstimate(0.0, 0.0, 0)
    for games in range(_GAMES_PER_REPORT, most + 1, _GAMES_PER_REPORT):
        added, more = _play(
            problem.rows, problem.columns, pieces, tables.reach, hand["L"], hand["P"],
            tables.apart, occupied, barred, _GAMES_PER_REPORT, games,
        )  # fmt: skip
        total += added / orders
        squares += more / orders**2
        estimated = RandomEstimate.of(total, squares, games)
        if 0 < estimated.error < SMALL_ERROR * estimated.mean:
            break
        yield Progress(games, most)
    return estimated


@njit(cache=True, nogil=True)
def _play(rows, columns, order, reach, lances, pawns, apart, occupied, barred, games, seed):  # type: ignore[no-untyped-def]
    """Return the sum of the results of random games, and the sum of their squares.

    The arguments are those of `solvers.kikazu.kernels.search`.
    """
    np.random.seed(seed)
    cells = rows * columns
    possible, shares = np.empty(cells, np.int64), np.empty(cells)
    powers = np.ones(cells + 1)
    occ, bad = np.empty(2, np.uint64), np.empty(2, np.uint64)
    room = np.empty(columns, np.int64)
    ways = np.empty((lances + 1, pawns + 1), np.uint64)
    new = np.empty((lances + 1, pawns + 1), np.uint64)
    total = squares = 0.0
    for _ in range(games):
        occ[:] = occupied
        bad[:] = barred
        result = 1.0
        for level in range(len(order)):
            piece, number, total_share = order[level], 0, 0.0
            free = cells - popcount(bad[0]) - popcount(bad[1])  # type: ignore[call-arg]
            # A later piece finds none of the squares barred now with about this chance.
            powers[1] = np.exp(-_CARE * (len(order) - 1 - level + lances + pawns) / max(free, 1))
            for power in range(2, free + 1):
                powers[power] = powers[power - 1] * powers[1]
            for square in range(cells):
                word, bit = word_and_bit(square, rows)
                if not (
                    bad[word] & bit
                    or reach[piece, square, 0] & occ[0]
                    or reach[piece, square, 1] & occ[1]
                ):
                    cost = popcount(reach[piece, square, 0] & ~bad[0])
                    cost += popcount(reach[piece, square, 1] & ~bad[1])
                    total_share += powers[cost]
                    possible[number], shares[number] = square, total_share
                    number += 1
            if number == 0:
                result = 0.0
                break
            share = np.random.random() * total_share
            at = min(np.searchsorted(shares[:number], share, "right"), number - 1)
            square = possible[at]
            result *= total_share / (shares[at] - (shares[at - 1] if at else 0.0))
            word, bit = word_and_bit(square, rows)
            occ[word] |= bit
            bad[word] |= bit
            for i in range(2):
                bad[i] |= reach[piece, square, i]
        if result and (lances or pawns):
            find_room(occ, bad, rows, columns, room)
            result *= polynomial(occ, room, lances, pawns, rows, columns, apart, ways, new)
        total += result
        squares += result * result
    return total, squares
