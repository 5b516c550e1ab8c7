from uuid import uuid4

from django.conf import settings
from django.db import models
from django.utils.translation import gettext_lazy as _

from puzzleclass.puzzles.models import Board

MOST_WORDS = 4000
"""Signs of each part of a lesson plan."""


class Pack(models.Model):
    """Puzzles put together for colleagues, with a lesson plan if one is written.

    Its page is open to every teacher who has the address; `is_school` also lists it for all.
    """

    key = models.UUIDField(unique=True, default=uuid4, editable=False)
    owner = models.ForeignKey(
        settings.AUTH_USER_MODEL, on_delete=models.CASCADE, related_name="packs"
    )
    title = models.CharField(_("Title"), max_length=60)
    aim = models.TextField(_("Aim of the lesson"), blank=True, max_length=MOST_WORDS)
    course = models.TextField(_("Course of the lesson"), blank=True, max_length=MOST_WORDS)
    wrap_up = models.TextField(_("Wrap-up"), blank=True, max_length=MOST_WORDS)
    is_school = models.BooleanField(
        _("In the school's collection, for all teachers"), default=False
    )
    changed_at = models.DateTimeField(auto_now=True)

    class Meta:
        ordering = ["-changed_at", "pk"]

    def __str__(self) -> str:
        return self.title


class PackedPuzzle(Board):
    """A puzzle as it was when it was put into the pack."""

    pack = models.ForeignKey(Pack, on_delete=models.CASCADE, related_name="puzzles")
    number = models.PositiveSmallIntegerField()

    class Meta:
        ordering = ["number"]
        constraints = [
            models.UniqueConstraint(fields=["pack", "number"], name="number_once_a_pack")
        ]
