"""How long the parts of a start take: `make run TIMES=1`, or `TIMES=1 puzzleclass`."""

import time
from collections.abc import Iterator
from contextlib import contextmanager

from django.conf import settings


def tell_time(part: str, began_at: float) -> None:
    """Print how long a part took that began at this time of the monotonic clock, if asked to."""
    if settings.SAYS_TIMES:
        # bootstrap.py prints the same form.
        print(f"{time.monotonic() - began_at:8.1f} s  {part}", flush=True)


@contextmanager
def timed(part: str) -> Iterator[None]:
    """Print how long the block took, if asked to."""
    began_at = time.monotonic()
    yield
    tell_time(part, began_at)
