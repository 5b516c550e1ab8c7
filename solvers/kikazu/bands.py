"""The names of difficulties. A web page needs them, and must not load the solvers for them."""

import math

from solvers.message import gettext_noop

BANDS = (
    (1.0, gettext_noop("easy")),
    (3.0, gettext_noop("medium")),
    (7.0, gettext_noop("hard")),
    (math.inf, gettext_noop("very hard")),
)
"""Largest level, -log10 of the chance -> name of the band."""
