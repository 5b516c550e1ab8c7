"""Work on one job from its claim to its end. This module does not depend on Celery."""

import logging
from time import monotonic

from django.conf import settings
from django.db import OperationalError, connection
from msgspec.structs import replace

from puzzleclass.accounts.models import User
from puzzleclass.jobs import transitions
from puzzleclass.jobs.models import Job
from puzzleclass.jobs.workers import LIVE_QUEUE, LIVE_SECONDS
from solvers.answers import Answer
from solvers.kind import PuzzleError
from solvers.message import Message
from solvers.question import Execution, Progress, Question, Run
from solvers.registry import AnyKind, UnknownKind, get_kind

logger = logging.getLogger(__name__)

REPORT_SECONDS = 1.0

GUEST_SECONDS = 15.0
"""Seconds that a guest (see `Guests`) has. One that needs longer goes back into its queue."""

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


class GivesWay(Exception):
    """The job has had the time of a guest."""


class Guests:
    """The jobs of a queue on which a worker works between two steps of a longer job.

    The longer job has at least half of the time, and `seconds` before the first guest and between
    two guests. Its search stands still meanwhile and nothing of it is lost.
    """

    def __init__(self, queue: str, worker: str, seconds: float) -> None:
        self.queue, self.worker, self.seconds = queue, worker, seconds
        self._next_at = monotonic() + seconds

    def serve(self, host: "_Reports") -> None:
        """Work on one job, unless none waits or the longer job, the host, has its time."""
        began = monotonic()
        if began < self._next_at:
            return
        try:
            if job := transitions.claim_next(self.queue, self.worker, unbegun=True):
                _process(job, host=host)
        except Exception:
            logger.exception("A guest of job %s failed", host.job.pk)
            connection.close()
        ended = monotonic()
        self._next_at = ended + max(self.seconds, ended - began)


def run_next(queue: str, worker: str, guests: Guests | None = None) -> None:
    """Claim the job whose turn it is in the queue for the worker with this name, work on it, and
    between its steps on `guests`, and store the outcome. Do nothing when no job waits."""
    if job := transitions.claim_next(queue, worker):
        _process(job, guests)


def _process(job: Job, guests: Guests | None = None, host: "_Reports | None" = None) -> None:
    try:
        kind = get_kind(job.kind_slug)
        position = kind.read(job.position)
        question = kind.questions[job.question]
        run = question.ask(kind, position, **job.options)
        answer = _work(job, question, run, guests, host)
        check(kind, position, job.question, answer)
        answer = _better(job.result, answer)
    except StopAsked:
        transitions.close(job)
    except GivesWay:
        if not transitions.give_way(job):
            transitions.close(job)
    except PuzzleError as error:
        transitions.fail(job, error.message)
    except UnknownKind as missing:
        # The kind was uninstalled, or is installed only where the site runs.
        logger.error("Job %s: the kind “%s” is not installed on this machine", job.pk, missing)
        transitions.fail(job, NO_KIND)
    except MemoryError:
        # The memory of a guest is what its host has left over. It waits, to run by itself.
        if host is not None and transitions.give_way(job):
            logger.warning("Job %s found no memory beside job %s", job.pk, host.job.pk)
            return
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


class _Reports:
    """The signs of life of a job, and those of its host if it is a guest."""

    def __init__(self, job: Job, host: "_Reports | None" = None) -> None:
        self.job, self._host = job, host
        self._reported = monotonic()
        self._progress = Progress(0, 0)
        self.is_lost = False
        """Whether the job is to be stopped, or another worker holds it now."""

    def add(self, progress: Progress) -> None:
        """Take what a step of the job reports."""
        self._progress = progress
        self.send()

    def send(self) -> None:
        """Store the latest report and a sign of life, at most once a second."""
        now = monotonic()
        if now - self._reported >= REPORT_SECONDS:
            self._reported = now
            self.is_lost |= not _report(self.job, self._progress)
        if self._host:
            self._host.send()


def _work(
    job: Job,
    question: Question,
    run: Run[Answer],
    guests: Guests | None = None,
    host: _Reports | None = None,
) -> Answer:
    """Run the solver to its end or to the deadline. Raises StopAsked, and GivesWay if the job is a
    guest and needs too long.

    A complete answer states in `seconds` how long it took, unless the solver has measured the time
    itself.
    """
    start = monotonic()
    reports = _Reports(job, host)
    execution = Execution(run, _seconds(job))
    for progress in execution:
        reports.add(progress)
        if guests and not reports.is_lost:
            guests.serve(reports)
        if reports.is_lost:
            raise StopAsked
        if host and monotonic() - start > GUEST_SECONDS:
            raise GivesWay
    answer = execution.result
    if answer is None:
        return execution.cut_short(question.answer)
    if not isinstance(answer, question.answer):
        raise WrongAnswer(f"{type(answer).__name__} in place of {question.answer.__name__}")
    if answer.seconds is None:
        answer = replace(answer, seconds=round(monotonic() - start, 6))
    return answer


def _seconds(job: Job) -> float:
    """Return the seconds that an attempt at the job may take."""
    seconds: float = settings.JOB_DEADLINE_SECONDS
    if not job.askers.exclude(role=User.Role.STUDENT).exists():
        seconds = min(seconds, settings.STUDENT_JOB_SECONDS)
    return min(seconds, LIVE_SECONDS) if job.queue == LIVE_QUEUE else seconds


def _report(job: Job, progress: Progress) -> bool:
    try:
        return transitions.report(job, progress)
    except OperationalError:
        # The database is busy or does not answer at this moment. Work is not thrown away for one
        # missed heartbeat. After many missed ones the job is stale, and another worker takes it.
        logger.warning("Job %s could not report", job.pk, exc_info=True)
        connection.close()
        return True
