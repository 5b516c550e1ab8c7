"""The question `rate`: how hard a puzzle is, by what a player reaches who can't think ahead.

The careful player goes through the points in any order and sets the checkerboard's stone on each
where it leaves every stone a liberty.
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

MISSING = (1.0, 2.5, 5.0)
"""The most strings that are missing in the mean, of each of `BANDS` but the last."""


def rate(kind: Kind[Position, Move], position: Position) -> Run[RateAnswer]:
    """Ask how hard the position is, by `GAMES` games of the careful player.

    Not proven: it is an estimate. No value. Without a checkerboard form for the stones a note
    alone.
    """
    wanted = goal_of(position)
    if wanted is None:
        return RateAnswer(None, proven=False, note=NO_GOAL)
    board = merged(position)
    if not phases(board):
        note = Message("The stones that stand don't fit one checkerboard.")
        return RateAnswer(None, proven=False, note=note)
    missing = yield from games(board, wanted, random.Random(1), GAMES)
    mean = statistics.fmean(missing)
    note = Message(
        "A player without a plan, who only takes care that every stone keeps a liberty, ends up "
        "short of the goal by this many strings in the mean: {missing}",
        {"missing": f"{mean:.1f}"},
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
    """Return the name of the difficulty."""
    return BANDS[bisect_left(MISSING, missing)]


def games(board: Board, wanted: int, rng: random.Random, number: int) -> Run[list[int]]:
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
