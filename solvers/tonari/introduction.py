"""The first minute with Tonari Othello: five tiny boards, each of which teaches a rule."""

from solvers.capabilities import TinyBoard
from solvers.message import gettext_noop

INTRODUCTION = (
    TinyBoard(
        "Bw/wb | 1,2 2,1",
        before=gettext_noop(
            "Press the empty point: a black stone is set. It turns over the stones directly "
            "above, below, left and right of it."
        ),
        after=gettext_noop(
            "Both neighbours were turned over. The stone at the corner stayed as it was."
        ),
    ),
    TinyBoard(
        "Bb/ww | 2,1",
        before=gettext_noop(
            "At the end every stone must have the colour of its target. Two points are left: "
            "which comes first?"
        ),
        after=gettext_noop("The order decides which stones are turned over, and how often."),
        slip="1,2",
    ),
    TinyBoard(
        "Bb/bb",
        before=gettext_noop(
            "A stone may be set if it touches another one, if only at a corner. There it turns "
            "nothing over. Begin with the corner!"
        ),
        after=gettext_noop("At the corner the start stone stayed black."),
        slip="1,2 2,2",
    ),
    TinyBoard(
        "Bbb/bwb",
        before=gettext_noop(
            "Where no stone is near, none may be set. Fill the board: its target is nearly all "
            "black."
        ),
        after=gettext_noop("So the stones grow from the start stone, step by step."),
        slip="1,3",
    ),
    TinyBoard(
        "Bw/bw",
        before=gettext_noop("Now everything together: three stones, and only one order is right."),
        after=gettext_noop("Now you know all the rules. Have fun!"),
        slip="2,1",
    ),
)
