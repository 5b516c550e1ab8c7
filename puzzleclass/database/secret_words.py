"""Words in secret addresses: of a sign-in card, of a calendar."""

from typing import ClassVar, Self

from django.db import models
from django.utils.crypto import constant_time_compare, salted_hmac


class SecretWord(models.Model):
    """A row whose address contains a word that can't be guessed.

    The word is computed from the row and the site's secret key. So it can be shown again, but
    neither the database nor a backup reveals it. A new salt makes the old word invalid.
    """

    PURPOSE: ClassVar[str]
    """Sets the words of a table apart from those of others."""
    HOLDER: ClassVar[str]
    """The field with the user to whom the word belongs."""

    salt: str

    class Meta:
        abstract = True

    @property
    def word(self) -> str:
        """The key of the row, and 96 bits that can't be guessed."""
        mac = salted_hmac(self.PURPOSE, self._known_by(), algorithm="sha256")
        return f"{self.pk}-{mac.hexdigest()[:24]}"

    def _known_by(self) -> str:
        """Return what the word is computed from. When it changes, the old word is invalid."""
        return f"{self.pk} {self.salt}"

    @classmethod
    def by_word(cls, word: str) -> Self | None:
        """Return the row with this word; None if it was revoked or never made."""
        key = word.partition("-")[0]
        if not (key.isascii() and key.isdecimal() and len(key) < 19):
            return None
        row = cls._default_manager.select_related(cls.HOLDER).filter(pk=int(key)).first()
        return row if row and constant_time_compare(row.word, word) else None
