"""How a job goes from one state to another.

Web processes, workers and the sweeper meet here without knowing of each other, so
each transition is one conditional UPDATE: whoever changes the row has won, and who
finds that no row changed has lost and says so. A worker holds a job by the number
of its try; once another try has begun, nothing the old worker says counts.

    claim      waiting -> running
    report     running -> running
    finish     running or stopping -> done
    fail       running or stopping -> failed
    stop       waiting -> stopped, running -> stopping
    close      stopping -> stopped
    hand_back  running -> waiting
    restart    stopped, failed or stopping -> waiting
    *_stale    the same for those whose worker has fallen silent
"""

import logging
from datetime import datetime
from time import monotonic, sleep
from typing import Any

from django.db import InterfaceError, OperationalError, connection, transaction
from django.db.models import Case, DateTimeField, F, Q, QuerySet, Value, When
from django.dispatch import Signal
from django.utils import timezone

from puzzleclass.jobs.models import ORDER, TRIES, Job
from solvers.answers import Answer
from solvers.message import Message
from solvers.question import Progress

STALE_SECONDS = 20
"""A worker that has not reported for so long is presumed dead; it reports every second."""

MOST_STALE = 200
"""Jobs of dead workers that one statement names; the next one names the rest."""

PAUSES = (0.5, 1.0, 2.0, 4.0, 8.0)
"""Seconds to wait before the end of a job is stored once more, when the database was busy or
away: the work of minutes is not thrown away for that."""

State = Job.State

finished = Signal()
"""Sent with `job` once its answer is stored."""

_BEGINNING: dict[str, Any] = {
    "done": 0,
    "total": 0,
    "note": None,
    "at_least": "",
    "stored_found": {},
}
"""The columns of what a try has come to, as they stand before it."""

logger = logging.getLogger(__name__)


def claim(pk: int) -> Job | None:
    """Take the job for this worker. Returns None when another one has it, or it has ended."""
    now = timezone.now()
    # The transaction holds the row until it has been read, so `tries` is our own try.
    with transaction.atomic():
        taken = Job.objects.filter(state=State.WAITING, pk=pk).update(
            state=State.RUNNING, tries=F("tries") + 1, beat_at=now, started_at=now, **_BEGINNING
        )
        return Job.objects.get(pk=pk) if taken else None


def claim_next(queue: str) -> Job | None:
    """Take the job of the queue whose turn it is. Returns None when none waits.

    Where another worker is faster there is a next one, so the loop ends.
    """
    waiting = Job.objects.filter(queue=queue, state=State.WAITING).order_by(*ORDER)
    while (pk := waiting.values_list("pk", flat=True).first()) is not None:
        if job := claim(pk):
            return job
    return None


def report(job: Job, progress: Progress) -> bool:
    """Store the progress and a sign of life. Returns False when the work must stop."""
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
    return _changed(_held(job).filter(state=State.RUNNING), **changes)


def finish(job: Job, answer: Answer) -> bool:
    """Store the answer. Returns False when the job has been given to another worker.

    An answer that arrives while the job is being stopped is kept: it is there.
    """
    has_ended = _end(job, state=State.DONE, answer=answer.to_json(), done=F("total"))
    if has_ended:
        job.refresh_from_db()
        # What somebody makes of the answer can fail; the answer itself is stored.
        finished.send_robust(Job, job=job)
    return has_ended


def fail(job: Job, fault: Message) -> bool:
    """Store why there is no answer. Returns False when another worker has the job."""
    return _end(job, state=State.FAILED, fault=fault.to_json())


def close(job: Job) -> bool:
    """Say that the work on a job that was to stop has stopped."""
    return _changed(
        _held(job).filter(state=State.STOPPING), state=State.STOPPED, ended_at=timezone.now()
    )


def stop(job: Job) -> bool:
    """Stop the job, at once when no worker has it. Returns False when it has ended."""
    waits = Q(state=State.WAITING)
    ends_now = When(waits, then=Value(timezone.now()))
    return _changed(
        Job.objects.filter(waits | Q(state=State.RUNNING), pk=job.pk),
        state=Case(When(waits, then=Value(State.STOPPED)), default=Value(State.STOPPING)),
        ended_at=Case(ends_now, default=None, output_field=DateTimeField()),
    )


