"""What the kinds' questions `hint` share: how much may be told, the words, and the way back.

The mildest level is asked after every step of a class, for every board at which a hand rests: it
must be cheap. So it searches and counts only as far as a moment goes, and says what it left out.
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
"""The levels, each of which tells what the one before tells, and more."""

LEVEL = {
    "level": options.choice(
        gettext_noop("What may be told"),
        {
            NEXT: gettext_noop("The next move"),
            REGION: gettext_noop("A part of the board"),
            ALIVE: gettext_noop("Only whether it can still be solved"),
        },
    )
}
"""The option that the question has in every kind."""

LIVE = Message("This can still be solved.")
UNDECIDED = Message("It could not be found out in time whether this can still be solved.")

BACK_SECONDS = 2.0
"""For the search of the last position that could be solved."""

UNKNOWN = HintAnswer(None, proven=False, note=UNDECIDED)
"""The answer when the search came to no end."""


def stages_of(kind: Kind[P, Any], position: P) -> list[P]:
    """Return the positions on the way to this one, the start first, this one last."""
    stages = [kind.start(position)]
    for move in kind.line(position):
        stages.append(kind.play(stages[-1], move))
    return stages


def moves_to_keep(stages: Sequence[P], is_live: Callable[[P], Run[bool | None]]) -> Run[int | None]:
    """Return how many of the moves to a lost position may stay, None when none is known to.

    Where moves can't be made undone by others, these are the most that may stay. It is looked
    for from the end in steps that double, for students who are told go back soon; what is not
    decided counts as lost, and after `BACK_SECONDS` the best that is known must do.
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
