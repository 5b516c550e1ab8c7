"""Pruning of the assignments and templates in the bin."""

from collections.abc import Iterator

from puzzleclass.assignments.models import Assignment, Template
from puzzleclass.database.batches import delete_in_batches
from puzzleclass.database.bin import expired


def prune_assignments() -> Iterator[int]:
    """Delete what has been in the bin for its time. Yields the number deleted, batch by batch."""
    yield from delete_in_batches(expired(Assignment.every))
    yield from delete_in_batches(expired(Template.every))
