"""The pages on which a teacher comes by boards: has new ones found, explores random ones, takes
those of the ready collection."""

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
    save_collected,
    surveys_of,
)
from puzzleclass.puzzles.models import Puzzle
from puzzleclass.puzzles.views import classes_of, get_puzzle_for_owner, give_page
from solvers.answers import CountAnswer, Exact, GeneratedBoard, RateAnswer
from solvers.kind import PuzzleError
from solvers.message import Message
from solvers.question import Question
from solvers.registry import AnyKind, CollectedPuzzle, collection, get_kind, kinds

SEEDS = 10**6
"""The generator's form opens with one of so many."""

MOST_NAMED = 3
"""Puzzles whose titles stand in the message that they are saved; of more, how many they are."""

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
    if len(saved) > MOST_NAMED:
        messages.success(request, _("In your library now: {number}").format(number=len(saved)))
    elif saved:
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


# The ready collection


@for_teachers("GET")
def collection_start(request: SignedInRequest) -> HttpResponse:
    """Open the collection at the first level of the first kind that has one."""
    slug = next((slug for slug, kind in kinds().items() if collection(kind)), None)
    if slug is None:
        raise Http404
    return redirect("collection", slug, 1)


@for_teachers("GET", "POST")
def collection_level(request: SignedInRequest, kind: AnyKind, level: int) -> HttpResponse:
    """Show a level of a kind; take what is chosen, or all of it, and perhaps give it to a class."""
    collected = [puzzle for puzzle in collection(kind) if puzzle.level == level]
    if not collected:
        raise Http404
    if request.method == "POST":
        chosen = set(request.POST.getlist("boards"))
        taken = [puzzle for puzzle in collected if puzzle.position in chosen] or collected
        pattern = f"{say(Message(kind.title))} {level}-{NUMBER_SIGN}"
        new, keys = save_collected(request.user, kind.slug, taken, pattern)
        messages.success(request, _("In your library now: {number}").format(number=new))
        if request.POST.get("give", "").isdecimal():
            return redirect(give_page(request.POST["give"], keys))
        return redirect("collection", kind.slug, level)
    known = library(request.user, kind.slug)
    context = {
        "kind": kind,
        "level": level,
        "levels": sorted({puzzle.level for puzzle in collection(kind)}),
        "kinds": [each for each in kinds().values() if collection(each)],
        "entries": [(_collected(kind.slug, each), each.position in known) for each in collected],
        "classrooms": classes_of(request.user),
    }
    return render(request, "puzzles/collection.html", context)


def _collected(kind_slug: str, collected: CollectedPuzzle) -> Puzzle:
    """Return the puzzle as lists show it, not saved."""
    puzzle = Puzzle(kind_slug=kind_slug, position=collected.position)
    puzzle.keep(CountAnswer(Exact(collected.solutions)))
    puzzle.keep(RateAnswer(band=collected.band))
    return puzzle
