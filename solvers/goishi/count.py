"""The question `count`: the exact number of orders in which all stones can be picked."""

from solvers.goishi import kernels, plain
from solvers.goishi.estimate import probed
from solvers.goishi.layers import Layers
from solvers.goishi.network import network
from solvers.goishi.rules import Position
from solvers.goishi.solve import find
from solvers.grid import write_cell
from solvers.kind import Answer, Cell, Kind, Run
from solvers.memory import MEMORY
from solvers.message import Message

_PLAIN_STATE = 600
"""Bytes of a state in `plain`."""

_QUICK_LOOK = 20_000
"""Search nodes spent on a first solution before counting."""


def count(
    kind: Kind[Position, Cell],
    position: Position,
    *,
    memory: int = MEMORY,
    first: list[str] | None = None,
) -> Run:
    """Ask for the number of solutions from the position on, and one of them.

    With `first`, only those that begin with one of these moves. details: `states` looked at;
    `by_move`, for each legal move the number of solutions that begin with it (left out when the
    layers don't fit into `memory` bytes). Not proven, with a lower bound, a `note` and what
    `estimate` says, when `memory` does not suffice at all.
    """
    if kind.judge(position).solved:
        return Answer(1, details={"states": 0, "by_move": {}})
    board, starts = network(position)
    if first is not None:
        starts = [state for state in starts if write_cell(board.cells[state.stone]) in first]
    by_move = {kind.write_move(move): "0" for move in kind.moves(position)}
    line = yield from find(board, starts, _QUICK_LOOK)
    if line == []:
        return Answer(0, details={"states": 0, "by_move": by_move})
    at_least = int(bool(line))
    if len(board.cells) > kernels.MOST_STONES:
        total, states = yield from plain.ways(board, starts, memory // _PLAIN_STATE, at_least)
        details: dict[str, object] = {"states": states}
    else:
        layers = Layers(board, starts, memory, at_least)
        total = yield from layers.ways()
        at_least = layers.at_least
        details = {"states": layers.states}
        if layers.links is not None and total is not None:
            completions = yield from layers.completions()
            for state, number in zip(starts, completions):
                by_move[write_cell(board.cells[state.stone])] = str(number)
            details["by_move"] = by_move
    if total is None:
        note = Message(
            "The count needs more memory than the {megabytes} MB it may take.",
            {"megabytes": memory >> 20},
        )
        details["note"] = note.to_json()
        details |= (yield from probed(board, starts)).details()
        return Answer(at_least, board.line(line or ()), proven=False, details=details)
    if total and line is None:
        line = yield from find(board, starts, 1 << 62)
    return Answer(total, board.line(line or ()), details=details)
