"""Estimates from crowds of states: the number of solutions, and the chances of the players.

A crowd goes through the game layer by layer, as the exact count does (`count_kernels`), and joins
equal states. Each state carries three numbers: the ways to it, and the chances that the careful and
the random player reach it. What a layer has beyond `CROWD` states is thinned out: a state stays
with a probability p that is proportional to its number of ways or to its chance, at most 1, and its
numbers are divided by p. On average, the numbers therefore remain the same, and so do those of the
solved boards at the end (Horvitz and Thompson, Journal of the American Statistical Association 47,
1952; the crowds are those of Rubinstein, Methodology and Computing in Applied Probability 15,
2013). The spread of several crowds determines the standard error. A crowd that never had too many
states is exact.

Single random games would not do: on boards with many stones and few solutions, hardly any game
lasts to the end.
"""
# Numba infers the types from the arguments: arrays of the types above, and int64.
# mypy: disable-error-code="no-untyped-def, call-arg, var-annotated"

import random
from dataclasses import dataclass
from typing import Any

import numpy as np
from numba import njit
from numpy.typing import NDArray

from solvers.estimate import RandomEstimate
from solvers.goishi import kernels, plain
from solvers.goishi.kernels import BLOCKED, hash_state, next_random, random_below, step
from solvers.goishi.network import Network, State
from solvers.goishi.search import tags
from solvers.question import Progress, Run
from solvers.threads import THREADS, Threads

WAYS, CAREFUL, RANDOM = 0, 1, 2
CROWD = 10_000
"""The most states of a crowd that a layer keeps."""
CROWDS = 12
"""The number of independent crowds."""
PLAIN_CROWD = 500
"""The same number for boards too large for the kernels."""

_SEED = 0x9E3779B97F4A7C15
_PLAIN_SEED = 20_080_831
_ONE = np.uint64(1)
_VACANT = -1


@dataclass(frozen=True, slots=True)
class Estimates:
    """What the crowds found: the number of solutions and the chances of the two players."""

    ways: RandomEstimate
    careful: RandomEstimate
    random: RandomEstimate


def estimates(
    board: Network, starts: list[State], legal: int, by: int, threads: int = THREADS
) -> Run[Estimates]:
    """Return the estimates for a game that has `legal` legal first moves, which lead to `starts`
    unless they are visibly dead. They are the same each time.

    States stay in a crowd by their number `by`: `WAYS` or `CAREFUL`.
    """
    rows: list[Any] = []
    is_large = len(board.cells) > kernels.MAX_STONES
    if starts and is_large:
        draw, is_thinned = random.Random(_PLAIN_SEED), True
        while is_thinned and len(rows) < CROWDS:
            made = plain.crowd(board, starts, legal, by, PLAIN_CROWD, draw)
            numbers, is_thinned = yield from made
            rows.append(numbers)
            yield Progress(len(rows), CROWDS)
    elif starts:
        yield from _crowds(board, starts, legal, by, threads, rows)
    found = np.array(rows or [np.zeros(3)])
    games = len(rows) * (PLAIN_CROWD if is_large else CROWD)
    spread = found.std(0, ddof=1) if len(rows) > 1 else np.zeros(3)
    errors = spread / np.sqrt(len(found))
    ways, careful, lucky = (
        RandomEstimate(float(mean), float(error), games)
        for mean, error in zip(found.mean(0), errors)
    )
    return Estimates(ways, careful, lucky)


def _crowds(
    board: Network, starts: list[State], legal: int, by: int, threads: int, rows: list[Any]
) -> Run[None]:
    """Append the numbers of each crowd, or of one if it is exact."""
    ahead = np.array(board.ahead, np.uint64)
    rests = np.array([state.rest for state in starts], np.uint64)
    packed = tags(starts).astype(np.int64)

    def task(number: int) -> tuple[NDArray[np.float64], bool]:
        word = np.uint64((_SEED * (2 * number + 1)) % 2**64)
        found: tuple[NDArray[np.float64], bool]
        found = crowd(ahead, rests, packed, legal, by, CROWD, word)
        return found

    with Threads(threads) as group:
        for first in range(0, CROWDS, threads):
            found = group.map(task, range(first, min(first + threads, CROWDS)))
            rows += [numbers for numbers, _ in found]
            if not found[0][1]:
                del rows[1:]
                return
            yield Progress(first + len(found), CROWDS)


