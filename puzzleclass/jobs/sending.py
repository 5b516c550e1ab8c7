"""Gives Celery the messages that say "look at this row"."""

import logging
import time

from django.utils import timezone
from kombu.exceptions import OperationalError

from puzzleclass.celery import app
from puzzleclass.jobs.models import Job

RUN_TASK = "puzzleclass.jobs.tasks.run"
"""By name: the web hands jobs in without loading what works on them."""

AWAY_SECONDS = 3.0
"""A broker that did not answer is not tried again for so long: a request that asks for
twenty jobs must not wait twenty times."""

logger = logging.getLogger(__name__)
_failed_at = -AWAY_SECONDS


def send(job: Job) -> bool:
    """Send the job's message. Returns False when the broker is away.

    Nothing is lost then: the row still waits, and the sweeper sends it.
    """
    global _failed_at
    if time.monotonic() - _failed_at < AWAY_SECONDS:
        return False
    try:
        app.send_task(RUN_TASK, [job.pk], queue=job.queue)
    except (OperationalError, OSError) as error:
        logger.warning("Jobs wait for the broker: %s", error)
        _failed_at = time.monotonic()
        return False
    Job.objects.filter(pk=job.pk).update(sent_at=timezone.now())
    return True
