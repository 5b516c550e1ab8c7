"""Who may see a job: whoever asked it."""

from django.http import Http404

from puzzleclass.accounts.models import User
from puzzleclass.jobs.models import Job


def get_job_for_asker(user: User, pk: int) -> Job:
    """Return the job if the user asked it; anybody else's answers as a missing one (404)."""
    job = Job.objects.filter(pk=pk, askers=user).first()
    if job is None:
        raise Http404
    return job
