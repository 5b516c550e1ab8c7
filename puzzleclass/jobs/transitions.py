"""Change a job from one state to another.

Web processes, workers and the sweeper change jobs without knowing of each other, so each transition
is one conditional UPDATE. Whoever changes the row has won. Whoever finds that no row has changed
has lost, and the function says so. A worker holds a job by the number of its attempt: once another
attempt has begun, nothing that the old worker reports counts.

    claim      waiting -> running
    report     running -> running
    finish     running or stopping -> done
    fail       running or stopping -> failed
    stop       waiting -> stopped, running -> stopping
    close      stopping -> stopped
    hand_back  running -> waiting
    give_way   running -> waiting
    restart    stopped, failed, stopping or done -> waiting

For a job with a worker that has fallen silent:

    requeue_stale  running -> waiting
    fail_stale     running -> failed
    close_stale    stopping -> stopped
"""

import logging
from datetime import datetime
from time import monotonic, sleep
from typing import Any

from django.db import InterfaceError, OperationalError, connection, transaction
from django.db.models import Case, DateTimeField, F, Q, QuerySet, Value, When
from django.dispatch import Signal
from django.utils import timezone

from puzzleclass.jobs.models import MAX_ATTEMPTS, QUEUE_ORDER, Job
from solvers.answers import Answer
from solvers.message import Message
from solvers.question import Progress

STALE_SECONDS = 20
"""Seconds after which a worker that has not reported is presumed dead. It reports every second."""

MAX_STALE = 200
"""The most jobs of dead workers that one statement names; the next statement names the rest."""

PAUSES = (0.5, 1.0, 2.0, 4.0, 8.0)
"""Seconds to wait, one after the other, before the end of a job is stored again when the database
is busy or does not answer. Minutes of work must not be lost for that."""

State = Job.State

finished = Signal()
"""Sent with the argument `job` after its answer has been stored."""

_NO_PROGRESS: dict[str, Any] = {
    "done": 0,
    "total": 0,
    "note": None,
    "at_least": "",
    "stored_found": {},
}
"""The columns that hold the progress of an attempt, with their values at its beginning."""

logger = logging.getLogger(__name__)


def claim(pk: int, worker: str = "") -> Job | None:
    """Take the job for the worker with this name. Return None when another worker has it or it has
    ended."""
    now = timezone.now()
    # The transaction locks the row until it has been read, so `tries` is the number of our own
    # attempt.
    with transaction.atomic():
        taken = Job.objects.filter(state=State.WAITING, pk=pk).update(
            state=State.RUNNING,
            worker=worker,
            tries=F("tries") + 1,
            beat_at=now,
            started_at=now,
            **_NO_PROGRESS,
        )
        return Job.objects.get(pk=pk) if taken else None


def claim_next(queue: str, worker: str = "", *, unbegun: bool = False) -> Job | None:
    """Take the job whose turn it is in the queue for the worker with this name. Return None when no
    job waits. With `unbegun`, jobs on which work has begun since they were asked are left out.

    When another worker is faster, the next job is considered, so the loop ends.
    """
    waiting = Job.objects.filter(queue=queue, state=State.WAITING).order_by(*QUEUE_ORDER)
    if unbegun:
        waiting = waiting.filter(Q(started_at=None) | Q(started_at__lt=F("asked_at")))
    while (pk := waiting.values_list("pk", flat=True).first()) is not None:
        if job := claim(pk, worker):
            return job
    return None


def report(job: Job, progress: Progress) -> bool:
    """Store the progress and a sign of life. Return False when the work must stop."""
    changes = {
        "beat_at": timezone.now(),
        "done": progress.done,
        "total": progress.total,
        "note": progress.note and progress.note.to_json(),
    }
    if progress.at_least is not None:
        changes["at_least"] = str(progress.at_least)
    if progress.found:
        changes["stored_found"] = progress.found.to_json()
    return _update(_own_row(job).filter(state=State.RUNNING), **changes)


def finish(job: Job, answer: Answer) -> bool:
    """Store the answer. Return False when another worker has the job.

    An answer that arrives while the job is being stopped is kept, because the work is done.
    """
    has_ended = _end(job, state=State.DONE, answer=answer.to_json(), done=F("total"))
    if has_ended:
        job.refresh_from_db()
        # A receiver of the signal may fail; the answer itself is stored.
        finished.send_robust(Job, job=job)
    return has_ended


def fail(job: Job, fault: Message) -> bool:
    """Store why there is no answer. Return False when another worker has the job."""
    return _end(job, state=State.FAILED, fault=fault.to_json())


def close(job: Job) -> bool:
    """Record that the work on a stopping job has stopped. Return False when it was not this
    worker's."""
    return _update(
        _own_row(job).filter(state=State.STOPPING), state=State.STOPPED, ended_at=timezone.now()
    )


def stop(job: Job) -> bool:
    """Stop the job, at once when no worker has it. Return False when it has ended."""
    waits = Q(state=State.WAITING)
    ends_now = When(waits, then=Value(timezone.now()))
    return _update(
        Job.objects.filter(waits | Q(state=State.RUNNING), pk=job.pk),
        state=Case(When(waits, then=Value(State.STOPPED)), default=Value(State.STOPPING)),
        ended_at=Case(ends_now, default=None, output_field=DateTimeField()),
    )


