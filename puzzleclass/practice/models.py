from django.db import models
from django.utils import timezone


class MadeBoard(models.Model):
    """A board to be practised that the worker has made; the stock of each level is bounded."""

    kind_slug = models.SlugField(max_length=20)
    level = models.PositiveSmallIntegerField()
    """The level of the kind's collection that it is as difficult as; 0 while it is not rated."""
    position = models.TextField()
    fingerprint = models.CharField(max_length=64, unique=True)
    """Equal for equal boards of a kind."""
    solutions = models.TextField(blank=True)
    """How many it has, a decimal string; empty where that is not known."""
    band = models.CharField(max_length=10, blank=True)
    made_at = models.DateTimeField(default=timezone.now)

    class Meta:
        ordering = ["kind_slug", "level", "pk"]
        indexes = [models.Index(fields=["kind_slug", "level"], name="stock_of_a_level")]

    def __str__(self) -> str:
        return f"{self.kind_slug} {self.level}: {self.position}"


class Making(models.Model):
    """How far the worker is with a kind's orders: which one it makes boards to just now."""

    kind_slug = models.SlugField(max_length=20, primary_key=True)
    turn = models.PositiveIntegerField(default=0)
    """Counts on for ever: it says the order, and the seed."""

    def __str__(self) -> str:
        return f"{self.kind_slug}: {self.turn}"
