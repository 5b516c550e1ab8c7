"""Durations as people read them."""


def clock(seconds: int) -> str:
    """Return a duration as on a stopwatch, hours only when there are any.

    >>> clock(245), clock(3661)
    ('4:05', '1:01:01')
    """
    minutes, seconds = divmod(seconds, 60)
    hours, minutes = divmod(minutes, 60)
    return f"{hours}:{minutes:02}:{seconds:02}" if hours else f"{minutes}:{seconds:02}"
