"""How long the body of a request may be."""

import re

from django.conf import settings

ROSTERS = re.compile(r"/schools/[0-9]+/rosters/")
"""The address to which an administrator sends the roster of a school."""


def max_bytes(path: str) -> int:
    """Return the most bytes that a body sent to this path may have."""
    if ROSTERS.fullmatch(path):
        return settings.MAX_ROSTER_BYTES
    return settings.DATA_UPLOAD_MAX_MEMORY_SIZE
