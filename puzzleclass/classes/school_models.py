"""Schools and boards of education: who administers them, and who teaches at a school."""

from typing import ClassVar, Self

from django.conf import settings
from django.core.validators import MaxValueValidator, MinValueValidator
from django.db import models
from django.db.models import Q, QuerySet
from django.urls import reverse
from django.utils import timezone
from django.utils.translation import gettext_lazy as _

from puzzleclass.database.bin import Deletable, OutsideBin
from puzzleclass.templating.crumbs import Crumb


class Board(models.Model):
    """A board of education, whose administrators administer all its schools.

    What belongs to it (`owned_by`) serves all of them: a provider, platforms, rosters.
    """

    FIELD = "board"
    FOLDER = "boards"
    MAX_SCHOOLS = 200
    """The most schools of a board."""

    name = models.CharField(_("Name of the board of education"), max_length=100, unique=True)
    administrators = models.ManyToManyField(
        settings.AUTH_USER_MODEL, through="BoardAdministrator", related_name="boards"
    )

    class Meta:
        verbose_name, verbose_name_plural = _("Board of education"), _("Boards of education")
        ordering = ["name"]

    def __str__(self) -> str:
        return self.name

    def get_absolute_url(self) -> str:
        return reverse("board", args=[self.pk])

    def crumb(self) -> Crumb:
        """Return the page in the breadcrumbs of the pages below it."""
        return Crumb(self.get_absolute_url(), self.name, "school_list")

    @property
    def facts(self) -> dict[str, int]:
        """What a line of the security log says of the board."""
        return {self.FIELD: self.pk}

    def own_schools(self) -> "QuerySet[School]":
        """Return the schools of the board, which use what belongs to it."""
        return self.schools.all()


class BoardAdministrator(models.Model):
    """A teacher who administers a board and all its schools. This is no role in a class."""

    board = models.ForeignKey(Board, on_delete=models.CASCADE, related_name="administrations")
    teacher = models.ForeignKey(
        settings.AUTH_USER_MODEL,
        on_delete=models.CASCADE,
        related_name="board_administrations",
        limit_choices_to={"role": "teacher", "is_active": True},
    )

    class Meta:
        verbose_name = _("Administrator")
        verbose_name_plural = _("Administrators of the board")
        constraints = [
            models.UniqueConstraint(fields=["board", "teacher"], name="board_administrator_once")
        ]

    def __str__(self) -> str:
        return f"{self.board}: {self.teacher}"


