"""The pages on which a teacher gets boards: the generator, the surveys of random boards, and the
ready collection."""

import secrets

from django.contrib import messages
from django.http import Http404, HttpResponse
from django.shortcuts import redirect, render, resolve_url
from django.urls import reverse
from django.utils.translation import gettext as _
from django_htmx.http import HttpResponseClientRedirect

from puzzleclass.accounts.sign_in import SignedInRequest, for_teachers
from puzzleclass.classes.access import taught_classes
from puzzleclass.errors import QuotaReached
from puzzleclass.forms.once import once
from puzzleclass.jobs import services as jobs
from puzzleclass.jobs.access import get_job_for_asker
from puzzleclass.language.reader import say
from puzzleclass.puzzles.access import get_puzzle_for_owner
from puzzleclass.puzzles.drawing import Drawing, posted_drawing
from puzzleclass.puzzles.forms import DRAWN, GeneratorForm, OptionsForm, SaveForm
from puzzleclass.puzzles.generator import (
    GENERATE,
    SURVEY,
    charts_of,
    found_boards,
    generator_fields,
    last_searches,
    library_positions,
    next_search_fields,
    save_chosen,
    save_collected,
    surveys_of,
)
from puzzleclass.puzzles.library import assign_address
from puzzleclass.puzzles.measured import measure
from puzzleclass.puzzles.models import Puzzle
from puzzleclass.puzzles.titles import kind_pattern
from puzzleclass.seen_kinds import seen_kinds
from puzzleclass.templating.crumbs import Crumb
from solvers.answers import CountAnswer, Exact, RateAnswer
from solvers.kind import PuzzleError
from solvers.message import Message
from solvers.question import Question
from solvers.registry import AnyKind, CollectedPuzzle, collection, kind_or_missing

SEEDS = 10**6
"""The number of seeds from which the generator's form picks one at random."""


SEARCH = "search"
"""The value with which the form is sent to start a search, and not for a step on the board."""


def _question(kind: AnyKind, name: str) -> Question:
    """Return the kind's question. Raise Http404 if the kind does not know it."""
    if name not in kind.questions:
        raise Http404
    return kind.questions[name]


@for_teachers("GET", "POST")
def puzzle_generate(request: SignedInRequest, kind: AnyKind) -> HttpResponse:
    """Show the generator's form, draw on its board, or start the search."""
    question = _question(kind, GENERATE)
    if request.method == "GET":
        return _render_form(
            request, GeneratorForm(question, kind, initial=_first_fields(request, kind))
        )
    if request.POST.get("do", SEARCH) != SEARCH:
        return _render_after_step(request, kind, question)
    fields = request.POST.copy()
    if not fields.get("position", "").strip():
        # Use the pasted text if the form is sent before the board has been updated.
        fields["position"] = fields.get("text", "")
    form = GeneratorForm(question, kind, fields)
    if form.is_valid():
        options = form.options(library_positions(request.user, kind.slug))
        position = form.cleaned_data["position"]
        try:
            job = jobs.ask(request.user, kind.slug, GENERATE, position, options)
        except QuotaReached as error:
            if request.htmx:
                raise
            form.add_error(None, say(error.message))
            return _render_form(request, form, status=429)
        except PuzzleError as error:
            form.add_error(None, say(error.message))
        else:
            page = resolve_url("puzzle_generated", job.pk)
            return HttpResponseClientRedirect(page) if request.htmx else redirect(page)
    return _render_form(request, form)


def _render_after_step(request: SignedInRequest, kind: AnyKind, question: Question) -> HttpResponse:
    """Apply a step to the form's board. The other fields stay as typed."""
    typed = request.POST.dict()
    form = GeneratorForm(question, kind, initial=typed)
    try:
        drawing = posted_drawing(
            kind, form.read_drawing(typed.get("position", "")).text, request.POST
        )
        drawing = drawing.after(typed["do"], request.POST)
    except PuzzleError as error:
        return _render_form(request, form, fault=error.message)
    # A teacher who draws a board wants the search to use it.
    uses_board = {question.position_option: DRAWN} if question.position_option else {}
    drawn = typed | uses_board | {"position": drawing.text}
    return _render_form(request, GeneratorForm(question, kind, initial=drawn), drawing)


def _render_form(
    request: SignedInRequest,
    form: GeneratorForm,
    drawing: Drawing | None = None,
    fault: Message | None = None,
    status: int = 422,
) -> HttpResponse:
    """Show the form, with this status if the request could not be carried out."""
    context = {
        "kind": form.kind,
        "form": form,
        "drawing": drawing or form.drawing,
        "fault": fault,
        "text": request.POST.get("text", ""),
        "last_searches": last_searches(request.user, form.kind),
    }
    template = "puzzles/_generator_form.html" if request.htmx else "puzzles/puzzle_generate.html"
    return render(request, template, context, status=status if form.is_bound or fault else 200)


