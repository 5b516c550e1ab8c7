"""Steps that were made without a network and arrive later: which time counts for them.

The browser says how long ago a step was made. It is believed as far as the server can bound it: a
step was made after the board was handed to this browser (the page has a signed time), after the
step before it, not in the future, and at most `MAX_AGE` ago. What is measured by a clock, such as a
challenge or a board that a class solves together, counts from its arrival (`Attempt.arrived_at`).
"""

from datetime import UTC, datetime, timedelta

from django.core.signing import BadSignature, Signer

from puzzleclass.play.forms import SentStep
from puzzleclass.play.models import Attempt

MAX_AGE = timedelta(days=7)
"""How long a board can be played without a network."""

_SIGNER = Signer(salt="puzzleclass.play.offline_steps")


def handed_out(student: int, puzzle: int, now: datetime) -> str:
    """Return the signed time at which a puzzle (pk) is handed to a browser of the student (pk)."""
    return _SIGNER.sign(f"{student}-{puzzle}-{int(now.timestamp())}")


def time_of(attempt: Attempt, sent: SentStep, now: datetime) -> datetime:
    """Return the time that counts for a step that is sent `now` as the next one of the attempt."""
    earliest = _read(attempt, sent.handed)
    if earliest is None:
        return now
    if attempt.pk:
        earliest = max(earliest, attempt.last_at)
    claimed = now - min(timedelta(milliseconds=sent.ago), MAX_AGE)
    return min(now, max(earliest, claimed))


def _read(attempt: Attempt, handed: str) -> datetime | None:
    """Return when the board was handed out; None if the text is not the server's own about it."""
    try:
        student, puzzle, at = map(int, _SIGNER.unsign(handed).split("-"))
    except (BadSignature, ValueError):
        return None
    if (student, puzzle) != (attempt.student_id, attempt.puzzle_id):
        return None
    return datetime.fromtimestamp(at, UTC)
