"""The question `rate`: how hard a puzzle is, by what a player reaches who can't think ahead."""

import random
import statistics

from solvers.kind import Answer, Kind, Run
from solvers.maxstrings.plain import goal, phases
from solvers.maxstrings.players import games
from solvers.maxstrings.review import without_goal
from solvers.maxstrings.rules import Move, Position, merged
from solvers.message import Message

GAMES = 300

BANDS = (
    (1.0, "easy"),
    (2.5, "medium"),
    (5.0, "hard"),
    (float("inf"), "very hard"),
)
"""Largest mean number of strings missing -> name of the band; `choices` has their titles."""


def rate(kind: Kind[Position, Move], position: Position) -> Run:
    """Ask how hard the position is.

    details: `missing`, how many strings the careful player is short of the goal in the mean of
    `GAMES` games; `careful`, the share of games that reach it; `error`, the standard error of
    `missing`; `band`, the name of the difficulty; `note`, it in a sentence. Not proven: it is an
    estimate. No value. Without a checkerboard form for the stones only `note`.
    """
    wanted = goal(position)
    if wanted is None:
        return without_goal()
    board = merged(position)
    if not phases(board):
        note = Message("The stones that stand don't fit one checkerboard.")
        return Answer(None, proven=False, details={"note": note.to_json()})
    missing = yield from games(board, wanted, random.Random(1), GAMES)
    mean = statistics.fmean(missing)
    note = Message(
        "A player without a plan, who only takes care that every stone keeps a liberty, ends up "
        "short of the goal by this many strings in the mean: {missing}",
        {"missing": f"{mean:.1f}"},
    )
    details = {
        "missing": mean,
        "careful": missing.count(0) / len(missing),
        "error": statistics.stdev(missing) / len(missing) ** 0.5,
        "band": band(mean),
        "note": note.to_json(),
    }
    return Answer(None, proven=False, details=details)


def band(missing: float) -> str:
    """Return the name of the difficulty."""
    return next(name for most, name in BANDS if missing <= most)
