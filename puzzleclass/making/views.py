"""The pages on which a teacher orders new boards and chooses among them."""

from django.contrib import messages
from django.http import Http404, HttpRequest, HttpResponse
from django.shortcuts import redirect, render
from django.utils.translation import gettext as _
from django.views.decorators.cache import never_cache
from django.views.decorators.http import require_http_methods

from puzzleclass.accounts.access import teacher_required
from puzzleclass.accounts.models import User
from puzzleclass.i18n import say
from puzzleclass.jobs import services as jobs
from puzzleclass.jobs.access import get_job_for_asker
from puzzleclass.jobs.models import Job
from puzzleclass.making.access import get_kind_that_knows
from puzzleclass.making.boards import library, made_boards, save_boards
from puzzleclass.making.forms import KNOWN, NUMBER_SIGN, SaveForm, WishForm
from puzzleclass.puzzles.access import get_puzzle_for_owner
from solvers.kind import PuzzleError
from solvers.message import Message
from solvers.registry import AnyKind, get_kind

QUESTION = "generate"

LAST = 5
"""Former orders on the form's page."""


@require_http_methods(["GET", "POST"])
@teacher_required
def puzzle_generate(request: HttpRequest, kind_slug: str) -> HttpResponse:
    """Say what is wanted, and have it made."""
    kind, question = get_kind_that_knows(kind_slug, QUESTION)
    if request.method == "POST":
        form = WishForm(question, kind, request.POST)
        if form.is_valid():
            options = form.options(library(request.user, kind.slug))
            position = form.cleaned_data["position"]
            try:
                job = jobs.ask(request.user, kind.slug, QUESTION, position, options)
                return redirect("puzzle_generated", job.pk)
            except PuzzleError as error:
                form.add_error(None, say(error.message))
    else:
        form = WishForm(question, kind, initial=_first_wish(request, kind))
    context = {
        "section": "puzzles",
        "kind": kind,
        "form": form,
        "former": _former(request.user, kind),
    }
    return render(
        request, "making/puzzle_generate.html", context, status=422 if form.is_bound else 200
    )


def _first_wish(request: HttpRequest, kind: AnyKind) -> dict[str, str]:
    """Return what the form opens with: the board `?puzzle=`, or an order to change, `?like=`."""
    chosen, like = request.GET.get("puzzle", ""), request.GET.get("like", "")
    if chosen.isdecimal():
        puzzle = get_puzzle_for_owner(request.user, int(chosen[:18]))
        return {"position": puzzle.position} if puzzle.kind_slug == kind.slug else {}
    if like.isdecimal():
        job = get_job_for_asker(request.user, int(like[:18]))
        return wish(job) if job.kind_slug == kind.slug and job.question == QUESTION else {}
    return {}


def wish(job: Job) -> dict[str, str]:
    """Return what an order was, as the texts of the form."""
    question = get_kind(job.kind_slug).questions[QUESTION]
    texts = {
        name: option.write(job.options[name])
        for name, option in question.options.items()
        if name in job.options and name != KNOWN
    }
    is_given = job.position != question.position
    return texts | {"position": job.position if is_given else ""}


def _former(user: User, kind: AnyKind) -> list[tuple[Job, int]]:
    """Return the user's last orders and how many boards each has brought."""
    orders = Job.objects.filter(askers=user, kind_slug=kind.slug, question=QUESTION)
    return [
        (job, len(job.details.get("boards", ()))) for job in orders.order_by("-asked_at")[:LAST]
    ]


@require_http_methods(["GET", "POST"])
@never_cache
@teacher_required
def puzzle_generated(request: HttpRequest, pk: int) -> HttpResponse:
    """What has been made so far; the boards that are chosen are saved."""
    job = get_job_for_asker(request.user, pk)
    if job.question != QUESTION:
        raise Http404
    kind = get_kind(job.kind_slug)
    boards = made_boards(request.user, job)
    positions = [made.board.position for made in boards]
    form = SaveForm(
        positions,
        request.POST if request.method == "POST" else None,
        initial={"title": f"{say(Message(kind.title))} {NUMBER_SIGN}"},
    )
    if form.is_bound and form.is_valid():
        _save(request, kind, form)
        return redirect("puzzle_generated", pk)
    context = {
        "section": "puzzles",
        "kind": kind,
        "job": job,
        "boards": boards,
        "can_choose": any(not made.is_known for made in boards),
        "form": form,
        "chosen": request.POST.getlist("boards"),
        "next_wish": _next_wish(job),
    }
    template = "making/_boards.html" if request.htmx else "making/puzzle_generated.html"
    return render(request, template, context, status=422 if form.is_bound else 200)


def _next_wish(job: Job) -> dict[str, str]:
    """Return the same order with another seed; empty where there is none."""
    if "seed" not in job.options:
        return {}
    texts = wish(job)
    option = get_kind(job.kind_slug).questions[QUESTION].options["seed"]
    return texts | {"seed": option.write(job.options["seed"] + 1)}


def _save(request: HttpRequest, kind: AnyKind, form: SaveForm) -> None:
    chosen = form.cleaned_data["boards"]
    saved = save_boards(request.user, kind.slug, chosen, form.cleaned_data["title"])
    if saved:
        text = _("Saved in your library: {titles}").format(
            titles=_(", ").join(puzzle.title for puzzle in saved)
        )
        messages.success(request, text, extra_tags="ok")
    known = len(set(chosen)) - len(saved)
    if known:
        text = _("Not saved, because your library already has the board: {known}")
        messages.warning(request, text.format(known=known), extra_tags="warn")
