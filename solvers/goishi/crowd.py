"""Estimating the number of solutions of boards of any size, in plain Python.

The product of the choices of one random game has the number of solutions as its mean, but on
large boards nearly all of that mean comes from rare games (`kernels.probe`). Here a crowd of
games goes on side by side: of all states one step after theirs, `CROWD` are drawn, each as
likely as any other, and

    number of solutions = product over the steps of (states one step on / games before it)

on the mean (stochastic enumeration: Rubinstein, Methodology and Computing in Applied
Probability 15, 2013; Vaisman and Kroese, ibid. 19, 2017). A game that dies is replaced by one
that goes on, and nothing is lost of the mean.
"""

import random
from collections.abc import Generator

from solvers.goishi.network import Network, State
from solvers.kind import Progress

CROWD = 1000
CROWDS = 10
"""Crowds that know nothing of each other; how far they lie apart gives the standard error."""

_SEED = 20_080_831

_SHOW_EVERY = 20_000
"""Steps of single games between two signs of life: about half a second."""


def crowds(board: Network, starts: list[State]) -> Generator[Progress, None, list[float]]:
    """Return the estimates of all crowds, always the same for the same states."""
    draw = random.Random(_SEED)
    steps = CROWDS * CROWD * len(board.cells)
    done = shown = 0
    found = []
    for crowd in range(CROWDS):
        games, product = starts, float(len(starts))
        while games and games[0].rest:
            if len(games) > CROWD:
                games = draw.sample(games, CROWD)
            following: list[State] = []
            for game in games:
                following.extend(board.successors(game))
            product *= len(following) / len(games)
            done += len(games)
            if done >= shown + _SHOW_EVERY:
                shown = done
                yield Progress(done, steps)
            games = following
        found.append(product if games else 0.0)
        done = shown = (crowd + 1) * CROWD * len(board.cells)
        yield Progress(done, steps)
    return found
