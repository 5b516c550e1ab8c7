"""The outlook on a student's board: told after every step, where the teacher allows it."""

from puzzleclass.outlook import Outlook, ask_outlook, has_outlook, outlook_of
from puzzleclass.play.models import Attempt


def told_outlook(attempt: Attempt) -> Outlook | None:
    """Return what is known of the open board, None where it is not to be told. One query."""
    if not _is_told(attempt):
        return None
    return outlook_of(attempt.puzzle.kind_slug, attempt.position_text)


def look_ahead(attempt: Attempt, step: int) -> Outlook | None:
    """Return the same for the board before step number `step`, having the worker asked if need be.

    None where it is not to be told, or the board has gone on since.
    """
    if not _is_told(attempt) or attempt.next_step != step:
        return None
    return ask_outlook(attempt.student, attempt.puzzle.kind_slug, attempt.position_text)


def _is_told(attempt: Attempt) -> bool:
    assignment = attempt.puzzle.assignment
    is_open = attempt.state == Attempt.State.OPEN and not assignment.is_over
    return assignment.warns and is_open and has_outlook(attempt.puzzle.kind_slug)
