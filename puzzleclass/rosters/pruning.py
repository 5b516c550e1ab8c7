"""Pruning of imports that can't be undone any more."""

from collections.abc import Iterator
from datetime import timedelta

from django.utils import timezone

from puzzleclass.rosters.models import RosterImport
from puzzleclass.storage.batches import delete_in_batches


def prune_imports() -> Iterator[int]:
    """Delete the records of old imports. Yields the number of deleted rows, batch by batch."""
    undoable = timezone.now() - timedelta(days=RosterImport.UNDO_DAYS)
    yield from delete_in_batches(RosterImport.objects.filter(made_at__lt=undoable))
