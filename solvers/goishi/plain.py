"""Counting, searching and estimating in plain Python, for boards too large for the kernels, and as
the kernels' reference implementations.

Nothing here is limited by a machine word. It handles about 0.1 million states a second.

The product of the choices of one random game has the number of solutions as its mean, but on large
boards nearly all of that mean comes from rare games (`kernels.probe`). The estimate therefore plays
a crowd of games in parallel. From all states one step after theirs, `CROWD` are drawn uniformly,
and on average

    number of solutions = product over the steps of (states one step on / games before it).

The method is stochastic enumeration (Rubinstein, Methodology and Computing in Applied Probability
15, 2013; Vaisman and Kroese, ibid. 19, 2017). A game that dies is replaced by one that continues,
which leaves the mean unchanged.
"""

import random
from collections import defaultdict
from collections.abc import Callable

from solvers.goishi.network import Network, State
from solvers.question import Progress, Run

STATES_PER_REPORT = 10_000
"""The number of states between two progress reports."""

CROWD = 1000
CROWDS = 10
"""The number of independent crowds. Their spread determines the standard error."""

_SEED = 20_080_831

_STEPS_PER_REPORT = 20_000
"""The steps of single games between two progress reports, which take about half a second."""


def ways(
    board: Network, starts: list[State], most: int, at_least: int = 0
) -> Run[tuple[int | None, int]]:
    """Return the number of ways to pick all stones, and the number of states examined.

    The number is None if a layer would hold more than `most` states. `at_least` is a lower bound
    that is known beforehand.
    """
    layer = dict.fromkeys(starts, 1)
    looked_at = 0
    for picked in range(1, len(board.cells)):
        following: defaultdict[State, int] = defaultdict(int)
        for state, number in layer.items():
            looked_at += 1
            if looked_at % STATES_PER_REPORT == 0:
                yield Progress(picked, len(board.cells), at_least=at_least)
            for after in board.successors(state):
                following[after] += number
            if len(following) > most:
                return None, looked_at
        layer = following
    return sum(layer.values()), looked_at + len(layer)


def search(board: Network, starts: list[State], nodes: int) -> Run[list[int] | None]:
    """Return the stones of one solution in order, [] if there is none, or None if undecided.

    The search examines the starts from the last one on, and then the states with the fewest exits
    first. It visits at most `nodes` nodes.
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
    """Return up to `most` solutions, each as stones in order, or None if that takes more than
    `nodes` nodes.

    The solutions are in the order of the rules, unless `in_order` reorders the states after one.
    The search is depth-first with a memo of failed states.
    """
    failed: set[State] = set()
    path: list[State] = []
    before: list[int] = []
    lines: list[list[int]] = []
    open_states = [starts[::-1]]
    for used in range(1, nodes + 1):
        if used % STATES_PER_REPORT == 0:
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
    """Return the estimates of all crowds. They are the same each time for the same states."""
    draw = random.Random(_SEED)
    steps = CROWDS * CROWD * len(board.cells)
    done = reported = 0
    estimates = []
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
            if done >= reported + _STEPS_PER_REPORT:
                reported = done
                yield Progress(done, steps)
            games = following
        estimates.append(product if games else 0.0)
        done = reported = (crowd + 1) * CROWD * len(board.cells)
        yield Progress(done, steps)
    return estimates
