"""The first minute with Max Strings: five tiny boards, each of which teaches a rule."""

from solvers.capabilities import TinyBoard
from solvers.message import gettext_noop

INTRODUCTION = (
    TinyBoard(
        "x../... 2",
        before=gettext_noop(
            "Choose a colour and press a point: a stone is set. Stones that don't touch are "
            "strings of their own. Make two strings!"
        ),
        after=gettext_noop("Two strings! The number shows how many there are."),
    ),
    TinyBoard(
        "x.-/x.. 3",
        before=gettext_noop(
            "Stones of one colour that touch along a line are only one string. Those of the "
            "other colour are not in it. Make three strings!"
        ),
        after=gettext_noop("Two colours side by side are two strings."),
        slip="x 1,2",
    ),
    TinyBoard(
        "x.-/.x. 4",
        before=gettext_noop(
            "Stones that touch only at a corner are not joined. Make four strings!"
        ),
        after=gettext_noop("Black and white like a checkerboard: that gives the most strings."),
        slip="x 1,2",
    ),
    TinyBoard(
        "xo./... 4",
        before=gettext_noop(
            "Every string must touch an empty point, or it does not count. Make four strings!"
        ),
        after=gettext_noop("One point left empty can be enough for several strings."),
        slip="o 2,1",
    ),
    TinyBoard(
        ".../.../... 6",
        before=gettext_noop(
            "Now everything together: six strings on nine points. To take a stone back, press "
            "it again."
        ),
        after=gettext_noop("Now you know all the rules. Have fun!"),
        slip="x 1,1 x 1,2",
    ),
)
