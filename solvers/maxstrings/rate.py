"""The question `rate`: the difficulty of a puzzle, from games of a player who can't think ahead.

This careful player visits the points in random order. On each, the player sets the checkerboard's
stone if it leaves every stone a liberty.
"""

import random
import statistics
from bisect import bisect_left

from solvers.answers import BANDS, RateAnswer
from solvers.grid import neighbours
from solvers.kind import Cell, Kind
from solvers.maxstrings.maximum import NO_GOAL, goal_of, phases
from solvers.maxstrings.rules import EMPTY, FREE, HOLE, Board, Move, Position, cells, merged
from solvers.message import Message
from solvers.question import Progress, Run

GAMES = 300

MOST_MISSING = (1.0, 2.5, 5.0)
"""The largest mean number of missing strings of each of `BANDS` except the last."""


def rate(kind: Kind[Position, Move], position: Position) -> Run[RateAnswer]:
    """Rate how hard the position is, by `GAMES` games of the careful player.

    The answer has no value and is not proven, because it is an estimate. If no checkerboard form
    has the stones, it only has a note.
    """
    wanted = goal_of(position)
    if wanted is None:
        return RateAnswer(None, proven=False, note=NO_GOAL)
    board = merged(position)
    if not phases(board):
        note = Message("The stones on the board don't fit one checkerboard.")
        return RateAnswer(None, proven=False, note=note)
    missing = yield from games(board, wanted, random.Random(1), GAMES)
    mean = statistics.fmean(missing)
    note = Message(
        "A player without a plan, who only takes care that every stone keeps a liberty, falls "
        "short of the goal by this many strings on average: {missing}",
        {"missing": f"{round(mean, 1):g}"},
    )
    return RateAnswer(
        None,
        proven=False,
        note=note,
        band=band(mean),
        careful=missing.count(0) / len(missing),
        missing=mean,
        error=statistics.stdev(missing) / len(missing) ** 0.5,
    )


def band(missing: float) -> str:
    """Return the name of the difficulty for a mean number of missing strings."""
    return BANDS[bisect_left(MOST_MISSING, missing)]


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