@njit(cache=True, nogil=True)
def crowd(ahead, rests, tags, legal, by, most, random):
    """Return (ways, careful, random), estimated by one crowd, and whether it was thinned out."""
    places = 4 * max(most + 1, len(rests))
    slots = np.empty(1 << 1 + int(np.ceil(np.log2(places))), np.int32)
    mask = np.uint64(len(slots) - 1)
    here_rests, here_tags = np.empty(places, np.uint64), np.empty(places, np.int64)
    next_rests, next_tags = np.empty(places, np.uint64), np.empty(places, np.int64)
    here, following = np.empty((places, 3)), np.empty((places, 3))
    size = len(rests)
    for i in range(size):
        here_rests[i], here_tags[i] = rests[i], tags[i]
        here[i, WAYS], here[i, CAREFUL], here[i, RANDOM] = 1.0, 1.0 / size, 1.0 / legal
    good_rests, good_tags = np.empty(4, np.uint64), np.empty(4, np.int64)
    is_thinned = False
    while size > 0 and here_rests[0] != 0:
        if size > most:
            size, random = thin(here_rests, here_tags, here, size, by, most, random)
            is_thinned = True
        slots[:] = _VACANT
        count = 0
        for i in range(size):
            good = legal_steps = 0
            for direction in range(4):
                rest, tag = step(ahead, here_rests[i], here_tags[i], direction)
                legal_steps += tag != BLOCKED
                if tag >= 0:
                    good_rests[good], good_tags[good] = rest, tag
                    good += 1
            for k in range(good):
                rest, tag = good_rests[k], good_tags[k]
                spot = hash_state(rest, tag) & mask
                j = slots[spot]
                while j >= 0 and (next_rests[j] != rest or next_tags[j] != tag):
                    spot = (spot + _ONE) & mask
                    j = slots[spot]
                if j < 0:
                    j = slots[spot] = count
                    next_rests[j], next_tags[j] = rest, tag
                    following[j] = 0.0
                    count += 1
                following[j, WAYS] += here[i, WAYS]
                following[j, CAREFUL] += here[i, CAREFUL] / good
                following[j, RANDOM] += here[i, RANDOM] / legal_steps
        here_rests, next_rests = next_rests, here_rests
        here_tags, next_tags = next_tags, here_tags
        here, following = following, here
        size = count
    numbers = np.zeros(3)
    for i in range(size):
        numbers += here[i]
    return numbers, is_thinned


@njit(cache=True, nogil=True)
def thin(rests, tags, numbers, size, by, most, random):
    """Thin a layer out to about `most` states, which move to its front. Return their number, and
    the random word with which to continue.

    With the threshold t, a state stays with the probability number / t. Whoever is at t or above
    stays as it is.
    """
    total = 0.0
    for i in range(size):
        total += numbers[i, by]
    threshold, kept = total / most, -1
    while True:
        above, left = 0, 0.0
        for i in range(size):
            if numbers[i, by] >= threshold:
                above += 1
            else:
                left += numbers[i, by]
        if not kept < above < most:
            break
        threshold, kept = left / (most - above), above
    random = next_random(random)
    # A state stays when the sum of the probabilities so far passes a whole number.
    passed = random_below(random, 1 << 30) / (1 << 30)
    count = 0
    for i in range(size):
        chance = min(1.0, numbers[i, by] / threshold)
        passed += chance
        if passed >= 1.0 and count <= most:
            passed -= 1.0
            rests[count], tags[count] = rests[i], tags[i]
            numbers[count] = numbers[i] / chance
            count += 1
    return count, random
