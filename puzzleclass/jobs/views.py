from django.http import HttpResponse
from django.shortcuts import redirect, render
from django.urls import reverse

from puzzleclass.accounts.sign_in import SignedInRequest, for_teachers, wanted_page
from puzzleclass.jobs import services
from puzzleclass.jobs.access import get_job_for_asker
from puzzleclass.jobs.models import Job

JOB_ENDED = "job-ended"
"""The event that fires in a page when its job has just ended, so that the page can refresh the
parts that depend on the job."""

JOB_ASKED = "job-asked"
"""The event that fires in a page when its job has been asked again, so that the parts that depend
on the job poll again, too."""


@for_teachers("GET")
def job_card(request: SignedInRequest, pk: int) -> HttpResponse:
    """Show the job's card: a fragment that requests itself again until the job ends, or a page."""
    return _card(request, get_job_for_asker(request.user, pk))


@for_teachers("POST")
def stop_job(request: SignedInRequest, pk: int) -> HttpResponse:
    """Withdraw the user's question. The job stops unless others have asked for it, too."""
    job = services.withdraw(request.user, get_job_for_asker(request.user, pk))
    return _card(request, job) if request.htmx else _back(request, job)


@for_teachers("POST")
def ask_again(request: SignedInRequest, pk: int) -> HttpResponse:
    """Ask again a question that was stopped, failed or ended at its limit."""
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
    """Redirect to the page that contained the card, or show the card by itself."""
    page = wanted_page(request)
    if page and page != reverse("job_card", args=[job.pk]):
        return redirect(page)
    return _card(request, job)
