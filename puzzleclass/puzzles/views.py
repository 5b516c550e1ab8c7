"""The library and the page of a puzzle. The editor is in `editor_views`."""

from urllib.parse import urlencode

import msgspec
from django.conf import settings
from django.contrib import messages
from django.core.paginator import Paginator
from django.http import Http404, HttpResponse
from django.shortcuts import redirect, render
from django.urls import reverse
from django.utils.translation import gettext as _

from puzzleclass.accounts.models import User
from puzzleclass.accounts.sign_in import SignedInRequest, for_teachers
from puzzleclass.classes.access import taught_classes
from puzzleclass.database.bin import move_to_bin, trim_bin
from puzzleclass.forms.once import once
from puzzleclass.http import read_key
from puzzleclass.jobs.models import Job
from puzzleclass.puzzles.access import get_puzzle_for_owner
from puzzleclass.puzzles.answers import (
    COUNT,
    ESTIMATE,
    RATE,
    REPAIR,
    SOLUTIONS,
    Count,
    RepairAdvice,
    answer_in,
    ask_about,
    at_most_in,
    can_ask,
    count_in,
    estimate_in,
    jobs_about,
    measures_in,
)
from puzzleclass.puzzles.export import download, notations_of, standalone_svg
from puzzleclass.puzzles.goals import ask_for_optimum, goal_and_job, with_goal
from puzzleclass.puzzles.library import (
    MAX_ASSIGNED,
    MAX_TAGS,
    SearchForm,
    add_tag,
    assign_address,
    check_room,
    chosen_puzzles,
    copy_all,
    library_address,
    next_in_library,
    read_page,
    remove_tag,
    search,
)
from puzzleclass.puzzles.measured import measure
from puzzleclass.puzzles.models import Puzzle, Tag
from puzzleclass.puzzles.other_questions import other_questions
from puzzleclass.puzzles.player import ALL_SOLUTIONS, decisive_move, solution_player
from puzzleclass.puzzles.titles import free_title, titles_of
from puzzleclass.puzzles.worksheets import MAX_PRINTED, worksheet
from puzzleclass.seen_kinds import seen_kinds
from solvers.answers import BANDS, RateAnswer, RepairAnswer, SolutionsAnswer
from solvers.kind import PuzzleError

A_PAGE = 20
"""The number of puzzles on one page of the library. They fit on two screens."""


BESIDE_COUNT = (RATE, ESTIMATE, REPAIR)
"""The questions that can be asked beside the count, in the same part of a puzzle's page."""


@for_teachers("GET")
def puzzle_list(request: SignedInRequest) -> HttpResponse:
    """Show the teacher's puzzles, searched and sorted."""
    form = SearchForm(request.GET)
    puzzles = search(request.user, form)
    page = Paginator(puzzles, A_PAGE).get_page(request.GET.get("page"))
    first = (page.number - 1) * A_PAGE
    page.object_list = read_page(puzzles[first : first + A_PAGE], form)
    measure(page, request.user)
    context = {
        "form": form,
        "page": page,
        "kinds": seen_kinds().values(),
        "bands": BANDS,
        "tags": Tag.objects.filter(owner=request.user),
        "classrooms": taught_classes(request.user),
        "query": form.query,
        "saved_searches": request.user.saved_searches.all(),
    }
    template = "puzzles/_puzzles.html" if request.htmx else "puzzles/puzzle_list.html"
    return render(request, template, context)


def _warn_if_too_many(request: SignedInRequest, chosen: int, most: int) -> None:
    """Warn the teacher if more puzzles are chosen than can be used at once."""
    if chosen > most:
        text = _("Only the first {most} of the {chosen} selected puzzles were added.")
        messages.warning(request, text.format(most=most, chosen=chosen))


@for_teachers("POST")
@once()
def puzzles_bulk(request: SignedInRequest) -> HttpResponse:
    """Do something with all chosen puzzles, or with all that a search found."""
    teacher, fields = request.user, request.POST
    chosen = chosen_puzzles(teacher, fields)
    number = chosen.count()
    back = library_address(fields)
    if not number:
        messages.warning(request, _("Choose at least one puzzle."))
        return redirect(back)
    if fields.get("give", "").isdecimal():
        _warn_if_too_many(request, number, MAX_ASSIGNED)
        return redirect(
            assign_address(fields["give"], list(chosen.values_list("pk", flat=True)[:MAX_ASSIGNED]))
        )
    done = ""
    match fields.get("do"):
        case "tag" if fields.get("tag", "").strip():
            if not add_tag(chosen, teacher, fields["tag"]):
                text = _("There can be at most {most} tags.").format(most=MAX_TAGS)
                messages.warning(request, text)
                return redirect(back)
            done = _("Tagged: {number}")
        case "untag":
            remove_tag(chosen, teacher, " ".join(fields.get("tag", "").split()))
            done = _("Tag removed: {number}")
        case "print":
            _warn_if_too_many(request, number, MAX_PRINTED)
            keys = chosen.values_list("pk", flat=True)[:MAX_PRINTED]
            page = reverse("puzzle_worksheet")
            return redirect(f"{page}?{urlencode({'id': list(keys)}, doseq=True)}")
        case "copy":
            number = copy_all(chosen, request.user)
            done = _("Copied: {number}")
        case "delete":
            move_to_bin(request, chosen, _("Deleted: {number}").format(number=number))
            trim_bin(Puzzle.every.filter(owner=teacher), settings.MAX_PUZZLES)
    if done:
        messages.success(request, done.format(number=number))
    return redirect(back)


