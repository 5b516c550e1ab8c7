"""What is remembered of a form that was sent."""

from django.conf import settings
from django.db import models

KEY_LENGTH = 32
"""The characters of a form's key: 128 random bits in hexadecimal digits."""


class SentForm(models.Model):
    """A form that a user has sent, by the one-time key of its page, and the page that it led to.

    The unique constraint decides between two requests that arrive at the same moment.
    """

    MAX_COUNT = 1000
    """The most rows of one user. The oldest ones make room."""

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
