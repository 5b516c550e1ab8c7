"""The question `repair`: why a board has no solution, and the fewest changes that repair it."""

from collections.abc import Iterator
from itertools import combinations

import numpy as np
from numpy.typing import NDArray

from solvers.answers import CellChange, Diagnosis, Exact, Repair, RepairAnswer
from solvers.goishi import kernels
from solvers.goishi.generate_kernels import evaluate, work
from solvers.goishi.network import Network, network
from solvers.goishi.rules import Position
from solvers.goishi.search import NODES, find
from solvers.grid import write_cell
from solvers.kind import Cell, Kind, PuzzleError
from solvers.message import Message
from solvers.question import Clock, Progress, Run

MAX_FLIPS = 3

MAX_REPAIRS = 50
"""The most repaired boards in the answer."""

MAX_EXAMINED = 2_000_000
"""The most changed boards examined before the search ends, which takes about half a minute."""

_BOARD_NODES = 200_000
_CAP = 1 << 60


def repair(kind: Kind[Position, Cell], position: Position) -> Run[RepairAnswer]:
    """Find out why the start of a position has no solution, and how to repair it.

    The value is the least number of points to flip (a stone is added or taken away) that makes it
    solvable, and 0 if it is solvable. It is None if `MAX_FLIPS` are not enough, and None and not
    proven if that was not decided. The repairs are up to `MAX_REPAIRS` boards with the fewest
    flips. Raise PuzzleError if there are more stones than the compiled code can handle.
    """
    start = kind.start(position)
    if start.stones.bit_count() > kernels.MAX_STONES - MAX_FLIPS:
        raise PuzzleError(
            "This works for boards of up to {most} stones.", most=kernels.MAX_STONES - MAX_FLIPS
        )
    board, starts = network(start)
    line = yield from find(board, starts, NODES)
    if line:
        return RepairAnswer(Exact(0), is_all=True)
    diagnosis = list(diagnose(board))
    if line is None:
        diagnosis = [
            (Message("The search reached no answer after {nodes} steps.", {"nodes": NODES}), [])
        ]
    elif not diagnosis:
        diagnosis = [(Message("All ways were searched: none picks up every stone."), [])]
    flips, repaired, proven, complete = yield from _find_repairs(start)
    repaired.sort(key=lambda found: -found[1])
    return RepairAnswer(
        None if flips is None else Exact(flips),
        proven=proven,
        diagnosis=tuple(
            Diagnosis(message, tuple(map(write_cell, cells))) for message, cells in diagnosis
        ),
        repairs=tuple(_repair(kind, start, *found) for found in repaired[:MAX_REPAIRS]),
        is_all=complete and len(repaired) <= MAX_REPAIRS,
    )


def diagnose(board: Network) -> Iterator[tuple[Message, list[Cell]]]:
    """Yield the reasons that rule out a solution without a search, with the cells concerned."""
    everything = (1 << len(board.cells)) - 1
    if len(board.cells) < 2:
        return
    degrees = [board.degree(stone, everything) for stone in range(len(board.cells))]
    alone = [cell for cell, degree in zip(board.cells, degrees) if degree == 0]
    if alone:
        yield Message("No other stone stands in the row or column of these stones."), alone
    groups = [group for group in _groups(board) if len(group) > 1]
    if len(groups) > 1:
        smallest = min(groups, key=len)
        message = Message(
            "The stones fall into {groups} groups without a way from one to another.",
            {"groups": len(groups)},
        )
        yield message, [board.cells[stone] for stone in smallest]
    ends = [cell for cell, degree in zip(board.cells, degrees) if degree == 1]
    if len(ends) > 2:
        message = Message(
            "Each of these {ends} stones is a dead end: it can only be the first or the last one.",
            {"ends": len(ends)},
        )
        yield message, ends


def _groups(board: Network) -> list[list[int]]:
    """Return the stones in groups that are connected by rows and columns."""
    left = set(range(len(board.cells)))
    groups = []
    while left:
        group = [left.pop()]
        for stone in group:
            near = {
                other for other in left if any(seen >> other & 1 for seen in board.ahead[stone])
            }
            left -= near
            group += sorted(near)
        groups.append(sorted(group))
    return groups


RepairedBoard = tuple[tuple[int, ...], int]
"""The flipped points and the number of solutions after the flips."""


def _find_repairs(start: Position) -> Run[tuple[int | None, list[RepairedBoard], bool, bool]]:
    """Return the least number of flips, the repaired boards, whether it is certain that no fewer
    flips suffice, and whether all boards with that many flips were fully examined."""
    points = start.rows * start.columns
    taken = np.array([start.stones >> cell & 1 for cell in range(points)], np.bool_)
    arrays = work()
    examined = 0
    clock = Clock()
    decided = True
    for flips in range(1, MAX_FLIPS + 1):
        repaired: list[RepairedBoard] = []
        fewer_ruled_out = decided
        note = Message("Looking at boards with this many changes: {flips}", {"flips": flips})
        for cells in combinations(range(points), flips):
            if examined == MAX_EXAMINED:
                proven = fewer_ruled_out and bool(repaired)
                return (flips if repaired else None), repaired, proven, False
            if clock.is_due():
                yield Progress(examined, MAX_EXAMINED, note)
            examined += 1
            count, exact = _count(taken, start.columns, arrays, cells)
            decided &= exact
            if count and exact:
                repaired.append((cells, count))
        if repaired:
            return flips, repaired, fewer_ruled_out, decided
    return None, [], decided, decided


def _count(
    taken: NDArray[np.bool_], columns: int, arrays: tuple[object, ...], cells: tuple[int, ...]
) -> tuple[int, bool]:
    """Return the number of solutions after flipping these points, and whether it is exact.

    A stone is left: a board of one stone can be solved, so fewer flips than stones are enough.
    """
    changed = taken.copy()
    changed[list(cells)] ^= True
    count, exact, _ = evaluate(changed, columns, arrays, _CAP, _BOARD_NODES)
    return count, exact


def _repair(
    kind: Kind[Position, Cell], start: Position, cells: tuple[int, ...], solutions: int
) -> Repair:
    changes = []
    for number in cells:
        place = divmod(number, start.columns)
        is_taken = start.stones >> number & 1
        named = {"cell": write_cell(place)}
        what = (
            Message("Take the stone away: {cell}", named)
            if is_taken
            else Message("Add a stone: {cell}", named)
        )
        changes.append(CellChange(write_cell(place), what))
    bits = sum(1 << cell for cell in cells)
    position = kind.write(Position(start.rows, start.columns, start.stones ^ bits))
    return Repair(position, tuple(changes), Exact(solutions))
