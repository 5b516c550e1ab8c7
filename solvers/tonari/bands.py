"""The bands of difficulty."""

from solvers.message import gettext_noop

BANDS = (
    (0.5, gettext_noop("easy")),
    (0.2, gettext_noop("medium")),
    (0.05, gettext_noop("hard")),
    (0.0, gettext_noop("very hard")),
)
"""Least chance of the careful player -> name of the band."""
