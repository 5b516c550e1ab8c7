"""Count and search in plain Python: for boards too large for the kernels, and their slow twin.

Nothing here is bounded by a machine word. About 0.1 million states a second.
"""

from collections import defaultdict
from collections.abc import Generator

from solvers.goishi.network import Network, State
from solvers.kind import Progress

CHUNK = 10_000
"""States between two signs of life."""


def ways(
    board: Network, starts: list[State], most: int, at_least: int = 0
) -> Generator[Progress, None, tuple[int | None, int]]:
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


def search(
    board: Network, starts: list[State], nodes: int
) -> Generator[Progress, None, list[int] | None]:
    """Return the stones of one solution in order, [] if there is none, None if undecided.

    Depth-first with a memo of failed states, fewest exits first, `nodes` nodes at most.
    """
    failed: set[State] = set()
    path: list[State] = []
    open_states = [starts]
    for used in range(1, nodes + 1):
        if used % CHUNK == 0:
            yield Progress(used, nodes)
        if not open_states[-1]:
            open_states.pop()
            if not path:
                return []
            failed.add(path.pop())
            continue
        state = open_states[-1].pop()
        if state in failed:
            continue
        path.append(state)
        if not state.rest:
            return [state.stone for state in path]
        children = list(board.successors(state))
        children.sort(key=lambda child: board.degree(child.stone, child.rest), reverse=True)
        open_states.append(children)
    return None


def list_solutions(
    board: Network, starts: list[State], most: int, nodes: int
) -> Generator[Progress, None, list[list[int]] | None]:
    """Return up to `most` solutions as stones in order, in the order of the rules.

    None when that takes more than `nodes` nodes.
    """
    failed: set[State] = set()
    path: list[State] = []
    before: list[int] = []
    lines: list[list[int]] = []
    open_states = [starts[::-1]]
    for used in range(1, nodes + 1):
        if used % CHUNK == 0:
            yield Progress(used, nodes, at_least=len(lines))
        if len(lines) == most:
            return lines
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
            continue
        path.append(state)
        before.append(len(lines))
        open_states.append(list(board.successors(state))[::-1])
    return None
