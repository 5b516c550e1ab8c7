"""What workers find out about attempts while they are being played."""

from django.db import models

from puzzleclass.play.models import Attempt


class Look(models.Model):
    """What a worker last found about an attempt under way: whether its board can still be solved.

    This is a table of its own because a student's step must neither wait for it nor overwrite it.
    """

    attempt = models.OneToOneField(
        Attempt, on_delete=models.CASCADE, primary_key=True, related_name="look"
    )
    line = models.TextField()
    """The moves that led to the board, as a line."""
    is_lost = models.BooleanField(null=True)
    """Whether no solution was left; None when that was not decided in time."""
    since = models.PositiveIntegerField(null=True)
    """The number of the move, from 1, after which no solution was left; None when that is not
    known."""

    def __str__(self) -> str:
        return f"{self.attempt_id}: {self.is_lost}"
