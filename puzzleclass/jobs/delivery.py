"""Send jobs to Celery, run them in Celery's tasks, and recover lost jobs with the sweeper.

A message only says that one more job waits in the queue of its row. The order of the queue decides
which job is taken. The sweeper replaces a message that is lost, and a message too many finds
nothing to do. `runner` works on a row, and `transitions` changes its state.
"""

import gc
import logging
import os
import time
from threading import Lock, current_thread, main_thread

from celery import Task, shared_task
from celery.beat import EmbeddedService
from celery.signals import (
    beat_embedded_init,
    task_postrun,
    task_prerun,
    worker_init,
    worker_process_init,
    worker_ready,
    worker_shutting_down,
)
from celery.worker import WorkController
from celery.worker.consumer import Consumer
from django.conf import settings
from django.db import close_old_connections, connection
from django.db.models import F
from django.utils import timezone
from kombu.exceptions import ChannelError, OperationalError

from puzzleclass.celery import app
from puzzleclass.jobs import runner, transitions, workers
from puzzleclass.jobs.models import Job
from puzzleclass.launcher.supervisor import end_with_parent
from solvers.message import Message

AWAY_SECONDS = 3.0
"""Seconds during which a broker that did not answer is not contacted again: a request that asks for
twenty jobs must not wait twenty times."""

MAX_SENT = 500
"""The most messages that one sweep sends to one queue. Jobs that were never sent come first."""

WORKERS_DIED = Message(
    "The calculation was interrupted twice. It may need more memory than the computer has."
)

JOB_QUEUES = ("hint", workers.LIVE_QUEUE, "review", workers.LONG_QUEUE)
"""The queues of jobs. A process with threads works on one job of each queue at a time."""

logger = logging.getLogger(__name__)
_failed_at = -AWAY_SECONDS

_lanes = {queue: Lock() for queue in JOB_QUEUES}
"""Queue -> the lock that a thread holds while it works on a job of the queue."""

_ending: set[str] = set()
"""The names of the workers of this process that have been told to end."""


@shared_task(bind=True)
def run(self: Task, pk: int) -> None:
    """Work on the job whose turn it is in the queue of the job with this key.

    In a worker with threads, only one thread works on the jobs of a queue, so that a hint always
    finds a free thread. A message that finds the queue taken ends at once, and the thread that
    works on the queue continues with the message's job.
    """
    queue = Job.objects.filter(pk=pk).values_list("queue", flat=True).first()
    if queue is None:
        return
    has_threads = current_thread() is not main_thread()
    waiting = Job.objects.filter(queue=queue, state=Job.State.WAITING)
    # The lock is released before the queue is checked again. A thread that finds the lock taken has
    # stored its job before, so one of the two threads sees the job.
    worker = self.request.hostname or ""
    while worker not in _ending and waiting.exists() and _lanes[queue].acquire(blocking=False):
        try:
            runner.run_next(queue, worker, _guests(queue, worker, has_threads=has_threads))
        finally:
            _lanes[queue].release()
        if not has_threads:
            break


OWN_SECONDS = 2.0
"""Seconds of a long count before others of its queue are worked on between its steps."""


def _guests(queue: str, worker: str, *, has_threads: bool) -> runner.Guests | None:
    """Return what a worker works on between two steps of a job of the queue.

    Among long counts, those that may be short do not wait until one has ended that takes minutes.
    Where live answers have no thread of their own, reviews give way to them.
    """
    if queue == workers.LONG_QUEUE:
        return runner.Guests(queue, worker, OWN_SECONDS)
    if queue == "review" and not has_threads:
        return runner.Guests(workers.LIVE_QUEUE, worker, 0.0)
    return None


