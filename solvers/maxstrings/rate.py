"""The question `rate`: how hard a puzzle is, from `games` of a player who can't think ahead."""

import random
import statistics
from bisect import bisect_left

from solvers.answers import BANDS, RateAnswer
from solvers.kind import Kind
from solvers.maxstrings.best import reaches
from solvers.maxstrings.games import games
from solvers.maxstrings.maximum import NO_GOAL, goal_of, phases
from solvers.maxstrings.rules import Move, Position, merged
from solvers.message import Message
from solvers.question import Run
from solvers.rating import UNDECIDED, UNSOLVABLE

GAMES = 300

MAX_MISSING = (1.0, 2.5, 5.0)
"""The largest mean number of missing strings of each of `BANDS` except the last."""


def rate(kind: Kind[Position, Move], position: Position) -> Run[RateAnswer]:
    """Rate how hard the position is, by `GAMES` games of the careful player.

    The answer has no value and is not proven, because it is an estimate. It has only a note if the
    board has no solution, if that is not decided, or if the stones don't fit one checkerboard.
    """
    wanted = goal_of(position)
    if wanted is None:
        return RateAnswer(None, proven=False, note=NO_GOAL)
    is_reached = yield from reaches(position, wanted)
    if not is_reached:
        return UNDECIDED if is_reached is None else UNSOLVABLE
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
    return BANDS[bisect_left(MAX_MISSING, missing)]