@for_teachers("GET")
def puzzle(request: SignedInRequest, pk: int) -> HttpResponse:
    """Show the page of a puzzle; for HTMX only the part about its solutions."""
    puzzle = get_puzzle_for_owner(request.user, pk)
    template = "puzzles/_count.html" if request.htmx else "puzzles/puzzle.html"
    return render(request, template, _puzzle_context(request, puzzle))


@for_teachers("POST")
def puzzle_count(request: SignedInRequest, pk: int) -> HttpResponse:
    """Have the puzzle's solutions counted and its difficulty calculated."""
    counted = get_puzzle_for_owner(request.user, pk)
    ask_about(request.user, counted, COUNT)
    if can_ask(counted, RATE):
        ask_about(request.user, counted, RATE)
    return _render_count(request, counted)


@for_teachers("POST")
def puzzle_ask(request: SignedInRequest, pk: int, question: str) -> HttpResponse:
    """Have one of the questions beside the count (`BESIDE_COUNT`) answered."""
    asked = get_puzzle_for_owner(request.user, pk)
    if question not in BESIDE_COUNT or not can_ask(asked, question):
        raise Http404
    ask_about(request.user, asked, question)
    return _render_count(request, asked)


@for_teachers("GET", "POST")
def puzzle_goal(request: SignedInRequest, pk: int) -> HttpResponse:
    """Set the score that solves the puzzle, or have the best score found.

    A GET from HTMX returns the part of the page about the goal.
    """
    puzzle = get_puzzle_for_owner(request.user, pk)
    if puzzle.kind.score is None:
        raise Http404
    if request.method == "GET":
        if not request.htmx:
            return redirect("puzzle", pk)
        return render(
            request, "puzzles/_goal.html", {"puzzle": puzzle} | _goal_context(request.user, puzzle)
        )
    if request.POST.get("do") == "optimum":
        ask_for_optimum(request.user, puzzle)
        return redirect("puzzle", pk)
    typed = request.POST.get("goal", "")
    try:
        puzzle.position = with_goal(puzzle.kind, puzzle.position, typed)
    except PuzzleError as error:
        context = _puzzle_context(request, puzzle) | {"goal_fault": error.message, "typed": typed}
        return render(request, "puzzles/puzzle.html", context, status=422)
    puzzle.save()
    messages.success(request, _("Saved."))
    return redirect("puzzle", pk)


@for_teachers("GET")
def puzzle_solution(request: SignedInRequest, pk: int) -> HttpResponse:
    """Show the solution after `?step=` moves: the puzzle's page, or for HTMX only the player."""
    puzzle = get_puzzle_for_owner(request.user, pk)
    context = _puzzle_context(request, puzzle)
    if request.htmx and "player" in context:
        return render(request, "puzzles/_player.html", context)
    return render(request, "puzzles/puzzle.html", context)


@for_teachers("POST")
@once()
def puzzle_copy(request: SignedInRequest, pk: int) -> HttpResponse:
    """Copy the puzzle and open the copy in the editor."""
    puzzle = get_puzzle_for_owner(request.user, pk)
    check_room(request.user)
    copied = puzzle.copy(free_title(puzzle.title, titles_of(request.user)))
    messages.success(request, _("This is the copy. You can change everything."))
    return redirect("puzzle_edit", copied.pk)


@for_teachers("POST")
@once()
def puzzle_delete(request: SignedInRequest, pk: int) -> HttpResponse:
    """Move the puzzle to the bin. Classes keep their copies."""
    puzzle = get_puzzle_for_owner(request.user, pk)
    text = _("“{title}” has been deleted.").format(title=puzzle.title)
    move_to_bin(request, Puzzle.objects.filter(pk=pk), text)
    trim_bin(Puzzle.every.filter(owner=request.user), settings.MAX_PUZZLES)
    return redirect(library_address(request.POST))


