"""Pruning of the forms that were sent."""

from collections.abc import Iterator
from datetime import timedelta

from django.utils import timezone

from puzzleclass.database.batches import delete_in_batches
from puzzleclass.forms.models import SentForm

KEPT = timedelta(days=2)
"""The time for which a page may stand open and be sent again. Longer than any session lasts."""


def prune_sent_forms() -> Iterator[int]:
    """Delete the forms that were sent long ago; yield the number deleted, batch by batch."""
    return delete_in_batches(SentForm.objects.filter(at__lt=timezone.now() - KEPT))
