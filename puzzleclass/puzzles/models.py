from django.conf import settings
from django.db import models
from django.utils.functional import cached_property
from django.utils.translation import gettext_lazy as _

from solvers.picture import Picture
from solvers.registry import AnyKind, get_kind


class Board(models.Model):
    """What a puzzle is: a kind and a starting position as canonical text."""

    kind_slug = models.SlugField(max_length=20)
    position = models.TextField()
    title = models.CharField(_("Title"), max_length=60)

    class Meta:
        abstract = True

    def __str__(self) -> str:
        return self.title

    @property
    def kind(self) -> AnyKind:
        return get_kind(self.kind_slug)

    @cached_property
    def start(self):
        """The starting position, as the kind's own object."""
        return self.kind.read(self.position)

    @property
    def picture(self) -> Picture:
        """The board before the first move."""
        return self.kind.draw(self.start)


class Puzzle(Board):
    """A puzzle in a teacher's library."""

    owner = models.ForeignKey(
        settings.AUTH_USER_MODEL, on_delete=models.CASCADE, related_name="puzzles"
    )
    note = models.TextField(_("Note to yourself"), blank=True, max_length=2000)
    created_at = models.DateTimeField(auto_now_add=True)
    changed_at = models.DateTimeField(auto_now=True)

    class Meta:
        ordering = ["-changed_at", "-pk"]
