"""Count, search and estimate in plain Python: for boards too large for the kernels, and their
slow twins.

Nothing here is bounded by a machine word. About 0.1 million states a second.

The product of the choices of one random game has the number of solutions as its mean, but on
large boards nearly all of that mean comes from rare games (`kernels.probe`). For the estimate a
crowd of games goes on side by side: of all states one step after theirs, `CROWD` are drawn, each
as likely as any other, and

    number of solutions = product over the steps of (states one step on / games before it)

on the mean (stochastic enumeration: Rubinstein, Methodology and Computing in Applied
Probability 15, 2013; Vaisman and Kroese, ibid. 19, 2017). A game that dies is replaced by one
that goes on, and nothing is lost of the mean.
"""

import random
from collections import defaultdict
from collections.abc import Callable

from solvers.goishi.network import Network, State
from solvers.question import Progress, Run

CHUNK = 10_000
"""States between two signs of life."""

CROWD = 1000
CROWDS = 10
"""Crowds that know nothing of each other; how far they lie apart gives the standard error."""

_SEED = 20_080_831

_SHOW_EVERY = 20_000
"""Steps of single games between two signs of life: about half a second."""


def ways(
    board: Network, starts: list[State], most: int, at_least: int = 0
) -> Run[tuple[int | None, int]]:
    """Return the number of ways to pick everything, and the number of states looked at.

    The number is None when a layer would hold more than `most` states. `at_least` is a lower
    bound known beforehand.
    """
    layer = dict.fromkeys(starts, 1)
    looked_at = 0
    for picked in range(1, len(board.cells)):
        following: defaultdict[State, int] = defaultdict(int)
        for state, number in layer.items():
            looked_at += 1
            if looked_at % CHUNK == 0:
                yield Progress(picked, len(board.cells), at_least=at_least)
            for after in board.successors(state):
                following[after] += number
            if len(following) > most:
                return None, looked_at
        layer = following
    return sum(layer.values()), looked_at + len(layer)


def search(board: Network, starts: list[State], nodes: int) -> Run[list[int] | None]:
    """Return the stones of one solution in order, [] if there is none, None if undecided.

    Starts from the last on, then fewest exits first; `nodes` nodes at most.
    """

    def hardest_first(states: list[State]) -> list[State]:
        exits = [board.degree(state.stone, state.rest) for state in states]
        return [states[i] for i in sorted(range(len(states)), key=lambda i: (exits[i], -i))]

    lines = yield from list_solutions(board, starts[::-1], 1, nodes, hardest_first)
    return lines[0] if lines else [] if lines is not None else None


def list_solutions(
    board: Network,
    starts: list[State],
    most: int,
    nodes: int,
    in_order: Callable[[list[State]], list[State]] = list,
) -> Run[list[list[int]] | None]:
    """Return up to `most` solutions as stones in order, those of the rules first unless the states
    after one are put `in_order`; None when that takes more than `nodes` nodes.

    Depth-first with a memo of failed states.
    """
    failed: set[State] = set()
    path: list[State] = []
    before: list[int] = []
    lines: list[list[int]] = []
    open_states = [starts[::-1]]
    for used in range(1, nodes + 1):
        if used % CHUNK == 0:
            yield Progress(used, nodes, at_least=len(lines))
        if not open_states[-1]:
            open_states.pop()
            if not path:
                return lines
            state = path.pop()
            if before.pop() == len(lines):
                failed.add(state)
            continue
        state = open_states[-1].pop()
        if state in failed:
            continue
        if not state.rest:
            lines.append([*(earlier.stone for earlier in path), state.stone])
            if len(lines) == most:
                return lines
            continue
        path.append(state)
        before.append(len(lines))
        open_states.append(in_order(list(board.successors(state)))[::-1])
    return None


def crowds(board: Network, starts: list[State]) -> Run[list[float]]:
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