def _first_fields(request: SignedInRequest, kind: AnyKind) -> dict[str, str]:
    """Return the fields that the form opens with.

    `?puzzle=` names a puzzle to start from, and `?like=` an earlier search to change.
    """
    chosen, like = request.GET.get("puzzle", ""), request.GET.get("like", "")
    if chosen.isdecimal():
        puzzle = get_puzzle_for_owner(request.user, int(chosen[:18]))
        return {"position": puzzle.position} if puzzle.kind_slug == kind.slug else {}
    if like.isdecimal():
        job = get_job_for_asker(request.user, int(like[:18]))
        is_search = job.kind_slug == kind.slug and job.question == GENERATE
        return generator_fields(job) if is_search else {}
    # Each search gets a new random seed. To repeat a search, use the seed shown with its boards.
    return {"seed": str(secrets.randbelow(SEEDS))}


@for_teachers("GET", "POST")
@once()
def puzzle_generated(request: SignedInRequest, pk: int) -> HttpResponse:
    """Show the boards that a search has found so far, and save the chosen ones."""
    job = get_job_for_asker(request.user, pk)
    if job.question != GENERATE:
        raise Http404
    kind = kind_or_missing(job.kind_slug)
    boards = found_boards(request.user, job)
    positions = [board.puzzle.position for board in boards]
    sent = request.POST.copy() if request.method == "POST" else None
    if sent is not None and (sent.get("do") == "all" or ("give" in sent and "boards" not in sent)):
        sent.setlist("boards", positions)
    form = SaveForm(positions, sent, initial={"title": kind_pattern(kind)})
    if form.is_bound and form.is_valid():
        keys = save_chosen(request, kind, form, [each.board for each in boards])
        if request.POST.get("give", "").isdecimal():
            return redirect(assign_address(request.POST["give"], keys))
        return redirect("puzzle_generated", pk)
    context = {
        "kind": kind,
        "job": job,
        "boards": boards,
        "can_choose": any(not board.is_known for board in boards),
        "form": form,
        "chosen": request.POST.getlist("boards"),
        "next_search": next_search_fields(job),
        "classrooms": taught_classes(request.user),
        "above": _above(kind),
        "here": _("Generated puzzles"),
    }
    template = "puzzles/_generated_boards.html" if request.htmx else "puzzles/puzzle_generate.html"
    return render(request, template, context, status=422 if form.is_bound else 200)


def _above(kind: AnyKind) -> Crumb:
    """Return the page of the generator in the breadcrumbs of its panels."""
    return Crumb(reverse("puzzle_generate", args=[kind.slug]), _("Generate puzzles"), "puzzle_list")


@for_teachers("GET", "POST")
def puzzle_explore(request: SignedInRequest, kind: AnyKind) -> HttpResponse:
    """Show surveys of random boards, or start one.

    A survey says how often such boards can be solved, how many solutions they have and how
    difficult they are.
    """
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
    context = {
        "kind": kind,
        "survey": True,
        "form": form,
        "surveys": surveys,
        "charts": charts_of(surveys),
        "above": _above(kind),
        "here": _("What random boards are like"),
    }
    template = "puzzles/_surveys.html" if request.htmx else "puzzles/puzzle_generate.html"
    return render(request, template, context, status=status)


# The ready collection


@for_teachers("GET")
def collection_start(request: SignedInRequest) -> HttpResponse:
    """Open the collection at the first level of the first kind that has one."""
    slug = next(slug for slug, kind in seen_kinds().items() if collection(kind))
    return redirect("collection", slug, 1)


@for_teachers("GET", "POST")
@once()
def collection_level(request: SignedInRequest, kind: AnyKind, level: int) -> HttpResponse:
    """Show a level of a kind. Save the chosen puzzles, or all of them, in the library.

    The form may also ask to assign them to a class.
    """
    collected = [puzzle for puzzle in collection(kind) if puzzle.level == level]
    if not collected:
        raise Http404
    if request.method == "POST":
        chosen = set(request.POST.getlist("boards"))
        selected = [puzzle for puzzle in collected if puzzle.position in chosen] or collected
        gives = request.POST.get("give", "").isdecimal()
        new, keys = save_collected(request.user, kind, selected, is_in_library=not gives)
        if gives:
            return redirect(assign_address(request.POST["give"], keys))
        messages.success(request, _("Saved in “My puzzles”: {number}").format(number=new))
        return redirect("collection", kind.slug, level)
    known = library_positions(request.user, kind.slug)
    entries = [(_unsaved_puzzle(kind.slug, each), each.position in known) for each in collected]
    measure((puzzle for puzzle, _ in entries), request.user)
    context = {
        "kind": kind,
        "level": level,
        "levels": sorted({puzzle.level for puzzle in collection(kind)}),
        "kinds": [each for each in seen_kinds().values() if collection(each)],
        "entries": entries,
        "classrooms": taught_classes(request.user),
    }
    return render(request, "puzzles/collection.html", context)


def _unsaved_puzzle(kind_slug: str, collected: CollectedPuzzle) -> Puzzle:
    """Return the collection's puzzle as an unsaved puzzle, for lists."""
    puzzle = Puzzle(kind_slug=kind_slug, position=collected.position)
    puzzle.set_answer(CountAnswer(Exact(collected.solutions)))
    puzzle.set_answer(RateAnswer(band=collected.band))
    return puzzle
