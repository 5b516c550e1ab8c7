from datetime import UTC, datetime
from typing import Any
from zlib import crc32

from django.conf import settings
from django.core.validators import MaxValueValidator
from django.db import models
from django.db.models import Q
from django.urls import reverse
from django.utils import timezone
from django.utils.translation import gettext_lazy as _

from puzzleclass.assignments.lesson_models import Attendance, Pace  # noqa: F401  (models of this app)
from puzzleclass.assignments.reflections import Reflection  # noqa: F401  (a model of this app)
from puzzleclass.classes.models import Classroom, Group
from puzzleclass.database.bin import Deletable, OutsideBin
from puzzleclass.puzzles.models import READING_LENGTH, Board, Puzzle, fingerprint
from puzzleclass.templating.crumbs import Crumb

MAX_HINTS = 50
"""The most hints that a teacher can allow, more than anybody needs.

Their number is limited because each hint may keep a worker busy.
"""

NEVER_DUE = datetime(2999, 12, 31, tzinfo=UTC)
"""The due date of an open gallery."""


class Terms(models.Model):
    """The instructions and the help that students get with a set of puzzles."""

    title = models.CharField(_("Title"), max_length=60)
    reading = models.CharField(
        _("Reading of the title"), max_length=READING_LENGTH, blank=True, default=""
    )
    """The title in kana, which students who read with furigana see above it."""
    instructions = models.TextField(
        _("Instructions for students"), blank=True, default="", max_length=1000
    )
    shows_total = models.BooleanField(
        _("Show students the number of solutions and the best possible score"), default=True
    )
    shades = models.BooleanField(default=False)
    """Whether boards show the `Shading` of their kind."""
    warns = models.BooleanField(
        _("After every move, show whether the puzzle can still be solved"), default=False
    )
    hints = models.PositiveSmallIntegerField(
        _("Hints for each student at each puzzle"),
        default=3,
        validators=[MaxValueValidator(MAX_HINTS)],
    )

    class Meta:
        abstract = True

    def __str__(self) -> str:
        return self.title

    @property
    def terms(self) -> dict[str, object]:
        """The values of the terms by field, for another set of puzzles."""
        return {field.name: getattr(self, field.name) for field in Terms._meta.local_fields}


class Assignments(models.QuerySet["Assignment"]):
    """A query set of assignments."""

    def shown(self, at: Any = None) -> "Assignments":
        """Return the assignments that students see: those that are published and have started by
        the time `at`, by default now."""
        started = Q(starts_at=None) | Q(starts_at__lte=at or timezone.now())
        return self.filter(started, is_draft=False)

    def counted(self, *, gallery: bool = False) -> "Assignments":
        """Return the assignments that count on pages and in files about a class or a student.

        Those are the assignments that students see, and with `gallery` the galleries, too. Practice
        and what is in the bin never count; the manager leaves them out.
        """
        visible = self.shown()
        return visible if gallery else visible.filter(is_gallery=False)


class TeacherAssignments(models.Manager["Assignment"]):
    """The manager of the assignments that teachers have made.

    The practice of classes and what is in the bin are left out.
    """

    def get_queryset(self) -> Assignments:
        assignments = Assignments(self.model, using=self._db)
        return assignments.filter(is_practice=False, deleted_at=None)


def outside_bin(assignment: str) -> Q:
    """Return the condition that the assignment at this path is not in the bin."""
    return Q(**{f"{assignment}__deleted_at": None})


