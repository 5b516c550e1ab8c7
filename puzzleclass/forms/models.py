"""What is remembered of a form that was sent."""

from datetime import timedelta
from typing import Self

from django.conf import settings
from django.db import models
from django.db.models import QuerySet
from django.utils import timezone

KEY_LENGTH = 32
"""The characters of a form's key: 128 random bits in hexadecimal digits."""


class SentForm(models.Model):
    """A form that a user has sent, by the one-time key of its page, and the page that it led to.

    The unique constraint decides between two requests that arrive at the same moment.
    """

    MAX_COUNT = 1000
    """The most rows of one user. The oldest ones make room."""
    KEPT = timedelta(days=2)
    """The time for which a page may stand open and be sent again. Longer than any session lasts."""

    user = models.ForeignKey(
        settings.AUTH_USER_MODEL, on_delete=models.CASCADE, related_name="sent_forms"
    )
    address = models.CharField(max_length=200)
    """The path to which the form was sent."""
    key = models.CharField(max_length=KEY_LENGTH)
    to = models.TextField(blank=True, default="")
    """The address of the page that was shown afterwards."""
    at = models.DateTimeField(auto_now_add=True)

    class Meta:
        ordering = ["pk"]
        constraints = [
            models.UniqueConstraint(fields=["user", "address", "key"], name="form_sent_once")
        ]
        indexes = [models.Index(fields=["address", "at"], name="last_sent")]

    def __str__(self) -> str:
        return f"{self.user_id} {self.address} {self.at:%Y-%m-%d %H:%M}"

    @classmethod
    def expired(cls) -> QuerySet[Self]:
        """Return the forms that were sent more than `KEPT` ago."""
        return cls.objects.filter(at__lt=timezone.now() - cls.KEPT)
