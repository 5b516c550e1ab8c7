"""What workers find out about attempts, and the keys of pseudonyms."""

from django.db import models

from puzzleclass.classes.models import Classroom, new_salt
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


class PseudonymKey(models.Model):
    """The key from which the pseudonyms of a class's students in xAPI statements are computed.

    A new key gives every student another pseudonym, so that older files can't be linked to newer
    ones.
    """

    classroom = models.OneToOneField(
        Classroom, on_delete=models.CASCADE, primary_key=True, related_name="pseudonym_key"
    )
    salt = models.CharField(max_length=16, default=new_salt)

    def __str__(self) -> str:
        return f"{self.classroom_id}"