class Assignment(Terms, Deletable):
    """A set of puzzles assigned to a class, or to some of its students, to be solved by a date."""

    class Dealing(models.TextChoices):
        """Which students get which boards. The module `dealing` has the rules."""

        ALL = "all", _("Give all puzzles to everyone")
        EACH = "each", _("Give each student one puzzle, different from their neighbours'")
        STAIRCASE = "staircase", _("A staircase: how a board went decides which one comes next")

    TOGETHER = 0
    """The value of `wanted` with which the class looks for all solutions together."""
    MAX_WANTED = 99

    classroom = models.ForeignKey(Classroom, on_delete=models.CASCADE, related_name="assignments")
    teacher = models.ForeignKey(
        settings.AUTH_USER_MODEL, on_delete=models.PROTECT, related_name="assignments"
    )
    """The teacher who made the assignment.

    It belongs to the class: a teacher whose account is deleted hands it over
    (`classes.account_deletion`).
    """
    starts_at = models.DateTimeField(_("Start"), null=True, blank=True)
    """The time from which students see the assignment; None if they see it at once."""
    due_at = models.DateTimeField(_("Due"))
    late_until = models.DateTimeField(_("Late work until"), null=True, blank=True)
    """The time until which work is accepted after the due date; None if none is."""
    is_draft = models.BooleanField(
        _("A draft: students don't see it until it is published"), default=False
    )
    is_withdrawn = models.BooleanField(default=False, editable=False)
    """Whether students saw the assignment before a teacher made it a draft again or put off its
    start."""
    dealing = models.CharField(_("Boards"), max_length=10, choices=Dealing, default=Dealing.ALL)
    wanted = models.PositiveSmallIntegerField(default=1)
    """The number of different solutions that a student has to find of each puzzle, or `TOGETHER`.
    """
    for_some = models.BooleanField(default=False, editable=False)
    """Whether the assignment is only for students who have a `Part` in it."""
    is_gallery = models.BooleanField(default=False, editable=False)
    """Whether this is the class's gallery.

    It grows as students' puzzles are approved, and is due when the teacher closes it.
    """
    is_practice = models.BooleanField(default=False, editable=False)
    """Whether this holds what the class's students practise by themselves.

    Boards are added as they are begun. It stands in no list, and no table counts it.
    """
    created_at = models.DateTimeField(auto_now_add=True)

    objects = TeacherAssignments.from_queryset(Assignments)()
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

    def get_absolute_url(self) -> str:
        return reverse("assignment", args=[self.pk])

    def crumb(self) -> Crumb:
        """Return the page in the breadcrumbs of the pages below it."""
        return Crumb(self.get_absolute_url(), self.title, self.classroom)

    @property
    def students_page(self) -> str:
        """The URL name of the page on which students find the assignment."""
        return "gallery" if self.is_gallery else "practice" if self.is_practice else "home"

    @property
    def is_shown(self) -> bool:
        """Whether students see the assignment: it is published, has started and is not deleted."""
        has_started = self.starts_at is None or self.starts_at <= timezone.now()
        return has_started and not self.is_draft and self.deleted_at is None

    @property
    def was_taken_back(self) -> bool:
        """Whether students saw the assignment once and see it no more."""
        if self.deleted_at is None or self.is_withdrawn:
            return self.is_withdrawn and not self.is_shown
        had_started = self.starts_at is None or self.starts_at <= self.deleted_at
        return had_started and not self.is_draft

    @property
    def closes_at(self) -> datetime:
        """When the last moves are accepted of students without a due date of their own."""
        return max(self.due_at, self.late_until or self.due_at)

    @property
    def takes_late_work(self) -> bool:
        """Whether the due date has passed, and late work is accepted."""
        return self.due_at <= timezone.now() < self.closes_at

    @property
    def is_over(self) -> bool:
        """Whether moves are refused, but of students with a due date of their own
        (`due.is_over_for`). Boards may still be viewed."""
        return self.closes_at <= timezone.now()


class WrittenPuzzles(models.QuerySet["WrittenPuzzle"]):
    """A query set of puzzles that students have written."""

    def editable(self) -> "WrittenPuzzles":
        """Return the puzzles that can be changed because nobody but the author sees them.

        They are drafts, puzzles that were sent back, and puzzles whose gallery has been deleted.
        """
        unsubmitted = Q(state__in=(WrittenPuzzle.State.DRAFT, WrittenPuzzle.State.RETURNED))
        return self.filter(unsubmitted | Q(state=WrittenPuzzle.State.SHOWN, shown_as=None))


