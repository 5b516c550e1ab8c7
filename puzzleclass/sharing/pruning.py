"""Pruning of the packs in the bin."""

from collections.abc import Iterator

from puzzleclass.database.batches import delete_in_batches
from puzzleclass.database.bin import expired
from puzzleclass.sharing.models import Pack


def prune_packs() -> Iterator[int]:
    """Delete what has been in the bin for its time. Yields the number deleted, batch by batch."""
    yield from delete_in_batches(expired(Pack.every))
