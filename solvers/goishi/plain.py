"""Counting, searching and estimating in plain Python, for boards too large for the kernels, and as
the kernels' reference implementations.

Nothing here is limited by a machine word. It handles about 0.1 million states a second.
"""

import random
from collections import defaultdict
from collections.abc import Callable

from solvers.goishi.network import Network, State
from solvers.question import Progress, Run

STATES_PER_REPORT = 10_000
"""The number of states between two progress reports."""


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


def crowd(
    board: Network, starts: list[State], legal: int, by: int, most: int, draw: random.Random
) -> Run[tuple[tuple[float, float, float], bool]]:
    """Return the numbers of one crowd and whether it was thinned out, as `crowds.crowd` does."""
    is_thinned = False
    layer = {start: (1.0, 1.0 / len(starts), 1.0 / legal) for start in starts}
    for picked in range(1, len(board.cells)):
        if len(layer) > most:
            layer, is_thinned = _thinned(layer, by, most, draw), True
        following: defaultdict[State, tuple[float, float, float]]
        following = defaultdict(lambda: (0.0, 0.0, 0.0))
        for done, (state, (ways, careful, lucky)) in enumerate(layer.items()):
            if done % STATES_PER_REPORT == 0:
                yield Progress(picked, len(board.cells))
            good = list(board.successors(state))
            steps = board.legal_steps(state)
            for after in good:
                before = following[after]
                following[after] = (
                    before[0] + ways,
                    before[1] + careful / len(good),
                    before[2] + lucky / steps,
                )
        layer = dict(following)
    ways, careful, lucky = (sum(column) for column in zip(*layer.values())) if layer else (0.0,) * 3
    return (ways, careful, lucky), is_thinned


def _thinned(
    layer: dict[State, tuple[float, float, float]], by: int, most: int, draw: random.Random
) -> dict[State, tuple[float, float, float]]:
    """Return the states that stay, with their numbers divided by the probability of that."""
    sizes = [numbers[by] for numbers in layer.values()]
    threshold, kept = sum(sizes) / most, -1
    while kept < (above := sum(size >= threshold for size in sizes)) < most:
        left = sum(size for size in sizes if size < threshold)
        threshold, kept = left / (most - above), above
    passed, result = draw.random(), {}
    for state, numbers in layer.items():
        chance = min(1.0, numbers[by] / threshold)
        passed += chance
        if passed >= 1:
            passed -= 1
            result[state] = (numbers[0] / chance, numbers[1] / chance, numbers[2] / chance)
    return result