@for_teachers("GET")
def puzzle_worksheet(request: SignedInRequest) -> HttpResponse:
    """Show a worksheet of the library's puzzles that the address names, as in `?id=1&id=2`."""
    keys = [read_key(text) for text in request.GET.getlist("id")[:MAX_PRINTED]]
    boards = Puzzle.objects.filter(owner=request.user).in_bulk(keys)
    chosen = [boards[pk] for pk in dict.fromkeys(keys) if pk in boards]
    if "id" in request.GET and not chosen:
        raise Http404
    title = chosen[0].title if len(chosen) == 1 else ""
    context = {"ids": [board.pk for board in chosen]}
    return render(
        request, "puzzles/worksheet.html", context | worksheet(request.GET, chosen, title)
    )


@for_teachers("GET")
def puzzle_svg(request: SignedInRequest, pk: int) -> HttpResponse:
    """Return the board as an SVG file."""
    drawn = get_puzzle_for_owner(request.user, pk)
    return download(standalone_svg(drawn), "image/svg+xml", f"{drawn.title}.svg")


@for_teachers("GET")
def puzzle_export(request: SignedInRequest, pk: int, number: int) -> HttpResponse:
    """Return the board as a text file, in one of the notations of other programs."""
    puzzle = get_puzzle_for_owner(request.user, pk)
    texts = list(notations_of(puzzle).values())
    if not 1 <= number <= len(texts):
        raise Http404
    return download(texts[number - 1], "text/plain; charset=utf-8", f"{puzzle.title}.txt")


def _render_count(request: SignedInRequest, puzzle: Puzzle) -> HttpResponse:
    if not request.htmx:
        return redirect("puzzle", puzzle.pk)
    return render(request, "puzzles/_count.html", _puzzle_context(request, puzzle))


def _puzzle_context(request: SignedInRequest, shown: Puzzle) -> dict[str, object]:
    measure([shown], request.user)
    asked = dict.fromkeys((COUNT, *BESIDE_COUNT)) | {SOLUTIONS: ALL_SOLUTIONS}
    known = jobs_about(request.user, shown, asked)
    job = known.get(COUNT)
    context = {
        "puzzle": shown,
        "next_puzzle": next_in_library(shown),
        "notations": notations_of(shown),
        "classrooms": taught_classes(request.user),
        "others": other_questions(request.user, shown),
        "job": job,
        **_goal_context(request.user, shown),
    }
    count = count_in(shown, job)
    if count is None and job is None and (known_count := shown.known_count):
        # A count from a generator or the editor is not computed again.
        count = Count(shown, known_count)
    if count:
        context["count"] = count
        context |= _estimate_context(count, job, known.get(ESTIMATE))
        context |= _repair_context(count, known.get(REPAIR)) or _difficulty_context(
            count, known.get(RATE), shown.known_rating
        )
        if moves := count.answer.moves:
            listed = answer_in(known.get(SOLUTIONS), SolutionsAnswer)
            context["player"] = solution_player(
                shown.kind,
                shown.position,
                moves,
                request.GET.get("step"),
                decisive=decisive_move(shown, moves, count, listed),
            )
            context["player_url"] = reverse("puzzle_solution", args=[shown.pk])
    return context


def _goal_context(user: User, shown: Puzzle) -> dict[str, object]:
    """Return the context of the goal, with the optimum's job if a worker has to find it."""
    goal, job = goal_and_job(user, shown)
    return {"goal": goal, "optimum_job": job}


def _estimate_context(count: Count, count_job: Job | None, job: Job | None) -> dict[str, object]:
    """Return the context of the estimate; empty if the count is proven."""
    if count.proven:
        return {}
    estimate = estimate_in(count_job, count) or estimate_in(job, count)
    return {
        "estimate": estimate,
        "estimate_job": None if estimate else job,
        "at_most": at_most_in(job, count),
    }


def _repair_context(count: Count, job: Job | None) -> dict[str, object]:
    """Return the context of the repairs of a puzzle without a solution; empty for any other."""
    if not count.is_hopeless or not can_ask(count.puzzle, REPAIR):
        return {}
    answer = answer_in(job, RepairAnswer)
    advice = RepairAdvice(count.puzzle, answer) if answer else None
    return {"can_repair": True, "repair_job": job, "repair": advice}


def _difficulty_context(
    count: Count, job: Job | None, rated: RateAnswer | None
) -> dict[str, object]:
    """Return the context of the difficulty; empty for a puzzle without a solution."""
    if count.is_hopeless or not can_ask(count.puzzle, RATE):
        return {}
    answer = answer_in(job, RateAnswer) or rated
    if answer and rated:
        # The collection states the difficulty of its boards, whatever was calculated.
        answer = msgspec.structs.replace(answer, band=rated.band)
    measures = list(measures_in(answer)) if answer else ()
    return {"can_rate": True, "rate_job": job, "difficulty": answer, "measures": measures}
