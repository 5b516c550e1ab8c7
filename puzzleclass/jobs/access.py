"""Access to jobs."""

from django.http import Http404

from puzzleclass.accounts.models import User
from puzzleclass.jobs.models import Job


def get_job_for_asker(user: User, pk: int) -> Job:
    """Return the job if the user is one of its askers. Raises Http404 otherwise, and for a question
    that no kind answers any more."""
    job = Job.objects.filter(pk=pk, askers=user).first()
    if job is None or job.asks is None:
        raise Http404
    return job
