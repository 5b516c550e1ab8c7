"""Changes of many rows at once that can be undone for a month."""

from datetime import datetime, timedelta
from typing import ClassVar, Self

from django.db import models
from django.utils import timezone


class Undoable(models.Model):
    """A change that can be undone for `UNDO_DAYS` days. Then the row is deleted."""

    UNDO_DAYS = 30

    made_at = models.DateTimeField(default=timezone.now)
    undone_at = models.DateTimeField(null=True, blank=True)

    objects: ClassVar[models.Manager[Self]]

    class Meta:
        abstract = True

    @classmethod
    def expired(cls) -> models.QuerySet[Self]:
        """Return the changes that can't be undone any more."""
        return cls.objects.filter(made_at__lt=timezone.now() - timedelta(days=cls.UNDO_DAYS))

    @property
    def undo_until(self) -> datetime:
        return self.made_at + timedelta(days=self.UNDO_DAYS)

    @property
    def can_be_undone(self) -> bool:
        return self.undone_at is None and timezone.now() < self.undo_until
