"""The bin: what teachers delete is kept for 30 days, in which the deletion can be undone.

Everything that one press deletes gets the same time of deletion, so the time names the deletion.
Data that a privacy rule deletes, such as an account or a student, never comes here.
"""

from datetime import UTC, datetime, timedelta
from typing import Any, Self, TypeVar

from django.contrib import messages
from django.db import models
from django.db.models import QuerySet
from django.http import HttpRequest
from django.utils import timezone

from puzzleclass.database.batches import BATCH_ROWS

M = TypeVar("M", bound=models.Model)

KEPT = timedelta(days=30)
"""The time for which a deletion can be undone. Pruning then deletes the rows."""

_EPOCH = datetime(1970, 1, 1, tzinfo=UTC)


class OutsideBin(models.Manager[M]):
    """The manager of the rows that are not in the bin, or whose `owner` is not there."""

    def __init__(self, owner: str = "") -> None:
        super().__init__()
        self.condition = {f"{owner}__deleted_at" if owner else "deleted_at": None}

    def get_queryset(self) -> QuerySet[M]:
        return super().get_queryset().filter(**self.condition)


class Deletable(models.Model):
    """A model whose rows go to the bin first.

    A subclass has a default manager `objects` that leaves out the bin, and a manager `every`.
    """

    deleted_at = models.DateTimeField(null=True, editable=False)
    """The time at which the row was moved to the bin; None if it is not there."""

    class Meta:
        abstract = True

    @classmethod
    def expired(cls) -> QuerySet[Self]:
        """Return the rows that have been in the bin for longer than `KEPT`."""
        return cls._base_manager.filter(deleted_at__lt=timezone.now() - KEPT)


def move_to_bin(request: HttpRequest, rows: QuerySet[Any], text: str) -> None:
    """Move the rows to the bin, and show the text with a button that undoes it on the next page."""
    at = timezone.now()
    rows.update(deleted_at=at)
    messages.success(request, text, extra_tags=str(deletion_number(at)))


def trim_bin(every: QuerySet[Any], most: int) -> None:
    """Delete for good what is in the bin beyond the `most` rows that were deleted last.

    `every` has all rows of one owner. Without this, the bin could grow without a limit.
    """
    in_bin = every.filter(deleted_at__isnull=False).order_by("-deleted_at", "-pk")
    surplus = list(in_bin.values_list("pk", flat=True)[most:])
    for start in range(0, len(surplus), BATCH_ROWS):
        every.filter(pk__in=surplus[start : start + BATCH_ROWS]).delete()


def deletion_number(at: datetime) -> int:
    """Return the number of the deletion at this time: microseconds, as exact as it is stored."""
    return (at - _EPOCH) // timedelta(microseconds=1)


def deleted_in(rows: QuerySet[Any], deletion: int) -> QuerySet[Any]:
    """Return those of the rows that were moved to the bin in the deletion with this number."""
    try:
        at = _EPOCH + timedelta(microseconds=deletion)
    except OverflowError:
        return rows.none()
    return rows.filter(deleted_at=at)
