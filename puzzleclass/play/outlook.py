"""The outlook on a student's board: told after every step, where the teacher allows it."""

from puzzleclass.play.models import Attempt
from puzzleclass.puzzles.lookahead import LookAhead, ask_lookahead, has_lookahead, lookahead_of


def told_outlook(attempt: Attempt) -> LookAhead | None:
    """Return what is known of the open board, None where it is not to be told. One query."""
    if not _is_told(attempt):
        return None
    return lookahead_of(attempt.puzzle.kind_slug, attempt.position_text)


def look_ahead(attempt: Attempt, step: int) -> LookAhead | None:
    """Return the same for the board before step number `step`, having the worker asked if need be.

    None where it is not to be told, or the board has gone on since.
    """
    if not _is_told(attempt) or attempt.next_step != step:
        return None
    return ask_lookahead(attempt.student, attempt.puzzle.kind_slug, attempt.position_text)


def _is_told(attempt: Attempt) -> bool:
    assignment = attempt.puzzle.assignment
    is_open = attempt.state == Attempt.State.OPEN and not assignment.is_over
    return assignment.warns and is_open and has_lookahead(attempt.puzzle.kind_slug)
