"""The careful player, who can't think ahead: goes through the points in any order and sets the
checkerboard's stone on each where it leaves every stone a liberty."""

import random
from collections.abc import Generator

from solvers.grid import neighbours
from solvers.kind import Cell, Progress
from solvers.maxstrings.rules import EMPTY, FREE, HOLE, Board, cells


def games(
    board: Board, wanted: int, rng: random.Random, number: int
) -> Generator[Progress, None, list[int]]:
    """Return for each game of the careful player how many strings were missing, 0 at least."""
    near = {
        cell: [
            (r, c) for r, c in neighbours(cell, len(board), len(board[0])) if board[r][c] != HOLE
        ]
        for cell in cells(board)
        if board[cell[0]][cell[1]] != HOLE
    }
    given = {(r, c) for r, c in near if board[r][c] not in (FREE, EMPTY)}
    open_points = sorted(cell for cell in near if board[cell[0]][cell[1]] == FREE)
    missing = []
    for game in range(number):
        stones = set(given)
        rng.shuffle(open_points)
        for cell in open_points:
            stones.add(cell)
            if not all(_breathes(near, stones, stone) for stone in (cell, *near[cell])):
                stones.remove(cell)
        missing.append(max(wanted - len(stones), 0))
        if game % 20 == 0:
            yield Progress(game, number)
    return missing


def _breathes(near: dict[Cell, list[Cell]], stones: set[Cell], point: Cell) -> bool:
    """Return whether the point is no stone, or one with a liberty."""
    return point not in stones or any(cell not in stones for cell in near[point])
