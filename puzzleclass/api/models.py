"""The tokens with which scripts of teachers and schools read the API."""

import hashlib
import secrets
from datetime import timedelta

from django.conf import settings
from django.db import models
from django.db.models import F, Q
from django.utils import timezone
from django.utils.translation import gettext_lazy as _

from puzzleclass.accounts.models import User
from puzzleclass.classes.school_models import School

PREFIX = "puzzleclass_"
"""The beginning of every token, by which programs that look for leaked secrets recognize one."""

USE_IS_NOTED_EVERY = timedelta(minutes=1)
"""The precision of the last use of a token, so that not every request writes it."""


class ApiToken(models.Model):
    """A token that lets a script read what its teacher may see, or the classes of a school.

    Only its digest is stored.
    """

    MAX_COUNT = 10
    """The most tokens of a teacher, and of a school."""

    teacher = models.ForeignKey(
        settings.AUTH_USER_MODEL, on_delete=models.CASCADE, related_name="api_tokens"
    )
    school = models.ForeignKey(
        School, on_delete=models.CASCADE, null=True, related_name="api_tokens"
    )
    """The school whose classes the token opens, as long as the teacher administers it; None for a
    token that opens the teacher's own classes."""
    name = models.CharField(_("Name of the token"), max_length=60)
    digest = models.CharField(max_length=64, unique=True)
    made_at = models.DateTimeField(default=timezone.now)
    last_day = models.DateField(_("Valid until"), null=True, blank=True)
    """The last day on which the token is valid, in the site's time zone; None for no end."""
    last_used_at = models.DateTimeField(null=True, blank=True)

    class Meta:
        ordering = ["-made_at", "-pk"]

    def __str__(self) -> str:
        return self.name

    @property
    def has_expired(self) -> bool:
        return self.last_day is not None and self.last_day < timezone.localdate()

    def make_word(self) -> str:
        """Give the token a new random word of 256 bits and return it. The change is not saved."""
        word = f"{PREFIX}{secrets.token_urlsafe(32)}"
        self.digest = _digest(word)
        return word

    @staticmethod
    def by_word(word: str) -> "ApiToken | None":
        """Return the valid token with this word and its teacher, or None. Uses one query."""
        tokens = ApiToken.objects.select_related("teacher", "school").filter(
            Q(school=None)
            | Q(school__deleted_at=None)
            & (
                Q(school__administrators=F("teacher"))
                | Q(school__board__administrators=F("teacher"))
            ),
            digest=_digest(word),
            teacher__role=User.Role.TEACHER,
            teacher__is_active=True,
        )
        token = tokens.first()
        return token if token and not token.has_expired else None

    def note_use(self) -> None:
        """Store the time of this use, unless a recent one is stored."""
        now = timezone.now()
        is_old = Q(last_used_at=None) | Q(last_used_at__lt=now - USE_IS_NOTED_EVERY)
        ApiToken.objects.filter(is_old, pk=self.pk).update(last_used_at=now)


def _digest(word: str) -> str:
    # The word is random, so a fast hash can't be reversed by guessing.
    return hashlib.sha256(word.encode(errors="replace")).hexdigest()
