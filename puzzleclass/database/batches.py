"""Work on many rows in batches: as many as a query may name, and as nobody has to wait for."""

from collections.abc import Iterator, Sequence
from time import sleep
from typing import Any, TypeVar

from django.db import connection
from django.db.models import QuerySet

T = TypeVar("T")

BATCH_ROWS = 500
"""The number of rows in a batch."""

PAUSE_SECONDS = 0.12
"""The time between two portions of work. SQLite asks every tenth of a second at the latest whether
the lock is free, so everybody who waits gets it then."""


def let_others_write() -> None:
    """Let others have the lock for writing between two transactions, if the database has only one
    lock."""
    if connection.vendor == "sqlite" and not connection.in_atomic_block:
        sleep(PAUSE_SECONDS)


def in_batches(rows: Sequence[T]) -> Iterator[Sequence[T]]:
    """Yield the rows in parts of at most `BATCH_ROWS`."""
    for start in range(0, len(rows), BATCH_ROWS):
        yield rows[start : start + BATCH_ROWS]


def delete_in_batches(rows: QuerySet[Any]) -> Iterator[int]:
    """Delete the rows in short transactions. Yield the number of deleted rows, batch by batch."""
    while keys := list(rows.order_by("pk").values_list("pk", flat=True)[:BATCH_ROWS]):
        yield rows.filter(pk__in=keys).delete()[0]
