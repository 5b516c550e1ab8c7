"""The library and a puzzle's own page. Drawing one up is in `editor`."""

from django.contrib import messages
from django.core.paginator import Paginator
from django.http import Http404, HttpRequest, HttpResponse
from django.shortcuts import redirect, render
from django.urls import reverse
from django.utils.http import content_disposition_header
from django.utils.translation import gettext as _
from django.views.decorators.http import require_GET, require_http_methods, require_POST

from puzzleclass.accounts.models import User
from puzzleclass.accounts.sign_in import teacher_required
from puzzleclass.classes.models import Classroom
from puzzleclass.jobs.models import Job
from puzzleclass.puzzles import difficulty, estimates, repairs
from puzzleclass.puzzles.access import get_puzzle_for_owner
from puzzleclass.puzzles.asking import ask_about, can_ask, job_about
from puzzleclass.puzzles.counts import Count, ask_for_count, count_job, known_counts
from puzzleclass.puzzles.estimates import estimate_in
from puzzleclass.puzzles.export import standalone_svg
from puzzleclass.puzzles.forms import SearchForm
from puzzleclass.puzzles.marks import ask_for_optimum, mark_of, marked, optimum_job
from puzzleclass.puzzles.models import Puzzle
from puzzleclass.puzzles.more import more_questions
from puzzleclass.puzzles.player import solution_player
from puzzleclass.puzzles.services import copy_puzzle
from solvers.kind import PuzzleError

A_PAGE = 24
"""Puzzles on one page of the library."""

ASKED = (difficulty.QUESTION, estimates.QUESTION, repairs.QUESTION)
"""What is asked beside the count, in the same part of a puzzle's page."""


@require_GET
@teacher_required
def puzzle_list(request: HttpRequest) -> HttpResponse:
    """The teacher's puzzles, the latest first, or those whose title holds the text `q`."""
    found = Puzzle.objects.filter(owner=request.user)
    form = SearchForm(request.GET)
    wanted = form.cleaned_data["q"] if form.is_valid() else ""
    page = Paginator(found.filter(title__icontains=wanted), A_PAGE).get_page(
        request.GET.get("page")
    )
    counts = known_counts(page)
    context = {
        "section": "puzzles",
        "form": form,
        "wanted": wanted,
        "page": page,
        "entries": [
            (puzzle, puzzle.kind.facts(puzzle.start), counts.get(puzzle.pk)) for puzzle in page
        ],
    }
    template = "puzzles/_puzzles.html" if request.htmx else "puzzles/puzzle_list.html"
    return render(request, template, context)


@require_GET
@teacher_required
def puzzle(request: HttpRequest, pk: int) -> HttpResponse:
    """A puzzle's page; for HTMX the part about its solutions alone."""
    shown = get_puzzle_for_owner(request.user, pk)
    template = "puzzles/_count.html" if request.htmx else "puzzles/puzzle.html"
    return render(request, template, _puzzle_context(request, shown))


@require_POST
@teacher_required
def puzzle_count(request: HttpRequest, pk: int) -> HttpResponse:
    """Have the puzzle's solutions counted, and its difficulty worked out."""
    counted = get_puzzle_for_owner(request.user, pk)
    ask_for_count(request.user, counted)
    if can_ask(counted, difficulty.QUESTION):
        ask_about(request.user, counted, difficulty.QUESTION)
    return _asked(request, counted)


@require_POST
@teacher_required
def puzzle_ask(request: HttpRequest, pk: int, question: str) -> HttpResponse:
    """Have a question that belongs to the count answered."""
    asked = get_puzzle_for_owner(request.user, pk)
    if question not in ASKED or not can_ask(asked, question):
        raise Http404
    ask_about(request.user, asked, question)
    return _asked(request, asked)


@require_http_methods(["GET", "POST"])
@teacher_required
def puzzle_mark(request: HttpRequest, pk: int) -> HttpResponse:
    """Set the score that solves the puzzle, or have the best one found; GET: the part about it."""
    shown = get_puzzle_for_owner(request.user, pk)
    if shown.kind.editor.mark(shown.position) is None:
        raise Http404
    if request.method == "GET":
        if not request.htmx:
            return redirect("puzzle", pk)
        return render(request, "puzzles/_mark.html", {"puzzle": shown} | _mark(request.user, shown))
    if request.POST.get("do") == "optimum":
        ask_for_optimum(request.user, shown)
        return redirect("puzzle", pk)
    typed = request.POST.get("mark", "")
    try:
        shown.position = marked(shown.kind, shown.position, typed)
    except PuzzleError as error:
        context = _puzzle_context(request, shown) | {"mark_fault": error.message, "typed": typed}
        return render(request, "puzzles/puzzle.html", context, status=422)
    shown.save()
    messages.success(request, _("Saved."), extra_tags="ok")
    return redirect("puzzle", pk)


@require_GET
@teacher_required
def puzzle_solution(request: HttpRequest, pk: int) -> HttpResponse:
    """The solution after `step` moves: the player for HTMX, else the puzzle's page with it."""
    shown = get_puzzle_for_owner(request.user, pk)
    context = _puzzle_context(request, shown)
    if request.htmx and "player" in context:
        return render(request, "puzzles/_player.html", context)
    return render(request, "puzzles/puzzle.html", context)


