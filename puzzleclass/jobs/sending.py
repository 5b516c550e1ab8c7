"""Gives Celery the messages that say "look at this row"."""

import logging

from django.utils import timezone
from kombu.exceptions import OperationalError

from puzzleclass.celery import app
from puzzleclass.jobs.models import Job

RUN_TASK = "puzzleclass.jobs.tasks.run"
"""By name: the web hands jobs in without loading what works on them."""

logger = logging.getLogger(__name__)


def send(job: Job) -> bool:
    """Send the job's message. Returns False when the broker is away.

    Nothing is lost then: the row still waits, and the sweeper sends it.
    """
    try:
        app.send_task(RUN_TASK, [job.pk], queue=job.queue)
    except (OperationalError, OSError) as error:
        logger.warning("Job %s waits for the broker: %s", job.pk, error)
        return False
    Job.objects.filter(pk=job.pk).update(sent_at=timezone.now())
    return True