def restart(job: Job, turn: int = 0, served: int | None = None, *, done: bool = False) -> bool:
    """Put a job that was stopped or failed back to its queue, in this turn of the one `served`.

    With `done` also one that is done, as long as its answer is the one that `job` was read
    with; it stays until `finish` brings the next. A worker that has not yet noticed the stop
    has lost the job by this. Returns False when the job is waiting, running or done.
    """
    again = Q(state__in=[State.STOPPED, State.FAILED, State.STOPPING])
    if done:
        again |= Q(state=State.DONE, ended_at=job.ended_at)
    return _changed(
        Job.objects.filter(again, pk=job.pk),
        state=State.WAITING,
        turn=turn,
        served=served,
        last_try=F("tries") + TRIES,
        asked_at=timezone.now(),
        sent_at=None,
        ended_at=None,
        fault=None,
        **_BEGINNING,
    )


def hand_back(pk: int, tries: int) -> bool:
    """Put a running job back to waiting because the worker that holds this try is told to end.

    That is not the job's fault, so it costs no try. Returns False when another try has begun.
    """
    return _changed(
        Job.objects.filter(pk=pk, tries=tries, state=State.RUNNING),
        state=State.WAITING,
        sent_at=None,
        last_try=F("last_try") + 1,
    )


def requeue_stale() -> int:
    """Put the jobs of dead workers back to waiting, if they have a try left. Returns how many."""
    return _stale(State.RUNNING, tries__lt=F("last_try")).update(state=State.WAITING, sent_at=None)


def fail_stale(fault: Message) -> int:
    """Give up the jobs whose last worker died. Returns how many."""
    return _stale(State.RUNNING, tries__gte=F("last_try")).update(
        state=State.FAILED, fault=fault.to_json(), note=None, ended_at=timezone.now()
    )


def close_stale() -> int:
    """Close the jobs whose worker died before it could stop. Returns how many."""
    return _stale(State.STOPPING).update(state=State.STOPPED, ended_at=timezone.now())


def _held(job: Job) -> QuerySet[Job]:
    """The job's row, as long as this try is the one that counts."""
    states = [State.RUNNING, State.STOPPING]
    return Job.objects.filter(pk=job.pk, tries=job.tries, state__in=states)


def _end(job: Job, **changes: object) -> bool:
    """End the job that this try holds, as soon as the database takes it.

    Raises OperationalError or InterfaceError when it is busy or away for longer than `PAUSES`.
    """
    for pause in PAUSES:
        try:
            return _changed(_held(job), note=None, ended_at=timezone.now(), **changes)
        except (OperationalError, InterfaceError):
            logger.warning("The end of job %s waits for the database", job.pk, exc_info=True)
            connection.close()
            sleep(pause)
    return _changed(_held(job), note=None, ended_at=timezone.now(), **changes)


Heartbeat = tuple[int, datetime | None]
"""Try and time of a sign of life. The time is only compared for being the same."""

_last_seen: dict[int, tuple[Heartbeat, float]] = {}
"""Job -> its latest heartbeat, and when this process first saw it, on its monotonic clock."""


def _stale(state: str, **conditions: object) -> QuerySet[Job]:
    """The jobs in this state whose heartbeat this process has seen unchanged for too long.

    Clocks are set, and those of two machines differ: no time that another process wrote is
    held against the time of day. So a sweeper that has just started waits once more.
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
        elif now - since >= STALE_SECONDS and named < MOST_STALE:
            # The beat is named: one that comes this moment saves the job.
            silent |= Q(pk=pk, tries=beat[0], beat_at=beat[1])
            named += 1
    return Job.objects.filter(silent, state=state, **conditions)


def _changed(rows: QuerySet[Job], **changes: object) -> bool:
    return rows.update(**changes) == 1