def restart(
    job: Job, turn: int = 0, served: int | None = None, *, done: bool = False, **place: object
) -> bool:
    """Put a job that was stopped or failed back into a queue, in this turn of the user `served`.
    `place` has the queue and the priority; without them, they are those that the job has.

    With `done`, a job that is done also goes back, provided that its answer is still the one with
    which `job` was read. The answer stays until `finish` stores the next one. A worker that has not
    yet noticed the stop has now lost the job. Return False when the job is waiting, running or
    done.
    """
    again = Q(state__in=[State.STOPPED, State.FAILED, State.STOPPING])
    if done:
        again |= Q(state=State.DONE, ended_at=job.ended_at)
    return _update(
        Job.objects.filter(again, pk=job.pk),
        state=State.WAITING,
        turn=turn,
        served=served,
        **place,
        last_try=F("tries") + MAX_ATTEMPTS,
        asked_at=timezone.now(),
        sent_at=None,
        ended_at=None,
        fault=None,
        **_NO_PROGRESS,
    )


def hand_back(worker: str) -> int:
    """Put the running jobs of the worker with this name back to waiting because it is told to end.
    Return how many.

    The jobs are not at fault, so this does not count as an attempt.
    """
    return Job.objects.filter(worker=worker, state=State.RUNNING).update(
        state=State.WAITING, sent_at=None, last_try=F("last_try") + 1
    )


def give_way(job: Job) -> bool:
    """Put the job that this attempt holds back to waiting, because others wait that may be shorter.
    This does not count as an attempt. Return False when another worker has the job, or it is to be
    stopped."""
    return _update(
        _own_row(job).filter(state=State.RUNNING),
        state=State.WAITING,
        sent_at=None,
        last_try=F("last_try") + 1,
    )


def requeue_stale() -> int:
    """Put the jobs of dead workers back to waiting if an attempt is left. Return how many."""
    return _stale(State.RUNNING, tries__lt=F("last_try")).update(state=State.WAITING, sent_at=None)


def fail_stale(fault: Message) -> int:
    """Mark as failed the jobs of dead workers that have no attempt left. Return how many."""
    return _stale(State.RUNNING, tries__gte=F("last_try")).update(
        state=State.FAILED, fault=fault.to_json(), note=None, ended_at=timezone.now()
    )


def close_stale() -> int:
    """Mark as stopped the jobs of workers that died before they could stop. Return how many."""
    return _stale(State.STOPPING).update(state=State.STOPPED, ended_at=timezone.now())


def _own_row(job: Job) -> QuerySet[Job]:
    """Return the job's row as a queryset, which is empty when another attempt has begun."""
    states = [State.RUNNING, State.STOPPING]
    return Job.objects.filter(pk=job.pk, tries=job.tries, state__in=states)


def _end(job: Job, **changes: object) -> bool:
    """End the job that this attempt holds as soon as the database accepts the change.

    Raises OperationalError or InterfaceError when the database is busy or does not answer for
    longer than `PAUSES`.
    """
    for pause in PAUSES:
        try:
            return _update(_own_row(job), note=None, ended_at=timezone.now(), **changes)
        except (OperationalError, InterfaceError):
            logger.warning("The end of job %s waits for the database", job.pk, exc_info=True)
            connection.close()
            sleep(pause)
    return _update(_own_row(job), note=None, ended_at=timezone.now(), **changes)


Heartbeat = tuple[int, datetime | None]
"""Number of the attempt and time of its sign of life. The time is only compared for equality."""

_last_seen: dict[int, tuple[Heartbeat, float]] = {}
"""Key of a job -> its latest heartbeat, and when this process first saw it by its monotonic
clock."""


def _stale(state: str, **conditions: object) -> QuerySet[Job]:
    """Return the jobs in this state with a heartbeat that this process has seen unchanged for too
    long.

    Clocks are adjusted, and the clocks of two machines differ. Therefore no time that another
    process wrote is compared with the current time. A sweeper that has just started waits once
    more.
    """
    now = monotonic()
    at_work = Job.objects.filter(state__in=[State.RUNNING, State.STOPPING]).order_by()
    beats = {pk: (tries, at) for pk, tries, at in at_work.values_list("pk", "tries", "beat_at")}
    for pk in _last_seen.keys() - beats.keys():
        del _last_seen[pk]
    silent = Q(pk=None)
    named = 0
    for pk, beat in beats.items():
        seen, since = _last_seen.get(pk, (None, now))
        if seen != beat:
            _last_seen[pk] = beat, now
        elif now - since >= STALE_SECONDS and named < MAX_STALE:
            # The condition names the heartbeat, so that a new one that arrives now saves the job.
            silent |= Q(pk=pk, tries=beat[0], beat_at=beat[1])
            named += 1
    return Job.objects.filter(silent, state=state, **conditions)


def _update(rows: QuerySet[Job], **changes: object) -> bool:
    return rows.update(**changes) == 1
