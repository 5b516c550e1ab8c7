from datetime import UTC, datetime
from zlib import crc32

from django.conf import settings
from django.core.validators import MaxValueValidator
from django.db import models
from django.db.models import Q
from django.utils import timezone
from django.utils.translation import gettext_lazy as _

from puzzleclass.classes.models import Classroom
from puzzleclass.puzzles.models import Board, Puzzle

MOST_HINTS = 50
"""That a teacher can allow: more than anybody needs, and every one may keep a worker busy."""

NEVER_DUE = datetime(2999, 12, 31, tzinfo=UTC)
"""When an open gallery is due."""


class Terms(models.Model):
    """What students are told and helped with, wherever puzzles are given."""

    title = models.CharField(_("Title"), max_length=60)
    instructions = models.TextField(
        _("Instructions to the students"), blank=True, default="", max_length=1000
    )
    shows_total = models.BooleanField(
        _("Tell the students how many solutions there are, and the best possible score"),
        default=True,
    )
    shades = models.BooleanField(default=False)
    """Boards show what their kind has a `Shading` for."""
    warns = models.BooleanField(
        _("Say after every step whether the puzzle can still be solved"), default=False
    )
    hints = models.PositiveSmallIntegerField(
        _("Hints for each student at each puzzle"),
        default=3,
        validators=[MaxValueValidator(MOST_HINTS)],
    )

    class Meta:
        abstract = True

    def __str__(self) -> str:
        return self.title

    @property
    def terms(self) -> dict[str, object]:
        """Field -> value, as another set of puzzles can have them."""
        return {field.name: getattr(self, field.name) for field in Terms._meta.local_fields}


class Assignments(models.QuerySet["Assignment"]):
    """Reads assignments."""

    def shown(self) -> "Assignments":
        """Return those that students see: published and begun."""
        return self.filter(Q(starts_at=None) | Q(starts_at__lte=timezone.now()), is_draft=False)


class GivenAssignments(models.Manager["Assignment"]):
    """What teachers have given: a class's practice is none of it."""

    def get_queryset(self) -> Assignments:
        return Assignments(self.model, using=self._db).filter(is_practice=False)


class Assignment(Terms):
    """A set of puzzles given to a class, or to some of it, to be solved by a date."""

    class Dealing(models.TextChoices):
        """Who gets which of the boards; `dealing` has the rules."""

        ALL = "all", _("Everybody gets all boards")
        EACH = "each", _("Everybody gets one of them, neighbours different ones")
        STAIRCASE = "staircase", _("A staircase: how a board went decides which one comes next")

    TOGETHER = 0
    """In `wanted`: the class looks for all solutions together."""
    MOST_WANTED = 99

    classroom = models.ForeignKey(Classroom, on_delete=models.CASCADE, related_name="assignments")
    teacher = models.ForeignKey(
        settings.AUTH_USER_MODEL, on_delete=models.PROTECT, related_name="assignments"
    )
    """It belongs to the class: who goes hands it over (`classes.account_deletion`)."""
    starts_at = models.DateTimeField(_("Start"), null=True, blank=True)
    """Before it students see nothing; without one they see it at once."""
    due_at = models.DateTimeField(_("Due"))
    is_draft = models.BooleanField(
        _("A draft: students don't see it until it is published"), default=False
    )
    dealing = models.CharField(_("Boards"), max_length=10, choices=Dealing, default=Dealing.ALL)
    wanted = models.PositiveSmallIntegerField(default=1)
    """Different solutions that a student is to find of each puzzle, or `TOGETHER`."""
    for_some = models.BooleanField(default=False, editable=False)
    """Only for those students who have a `Part` in it."""
    is_gallery = models.BooleanField(default=False, editable=False)
    """The class's gallery: it grows as puzzles of students are approved, and is due when the
    teacher closes it."""
    is_practice = models.BooleanField(default=False, editable=False)
    """What the class's students practise by themselves: boards come to it as they are begun. It
    stands in no list, and no table counts it."""
    created_at = models.DateTimeField(auto_now_add=True)

    objects = GivenAssignments.from_queryset(Assignments)()
    every = models.Manager["Assignment"]()

    class Meta:
        ordering = ["-due_at", "-pk"]
        constraints = [
            models.UniqueConstraint(
                fields=["classroom"], condition=Q(is_practice=True), name="one_practice_a_class"
            ),
            models.UniqueConstraint(
                fields=["classroom"], condition=Q(is_gallery=True), name="one_gallery_a_class"
            ),
        ]

    @property
    def is_shown(self) -> bool:
        """As `Assignments.shown` has it."""
        return not self.is_draft and (self.starts_at is None or self.starts_at <= timezone.now())

    @property
    def is_over(self) -> bool:
        """The due date has passed: boards may be looked at, moves are refused."""
        return self.due_at <= timezone.now()


class WrittenPuzzles(models.QuerySet["WrittenPuzzle"]):
    """Reads what students have written."""

    def editable(self) -> "WrittenPuzzles":
        """Return those that nobody else sees, also because their gallery is gone."""
        kept = Q(state__in=(WrittenPuzzle.State.DRAFT, WrittenPuzzle.State.RETURNED))
        return self.filter(kept | Q(state=WrittenPuzzle.State.SHOWN, shown_as=None))


