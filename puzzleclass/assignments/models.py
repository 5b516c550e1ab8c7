from django.conf import settings
from django.core.validators import MaxValueValidator
from django.db import models
from django.utils import timezone
from django.utils.translation import gettext_lazy as _

from puzzleclass.classes.models import Classroom
from puzzleclass.puzzles.models import Board, Puzzle

MOST_HINTS = 50
"""That a teacher can allow: more than anybody needs, and every one may keep a worker busy."""


class Assignment(models.Model):
    """A set of puzzles given to a class, to be solved by a date."""

    classroom = models.ForeignKey(Classroom, on_delete=models.CASCADE, related_name="assignments")
    teacher = models.ForeignKey(
        settings.AUTH_USER_MODEL, on_delete=models.PROTECT, related_name="assignments"
    )
    """It belongs to the class: who goes hands it over (`classes.account_deletion`)."""
    title = models.CharField(_("Title"), max_length=60)
    due_at = models.DateTimeField(_("Due"))
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
    created_at = models.DateTimeField(auto_now_add=True)

    class Meta:
        ordering = ["-due_at", "-pk"]

    def __str__(self) -> str:
        return self.title

    @property
    def is_over(self) -> bool:
        """The due date has passed: boards may be looked at, moves are refused."""
        return self.due_at <= timezone.now()


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
    tries: int
    """How many were begun; set by `services.with_tries` alone."""

    class Meta:
        ordering = ["number"]
        constraints = [
            models.UniqueConstraint(
                fields=["assignment", "number"], name="number_once_an_assignment"
            ),
        ]
