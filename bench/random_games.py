"""Estimates of Goishi Hiroi from single random games, beside which our crowds are measured."""
# Numba infers the types of its functions from the arguments.
# mypy: disable-error-code="no-untyped-def, call-arg"

import time

import numpy as np
from numba import njit

from solvers.estimate import RandomEstimate
from solvers.goishi import Goishi
from solvers.goishi.kernels import next_random, random_below, step
from solvers.goishi.network import network
from solvers.goishi.search import tags


def random_games(text: str, enough: float = 2.0) -> tuple[float, float]:
    """Return an estimate of the number of solutions and its standard error, from single random
    games that take `enough` seconds (Knuth, Mathematics of Computation 29, 1975)."""
    board, starts = network(Goishi().read(text))
    ahead = np.array(board.ahead, np.uint64)
    rests = np.array([state.rest for state in starts], np.uint64)
    packed, word = tags(starts).astype(np.int64), np.uint64(1)
    total = squares = 0.0
    games, end = 0, time.perf_counter() + enough
    while time.perf_counter() < end:
        added, more, word = _play_games(ahead, rests, packed, np.uint64(word), 10_000)
        total, squares, games = total + added, squares + more, games + 10_000
    found = RandomEstimate.of(total, squares, games)
    return found.mean, found.error


@njit(cache=True)
def _play_games(ahead, rests, tags, word, games):
    """Return the sum of the products of the choices of random games, 0 for a lost one, the sum of
    their squares, and the random word with which to continue."""
    total, squares = 0.0, 0.0
    next_rests, next_tags = np.empty(4, np.uint64), np.empty(4, np.int64)
    for _ in range(games):
        word = next_random(word)
        chosen = random_below(word, len(rests))
        rest, tag, weight = rests[chosen], tags[chosen], float(len(rests))
        while rest != 0 and weight > 0:
            count = 0
            for direction in range(4):
                after, arrived = step(ahead, rest, tag, direction)
                if arrived >= 0:
                    next_rests[count], next_tags[count] = after, arrived
                    count += 1
            weight *= count
            if count > 0:
                word = next_random(word)
                chosen = random_below(word, count)
                rest, tag = next_rests[chosen], next_tags[chosen]
        total += weight
        squares += weight * weight
    return total, squares, word
