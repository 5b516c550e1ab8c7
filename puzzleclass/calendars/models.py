"""The secret address of a user's calendar."""

from django.conf import settings
from django.db import models
from django.utils import timezone

from puzzleclass.classes.models import new_salt
from puzzleclass.database.secret_words import SecretWord


class CalendarAddress(SecretWord):
    """A secret address at which calendar programs read a user's due dates.

    What ends all sessions of the user replaces the address too: a new password, PIN or card.
    """

    PURPOSE = "puzzleclass.calendar"
    HOLDER = "user"

    user = models.OneToOneField(
        settings.AUTH_USER_MODEL, on_delete=models.CASCADE, related_name="calendar_address"
    )
    salt = models.CharField(max_length=16, default=new_salt)
    made_at = models.DateTimeField(default=timezone.now)

    def __str__(self) -> str:
        return f"{self.user}"

    def _known_by(self) -> str:
        known_by, sign_outs = super()._known_by(), self.user.sign_outs
        return f"{known_by} {sign_outs}" if sign_outs else known_by

    def renew(self) -> None:
        """Replace the address by a new one."""
        self.salt, self.made_at = new_salt(), timezone.now()
        self.save()
