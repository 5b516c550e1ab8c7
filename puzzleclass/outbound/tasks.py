"""The queue of work that waits for other servers, so that nothing else waits for them.

A platform that takes twenty seconds for each answer would keep reviews and votes waiting, if their
worker asked it. A few threads beside the sweeper ask instead.
"""

from collections.abc import Iterator
from contextlib import contextmanager
from threading import BoundedSemaphore
from typing import Any

QUEUE = "outbound"
AT_ONCE = 2
"""The tasks of the queue that one process works on at a time. Its other threads remain for the
sweeper."""
AGAIN_SECONDS = 10

_places = BoundedSemaphore(AT_ONCE)


@contextmanager
def place_of(task: Any) -> Iterator[None]:
    """Hold one of the places while the task waits for other servers.

    If none is free, the task goes back into its queue for `AGAIN_SECONDS`.
    """
    if not _places.acquire(blocking=False):
        raise task.retry(countdown=AGAIN_SECONDS, max_retries=None)
    try:
        yield
    finally:
        _places.release()
