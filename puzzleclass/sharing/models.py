from typing import NamedTuple
from uuid import uuid4

from django.conf import settings
from django.db import models
from django.urls import reverse
from django.utils.translation import gettext_lazy as _

from puzzleclass.database.bin import Deletable, OutsideBin
from puzzleclass.puzzles.models import Board
from puzzleclass.templating.crumbs import Crumb

MAX_CHARACTERS = 4000
"""The most characters of each part of a lesson plan."""


class WrittenPart(NamedTuple):
    """A part of a lesson plan."""

    field: str
    heading: str
    text: str


class Pack(Deletable):
    """Puzzles put together for colleagues, with a lesson plan if one is written.

    Every teacher who has its address can open its page. With `is_school`, every teacher's list of
    packs shows it.
    """

    PLAN = ("aim", "criteria", "materials", "course", "wrap_up", "board")
    """The fields of the lesson plan, in their order."""

    key = models.UUIDField(unique=True, default=uuid4, editable=False)
    owner = models.ForeignKey(
        settings.AUTH_USER_MODEL, on_delete=models.CASCADE, related_name="packs"
    )
    title = models.CharField(_("Title"), max_length=60)
    aim = models.TextField(_("Aim of the lesson"), blank=True, max_length=MAX_CHARACTERS)
    criteria = models.TextField(_("Criteria"), blank=True, default="", max_length=MAX_CHARACTERS)
    materials = models.TextField(_("Materials"), blank=True, default="", max_length=MAX_CHARACTERS)
    course = models.TextField(_("Course of the lesson"), blank=True, max_length=MAX_CHARACTERS)
    wrap_up = models.TextField(_("Wrap-up"), blank=True, max_length=MAX_CHARACTERS)
    board = models.TextField(_("Blackboard"), blank=True, default="", max_length=MAX_CHARACTERS)
    is_school = models.BooleanField(_("Share with all teachers of the school"), default=False)
    changed_at = models.DateTimeField(auto_now=True)

    objects = OutsideBin["Pack"]()
    every = models.Manager["Pack"]()

    class Meta:
        ordering = ["-changed_at", "pk"]

    def __str__(self) -> str:
        return self.title

    def get_absolute_url(self) -> str:
        return reverse("pack", args=[self.key])

    def crumb(self) -> Crumb:
        """Return the page in the breadcrumbs of the pages below it."""
        return Crumb(self.get_absolute_url(), self.title, "pack_list")

    @property
    def plan(self) -> list[WrittenPart]:
        """The parts of the lesson plan that are written."""
        fields = [field for field in self._meta.concrete_fields if field.name in self.PLAN]
        parts = [
            WrittenPart(field.name, str(field.verbose_name), field.value_from_object(self))
            for field in fields
        ]
        return [part for part in parts if part.text]


class PackedPuzzle(Board):
    """A puzzle as it was when it was put into the pack."""

    pack = models.ForeignKey(Pack, on_delete=models.CASCADE, related_name="puzzles")
    number = models.PositiveSmallIntegerField()

    class Meta:
        ordering = ["number"]
        constraints = [
            models.UniqueConstraint(fields=["pack", "number"], name="number_once_a_pack")
        ]
