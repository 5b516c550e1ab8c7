"""Begin again: close the attempt at a board, and give an untouched board in its place."""

from datetime import datetime

from django.db import transaction
from django.utils import timezone

from puzzleclass.assignments.due import is_over_for
from puzzleclass.assignments.models import AssignedPuzzle
from puzzleclass.play.attempts import latest_attempt, reloaded
from puzzleclass.play.models import Attempt
from puzzleclass.play.refusals import StepRefused, refuse_too_many_attempts, refuse_while_held
from puzzleclass.play.reviews import request_review
from puzzleclass.play.steps import TOO_LATE
from solvers.message import Message

MAX_ATTEMPTS = 1_000
"""The most attempts that a student may begin at one puzzle."""

_NEXT_FIELDS = ("failures", "failed_before", "hints_taken", "started_at", "last_at")
"""The fields of a new attempt that say what went before it, and when it begins."""

_CLOSED_FIELDS = (
    *("student_id", "puzzle_id", "number", "state", "next_step"),
    *("key", "line", "has_solved", "failures", "hints_taken"),
)

_TOO_MANY_ATTEMPTS = Message("You have started this puzzle again too many times.")


@transaction.atomic
def restart(attempt: Attempt, at: datetime | None = None) -> Attempt:
    """Close the attempt, as given up unless it is solved, and return the next one, open.

    An attempt without a step goes on as it is. If the student is already further, because the
    button was pressed twice, return the latest attempt. Raise StepRefused after the due date, or if
    the student has begun too many attempts.
    """
    at = at or timezone.now()
    if attempt.trial:
        return _restart_trial(attempt, at)
    latest = latest_attempt(attempt.student_id, attempt.puzzle) or attempt
    if latest.pk != attempt.pk or not latest.next_step:
        return latest
    refuse_while_held(latest)
    if is_over_for(latest.puzzle.assignment, latest.student_id, at):
        raise StepRefused(TOO_LATE, 409)
    if latest.number >= MAX_ATTEMPTS:
        raise StepRefused(_TOO_MANY_ATTEMPTS, 409)
    refuse_too_many_attempts(latest.student_id, at)
    closed = Attempt.objects.filter(pk=latest.pk, state=Attempt.State.OPEN).update(
        state=Attempt.State.SOLVED if latest.has_solved else Attempt.State.GIVEN_UP
    )
    if closed:
        latest = reloaded(latest)
        if not latest.has_solved:
            request_review(latest)
    elif latest.state == Attempt.State.OPEN:
        # Another window has just solved or closed the attempt.
        return latest_attempt(attempt.student_id, attempt.puzzle) or attempt
    new = latest.next(at)
    return Attempt.objects.get_or_create(
        student=attempt.student,
        puzzle=attempt.puzzle,
        number=new.number,
        defaults={field: getattr(new, field) for field in _NEXT_FIELDS},
    )[0]


@transaction.atomic
def begin_anew(puzzle: AssignedPuzzle, at: datetime) -> None:
    """Give all students who have begun the puzzle an untouched board, which is theirs from `at` on.

    Their attempts are closed as in `restart`, but without reviews, which would keep the worker busy
    while the class plays. Students who may begin no more attempts keep their board. Five queries.
    """
    rows = Attempt.objects.filter(puzzle=puzzle).order_by("number")
    latest = {each.student_id: each for each in rows.only(*_CLOSED_FIELDS)}
    closed = [each for each in latest.values() if each.next_step and each.number < MAX_ATTEMPTS]
    for each in closed:
        each.puzzle = puzzle
    untouched = [each.pk for each in latest.values() if not each.next_step]
    open_ones = rows.filter(pk__in=[each.pk for each in closed], state=Attempt.State.OPEN)
    open_ones.filter(has_solved=True).update(state=Attempt.State.SOLVED)
    open_ones.filter(has_solved=False).update(state=Attempt.State.GIVEN_UP)
    Attempt.objects.bulk_create([each.next(at) for each in closed], ignore_conflicts=True)
    Attempt.objects.filter(pk__in=untouched).update(started_at=at, last_at=at)


def _restart_trial(attempt: Attempt, at: datetime) -> Attempt:
    """Return a teacher's next attempt at the board, untouched."""
    if not attempt.next_step:
        return attempt
    new = attempt.next(at)
    new.student, new.failures, new.failed_before = attempt.student, 0, None
    new.trial, new.scores, new.taken_back = attempt.trial, attempt.scores, 0
    return new
