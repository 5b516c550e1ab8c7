"""The usual words of shogi, for readers who want them instead of the plain ones."""

from collections.abc import Mapping

from solvers.message import gettext_noop

RULE = gettext_noop(
    "Place all the shogi pieces on the board so that no piece stands on a square that "
    "another one attacks. All pieces face up the board. Two pawns in a column and pieces "
    "that could never move are allowed. Whether pieces block each other makes no difference."
)

USUAL: Mapping[str, str] = {
    "rook": gettext_noop("hisha"),
    "bishop": gettext_noop("kaku"),
    "king": gettext_noop("gyoku"),
    "gold": gettext_noop("kin"),
    "silver": gettext_noop("gin"),
    "knight": gettext_noop("keima"),
    "lance": gettext_noop("kyosha"),
    "pawn": gettext_noop("fu"),
    "Rook": gettext_noop("Hisha"),
    "Bishop": gettext_noop("Kaku"),
    "King": gettext_noop("Gyoku"),
    "Gold": gettext_noop("Kin"),
    "Silver": gettext_noop("Gin"),
    "Knight": gettext_noop("Keima"),
    "Lance": gettext_noop("Kyosha"),
    "Pawn": gettext_noop("Fu"),
    RULE: gettext_noop(
        "Place all the koma on the board so that no koma stands where another one's kiki is. All "
        "koma face up the board. Nifu and koma that could never move (ikidokoro no nai koma) are "
        "allowed. Whether koma block each other makes no difference."
    ),
}
"""Plain text -> the same in the words of shogi players."""
