from django.db import models
from django.utils import timezone


class MadeBoard(models.Model):
    """A practice board that the worker has made. The stock of each level is bounded."""

    kind_slug = models.SlugField(max_length=20)
    level = models.PositiveSmallIntegerField()
    """The level of the kind's collection with boards as difficult; 0 while it is not rated."""
    position = models.TextField()
    fingerprint = models.CharField(max_length=64, unique=True)
    """A hash that is equal for equal boards of a kind."""
    solutions = models.TextField(blank=True)
    """The number of solutions as a decimal string; empty if it is not known."""
    band = models.CharField(max_length=10, blank=True)
    made_at = models.DateTimeField(default=timezone.now)

    class Meta:
        ordering = ["kind_slug", "level", "pk"]
        indexes = [models.Index(fields=["kind_slug", "level"], name="stock_of_a_level")]

    def __str__(self) -> str:
        return f"{self.kind_slug} {self.level}: {self.position}"


class Making(models.Model):
    """The worker's progress through a kind's orders."""

    kind_slug = models.SlugField(max_length=20, primary_key=True)
    turn = models.PositiveIntegerField(default=0)
    """The number of the current order, which tells the order and the seed. It is never reset."""

    def __str__(self) -> str:
        return f"{self.kind_slug}: {self.turn}"
