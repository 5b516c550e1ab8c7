"""Steps that are not taken: the error, the moves that the rules forbid, and the quotas of a day."""

from datetime import datetime

from django.conf import settings
from django.db.models import F
from django.utils import timezone

from puzzleclass.assignments.pace import refusal_of
from puzzleclass.play.models import Attempt, RefusedMove, Step
from solvers.kind import Place
from solvers.message import Message

MAX_REFUSED_MOVES = 500
"""The most different refused moves that are kept for a student at one puzzle."""

HELD = 423
"""The status of a step that is refused only as long as the teacher holds the class."""

_ENOUGH_STEPS = Message("You have made a great many moves today. Please continue tomorrow.")
_ENOUGH_ATTEMPTS = Message(
    "You have started again a great many times today. Please continue tomorrow."
)


class StepRefused(Exception):
    """Raised when a step is not taken and nothing is stored. `message` tells the student why.

    `status` is the HTTP status: 400 if the step can't be read, 409 if the board takes no such step
    (it went on elsewhere, is finished, or the due date has passed), 422 if it is against the rules,
    423 if the teacher has paused or locked the board, 429 if the day's quota is used up.
    """

    def __init__(self, message: Message, status: int, place: Place | None = None) -> None:
        super().__init__(str(message))
        self.message = message
        self.status = status
        self.place = place or Place()
        """The cell at which the move failed, and the way to it."""


def refuse_while_held(attempt: Attempt) -> None:
    """Raise StepRefused if the teacher has paused the class or not opened the board yet.

    The browser keeps the step and sends it again when the lesson goes on.
    """
    if attempt.trial is None and (refusal := refusal_of(attempt.student_id, attempt.puzzle)):
        raise StepRefused(refusal, HELD)


def count_refused_move(attempt: Attempt, move: str, reason: Message, at: datetime) -> None:
    """Count a move that the rules forbid. Three queries at most.

    The moves that a class tries in vain show what it has not understood.
    """
    where = {"student_id": attempt.student_id, "puzzle_id": attempt.puzzle_id}
    same = RefusedMove.objects.filter(**where, line=attempt.line, move=move)
    if same.update(times=F("times") + 1, at=at):
        return
    if RefusedMove.objects.filter(**where).count() < MAX_REFUSED_MOVES:
        first = RefusedMove(**where, line=attempt.line, move=move, reason=reason.to_json(), at=at)
        RefusedMove.objects.bulk_create([first], ignore_conflicts=True)


def refuse_too_many_steps(student: int, at: datetime) -> None:
    """Raise StepRefused if the student has used up that day's quota of steps. One query."""
    since = _start_of_day(at)
    attempts = Attempt.objects.filter(student=student, last_at__gte=since).order_by()
    steps = Step.objects.filter(attempt__in=attempts, at__gte=since, at__lte=at)
    if steps.count() >= settings.MAX_STEPS_PER_DAY:
        raise StepRefused(_ENOUGH_STEPS, 429)


def refuse_too_many_attempts(student: int, at: datetime) -> None:
    """Raise StepRefused if the student has used up that day's quota of attempts or of steps.

    Two queries.
    """
    attempts = Attempt.objects.filter(
        student=student, started_at__gte=_start_of_day(at), started_at__lte=at
    )
    if attempts.count() >= settings.MAX_ATTEMPTS_PER_DAY:
        raise StepRefused(_ENOUGH_ATTEMPTS, 429)
    refuse_too_many_steps(student, at)


def _start_of_day(at: datetime) -> datetime:
    return timezone.localtime(at).replace(hour=0, minute=0, second=0, microsecond=0)
