"""The first minute with Goishi Hiroi: five tiny boards, each of which teaches a rule."""

from solvers.capabilities import TinyBoard
from solvers.message import gettext_noop

INTRODUCTION = (
    TinyBoard(
        "oo",
        before=gettext_noop("Press a stone to pick it up. Then press the other one."),
        after=gettext_noop("The board is empty: solved! That is all you have to reach."),
    ),
    TinyBoard(
        "o.oo",
        before=gettext_noop(
            "Go straight on to the nearest stone. You pass over empty points, but never over a "
            "stone."
        ),
        after=gettext_noop("Always the nearest stone first: none is jumped over."),
        slip="1,1 1,4",
    ),
    TinyBoard(
        "o.o/..o",
        before=gettext_noop("At a stone you may turn left or right. You never go slanting."),
        after=gettext_noop("You turned the corner at a stone. Between stones there is no turning."),
        slip="1,1 2,3",
    ),
    TinyBoard(
        "ooo/..o",
        before=gettext_noop(
            "Turning straight back is not allowed. So think before you choose your first stone."
        ),
        after=gettext_noop("You began where you never had to turn back."),
        slip="1,2 1,1 1,3",
    ),
    TinyBoard(
        ".oo/ooo/.o.",
        before=gettext_noop(
            "A place that is cleared is empty: you may pass over it. Try it with these six stones."
        ),
        after=gettext_noop("Now you know all the rules. Have fun!"),
        slip="2,2 2,1",
    ),
)
