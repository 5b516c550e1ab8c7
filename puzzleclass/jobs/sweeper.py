"""Finds the jobs that nobody looks after: dead workers', lost messages'."""

from datetime import timedelta

from django.db.models import Q
from django.utils import timezone

from puzzleclass.jobs import runner, transitions
from puzzleclass.jobs.models import Job
from puzzleclass.jobs.sending import send
from solvers.message import Message

RESEND = timedelta(seconds=30)
"""A job that still waits so long after its message was sent is sent again: the message
may be lost. If it is not, the second one finds the row taken."""

MOST_SENT = 500
"""Messages in one sweep, oldest jobs first."""

WORKERS_DIED = Message(
    "The calculation was cut off twice. It may need more memory than the computer has."
)


def sweep() -> None:
    """Put every job that nobody looks after back on its way, or end it with a message."""
    transitions.requeue_stale()
    transitions.fail_stale(WORKERS_DIED)
    transitions.close_stale()
    for pk in Job.objects.filter(state=Job.State.SPLIT).values_list("pk", flat=True):
        runner.gather(pk)
    unsent = Q(sent_at=None) | Q(sent_at__lt=timezone.now() - RESEND)
    for job in Job.objects.filter(unsent, state=Job.State.WAITING)[:MOST_SENT]:
        if not send(job):
            return  # the broker is away, for the others too
