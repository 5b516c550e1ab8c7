"""Work on one job from its claim to its end. This module does not depend on Celery."""

import logging
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
from solvers.question import Execution, Progress, Question, Run
from solvers.registry import AnyKind, UnknownKind, get_kind

logger = logging.getLogger(__name__)

REPORT_SECONDS = 1.0

SOLUTION_QUESTIONS = {"count", "solve"}
"""The questions that are answered with the line of moves of a whole solution."""

NO_MEMORY = Message("This puzzle needs more memory than the computer has.")
NO_KIND = Message("The computer does not have this kind of puzzle.")
BROKEN = Message("The calculation failed. The error has been logged so that we can fix it.")


class WrongAnswer(Exception):
    """A solver's line of moves breaks the rules or does not end where it should."""


class StopAsked(Exception):
    """The job is to be stopped, or another worker holds it now."""


def run(pk: int) -> None:
    """Claim the job, work on it and store the outcome. Do nothing when it can't be claimed."""
    if job := transitions.claim(pk):
        _process(job)


def run_next(queue: str, worker: str) -> None:
    """Claim the job whose turn it is in the queue for the worker with this name, work on it and
    store the outcome. Do nothing when no job waits."""
    if job := transitions.claim_next(queue, worker):
        _process(job)


def _process(job: Job) -> None:
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
    except UnknownKind as missing:
        # The kind was uninstalled, or is installed only where the site runs.
        logger.error("Job %s: the kind “%s” is not installed on this machine", job.pk, missing)
        transitions.fail(job, NO_KIND)
    except MemoryError:
        logger.exception("Job %s ran out of memory: %s", job.pk, job)
        transitions.fail(job, NO_MEMORY)
    except Exception:
        logger.exception("Job %s failed: %s", job.pk, job)
        transitions.fail(job, BROKEN)
    else:
        transitions.finish(job, answer)


def check(kind: AnyKind, position: object, question: str, answer: Answer) -> None:
    """Replay the answer's line of moves by the rules. Raises WrongAnswer."""
    end = position
    try:
        for move in answer.moves:
            end = kind.play(end, kind.read_move(move))
    except PuzzleError as error:
        raise WrongAnswer(f"{move} in {' '.join(answer.moves)}: {error}") from error
    must_be_solution = question in SOLUTION_QUESTIONS and answer.value
    if must_be_solution and (answer.proven or answer.moves) and not kind.judge(end).solved:
        raise WrongAnswer(f"{' '.join(answer.moves) or 'no move'} does not end solved")


def _better(old: Answer | None, new: Answer) -> Answer:
    """Return the new answer, or the old one if neither is proven and the old one has a higher
    bound."""
    if old is None or new.proven or old.value is None:
        return new
    return old if new.value is None or new.value < old.value else new


def _work(job: Job, question: Question, run: Run[Answer]) -> Answer:
    """Run the solver to its end or to the deadline. Raises StopAsked.

    A complete answer states in `seconds` how long it took, unless the solver has measured the time
    itself.
    """
    start = reported = monotonic()
    for_students = not job.askers.exclude(role=User.Role.STUDENT).exists()
    seconds = settings.STUDENT_JOB_SECONDS if for_students else settings.JOB_DEADLINE_SECONDS
    execution = Execution(run, min(seconds, settings.JOB_DEADLINE_SECONDS))
    for progress in execution:
        now = monotonic()
        if now - reported >= REPORT_SECONDS:
            reported = now
            if not _report(job, progress):
                raise StopAsked
    answer = execution.result
    if answer is None:
        return execution.cut_short(question.answer)
    if not isinstance(answer, question.answer):
        raise WrongAnswer(f"{type(answer).__name__} in place of {question.answer.__name__}")
    if answer.seconds is None:
        answer = replace(answer, seconds=round(monotonic() - start, 6))
    return answer


def _report(job: Job, progress: Progress) -> bool:
    try:
        return transitions.report(job, progress)
    except OperationalError:
        # The database is busy or does not answer at this moment. Work is not thrown away for one
        # missed heartbeat. After many missed ones the job is stale, and another worker takes it.
        logger.warning("Job %s could not report", job.pk, exc_info=True)
        connection.close()
        return True
