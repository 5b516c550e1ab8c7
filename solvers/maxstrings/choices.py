"""What the questions may be told, by name: read by forms and the command line."""

from solvers.maxstrings.known import LARGEST
from solvers.message import gettext_noop
from solvers.options import choice, size, whole

LONGEST_BOARD = 60
"""Rows or columns of the boards that `large` lays out: a second or two."""

STYLES = {
    "empty": gettext_noop("Some points must stay empty"),
    "stones": gettext_noop("On some points there must be a stone"),
    "last": gettext_noop("The last stones are missing"),
}

ANY_BAND = "any"

DIFFICULTIES = {
    ANY_BAND: gettext_noop("any"),
    "easy": gettext_noop("easy"),
    "medium": gettext_noop("medium"),
    "hard": gettext_noop("hard"),
    "very hard": gettext_noop("very hard"),
}

GENERATE = {
    "style": choice(gettext_noop("Style"), STYLES),
    "last": whole(gettext_noop("Stones missing, for the last stones"), 5, 1, LARGEST**2),
    "holes": whole(gettext_noop("Points taken out of the board"), 0, 0, LARGEST**2),
    "band": choice(gettext_noop("Difficulty"), DIFFICULTIES),
    "many": whole(gettext_noop("How many puzzles"), 5, 1, 100),
    "seed": whole(gettext_noop("Seed: the same one, the same puzzles"), 1, 0, 10**9),
}

MODEL = {
    "cuts": choice(
        gettext_noop("Symmetry cuts"), {"no": gettext_noop("Without"), "yes": gettext_noop("With")}
    ),
    "solver": choice(
        gettext_noop("Solver"),
        {"none": gettext_noop("None: only the file"), "highs": gettext_noop("HiGHS")},
    ),
}

LARGE = {"size": size(gettext_noop("Size of an empty board"), "30x30", LONGEST_BOARD)}
