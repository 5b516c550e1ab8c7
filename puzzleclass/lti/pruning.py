"""Pruning of launches that are over."""

from collections.abc import Iterator

from django.utils import timezone

from puzzleclass.database.batches import delete_in_batches
from puzzleclass.lti.keys import renew_keys
from puzzleclass.lti.models import Launch, SigningKey


def prune_launches() -> Iterator[int]:
    """Delete old launches, with the names in them, and renew the site's keys in time.

    Yields the number of deleted rows, batch by batch.
    """
    if SigningKey.objects.exists():
        renew_keys()
    yield from delete_in_batches(Launch.objects.filter(made_at__lt=timezone.now() - Launch.KEPT))