def send(job: Job) -> bool:
    """Send the job's message. Return False when the broker does not answer.

    Nothing is lost in that case: the row still waits, and the sweeper sends its message later.
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
    """Put every abandoned job back into its queue, or end it with a message.

    A job is abandoned when its worker has died or its message was lost.
    """
    transitions.requeue_stale()
    transitions.fail_stale(WORKERS_DIED)
    transitions.close_stale()
    waiting = Job.objects.filter(state=Job.State.WAITING).order_by()
    for queue in waiting.values_list("queue", flat=True).distinct():
        in_queue = waiting.filter(queue=queue)
        try:
            missing = in_queue.count() - messages_in(queue)
        except (OperationalError, OSError):
            return  # the broker does not answer for the other queues either
        unsent_first = in_queue.order_by(F("sent_at").asc(nulls_first=True), "asked_at", "pk")
        for job in unsent_first[: min(max(missing, 0), MAX_SENT)]:
            if not send(job):
                return
    workers.record_sweep()


def messages_in(queue: str) -> int:
    """Return how many messages are in the queue. Raises OperationalError or OSError when the broker
    does not answer."""
    with app.connection_for_write() as broker:
        try:
            return int(broker.default_channel.queue_declare(queue, passive=True).message_count)
        except ChannelError:
            return 0  # Redis deletes an empty queue


# A worker's start and end

GIVES_WAY, GIVES_WAY_A_LITTLE = 10, 5
"""The `nice` values of workers. On a core that a page could use as well, a worker gets a tenth at
10, and a quarter at 5."""


@worker_init.connect
def give_way(sender: WorkController, **kwargs: object) -> None:
    """Let pages and hints go first when all cores are busy, because students wait for them.

    Nobody waits at the screen for a long count or a review. A worker of all queues gives way a
    little, because it also answers the hints.
    """
    served = sender.app.amqp.queues.consume_from
    if not hasattr(os, "nice"):
        return  # Windows has no such priorities.
    if "hint" not in served and not served.keys().isdisjoint(JOB_QUEUES):
        os.nice(GIVES_WAY)
    elif workers.LONG_QUEUE in served:
        os.nice(GIVES_WAY_A_LITTLE)


@worker_init.connect
def warm_up(sender: WorkController, **kwargs: object) -> None:
    """Load the compiled kernels before the first question, because a student waits for a hint, and
    before the pool is forked, whose processes then share them.

    On a small machine, the worker loads those for hints alone; the others follow with the first
    question that needs them.
    """
    if not sender.app.amqp.queues.consume_from.keys().isdisjoint(JOB_QUEUES):
        from solvers.warm import warm

        warm(*["hint"] if settings.IS_SMALL else [])
        # A collection in a forked process would otherwise write to the pages of all objects, and so
        # make copies of them.
        gc.collect()
        gc.freeze()


@worker_ready.connect
def start_beat(sender: Consumer, **kwargs: object) -> None:
    """Schedule the tasks in a thread if this is the only worker. The option `--beat` would start
    another process for that."""
    has_one_worker = settings.IS_SMALL or settings.ONE_PROCESS
    if has_one_worker and {"sweep", *JOB_QUEUES} <= app.amqp.queues.consume_from.keys():
        EmbeddedService(app, thread=True, schedule_filename=app.conf.beat_schedule_filename).start()


@task_prerun.connect
@task_postrun.connect
def keep_connection(sender: Task, **kwargs: object) -> None:
    """Close this thread's connection to the database if it is old or lost, as Django does before
    and after each request. Celery by itself would close it after each task
    (`CELERY_DB_REUSE_MAX`)."""
    if not sender.request.is_eager:
        close_old_connections()


@worker_process_init.connect
@beat_embedded_init.connect
def end_with_worker(**kwargs: object) -> None:
    """End this process with its parent. A child that outlives its worker would count on for nobody,
    or sweep for ever."""
    end_with_parent()


@worker_shutting_down.connect
def hand_back(sender: str, **kwargs: object) -> None:
    """Put the jobs that the worker with the name `sender` holds back to waiting.

    The processes that work on them notice within a second that they have lost them. The worker
    therefore ends soon, and another worker, or this one after its restart, continues at once. Its
    threads take none of them again.
    """
    _ending.add(sender)
    transitions.hand_back(sender)
    # A process forked from here on must not inherit the connection.
    connection.close()
