"""How long the body of a request may be."""

import re

from django.conf import settings

ROSTERS = re.compile(r"/(?:schools|boards)/[0-9]+/rosters/")
"""The addresses to which administrators send the roster of a school or of a board of education. The
proxies' files repeat them, and `tests/web/operations/test_host.py` compares them."""


def is_roster(path: str) -> bool:
    """Return whether the path is one to which rosters are sent."""
    return ROSTERS.fullmatch(path) is not None


def max_bytes(path: str) -> int:
    """Return the most bytes that a body sent to this path may have."""
    if is_roster(path):
        return settings.MAX_ROSTER_BYTES
    return settings.DATA_UPLOAD_MAX_MEMORY_SIZE
