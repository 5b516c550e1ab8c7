"""Games of a player of Max Strings who can't think ahead.

This careful player visits the points in random order. On each, the player sets the checkerboard's
stone if it leaves every stone a liberty.
"""

import random

from solvers.grid import neighbours
from solvers.kind import Cell
from solvers.maxstrings.rules import EMPTY, FREE, HOLE, Board, cells
from solvers.question import Progress, Run


def games(board: Board, wanted: int, rng: random.Random, number: int) -> Run[list[int]]:
    """Return the number of missing strings for each game of the careful player. It is at least
    0."""
    near = {
        cell: [
            (r, c) for r, c in neighbours(cell, len(board), len(board[0])) if board[r][c] != HOLE
        ]
        for cell in cells(board)
        if board[cell[0]][cell[1]] != HOLE
    }
    initial_stones = {(r, c) for r, c in near if board[r][c] not in (FREE, EMPTY)}
    open_points = sorted(cell for cell in near if board[cell[0]][cell[1]] == FREE)
    missing = []
    for game in range(number):
        stones = set(initial_stones)
        rng.shuffle(open_points)
        for cell in open_points:
            stones.add(cell)
            if not all(_has_liberty(near, stones, stone) for stone in (cell, *near[cell])):
                stones.remove(cell)
        missing.append(max(wanted - len(stones), 0))
        if game % 20 == 0:
            yield Progress(game, number)
    return missing


def _has_liberty(near: dict[Cell, list[Cell]], stones: set[Cell], point: Cell) -> bool:
    """Return whether the point has no stone, or a stone with a liberty."""
    return point not in stones or any(cell not in stones for cell in near[point])