@require_POST
@teacher_required
def puzzle_copy(request: HttpRequest, pk: int) -> HttpResponse:
    """Copy the puzzle and open the copy in the editor."""
    copied = copy_puzzle(get_puzzle_for_owner(request.user, pk))
    messages.success(request, _("This is the copy. Change what you like."), extra_tags="ok")
    return redirect("puzzle_edit", copied.pk)


@require_http_methods(["GET", "POST"])
@teacher_required
def puzzle_delete(request: HttpRequest, pk: int) -> HttpResponse:
    """Ask, then delete. What has been given to classes stays with them."""
    doomed = get_puzzle_for_owner(request.user, pk)
    if request.method == "GET":
        context = {"section": "puzzles", "puzzle": doomed, "given": doomed.assigned.count()}
        return render(request, "puzzles/puzzle_delete.html", context)
    doomed.delete()
    done = _("“{title}” has been deleted.").format(title=doomed.title)
    messages.success(request, done, extra_tags="ok")
    return redirect("puzzle_list")


@require_GET
@teacher_required
def puzzle_svg(request: HttpRequest, pk: int) -> HttpResponse:
    """The board as an SVG file."""
    drawn = get_puzzle_for_owner(request.user, pk)
    response = HttpResponse(standalone_svg(drawn.picture), content_type="image/svg+xml")
    response["Content-Disposition"] = content_disposition_header(True, f"{drawn.title}.svg")
    return response


@require_GET
@teacher_required
def puzzle_export(request: HttpRequest, pk: int, number: int) -> HttpResponse:
    """The board as a text file, in one of the notations of other programs."""
    puzzle = get_puzzle_for_owner(request.user, pk)
    texts = list(puzzle.kind.exports(puzzle.start).values())
    if not 1 <= number <= len(texts):
        raise Http404
    response = HttpResponse(texts[number - 1], content_type="text/plain; charset=utf-8")
    response["Content-Disposition"] = content_disposition_header(True, f"{puzzle.title}.txt")
    return response


def _asked(request: HttpRequest, puzzle: Puzzle) -> HttpResponse:
    if not request.htmx:
        return redirect("puzzle", puzzle.pk)
    return render(request, "puzzles/_count.html", _puzzle_context(request, puzzle))


def _puzzle_context(request: HttpRequest, shown: Puzzle) -> dict[str, object]:
    job = count_job(request.user, shown)
    context = {
        "section": "puzzles",
        "puzzle": shown,
        "facts": shown.kind.facts(shown.start),
        "obstacle": shown.kind.obstacle(shown.start),
        "exports": shown.kind.exports(shown.start),
        "classrooms": _classrooms(request.user),
        "more": more_questions(request.user, shown),
        "job": job,
        **_mark(request.user, shown),
    }
    if _has_answer(job):
        count = Count(shown, job)
        context["count"] = count
        context |= _estimate(request.user, count)
        context |= _repair(request.user, count) or _difficulty(request.user, count)
        if count.moves:
            step = request.GET.get("step")
            context["player"] = solution_player(shown.kind, shown.position, count.moves, step)
            context["player_url"] = reverse("puzzle_solution", args=[shown.pk])
    return context


def _mark(user: User, shown: Puzzle) -> dict[str, object]:
    """Return what solves a puzzle with a score, and how far its optimum is; else nothing."""
    mark = mark_of(shown)
    if mark is None or mark.optimum is not None:
        return {"mark": mark}
    return {"mark": mark, "optimum_job": optimum_job(user, shown)}


def _estimate(user: User, count: Count) -> dict[str, object]:
    """Return what there is to say of a number that is too large to be counted."""
    if count.proven:
        return {}
    job = job_about(user, count.puzzle, estimates.QUESTION) if count.can_be_estimated else None
    estimate = estimate_in(count.job) or estimate_in(job)
    return {"estimate": estimate, "estimate_job": None if estimate else job}


def _repair(user: User, count: Count) -> dict[str, object]:
    """Return how a puzzle without a solution can be mended; nothing for any other."""
    if not count.is_hopeless or not can_ask(count.puzzle, repairs.QUESTION):
        return {}
    job = job_about(user, count.puzzle, repairs.QUESTION)
    repair = repairs.Repair(count.puzzle, job) if _has_answer(job) else None
    return {"can_repair": True, "repair_job": job, "repair": repair}


def _difficulty(user: User, count: Count) -> dict[str, object]:
    """Return how hard the puzzle is; nothing for one that can't be solved at all."""
    if count.is_hopeless or not can_ask(count.puzzle, difficulty.QUESTION):
        return {}
    job = job_about(user, count.puzzle, difficulty.QUESTION)
    rated = difficulty.Difficulty(job) if _has_answer(job) else None
    return {"can_rate": True, "rate_job": job, "difficulty": rated}


def _has_answer(job: Job | None) -> bool:
    return job is not None and job.state == Job.State.DONE


def _classrooms(teacher: User) -> list[Classroom]:
    return list(Classroom.objects.filter(teachers=teacher))
