"""The time zones that teachers and classes choose."""

from functools import cache
from zoneinfo import ZoneInfo, available_timezones


@cache
def zone_named(name: str) -> ZoneInfo | None:
    """Return the time zone; None if the name is empty or no longer known."""
    return ZoneInfo(name) if name in available_timezones() else None
