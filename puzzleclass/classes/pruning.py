"""Pruning of classes in the bin, of the log of personal data, and of class changes that can't be
undone any more."""

from collections.abc import Iterator
from datetime import timedelta

from django.utils import timezone

from puzzleclass.classes.models import ClassChange, Classroom, DataRecord
from puzzleclass.classes.personal_data import kept_since
from puzzleclass.classes.services import delete_classroom
from puzzleclass.database.batches import delete_in_batches
from puzzleclass.database.bin import expired


def prune_classes() -> Iterator[int]:
    """Delete for good the classes that have been in the bin for its time, each with a receipt.

    Yields the number deleted, class by class.
    """
    for classroom in expired(Classroom.objects):
        yield sum(delete_classroom(classroom, None).rows.values())


def prune_data_records() -> Iterator[int]:
    """Delete lines of the log that are older than data is kept, and old class changes.

    Yields the number deleted, batch by batch.
    """
    undoable = timezone.now() - timedelta(days=ClassChange.UNDO_DAYS)
    yield from delete_in_batches(DataRecord.objects.filter(at__lt=kept_since()))
    yield from delete_in_batches(ClassChange.objects.filter(made_at__lt=undoable))