class School(Deletable):
    """A school, which groups classes.

    A school in the bin has its classes there, too. Nobody finds it anywhere but in the bin, signs
    in by it or reads anything with its tokens.
    """

    FIELD = "school"
    FOLDER = "schools"

    name = models.CharField(_("Name of the school"), max_length=100)
    board = models.ForeignKey(
        Board,
        on_delete=models.SET_NULL,
        null=True,
        blank=True,
        related_name="schools",
        verbose_name=_("Board of education"),
    )
    """The board that administers the school. Only the operator of the site and imports of the board
    write it, because the administrators of a board gain rights in this way."""
    administrators = models.ManyToManyField(
        settings.AUTH_USER_MODEL, through="SchoolAdministrator", related_name="schools"
    )
    takes_pins = models.BooleanField(_("With class code and PIN"), default=True)
    takes_cards = models.BooleanField(_("With a card"), default=True)
    kept_years = models.PositiveSmallIntegerField(
        _("Years for which data is kept"),
        null=True,
        blank=True,
        validators=[MinValueValidator(1), MaxValueValidator(20)],
    )
    """The years after which teachers are reminded of a class; None stands for `KEPT_YEARS`."""
    deletes_classes = models.BooleanField(
        _("Delete classes that are older by themselves"), default=False
    )
    """Whether classes go to the bin after these years (`rosters.retention`)."""
    leavers_kept_months = models.PositiveSmallIntegerField(
        _("Months after which students who have left are deleted"),
        null=True,
        blank=True,
        validators=[MinValueValidator(1), MaxValueValidator(120)],
    )
    """The months for which students who have left are kept; None keeps them with their class."""
    deletes_from = models.DateTimeField(null=True, editable=False)
    """The time before which nothing is deleted by these rules, since they were changed last."""
    second_step_from = models.DateField(
        _("Day from which teachers need a second step to sign in"), null=True, blank=True
    )
    """The day from which a password alone is not enough (`second_step`); None requires nothing."""
    log_months = models.PositiveSmallIntegerField(
        _("Months for which the log is kept"),
        null=True,
        blank=True,
        validators=[MinValueValidator(1), MaxValueValidator(120)],
    )
    """The months for which the school's lines of the log are kept; None stands for `LOG_MONTHS`."""
    keeps_special_needs = models.BooleanField(
        _("Keep which classes a roster names as classes for special needs"), default=False
    )
    kinds = models.JSONField(_("Kinds of puzzles"), null=True, blank=True)
    """The names of the kinds that its classes see (`kind_choice`); None for those of the site."""

    objects: ClassVar[models.Manager[Self]] = OutsideBin()
    every: ClassVar[models.Manager[Self]] = models.Manager()

    class Meta:
        verbose_name, verbose_name_plural = _("School"), _("Schools")
        ordering = ["name", "pk"]

    def __str__(self) -> str:
        return self.name

    def get_absolute_url(self) -> str:
        return reverse("school", args=[self.pk])

    def crumb(self) -> Crumb:
        """Return the page in the breadcrumbs of the pages below it."""
        return Crumb(self.get_absolute_url(), self.name, "school_list")

    @property
    def facts(self) -> dict[str, int]:
        """What a line of the security log says of the school."""
        return {self.FIELD: self.pk}

    def own_schools(self) -> "QuerySet[School]":
        """Return the school, which alone uses what belongs to it."""
        return School.objects.filter(pk=self.pk)


Owner = School | Board
"""A school, or a board for all its schools: the owner of providers, platforms and rosters."""


def owned_by(owner: Owner) -> dict[str, Owner]:
    """Return the field of what belongs to the owner, for a filter or a new row."""
    return {owner.FIELD: owner}


class OfOwner(models.Model):
    """What belongs to a school, or to a board for all its schools.

    A model below has the fields `school` and `board`, of which one is None.
    """

    class Meta:
        abstract = True
        constraints = [
            models.CheckConstraint(
                condition=Q(school=None) ^ Q(board=None), name="%(app_label)s_%(class)s_of_one"
            )
        ]

    @property
    def owner(self) -> Owner:
        """The school or the board. Each of them has the rows' reverse relations."""
        owner: Owner = getattr(self, School.FIELD) or getattr(self, Board.FIELD)
        return owner


class SchoolAdministrator(models.Model):
    """A teacher who looks after the rosters of a school.

    This is no role in a class: an administrator sees the boards of students only in the classes
    that he or she teaches, too.
    """

    MAX_COUNT = 20
    """The most administrators of a school."""

    school = models.ForeignKey(School, on_delete=models.CASCADE, related_name="administrations")
    teacher = models.ForeignKey(
        settings.AUTH_USER_MODEL,
        on_delete=models.CASCADE,
        related_name="administrations",
        limit_choices_to={"role": "teacher", "is_active": True},
    )

    class Meta:
        verbose_name = _("Administrator")
        verbose_name_plural = _("Administrators of the school")
        constraints = [
            models.UniqueConstraint(fields=["school", "teacher"], name="administrator_once")
        ]

    def __str__(self) -> str:
        return f"{self.school}: {self.teacher}"


class SchoolTeacher(models.Model):
    """A teacher of a school, who has accepted its invitation. The row gives no right in a class."""

    school = models.ForeignKey(School, on_delete=models.CASCADE, related_name="staff")
    teacher = models.ForeignKey(
        settings.AUTH_USER_MODEL, on_delete=models.CASCADE, related_name="school_places"
    )
    joined_at = models.DateTimeField(default=timezone.now)

    class Meta:
        constraints = [
            models.UniqueConstraint(fields=["school", "teacher"], name="teacher_once_a_school")
        ]

    def __str__(self) -> str:
        return f"{self.school}: {self.teacher}"