class WrittenPuzzle(Board):
    """A puzzle that a student has written and takes along into other classes.

    Nobody but the author sees it until it is handed in, and no other student until it is approved.
    """

    MAX_COUNT = 30
    """The most puzzles of one student, including those in galleries."""

    class State(models.TextChoices):
        DRAFT = "draft", _("Draft")
        WAITING = "waiting", _("Waiting for the teacher")
        SHOWN = "shown", _("Shown in the gallery")
        RETURNED = "returned", _("Changes wanted")

    author = models.ForeignKey(
        settings.AUTH_USER_MODEL, on_delete=models.CASCADE, related_name="written_puzzles"
    )
    classroom = models.ForeignKey(
        Classroom, on_delete=models.SET_NULL, null=True, related_name="written_puzzles"
    )
    """The class to whose gallery the puzzle was handed in last."""
    state = models.CharField(max_length=10, choices=State, default=State.DRAFT)
    word = models.CharField(_("A message to the author"), max_length=300, blank=True)
    """The teacher's message when the puzzle was sent back."""
    changed_at = models.DateTimeField(auto_now=True)

    objects = WrittenPuzzles.as_manager()

    class Meta:
        ordering = ["-changed_at", "-pk"]
        indexes = [models.Index(fields=["classroom", "state"], name="handed_in")]

    def get_absolute_url(self) -> str:
        return reverse("written", args=[self.pk])

    def crumb(self) -> Crumb:
        """Return the page in the breadcrumbs of the pages below it."""
        return Crumb(self.get_absolute_url(), self.title, "gallery")

    @property
    def trial_name(self) -> str:
        """The name of the author's own attempt at the puzzle (`play.trial`)."""
        return f"written-{self.pk}"

    @property
    def mark(self) -> str:
        """A checksum of title and board, which shows that the approved puzzle is the one seen."""
        return f"{crc32(f'{self.title} {self.position}'.encode()):x}"

    @property
    def is_editable(self) -> bool:
        """Whether the author can change the puzzle, because nobody else sees it.

        One query, unless `shown_as` has been read already.
        """
        is_shown = self.state == self.State.SHOWN and hasattr(self, "shown_as")
        return self.state != self.State.WAITING and not is_shown


class AssignedPuzzle(Board):
    """A copy of a puzzle as it was when it was assigned.

    Because it is a copy, later changes to the library do not move the stones under the students'
    hands.
    """

    assignment = models.ForeignKey(Assignment, on_delete=models.CASCADE, related_name="puzzles")
    number = models.PositiveSmallIntegerField()
    puzzle = models.ForeignKey(
        Puzzle, on_delete=models.SET_NULL, null=True, related_name="assigned"
    )
    written = models.OneToOneField(
        WrittenPuzzle, on_delete=models.CASCADE, null=True, related_name="shown_as"
    )
    """The student's puzzle that the board shows in a gallery. The board is deleted with it."""
    fingerprint = models.CharField(max_length=64, default="", editable=False)
    """The hash by which equal boards are found."""

    attempt_count: int
    """The number of attempts that were begun. Only `services.with_attempt_counts` sets it."""

    class Meta:
        ordering = ["number"]
        constraints = [
            models.UniqueConstraint(
                fields=["assignment", "number"], name="number_once_an_assignment"
            )
        ]
        indexes = [models.Index(fields=["fingerprint"], name="assigned_alike")]

    def save(self, *args: Any, **kwargs: Any) -> None:
        """Save the board with its fingerprint. A board never changes after it was assigned."""
        self.fingerprint = fingerprint(self.kind_slug, self.position)
        super().save(*args, **kwargs)

    def get_absolute_url(self) -> str:
        return reverse("found", args=[self.pk])

    def crumb(self) -> Crumb:
        """Return the page in the breadcrumbs of the pages below it."""
        return Crumb(self.get_absolute_url(), self.title, self.assignment)

    @property
    def trial_name(self) -> str:
        """The name of a teacher's own attempt at the board (`play.trial`)."""
        return f"given-{self.pk}"


