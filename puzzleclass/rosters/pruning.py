"""Pruning of imports that can't be undone any more, and of uploads."""

from collections.abc import Iterator
from datetime import timedelta

from django.utils import timezone

from puzzleclass.database.batches import delete_in_batches
from puzzleclass.rosters.models import RosterImport, RosterRequest, RosterUpload


def prune_imports() -> Iterator[int]:
    """Delete the records of old imports, old uploads, and old questions without an answer.

    Yields the number of deleted rows, batch by batch.
    """
    undoable = timezone.now() - timedelta(days=RosterImport.UNDO_DAYS)
    uploaded = timezone.now() - timedelta(hours=RosterUpload.KEPT_HOURS)
    yield from delete_in_batches(RosterUpload.objects.filter(made_at__lt=uploaded))
    asked = timezone.now() - timedelta(days=RosterRequest.KEPT_DAYS)
    yield from delete_in_batches(RosterRequest.objects.filter(agrees=None, asked_at__lt=asked))
    yield from delete_in_batches(RosterImport.objects.filter(made_at__lt=undoable))
