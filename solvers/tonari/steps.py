"""The five steps of the study's ladder, named and explained; no compiler is needed to read them."""

from solvers.message import gettext_noop

STEPS = (
    (
        gettext_noop("Parity"),
        gettext_noop(
            "A stone put beside an even number of empty points ends black, beside an odd number "
            "white. Only moves that give the wanted colour are tried: what is left are the "
            "orders that reach the target."
        ),
    ),
    (
        gettext_noop("Diagonal"),
        gettext_noop(
            "While the stones lie symmetric to the diagonal from the top left, only points on or "
            "above it are tried: the others would give mirror images."
        ),
    ),
    (
        gettext_noop("Other diagonal"),
        gettext_noop(
            "The same for the diagonal from the top right, once there are as many stones as the "
            "board has rows."
        ),
    ),
    (
        gettext_noop("Closed points"),
        gettext_noop(
            "A point whose neighbours above, below, left and right are all taken changes nothing "
            "any more. It is left empty, and the order ends when only such points are left."
        ),
    ),
    (
        gettext_noop("Same stones"),
        gettext_noop("Different orders that lead to the same stones on the board count once."),
    ),
)
