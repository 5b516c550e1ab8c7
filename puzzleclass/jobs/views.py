from django.http import Http404, HttpResponse
from django.shortcuts import redirect, render
from django.urls import reverse

from puzzleclass.accounts.models import User
from puzzleclass.accounts.sign_in import for_teachers, wanted
from puzzleclass.http import SignedInRequest
from puzzleclass.jobs import services
from puzzleclass.jobs.models import Job

JOB_ENDED = "job-ended"
"""Fires in the page whose card has just ended, so that it can refresh what hangs on it."""

JOB_ASKED = "job-asked"
"""Fires in the page whose card goes on, so that what hangs on it goes on asking, too."""


def get_job_for_asker(user: User, pk: int) -> Job:
    """Return the job if the user asked it. Raises Http404, also for a question that no kind
    answers any more."""
    job = Job.objects.filter(pk=pk, askers=user).first()
    if job is None or job.asks is None:
        raise Http404
    return job


@for_teachers("GET")
def job_card(request: SignedInRequest, pk: int) -> HttpResponse:
    """The job's card: a fragment that asks for itself again until the job ends, or a page."""
    return _card(request, get_job_for_asker(request.user, pk))


@for_teachers("POST")
def stop_job(request: SignedInRequest, pk: int) -> HttpResponse:
    """Withdraw the user's question; without others' the job stops."""
    job = services.withdraw(request.user, get_job_for_asker(request.user, pk))
    return _card(request, job) if request.htmx else _back(request, job)


@for_teachers("POST")
def ask_again(request: SignedInRequest, pk: int) -> HttpResponse:
    """Ask once more what was stopped, failed or ended at its limit."""
    asked = get_job_for_asker(request.user, pk)
    job = services.ask(
        request.user, asked.kind_slug, asked.question, asked.position, asked.options, again=True
    )
    if not request.htmx:
        return _back(request, job)
    response = _card(request, job)
    response.setdefault("HX-Trigger", JOB_ASKED)
    return response


def _card(request: SignedInRequest, job: Job) -> HttpResponse:
    template = "jobs/_job_card.html" if request.htmx else "jobs/job_card.html"
    response = render(request, template, {"job": job})
    if request.htmx and job.has_ended:
        response["HX-Trigger"] = JOB_ENDED
    return response


def _back(request: SignedInRequest, job: Job) -> HttpResponse:
    """Return to the page the card stood in, or show the card by itself."""
    page = wanted(request)
    if page and page != reverse("job_card", args=[job.pk]):
        return redirect(page)
    return _card(request, job)
