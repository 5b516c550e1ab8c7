"""The limit of the memory that one count may use, which is one setting for all kinds."""

import os

from solvers.kind import PuzzleError
from solvers.message import Message

VARIABLE = "SOLVER_MEMORY_MB"
DEFAULT_MB = 2048
LEAST_MB = 64
"""The least possible limit in megabytes. The kernels and small boards need this much."""


def read_setting() -> int:
    """Return the limit that the environment sets, in bytes. Raise PuzzleError if it is invalid."""
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
    # The rules import this module, so an invalid setting must not stop them from loading. The
    # command line and `manage.py check` report it, with the reason, before any work begins.
    try:
        return read_setting()
    except PuzzleError:
        return DEFAULT_MB << 20


MEMORY = _bound()
"""The memory limit in bytes. A count that needs more ends unproven, with a lower bound."""


def memory_exceeded(memory: int) -> Message:
    """Return the message about a count that needs more than `memory` bytes."""
    return Message(
        "The count needs more memory than the {megabytes} MB it may take.",
        {"megabytes": memory >> 20},
    )
