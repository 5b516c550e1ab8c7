"""What the database says about the site that uses it."""

from django.db import models

from puzzleclass.outbound.sealed import is_openable, seal


class KeyProof(models.Model):
    """A text that tells whether the site's `SECRET_KEY` is the one with which its data were made.

    There is at most one row. It is also part of backups. Only the same key opens the text, which
    says nothing about the key.
    """

    sealed = models.TextField()

    def __str__(self) -> str:
        return self.sealed

    @classmethod
    def make_if_missing(cls) -> None:
        """Take the present key for the one of the data if the database names none."""
        if not cls.objects.exists():
            cls.objects.create(sealed=seal(cls.__name__))

    @classmethod
    def make_new(cls) -> None:
        """Take the present key for the one of the data from now on."""
        cls.objects.all().delete()
        cls.make_if_missing()

    @classmethod
    def fits(cls) -> bool:
        """Return whether the present key is the one of the data. Raises DatabaseError."""
        return all(is_openable(row.sealed) for row in cls.objects.all())
