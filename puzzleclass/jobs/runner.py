"""Works on one job from its claim to its end. Knows no Celery: call it and it works."""

import logging
from collections.abc import Callable
from time import monotonic

from django.conf import settings
from django.db import OperationalError, connection
from msgspec.structs import replace

from puzzleclass.accounts.models import User
from puzzleclass.jobs import transitions
from puzzleclass.jobs.models import Job
from solvers.answers import Answer
from solvers.kind import PuzzleError
from solvers.message import Message
from solvers.question import Driving, Progress, Question, Run
from solvers.registry import AnyKind, get_kind

logger = logging.getLogger(__name__)

REPORT_SECONDS = 1.0

LINE_ENDS_SOLVED = {"count", "solve"}
"""The questions whose line of moves is a whole solution."""

NO_MEMORY = Message("This puzzle needs more memory than the computer has.")
BROKEN = Message("The calculation ended with an error. It has been written down for repair.")


class WrongAnswer(Exception):
    """A solver's line of moves breaks the rules, or does not end where it should."""


class StopAsked(Exception):
    """The job is to be stopped, or is another worker's by now."""


def run(pk: int) -> None:
    """Claim the job, work on it and store its end. Does nothing when it can't be claimed."""
    if job := transitions.claim(pk):
        _bring_to_its_end(job)


def run_next(queue: str, begun: Callable[[Job], None]) -> None:
    """Do the same with the job of the queue whose turn it is; nothing when none waits.

    `begun` is called with the job once it is this worker's.
    """
    if job := transitions.claim_next(queue):
        begun(job)
        _bring_to_its_end(job)


def _bring_to_its_end(job: Job) -> None:
    try:
        kind = get_kind(job.kind_slug)
        position = kind.read(job.position)
        question = kind.questions[job.question]
        answer = _work(job, question, question.ask(kind, position, **job.options))
        check(kind, position, job.question, answer)
        answer = _better(job.result, answer)
    except StopAsked:
        transitions.close(job)
    except PuzzleError as error:
        transitions.fail(job, error.message)
    except MemoryError:
        logger.exception("Job %s ran out of memory: %s", job.pk, job)
        transitions.fail(job, NO_MEMORY)
    except Exception:
        logger.exception("Job %s failed: %s", job.pk, job)
        transitions.fail(job, BROKEN)
    else:
        transitions.finish(job, answer)


def check(kind: AnyKind, position: object, question: str, answer: Answer) -> None:
    """Replay the answer's line by the rules. Raises WrongAnswer."""
    end = position
    try:
        for move in answer.moves:
            end = kind.play(end, kind.read_move(move))
    except PuzzleError as error:
        raise WrongAnswer(f"{move} in {' '.join(answer.moves)}: {error}") from error
    owes_solution = question in LINE_ENDS_SOLVED and answer.value
    if owes_solution and (answer.proven or answer.moves) and not kind.judge(end).solved:
        raise WrongAnswer(f"{' '.join(answer.moves) or 'no move'} does not end solved")


def _better(old: Answer | None, new: Answer) -> Answer:
    """Return the new answer, unless neither is proven and the old one knows a higher bound."""
    if old is None or new.proven or old.value is None:
        return new
    return old if new.value is None or new.value < old.value else new


def _work(job: Job, question: Question, run: Run[Answer]) -> Answer:
    """Run the solver to its end or to the deadline. Raises StopAsked.

    An answer that came to its end says how many `seconds` it took; a solver that has measured
    itself knows better.
    """
    start = reported = monotonic()
    for_students = not job.askers.exclude(role=User.Role.STUDENT).exists()
    seconds = settings.STUDENT_JOB_SECONDS if for_students else settings.JOB_DEADLINE_SECONDS
    driving = Driving(run, min(seconds, settings.JOB_DEADLINE_SECONDS))
    for progress in driving:
        now = monotonic()
        if now - reported >= REPORT_SECONDS:
            reported = now
            if not _report(job, progress):
                raise StopAsked
    answer = driving.result
    if answer is None:
        return driving.cut_short(question.answer)
    if not isinstance(answer, question.answer):
        raise WrongAnswer(f"{type(answer).__name__} in place of {question.answer.__name__}")
    if answer.seconds is None:
        answer = replace(answer, seconds=round(monotonic() - start, 6))
    return answer


def _report(job: Job, progress: Progress) -> bool:
    try:
        return transitions.report(job, progress)
    except OperationalError:
        # The database is away or busy for a moment. Work is not thrown away for one
        # missed heartbeat; many make the job stale, which is then somebody else's.
        logger.warning("Job %s could not report", job.pk, exc_info=True)
        connection.close()
        return True
