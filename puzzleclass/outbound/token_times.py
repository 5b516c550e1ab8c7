"""The times in tokens of other systems, before anything is computed with them.

JSON knows numbers of any size, and Python's reader takes `Infinity` and `NaN` for numbers, too. A
system may also send texts or booleans where the standards demand numbers (RFC 7519, NumericDate).
"""

import math
from collections.abc import Mapping
from datetime import timedelta

from django.utils import timezone

LONGEST_LIFE = timedelta(days=31)
"""A token that is valid for longer is refused. Usual ones are valid for minutes or hours."""
LATEST = 2**53
"""The largest number of seconds, either way, that is exact as a float."""


def has_faulty_times(claims: Mapping[str, object]) -> bool:
    """Return whether a time of the token is no number of seconds, or its end is too far away."""
    times = {name: claims[name] for name in ("exp", "iat", "nbf") if name in claims}
    if not all(map(_is_time, times.values())):
        return True
    expires = times.get("exp")
    latest = (timezone.now() + LONGEST_LIFE).timestamp()
    return isinstance(expires, int | float) and expires > latest


def _is_time(value: object) -> bool:
    # A comparison of an int of any size with another one never overflows.
    if type(value) is int:
        return abs(value) <= LATEST
    return type(value) is float and math.isfinite(value) and abs(value) <= LATEST
