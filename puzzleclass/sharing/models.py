from uuid import uuid4

from django.conf import settings
from django.core.validators import MaxValueValidator
from django.db import models
from django.urls import reverse
from django.utils.translation import gettext_lazy as _

from puzzleclass.assignments.models import Assignment
from puzzleclass.database.bin import Deletable, OutsideBin
from puzzleclass.puzzles.models import Board
from puzzleclass.sharing.phases import MAX_CHARACTERS, Phase, PlanWords, phases_of
from puzzleclass.templating.crumbs import Crumb


class Pack(Deletable):
    """Puzzles put together for colleagues, with a lesson plan if one is written.

    Every teacher who has its address can open its page. With `is_school`, every teacher's list of
    packs shows it.
    """

    PLAN = PlanWords.__struct_fields__
    """The texts of the lesson plan, in their order."""

    key = models.UUIDField(unique=True, default=uuid4, editable=False)
    owner = models.ForeignKey(
        settings.AUTH_USER_MODEL, on_delete=models.CASCADE, related_name="packs"
    )
    title = models.CharField(_("Title"), max_length=60)
    unit = models.TextField(_("Unit"), blank=True, default="", max_length=MAX_CHARACTERS)
    in_unit = models.TextField(
        _("This lesson in the unit"), blank=True, default="", max_length=MAX_CHARACTERS
    )
    children = models.TextField(
        _("The students"), blank=True, default="", max_length=MAX_CHARACTERS
    )
    material = models.TextField(
        _("The material"), blank=True, default="", max_length=MAX_CHARACTERS
    )
    teaching = models.TextField(
        _("The teaching"), blank=True, default="", max_length=MAX_CHARACTERS
    )
    aim = models.TextField(
        _("Aim of the lesson"), blank=True, default="", max_length=MAX_CHARACTERS
    )
    knowledge = models.TextField(
        _("Knowledge and skills"), blank=True, default="", max_length=MAX_CHARACTERS
    )
    thinking = models.TextField(
        _("Thinking, judgement, expression"), blank=True, default="", max_length=MAX_CHARACTERS
    )
    attitude = models.TextField(
        _("Attitude towards learning"), blank=True, default="", max_length=MAX_CHARACTERS
    )
    goal = models.TextField(
        _("Goal on the blackboard"), blank=True, default="", max_length=MAX_CHARACTERS
    )
    materials = models.TextField(_("Materials"), blank=True, default="", max_length=MAX_CHARACTERS)
    board = models.TextField(_("Blackboard"), blank=True, default="", max_length=MAX_CHARACTERS)
    wrap_up = models.TextField(_("Wrap-up"), blank=True, default="", max_length=MAX_CHARACTERS)
    look_back = models.TextField(
        _("Looking back"), blank=True, default="", max_length=MAX_CHARACTERS
    )
    evaluation = models.TextField(
        _("How it is assessed"), blank=True, default="", max_length=MAX_CHARACTERS
    )
    phases = models.JSONField(default=list)
    """The course of the lesson (`phases.Phase`)."""
    wanted = models.PositiveSmallIntegerField(
        _("Solutions to find of each puzzle (0: all, by the class together)"),
        default=1,
        validators=[MaxValueValidator(Assignment.MAX_WANTED)],
    )
    """The number of solutions that the assignment of the plan asks for, as `Assignment.wanted`."""
    shows_total = models.BooleanField(
        _("Show students the number of solutions and the best possible score"), default=True
    )
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
    def course(self) -> tuple[Phase, ...]:
        """The phases of the lesson."""
        return phases_of(self.phases)

    @property
    def has_plan(self) -> bool:
        """Whether something of a lesson plan is written."""
        return bool(self.phases or any(getattr(self, name) for name in self.PLAN))


class PackedPuzzle(Board):
    """A puzzle as it was when it was put into the pack."""

    pack = models.ForeignKey(Pack, on_delete=models.CASCADE, related_name="puzzles")
    number = models.PositiveSmallIntegerField()

    class Meta:
        ordering = ["number"]
        constraints = [
            models.UniqueConstraint(fields=["pack", "number"], name="number_once_a_pack")
        ]
