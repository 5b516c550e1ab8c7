"""Tables of rules that teachers have made, and the kinds that they are."""

import hashlib
from datetime import timedelta
from typing import Self
from uuid import uuid4

from django.conf import settings
from django.db import models
from django.db.models import QuerySet
from django.urls import reverse
from django.utils import timezone
from django.utils.translation import gettext_lazy as _
from msgspec.structs import replace as changed

from puzzleclass.classes.models import Classroom
from puzzleclass.database.bin import Deletable, OutsideBin
from puzzleclass.templating.crumbs import Crumb
from solvers.rule_tables.table import MAX_WORDS, Table, read_table

SLUG_LENGTH = 40
NAME_LENGTH = 40


class StoredTable(models.Model):
    """A table of rules from which every process makes the kind with its slug.

    Rows that are not kept belong to drafts. They are deleted after `DRAFT_DAYS` and stored again
    when somebody asks about the draft.
    """

    DRAFT_DAYS = 3

    slug = models.CharField(max_length=SLUG_LENGTH, primary_key=True)
    text = models.TextField()
    """The table as JSON, as `solvers.rule_tables.table` writes it."""
    is_kept = models.BooleanField(default=False)
    """Whether the table is one of a kind, whose puzzles need it."""
    stored_at = models.DateTimeField(auto_now=True)

    def __str__(self) -> str:
        return self.slug

    @property
    def table(self) -> Table:
        return read_table(self.text)

    @classmethod
    def expired(cls) -> QuerySet[Self]:
        """Return the tables of drafts that nobody has asked about lately."""
        long_ago = timezone.now() - timedelta(days=cls.DRAFT_DAYS)
        return cls.objects.filter(is_kept=False, stored_at__lt=long_ago)


class Invention(Deletable):
    """A kind that a teacher or a student makes. Every step of the draft is stored at once.

    Every teacher who has the address with its `key` can look at a teacher's saved kind. A student's
    kind is saved when a teacher of the class, to which it was handed in, has read it.
    """

    MAX_COUNT = 60
    """The most kinds of a teacher."""
    MAX_OF_STUDENT = 3
    """The most kinds of a student."""

    class State(models.TextChoices):
        DRAFT = "draft", _("Draft")
        WAITING = "waiting", _("Waiting for the teacher")
        SHOWN = "shown", _("Shown to the class")
        RETURNED = "returned", _("Changes wanted")

    owner = models.ForeignKey(
        settings.AUTH_USER_MODEL, on_delete=models.CASCADE, related_name="inventions"
    )
    key = models.UUIDField(unique=True, default=uuid4, editable=False)
    name = models.CharField(_("Name of the kind"), max_length=NAME_LENGTH)
    words = models.CharField(_("In your own words"), max_length=MAX_WORDS, blank=True)
    """What a teacher says of the rules beside the sentences that are made of them."""
    step = models.PositiveIntegerField(default=0)
    """The number of the step that the page shows."""
    revision = models.PositiveIntegerField(default=0)
    """The number of changes, undone or not. A window that knows an older one changes nothing."""
    changed_at = models.DateTimeField(auto_now=True)
    classroom = models.ForeignKey(
        Classroom, on_delete=models.SET_NULL, null=True, related_name="inventions"
    )
    """The class to which a student has handed in the kind."""
    state = models.CharField(max_length=10, choices=State, default=State.DRAFT)
    """How far a student's kind is on its way to the class."""
    word = models.CharField(_("A message to the author"), max_length=300, blank=True)
    """The teacher's message when the kind was sent back."""

    objects = OutsideBin["Invention"]()
    every = models.Manager["Invention"]()

    class Meta:
        ordering = ["-changed_at", "-pk"]

    def __str__(self) -> str:
        return self.name

    def get_absolute_url(self) -> str:
        return reverse("workshop", args=[self.pk])

    @property
    def mark(self) -> str:
        """What shows that the kind which a teacher lets the class see is the one that was read."""
        return f"{self.revision} {self.name}"

    @property
    def trial_name(self) -> str:
        """The name of the board on the page on which its author tries it."""
        return f"draft-{self.pk}"

    @property
    def maker(self) -> str:
        """What sets the kind apart from those of others that have the same rules."""
        return hashlib.sha256(self.key.bytes).hexdigest()[:16]

    @property
    def shown_step(self) -> "InventionStep":
        """The step that the page shows. One query."""
        return self.steps.get(number=self.step)

    def crumb(self) -> Crumb:
        """Return the page in the breadcrumbs of the pages below it."""
        return Crumb(self.get_absolute_url(), self.name, "workshop_list")


class InventionStep(models.Model):
    """A state of a draft."""

    MAX_COUNT = 1000
    """The most steps of a draft. The oldest go first."""

    invention = models.ForeignKey(Invention, on_delete=models.CASCADE, related_name="steps")
    number = models.PositiveIntegerField()
    table = models.TextField()
    board = models.TextField()

    class Meta:
        constraints = [models.UniqueConstraint(fields=["invention", "number"], name="step_once")]

    def __str__(self) -> str:
        return f"{self.invention_id}: {self.number}"

    @property
    def slug(self) -> str:
        """The slug of the kind that the state makes."""
        return changed(read_table(self.table), maker=self.invention.maker).slug


class KindVersion(models.Model):
    """A version of a teacher's kind, whose rules never change."""

    MAX_COUNT = 50
    """The most versions of a kind."""

    invention = models.ForeignKey(Invention, on_delete=models.CASCADE, related_name="versions")
    number = models.PositiveSmallIntegerField()
    stored = models.ForeignKey(StoredTable, on_delete=models.PROTECT, related_name="versions")
    saved_at = models.DateTimeField(default=timezone.now)

    class Meta:
        ordering = ["-number"]
        constraints = [models.UniqueConstraint(fields=["invention", "number"], name="version_once")]

    def __str__(self) -> str:
        return f"{self.invention} {self.number}"


def versions_with(slug: str) -> list[str]:
    """Return the slugs of all versions of the kind that has a version with this slug, the newest
    first; none for a kind that nobody has made. One query."""
    versions = KindVersion.objects.filter(invention__versions__stored=slug)
    return list(versions.order_by("-number").values_list("stored", flat=True))
