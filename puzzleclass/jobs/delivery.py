"""The way of jobs through Celery: sending them, the tasks, and the sweeper that finds lost ones.

A message only says "one more waits in this row's queue": which one is taken is for the queue's
order to say. One that is lost is made up for by the sweeper, one too many finds nothing to do.
What is done with a row is in `runner` and `transitions`.
"""

import logging
import mmap
import struct
import time

from billiard import current_process
from celery import shared_task
from celery.signals import (
    beat_embedded_init,
    worker_init,
    worker_process_init,
    worker_shutting_down,
)
from celery.worker import WorkController
from django.db import connection
from django.db.models import F
from django.utils import timezone
from kombu.exceptions import ChannelError, OperationalError

from puzzleclass.celery import app
from puzzleclass.jobs import runner, transitions, workers
from puzzleclass.jobs.models import Job
from puzzleclass.launcher.supervisor import end_with_parent
from solvers.message import Message

AWAY_SECONDS = 3.0
"""A broker that did not answer is not tried again for so long: a request that asks for
twenty jobs must not wait twenty times."""

MOST_SENT = 500
"""Messages to one queue in one sweep, those of jobs never sent first."""

WORKERS_DIED = Message(
    "The calculation was cut off twice. It may need more memory than the computer has."
)

MOST_PROCESSES = 256
"""Of one worker."""

logger = logging.getLogger(__name__)
_failed_at = -AWAY_SECONDS

_TRY = struct.Struct("qq")
_held = mmap.mmap(-1, MOST_PROCESSES * _TRY.size)
"""Which try each process of this worker has begun: the job's key and the number of the try.
The memory is shared with the processes, which are forked from the worker."""


@shared_task
def run(pk: int) -> None:
    """Work on the job whose turn it is in the queue of this one."""
    queue = Job.objects.filter(pk=pk).values_list("queue", flat=True).first()
    if queue is None:
        return
    try:
        runner.run_next(queue, lambda job: _hold(job.pk, job.tries))
    finally:
        _hold(0, 0)


def _hold(pk: int, tries: int) -> None:
    """Write down which try this process has."""
    place = getattr(current_process(), "index", 0) % MOST_PROCESSES
    _TRY.pack_into(_held, place * _TRY.size, pk, tries)


def send(job: Job) -> bool:
    """Send the job's message. Returns False when the broker is away.

    Nothing is lost then: the row still waits, and the sweeper sends it.
    """
    global _failed_at
    if time.monotonic() - _failed_at < AWAY_SECONDS:
        return False
    try:
        app.send_task(run.name, [job.pk], queue=job.queue)
    except (OperationalError, OSError) as error:
        logger.warning("Jobs wait for the broker: %s", error)
        _failed_at = time.monotonic()
        return False
    Job.objects.filter(pk=job.pk).update(sent_at=timezone.now())
    return True


@shared_task
def sweep() -> None:
    """Put every job that nobody looks after back on its way, or end it with a message.

    Nobody looks after the jobs of dead workers and those whose messages were lost.
    """
    transitions.requeue_stale()
    transitions.fail_stale(WORKERS_DIED)
    transitions.close_stale()
    waiting = Job.objects.filter(state=Job.State.WAITING).order_by()
    for queue in waiting.values_list("queue", flat=True).distinct():
        ours = waiting.filter(queue=queue)
        try:
            lacking = ours.count() - messages_in(queue)
        except (OperationalError, OSError):
            return  # the broker is away, for the others too
        unsent_first = ours.order_by(F("sent_at").asc(nulls_first=True), "asked_at", "pk")
        for job in unsent_first[: min(max(lacking, 0), MOST_SENT)]:
            if not send(job):
                return
    workers.say_swept()


def messages_in(queue: str) -> int:
    """Return how many messages lie in the queue. Raises OperationalError or OSError when the
    broker is away."""
    with app.connection_for_write() as broker:
        try:
            return int(broker.default_channel.queue_declare(queue, passive=True).message_count)
        except ChannelError:
            return 0  # Redis forgets an empty queue


# What a worker does when it starts and when it is told to end


@worker_init.connect
def warm_up(sender: WorkController, **kwargs: object) -> None:
    """Load the compiled kernels for hints before the pool is forked: a student waits for them.

    A count or a review loads what it needs with its first question, in a tenth of a second.
    """
    if "hint" in sender.app.amqp.queues.consume_from:
        from solvers.warm import warm

        warm()


@worker_process_init.connect
@beat_embedded_init.connect
def leave_no_orphan(**kwargs: object) -> None:
    """A child that outlived its worker would count on for nobody, or sweep for ever."""
    end_with_parent()


@worker_shutting_down.connect
def hand_back(**kwargs: object) -> None:
    """Put the jobs that this worker has back to waiting; not those that it has lost meanwhile.

    The processes that work on them notice within a second that they have lost them, so
    the worker ends soon, and another one, or the same after its restart, goes on at once.
    """
    for pk, tries in _TRY.iter_unpack(_held[:]):
        if tries:
            transitions.hand_back(pk, tries)
    # A process forked from here on must not inherit the connection.
    connection.close()
