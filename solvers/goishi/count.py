"""The questions `count` and `estimate`: the number of orders in which all stones can be picked."""

from solvers.answers import CountAnswer, EstimateAnswer, Exact
from solvers.goishi import kernels, plain
from solvers.goishi.crowds import WAYS, estimates
from solvers.goishi.layers import LayeredCount
from solvers.goishi.network import Network, network
from solvers.goishi.rules import Position
from solvers.goishi.search import find
from solvers.grid import write_cell
from solvers.kind import Cell, Kind
from solvers.memory import MEMORY, memory_exceeded
from solvers.question import Run
from solvers.threads import THREADS

_PLAIN_STATE_BYTES = 600
"""The memory of a state in `plain`, in bytes."""

_FIRST_SEARCH_NODES = 20_000
"""The most search nodes spent on a first solution before counting."""


def count(
    kind: Kind[Position, Cell], position: Position, *, memory: int = MEMORY, threads: int = THREADS
) -> Run[CountAnswer]:
    """Count the solutions from the position, and find one of them.

    `by_move` is left out if the layers do not fit into `memory` bytes. If `memory` does not even
    suffice for the count, the answer is not proven and has bounds and, if possible, an estimate.
    """
    if kind.judge(position).solved:
        return CountAnswer(Exact(1), states=0)
    board, starts = network(position)
    by_move = {kind.write_move(move): Exact(0) for move in kind.moves(position)}
    line = yield from find(board, starts, _FIRST_SEARCH_NODES)
    if line == []:
        return CountAnswer(Exact(0), states=0, by_move=by_move)
    at_least = int(bool(line))
    if len(board.cells) > kernels.MAX_STONES:
        total, states = yield from plain.ways(board, starts, memory // _PLAIN_STATE_BYTES, at_least)
        by_move = {}
    else:
        layers = LayeredCount(board, starts, memory, at_least, threads)
        total = yield from layers.ways()
        at_least = layers.at_least
        states = layers.states
        if layers.links is None or total is None:
            by_move = {}
        else:
            completions = yield from layers.completions()
            for state, number in zip(starts, completions):
                by_move[write_cell(board.cells[state.stone])] = Exact(number)
    if total is None:
        estimate = (yield from estimates(board, starts, len(starts), WAYS, threads)).ways
        moves, note = board.line(line or ()), memory_exceeded(memory)
        at_most = _bound(board, len(starts))
        return estimate.to_answer(
            CountAnswer, at_least, moves=moves, note=note, states=states, at_most=at_most
        )
    if total and line is None:
        line = yield from find(board, starts, 1 << 62)
    return CountAnswer(Exact(total), board.line(line or ()), states=states, by_move=by_move)


def estimate(kind: Kind[Position, Cell], position: Position) -> Run[EstimateAnswer]:
    """Estimate the number of solutions from the position.

    The answer is never proven. Its value is the rounded estimate. If too few random games solve the
    board, it is 1, a proven bound, or None if none did, which proves nothing.
    """
    if kind.judge(position).solved:
        return EstimateAnswer(Exact(1))
    board, starts = network(position)
    sample = (yield from estimates(board, starts, len(starts), WAYS)).ways
    return sample.to_answer(EstimateAnswer, sample.value, at_most=_bound(board, len(starts)))


def _bound(board: Network, starts: int) -> Exact:
    """Return an upper bound of the solutions: four ways lead on from the first stone, and three
    from each of the others, except the last two, from which there is one at most and none."""
    return Exact(starts * 4 * 3 ** max(0, len(board.cells) - 3))
