"""The pages on which a teacher has new boards found, and explores random ones."""

import secrets

from django.contrib import messages
from django.http import Http404, HttpResponse
from django.shortcuts import redirect, render, resolve_url
from django.utils.translation import gettext as _
from django_htmx.http import HttpResponseClientRedirect

from puzzleclass.accounts.sign_in import for_teachers
from puzzleclass.http import QuotaReached, SignedInRequest
from puzzleclass.jobs import services as jobs
from puzzleclass.jobs.views import get_job_for_asker
from puzzleclass.language import say
from puzzleclass.puzzles.draft import Draft, posted_draft
from puzzleclass.puzzles.forms import DRAWN, NUMBER_SIGN, GeneratorForm, OptionsForm, SaveForm
from puzzleclass.puzzles.generator import (
    GENERATE,
    SURVEY,
    charts_of,
    found_boards,
    generator_fields,
    in_library,
    last_searches,
    library,
    next_search_fields,
    save_boards,
    surveys_of,
)
from puzzleclass.puzzles.views import classes_of, get_puzzle_for_owner, give_page
from solvers.answers import GeneratedBoard
from solvers.kind import PuzzleError
from solvers.message import Message
from solvers.question import Question
from solvers.registry import AnyKind, get_kind

SEEDS = 10**6
"""The generator's form opens with one of so many."""

SEARCH = "search"
"""What the form is sent for when it is not for a step on the board."""


def _question(kind: AnyKind, name: str) -> Question:
    """Return the kind's question; a kind that does not know it has no such page (404)."""
    if name not in kind.questions:
        raise Http404
    return kind.questions[name]


@for_teachers("GET", "POST")
def puzzle_generate(request: SignedInRequest, kind: AnyKind) -> HttpResponse:
    """Say what is wanted, and have it looked for."""
    question = _question(kind, GENERATE)
    if request.method == "GET":
        return _form(request, GeneratorForm(question, kind, initial=_first_fields(request, kind)))
    if request.POST.get("do", SEARCH) != SEARCH:
        return _draw(request, kind, question)
    fields = request.POST.copy()
    if not fields.get("position", "").strip():
        # Who pastes a board and starts at once means the pasted one.
        fields["position"] = fields.get("text", "")
    form = GeneratorForm(question, kind, fields)
    if form.is_valid():
        options = form.options(library(request.user, kind.slug))
        position = form.cleaned_data["position"]
        try:
            job = jobs.ask(request.user, kind.slug, GENERATE, position, options)
        except QuotaReached as error:
            if request.htmx:
                raise
            form.add_error(None, say(error.message))
            return _form(request, form, status=429)
        except PuzzleError as error:
            form.add_error(None, say(error.message))
        else:
            page = resolve_url("puzzle_generated", job.pk)
            return HttpResponseClientRedirect(page) if request.htmx else redirect(page)
    return _form(request, form)


def _draw(request: SignedInRequest, kind: AnyKind, question: Question) -> HttpResponse:
    """Draw on the form's board. Everything else stays as it was typed."""
    typed = request.POST.dict()
    form = GeneratorForm(question, kind, initial=typed)
    try:
        draft = posted_draft(kind, form.read_draft(typed.get("position", "")).text, request.POST)
        draft = draft.after(typed["do"], request.POST)
    except PuzzleError as error:
        return _form(request, form, fault=error.message)
    # Who draws a board wants it to matter.
    matters = {question.drawn_by: DRAWN} if question.drawn_by else {}
    drawn = typed | matters | {"position": draft.text}
    return _form(request, GeneratorForm(question, kind, initial=drawn), draft)


def _form(
    request: SignedInRequest,
    form: GeneratorForm,
    draft: Draft | None = None,
    fault: Message | None = None,
    status: int = 422,
) -> HttpResponse:
    """Show the form, with this status when what was asked could not be done."""
    context = {
        "kind": form.kind,
        "form": form,
        "draft": draft or form.draft,
        "fault": fault,
        "text": request.POST.get("text", ""),
        "last_searches": last_searches(request.user, form.kind),
    }
    template = "puzzles/_generator_form.html" if request.htmx else "puzzles/puzzle_generate.html"
    return render(request, template, context, status=status if form.is_bound or fault else 200)


