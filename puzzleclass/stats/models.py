"""What is found out about tries while they are played."""

from django.db import models

from puzzleclass.play.models import Attempt
from solvers.kind import split_moves


class Look(models.Model):
    """What a worker last saw of a try under way: whether its board can still be solved.

    A table of its own: a student's step must not wait for it, nor write over it.
    """

    attempt = models.OneToOneField(
        Attempt, on_delete=models.CASCADE, primary_key=True, related_name="look"
    )
    line = models.TextField()
    """The moves that stood on the board."""
    is_lost = models.BooleanField(null=True)
    """No solution was left; None where that was not decided in time."""
    since = models.PositiveIntegerField(null=True)
    """The move after which none was left, from 1; None where that is not known."""

    def __str__(self) -> str:
        return f"{self.attempt_id}: {self.is_lost}"


def still_lost(family: str, look: tuple[str, bool | None, int | None], line: str) -> bool | None:
    """Return what a look (its line, `is_lost` and `since`) says of the board with this line; None
    when nothing.

    Where moves stay, what they have lost stays lost, whatever follows.

    >>> still_lost("sequence", ("1,1 2,2", True, 1), "1,1 3,3")
    True
    >>> still_lost("sequence", ("1,1 2,2", True, 2), "1,1 3,3") is None
    True
    """
    seen, is_lost, since = look
    if seen == line:
        return is_lost
    if family == "sequence" and is_lost and since:
        kept = split_moves(seen)[:since]
        if split_moves(line)[:since] == kept:
            return True
    return None
