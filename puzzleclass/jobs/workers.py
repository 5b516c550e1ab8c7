"""How many worker processes have nothing to do. The workers know; they are asked by message."""

import logging

import redis
from celery.worker import state as worker_state
from celery.worker.control import inspect_command
from kombu.exceptions import OperationalError

from puzzleclass.celery import app

ANSWER_SECONDS = 0.5
"""A worker that does not answer within this time counts as busy."""

logger = logging.getLogger(__name__)


def free_processes(queue: str) -> int:
    """Return how many processes wait for jobs of the queue, of all workers on all machines."""
    try:
        replies = app.control.broadcast(
            _free_here.__name__, {"queue": queue}, reply=True, timeout=ANSWER_SECONDS
        )
    except (OperationalError, redis.RedisError, OSError) as error:
        logger.warning("Workers can't be asked: %s", error)
        return 0
    free = [answer for reply in replies for answer in reply.values()]
    return sum(number for number in free if isinstance(number, int))  # else it is an error


@inspect_command()
def _free_here(state: object, queue: str) -> int:
    """Return how many processes of this worker wait for jobs of the queue."""
    consumer = state.consumer
    if queue not in {taken.name for taken in consumer.task_consumer.queues}:
        return 0
    return max(0, consumer.pool.num_processes - len(worker_state.reserved_requests))
