"""The most memory that one count may take: a setting, said once for all kinds."""

import os

from solvers.kind import PuzzleError
from solvers.message import Message

VARIABLE = "SOLVER_MEMORY_MB"
DEFAULT_MB = 2048
LEAST_MB = 64
"""The kernels themselves and small boards need as much."""


def setting() -> int:
    """Return the bound that the environment sets, in bytes. Raises PuzzleError."""
    text = os.environ.get(VARIABLE) or str(DEFAULT_MB)
    if not text.isascii() or not text.isdecimal() or int(text) < LEAST_MB:
        raise PuzzleError(
            "{name} must be a whole number of megabytes, {least} or more, not “{text}”.",
            name=VARIABLE,
            least=LEAST_MB,
            text=text,
        )
    return int(text) << 20


def _bound() -> int:
    # The rules need it, so a setting that can't be read must not stop them from loading: the
    # command line and `manage.py check` refuse it, with the reason, before anything is worked on.
    try:
        return setting()
    except PuzzleError:
        return DEFAULT_MB << 20


MEMORY = _bound()
"""Bytes. A count that needs more ends unproven, with a lower bound."""


def too_little(memory: int) -> Message:
    """Return what is said of a count that needs more than so many bytes."""
    return Message(
        "The count needs more memory than the {megabytes} MB it may take.",
        {"megabytes": memory >> 20},
    )