class WrittenPuzzle(Board):
    """A puzzle that a student has written. It is the student's, and goes along into other classes.

    Nobody but the author sees it until it is handed in, and no student until it is approved.
    """

    MOST = 30
    """Of one student, those in galleries included."""

    class State(models.TextChoices):
        DRAFT = "draft", _("Draft")
        WAITING = "waiting", _("Waiting for the teacher")
        SHOWN = "shown", _("In the gallery")
        RETURNED = "returned", _("Sent back")

    author = models.ForeignKey(
        settings.AUTH_USER_MODEL, on_delete=models.CASCADE, related_name="written_puzzles"
    )
    classroom = models.ForeignKey(
        Classroom, on_delete=models.SET_NULL, null=True, related_name="written_puzzles"
    )
    """The class to whose gallery it was handed in last."""
    state = models.CharField(max_length=10, choices=State, default=State.DRAFT)
    word = models.CharField(_("A word to the author"), max_length=300, blank=True)
    """What the teacher said when sending it back."""
    changed_at = models.DateTimeField(auto_now=True)

    objects = WrittenPuzzles.as_manager()

    class Meta:
        ordering = ["-changed_at", "-pk"]
        indexes = [models.Index(fields=["classroom", "state"], name="handed_in")]

    @property
    def mark(self) -> str:
        """A short name of title and board: who approves it has seen just this."""
        return f"{crc32(f'{self.title} {self.position}'.encode()):x}"

    @property
    def is_editable(self) -> bool:
        """As `editable` has it. One query unless what it is shown as has been read, too."""
        is_shown = self.state == self.State.SHOWN and hasattr(self, "shown_as")
        return self.state != self.State.WAITING and not is_shown


class AssignedPuzzle(Board):
    """A puzzle as it was when it was given out.

    A copy: what the teacher does to the library afterwards doesn't move the stones
    under the students' hands.
    """

    assignment = models.ForeignKey(Assignment, on_delete=models.CASCADE, related_name="puzzles")
    number = models.PositiveSmallIntegerField()
    puzzle = models.ForeignKey(
        Puzzle, on_delete=models.SET_NULL, null=True, related_name="assigned"
    )
    written = models.OneToOneField(
        WrittenPuzzle, on_delete=models.CASCADE, null=True, related_name="shown_as"
    )
    """Of a gallery: what the author has written. The board goes when that goes."""

    tries: int
    """How many were begun; set by `services.with_tries` alone."""

    class Meta:
        ordering = ["number"]
        constraints = [
            models.UniqueConstraint(
                fields=["assignment", "number"], name="number_once_an_assignment"
            )
        ]

    @property
    def trial_name(self) -> str:
        """What a teacher's own try at it is called (`play.trial`)."""
        return f"given-{self.pk}"


class Part(models.Model):
    """A student's part in an assignment that is for some only, or that deals out its boards."""

    assignment = models.ForeignKey(Assignment, on_delete=models.CASCADE, related_name="parts")
    student = models.ForeignKey(
        settings.AUTH_USER_MODEL, on_delete=models.CASCADE, related_name="parts"
    )
    puzzle = models.ForeignKey(
        AssignedPuzzle, on_delete=models.SET_NULL, null=True, related_name="+"
    )
    """The board that was dealt, where each gets one."""

    class Meta:
        constraints = [
            models.UniqueConstraint(fields=["assignment", "student"], name="one_part_each")
        ]

    def __str__(self) -> str:
        return f"{self.student_id} {self.assignment_id}: {self.puzzle_id}"


class StairStep(models.Model):
    """A student's step from one board of a staircase to another."""

    class Outcome(models.TextChoices):
        """How the board before it went."""

        ALONE = "alone", _("Solved without a hint")
        HELPED = "helped", _("Solved with hints")
        LEFT = "left", _("Not solved")

    assignment = models.ForeignKey(Assignment, on_delete=models.CASCADE, related_name="stair_steps")
    student = models.ForeignKey(
        settings.AUTH_USER_MODEL, on_delete=models.CASCADE, related_name="stair_steps"
    )
    number = models.PositiveSmallIntegerField()
    puzzle = models.ForeignKey(AssignedPuzzle, on_delete=models.CASCADE, related_name="+")
    """The board that it leads to."""
    outcome = models.CharField(max_length=10, choices=Outcome)
    at = models.DateTimeField(default=timezone.now)

    class Meta:
        constraints = [
            models.UniqueConstraint(
                fields=["assignment", "student", "number"], name="stair_step_once"
            )
        ]

    def __str__(self) -> str:
        return f"{self.student_id} {self.number}: {self.puzzle_id}"


class Template(Terms):
    """A set of puzzles with its terms, kept to be given again and again."""

    MOST = 100
    """Of one teacher."""

    owner = models.ForeignKey(
        settings.AUTH_USER_MODEL, on_delete=models.CASCADE, related_name="templates"
    )

    class Meta:
        ordering = ["title", "pk"]


class TemplatePuzzle(Board):
    """A puzzle as it was when the template was made."""

    template = models.ForeignKey(Template, on_delete=models.CASCADE, related_name="puzzles")
    number = models.PositiveSmallIntegerField()
    puzzle = models.ForeignKey(Puzzle, on_delete=models.SET_NULL, null=True, related_name="+")

    class Meta:
        ordering = ["number"]
