"""The pages on which a teacher orders new boards and chooses among them."""

from django.contrib import messages
from django.http import Http404, HttpRequest, HttpResponse
from django.shortcuts import redirect, render, resolve_url
from django.utils.translation import gettext as _
from django.views.decorators.cache import never_cache
from django.views.decorators.http import require_http_methods
from django_htmx.http import HttpResponseClientRedirect

from puzzleclass.accounts.models import User
from puzzleclass.accounts.sign_in import teacher_required
from puzzleclass.jobs import services as jobs
from puzzleclass.jobs.models import Job
from puzzleclass.jobs.views import get_job_for_asker
from puzzleclass.language import say
from puzzleclass.making.access import get_kind_that_knows
from puzzleclass.making.boards import library, made_boards, save_boards
from puzzleclass.making.drawing import DRAWN, drawn_on, posted_drawing
from puzzleclass.making.forms import KNOWN, NUMBER_SIGN, SaveForm, WishForm
from puzzleclass.puzzles.access import get_puzzle_for_owner
from puzzleclass.puzzles.sketch import Sketch
from solvers.kind import PuzzleError, Question
from solvers.message import Message
from solvers.registry import AnyKind, get_kind

QUESTION = "generate"

ORDER = "order"
"""What the form is sent for when it is not for a step on the board."""

LAST = 5
"""Former orders on the form's page."""


@require_http_methods(["GET", "POST"])
@teacher_required
def puzzle_generate(request: HttpRequest, kind_slug: str) -> HttpResponse:
    """Say what is wanted, and have it made."""
    kind, question = get_kind_that_knows(kind_slug, QUESTION)
    if request.method == "GET":
        return _wish_form(request, WishForm(question, kind, initial=_first_wish(request, kind)))
    if request.POST.get("do", ORDER) != ORDER:
        return _draw(request, kind, question)
    fields = request.POST.copy()
    if not fields.get("position", "").strip():
        # Who pastes a board and orders at once means the pasted one.
        fields["position"] = fields.get("text", "")
    form = WishForm(question, kind, fields)
    if form.is_valid():
        options = form.options(library(request.user, kind.slug))
        position = form.cleaned_data["position"]
        try:
            job = jobs.ask(request.user, kind.slug, QUESTION, position, options)
        except PuzzleError as error:
            form.add_error(None, say(error.message))
        else:
            page = resolve_url("puzzle_generated", job.pk)
            return HttpResponseClientRedirect(page) if request.htmx else redirect(page)
    return _wish_form(request, form)


def _draw(request: HttpRequest, kind: AnyKind, question: Question) -> HttpResponse:
    """Draw on the board that the wish speaks of. Everything else stays as it was typed."""
    typed = request.POST.dict()
    try:
        sketch = posted_drawing(kind, question, request.POST)
        sketch = drawn_on(sketch, typed["do"], request.POST)
    except PuzzleError as error:
        return _wish_form(request, WishForm(question, kind, initial=typed), fault=error.message)
    # Who draws a board wants it to matter.
    matters = {question.drawn_by: DRAWN} if question.drawn_by else {}
    drawn = typed | matters | {"position": sketch.draft}
    return _wish_form(request, WishForm(question, kind, initial=drawn), sketch)


def _wish_form(
    request: HttpRequest, form: WishForm, sketch: Sketch | None = None, fault: Message | None = None
) -> HttpResponse:
    """Show the form, with status 422 when what was asked could not be done."""
    context = {
        "section": "puzzles",
        "kind": form.kind,
        "form": form,
        "sketch": sketch or form.drawing,
        "fault": fault,
        "text": request.POST.get("text", ""),
        "former": _former(request.user, form.kind),
    }
    template = "making/_wish.html" if request.htmx else "making/puzzle_generate.html"
    return render(request, template, context, status=422 if form.is_bound or fault else 200)


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
