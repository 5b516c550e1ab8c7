"""The shared parts of the kinds' questions `hint`: the levels, the texts, and the way back.

The mildest level is asked after every step of every student in a class, whenever a student pauses,
so it must be cheap. It searches and counts for a moment only, and its answer says what is missing.
"""

import time
from collections.abc import Callable, Sequence
from typing import Any

from solvers import options
from solvers.answers import HintAnswer
from solvers.kind import Kind, P
from solvers.message import Message, gettext_noop
from solvers.question import Run

ALIVE, REGION, NEXT = "alive", "region", "next"
"""The levels. Each level tells everything that the level before it tells, and more."""

LEVEL = {
    "level": options.choice(
        gettext_noop("What students are told"),
        {
            NEXT: gettext_noop("The next move"),
            REGION: gettext_noop("A part of the board"),
            ALIVE: gettext_noop("Only whether it can still be solved"),
        },
    )
}
"""The option that the question `hint` has in every kind."""

LIVE = Message("This can still be solved.")
UNDECIDED = Message("We could not determine in time whether this can still be solved.")

BACK_SECONDS = 2.0
"""The most seconds to search for the last position that could be solved."""

UNKNOWN = HintAnswer(None, proven=False, note=UNDECIDED)
"""The answer when the search did not end in time."""


def stages_of(kind: Kind[P, Any], position: P) -> list[P]:
    """Return the positions from the start to this position, both included."""
    stages = [kind.start(position)]
    for move in kind.line(position):
        stages.append(kind.play(stages[-1], move))
    return stages


def moves_to_keep(stages: Sequence[P], is_live: Callable[[P], Run[bool | None]]) -> Run[int | None]:
    """Return how many of the moves to a lost position may stay, or None if none is known to.

    If moves can't be undone by other moves, the result is the largest such number. The search goes
    back from the end in steps that double, because students who take hints go back early. An
    undecided position counts as lost, and after `BACK_SECONDS` the best known result is returned.
    """
    deadline = time.monotonic() + BACK_SECONDS
    lost, keep, step = len(stages) - 1, None, 1
    while time.monotonic() < deadline and (lost > 0 if keep is None else lost - keep > 1):
        stage = max(0, lost - step) if keep is None else (lost + keep) // 2
        if (yield from is_live(stages[stage])):
            keep = stage
        else:
            lost, step = stage, 2 * step
    return keep