class Part(models.Model):
    """A student's part in an assignment that is for some students or deals out its boards."""

    assignment = models.ForeignKey(Assignment, on_delete=models.CASCADE, related_name="parts")
    student = models.ForeignKey(
        settings.AUTH_USER_MODEL, on_delete=models.CASCADE, related_name="parts"
    )
    puzzle = models.ForeignKey(
        AssignedPuzzle, on_delete=models.SET_NULL, null=True, related_name="+"
    )
    """The board that was dealt to the student, if each student gets one."""

    class Meta:
        constraints = [
            models.UniqueConstraint(fields=["assignment", "student"], name="one_part_each")
        ]

    def __str__(self) -> str:
        return f"{self.student_id} {self.assignment_id}: {self.puzzle_id}"


class OwnDue(models.Model):
    """A due date of one student or one group, later than that of the class (`due`)."""

    assignment = models.ForeignKey(Assignment, on_delete=models.CASCADE, related_name="own_dues")
    student = models.ForeignKey(
        settings.AUTH_USER_MODEL, on_delete=models.CASCADE, null=True, related_name="own_dues"
    )
    group = models.ForeignKey(Group, on_delete=models.CASCADE, null=True, related_name="own_dues")
    due_at = models.DateTimeField()
    by = models.ForeignKey(
        settings.AUTH_USER_MODEL, on_delete=models.SET_NULL, null=True, related_name="+"
    )
    """The teacher who set it."""
    at = models.DateTimeField(auto_now=True)

    class Meta:
        constraints = [
            models.UniqueConstraint(fields=["assignment", "student"], name="one_due_a_student"),
            models.UniqueConstraint(fields=["assignment", "group"], name="one_due_a_group"),
            models.CheckConstraint(
                condition=Q(student=None) ^ Q(group=None), name="due_of_student_or_group"
            ),
        ]

    def __str__(self) -> str:
        return f"{self.assignment_id} {self.student_id or self.group_id}: {self.due_at}"


class StairStep(models.Model):
    """A student's step from one board of a staircase to another."""

    class Outcome(models.TextChoices):
        """How the student did at the board before the step."""

        ALONE = "alone", _("Solved without a hint")
        HELPED = "helped", _("Solved with hints")
        LEFT = "left", _("Not solved")

    assignment = models.ForeignKey(Assignment, on_delete=models.CASCADE, related_name="stair_steps")
    student = models.ForeignKey(
        settings.AUTH_USER_MODEL, on_delete=models.CASCADE, related_name="stair_steps"
    )
    number = models.PositiveSmallIntegerField()
    puzzle = models.ForeignKey(AssignedPuzzle, on_delete=models.CASCADE, related_name="+")
    """The board that the step leads to."""
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


class Template(Terms, Deletable):
    """A set of puzzles with its terms, kept to be assigned again and again."""

    MAX_COUNT = 100
    """The most templates of one teacher."""

    owner = models.ForeignKey(
        settings.AUTH_USER_MODEL, on_delete=models.CASCADE, related_name="templates"
    )

    objects = OutsideBin["Template"]()
    every = models.Manager["Template"]()

    class Meta:
        ordering = ["title", "pk"]


class TemplatePuzzle(Board):
    """A copy of a puzzle as it was when the template was made."""

    template = models.ForeignKey(Template, on_delete=models.CASCADE, related_name="puzzles")
    number = models.PositiveSmallIntegerField()
    puzzle = models.ForeignKey(Puzzle, on_delete=models.SET_NULL, null=True, related_name="+")

    class Meta:
        ordering = ["number"]
