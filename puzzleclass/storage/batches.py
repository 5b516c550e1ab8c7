"""Delete many rows in short transactions, so that nobody waits for the database."""

from collections.abc import Iterator
from typing import Any

from django.db.models import QuerySet

BATCH_ROWS = 500
"""The number of rows that one transaction deletes."""


def delete_in_batches(rows: QuerySet[Any]) -> Iterator[int]:
    """Delete the rows. Yield the number of deleted rows, batch by batch."""
    while keys := list(rows.order_by("pk").values_list("pk", flat=True)[:BATCH_ROWS]):
        yield rows.filter(pk__in=keys).delete()[0]
