"""The first minute with non-attacking pieces: five tiny boards, each teaches a rule."""

from solvers.capabilities import TinyBoard
from solvers.message import gettext_noop

INTRODUCTION = (
    TinyBoard(
        "1P1/3/3 P",
        before=gettext_noop(
            "Press a square to place the pawn. A pawn attacks only the square right above it. "
            "No piece may stand there."
        ),
        after=gettext_noop("The pawn attacks no other piece: solved!"),
        slip="P 2,2",
    ),
    TinyBoard(
        "3/1R1/3 2P",
        before=gettext_noop(
            "The rook attacks its whole row and its whole column. Place both pawns where they "
            "are safe."
        ),
        after=gettext_noop("The corners are safe from this rook."),
        slip="P 2,1",
    ),
    TinyBoard(
        "B2/3/3 2P",
        before=gettext_noop(
            "The bishop attacks along the slanting lines. Mind what your pawns attack, too."
        ),
        after=gettext_noop("Nobody attacks anybody."),
        slip="P 2,2",
    ),
    TinyBoard(
        "3/3/1N1 3P",
        before=gettext_noop(
            "The knight jumps: it attacks two squares up and one to the side. Place three pawns."
        ),
        after=gettext_noop("Only two squares are attacked by the knight."),
        slip="P 1,1",
    ),
    TinyBoard(
        "3/3/3 RBG",
        before=gettext_noop(
            "Now everything together: rook, bishop and gold. Press a piece and then a square. "
            "Wrong? Press it twice and it comes back."
        ),
        after=gettext_noop("Now you know all the rules. Have fun!"),
        slip="R 1,1 B 1,2",
    ),
)
