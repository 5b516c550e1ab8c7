from datetime import date, timedelta

from django.conf import settings
from django.db import models
from django.utils import timezone
from django.utils.functional import cached_property

from puzzleclass.assignments.models import AssignedPuzzle
from solvers.kind import split_moves
from solvers.picture import Picture
from solvers.registry import AnyKind


class MadeBoard(models.Model):
    """A practice board that the worker has made. The stock of each level is bounded."""

    kind_slug = models.SlugField(max_length=40)
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

    kind_slug = models.SlugField(max_length=40, primary_key=True)
    turn = models.PositiveIntegerField(default=0)
    """The number of the current order, which tells the order and the seed. It is never reset."""

    def __str__(self) -> str:
        return f"{self.kind_slug}: {self.turn}"


class StoredSkill(models.Model):
    """The estimate of a student's skill at a kind (`skill.Skill`), by which boards are chosen.

    It is private: no page, table or file of a class shows it, and nobody is compared by it. It is
    part of the export of everything that is stored about the student, and is deleted with them.
    """

    student = models.ForeignKey(
        settings.AUTH_USER_MODEL, on_delete=models.CASCADE, related_name="skills"
    )
    kind_slug = models.SlugField(max_length=40)
    value = models.FloatField()
    results = models.PositiveIntegerField()

    class Meta:
        constraints = [
            models.UniqueConstraint(fields=["student", "kind_slug"], name="one_skill_a_kind")
        ]

    def __str__(self) -> str:
        return f"{self.student_id} {self.kind_slug}"


class PathPlace(models.Model):
    """Where a student is in the worlds of a kind. Only boards opened from a world move it."""

    student = models.ForeignKey(
        settings.AUTH_USER_MODEL, on_delete=models.CASCADE, related_name="path_places"
    )
    kind_slug = models.SlugField(max_length=40)
    position = models.TextField()
    """The board that was opened last from a world."""
    at = models.DateTimeField(default=timezone.now)
    asked = models.JSONField(default=list, blank=True)
    """The levels of the worlds to which the student was invited. Nobody is asked twice."""

    class Meta:
        ordering = ["at", "pk"]
        constraints = [
            models.UniqueConstraint(fields=["student", "kind_slug"], name="one_place_a_kind")
        ]

    def __str__(self) -> str:
        return f"{self.student_id} {self.kind_slug}: {self.position}"


class ReturningPosition(models.Model):
    """The last solvable position of an attempt that was lost, which returns some days later.

    There is one for each student and board, of the latest attempt that was lost there.
    """

    DAYS = (1, 4, 10)
    """The days after which the position returns: after the loss, and after each solution."""

    student = models.ForeignKey(
        settings.AUTH_USER_MODEL, on_delete=models.CASCADE, related_name="returning_positions"
    )
    puzzle = models.ForeignKey(
        AssignedPuzzle, on_delete=models.CASCADE, related_name="returning_positions"
    )
    line = models.TextField()
    """The moves of the attempt that was lost."""
    kept = models.PositiveIntegerField(null=True)
    """The number of moves before the one that lost; None until the review of the line tells it."""
    stage = models.PositiveSmallIntegerField(default=0)
    """How often the position has been solved since it was lost."""
    due_on = models.DateField(null=True)
    """The day from which it is shown; None once it has been solved after the last interval."""

    class Meta:
        ordering = ["due_on", "pk"]
        constraints = [
            models.UniqueConstraint(fields=["student", "puzzle"], name="one_position_a_board")
        ]

    def __str__(self) -> str:
        return f"{self.student_id} {self.puzzle_id}: {self.due_on}"

    @property
    def kind(self) -> AnyKind:
        return self.puzzle.kind

    @cached_property
    def beginning(self) -> object:
        """The position at which the board begins."""
        line = " ".join(split_moves(self.line)[: self.kept])
        return self.puzzle.after(line)

    @property
    def picture(self) -> Picture:
        """The position at which the board begins, as it is drawn."""
        return self.kind.draw(self.beginning)

    def move_on(self, today: date, *, is_solved: bool) -> bool:
        """Set the next day on which the position returns. Return False if it was not due.

        The position that was solved returns after the next interval; one that was lost begins with
        the first again. Only the first result of a day counts, also if two windows send one each.
        """
        stage = self.stage + 1 if is_solved else 0
        is_over = stage == len(self.DAYS)
        due_on = None if is_over else today + timedelta(days=self.DAYS[stage])
        due = ReturningPosition.objects.filter(pk=self.pk, stage=self.stage, due_on__lte=today)
        if not due.update(stage=stage, due_on=due_on):
            return False
        self.stage, self.due_on = stage, due_on
        return True
