"""Pruning of expired sessions."""

from collections.abc import Iterator

from django.contrib.sessions.models import Session
from django.utils import timezone

from puzzleclass.database.batches import delete_in_batches


def prune_sessions() -> Iterator[int]:
    """Delete expired sessions; yield the number deleted, batch by batch."""
    return delete_in_batches(Session.objects.filter(expire_date__lt=timezone.now()))