def _first_fields(request: SignedInRequest, kind: AnyKind) -> dict[str, str]:
    """Return what the form opens with: the board `?puzzle=`, or a search to change, `?like=`."""
    chosen, like = request.GET.get("puzzle", ""), request.GET.get("like", "")
    if chosen.isdecimal():
        puzzle = get_puzzle_for_owner(request.user, int(chosen[:18]))
        return {"position": puzzle.position} if puzzle.kind_slug == kind.slug else {}
    if like.isdecimal():
        job = get_job_for_asker(request.user, int(like[:18]))
        is_search = job.kind_slug == kind.slug and job.question == GENERATE
        return generator_fields(job) if is_search else {}
    # Chance is new each time; a search is repeated with the seed that stands with its boards.
    return {"seed": str(secrets.randbelow(SEEDS))}


@for_teachers("GET", "POST")
def puzzle_generated(request: SignedInRequest, pk: int) -> HttpResponse:
    """What has been made so far; the boards that are chosen are saved."""
    job = get_job_for_asker(request.user, pk)
    if job.question != GENERATE:
        raise Http404
    kind = get_kind(job.kind_slug)
    boards = found_boards(request.user, job)
    positions = [board.puzzle.position for board in boards]
    sent = request.POST.copy() if request.method == "POST" else None
    if sent is not None and (sent.get("do") == "all" or ("give" in sent and "boards" not in sent)):
        sent.setlist("boards", positions)
    form = SaveForm(positions, sent, initial={"title": f"{say(Message(kind.title))} {NUMBER_SIGN}"})
    if form.is_bound and form.is_valid():
        _save(request, kind, form, [found.board for found in boards])
        if request.POST.get("give", "").isdecimal():
            keys = in_library(request.user, kind.slug, form.cleaned_data["boards"])
            return redirect(give_page(request.POST["give"], keys))
        return redirect("puzzle_generated", pk)
    context = {
        "kind": kind,
        "job": job,
        "boards": boards,
        "can_choose": any(not board.is_known for board in boards),
        "form": form,
        "chosen": request.POST.getlist("boards"),
        "next_search": next_search_fields(job),
        "classrooms": classes_of(request.user),
    }
    template = "puzzles/_generated_boards.html" if request.htmx else "puzzles/puzzle_generated.html"
    return render(request, template, context, status=422 if form.is_bound else 200)


def _save(
    request: SignedInRequest, kind: AnyKind, form: SaveForm, boards: list[GeneratedBoard]
) -> None:
    chosen = set(form.cleaned_data["boards"])
    wanted = [board for board in boards if board.position in chosen]
    saved = save_boards(request.user, kind.slug, wanted, form.cleaned_data["title"])
    if saved:
        text = _("Saved in your library: {titles}").format(
            titles=_(", ").join(puzzle.title for puzzle in saved)
        )
        messages.success(request, text)
    known = len(chosen) - len(saved)
    if known:
        text = _("Not saved, because your library already has the board: {known}")
        messages.warning(request, text.format(known=known))


@for_teachers("GET", "POST")
def puzzle_explore(request: SignedInRequest, kind: AnyKind) -> HttpResponse:
    """How often random boards can be solved, how many solutions they have, how hard they are."""
    question = _question(kind, SURVEY)
    form = OptionsForm(question, request.POST if request.method == "POST" else None)
    status = 422 if form.is_bound else 200
    if form.is_bound and form.is_valid():
        try:
            jobs.ask(request.user, kind.slug, SURVEY, question.position, form.options())
            return redirect("puzzle_explore", kind.slug)
        except (PuzzleError, QuotaReached) as error:
            form.add_error(None, say(error.message))
            status = 429 if isinstance(error, QuotaReached) else status
    surveys = surveys_of(request.user, kind)
    context = {"kind": kind, "form": form, "surveys": surveys, "charts": charts_of(surveys)}
    template = "puzzles/_surveys.html" if request.htmx else "puzzles/puzzle_explore.html"
    return render(request, template, context, status=status)
