"""The views of what a class does now: the live wall, one student on it, the hunt for solutions."""

from django.core.paginator import Paginator
from django.http import Http404, HttpResponse
from django.shortcuts import render

from puzzleclass.accounts.sign_in import SignedInRequest, for_teachers
from puzzleclass.assignments.access import (
    get_assigned_puzzle_for_teacher,
    get_assignment_for_teacher,
    get_assignment_to_watch,
)
from puzzleclass.classes.access import Right, may_teach_now
from puzzleclass.http import NOTHING_NEW
from puzzleclass.play.models import HintUse, RefusedMove
from puzzleclass.play.nicknames import nickname
from puzzleclass.stats.class_results import NamedStudent, SolutionGroup, class_records, hunt_at
from puzzleclass.stats.wall import WallState, wall_of
from puzzleclass.templating.templatetags.words import clock

UNNAMED = "none"
"""The value of the parameter `names` with which no names are sent."""

GROUPS_PER_PAGE = 40

NEEDS_SHOWN = 6
"""The most students who are listed as needing help; the page gives only the number of the
others."""


@for_teachers("GET")
def wall(request: SignedInRequest, pk: int) -> HttpResponse:
    """Show every student's board; for HTMX, only those that differ from the versions that it has
    (`have`)."""
    assignment = get_assignment_to_watch(request.user, pk)
    only, named = request.GET.get("puzzle", ""), request.GET.get("names") != UNNAMED
    kana = request.GET.get("kana") == "on"
    shown = wall_of(assignment, int(only) if only.isdecimal() else None, named=named, kana=kana)
    context = {
        "assignment": assignment,
        "wall": shown,
        "tiles": shown.tiles,
        "only": only,
        "named": named,
        "kana": kana,
        "needs": shown.in_need[:NEEDS_SHOWN],
        "more_needs": max(0, len(shown.in_need) - NEEDS_SHOWN),
    }
    if not request.htmx:
        return render(request, "stats/wall.html", context)
    have, now = request.GET.getlist("have"), request.GET.get("now")
    if not shown.is_same_class(have):
        # A student has come or gone, so the tiles of the page no longer match the class.
        return HttpResponse(headers={"HX-Refresh": "true"})
    changed = shown.changed(have)
    if not changed and now == shown.version:
        return HttpResponse(status=NOTHING_NEW)
    context |= {"tiles": changed, "is_other_now": now != shown.version}
    return render(request, "stats/_wall_answer.html", context)


@for_teachers("GET")
def wall_student(request: SignedInRequest, pk: int, student: int) -> HttpResponse:
    """Show a student's board, large; for HTMX, nothing unless it has changed."""
    assignment = get_assignment_to_watch(request.user, pk)
    named = request.GET.get("names") != UNNAMED
    shown = wall_of(assignment, student=student, named=named)
    if not shown.tiles:
        raise Http404
    (tile,) = shown.tiles
    attempt = tile.attempt
    hints = HintUse.objects.filter(attempt=attempt).count() if attempt else 0
    puzzle = {"puzzle": tile.puzzle} if tile.puzzle else {"puzzle__assignment": assignment}
    refused = RefusedMove.objects.filter(student=student, **puzzle).order_by("-at")[:3]
    version = f"{tile.version}.{hints}.{sum(move.times for move in refused)}"
    if request.htmx and request.GET.get("have") == version:
        return HttpResponse(status=NOTHING_NEW)
    with_role = get_assignment_for_teacher(request.user, pk, Right.LOOK)
    context = {
        "assignment": assignment,
        "tile": tile,
        "named": named,
        "version": version,
        "hints": hints,
        "refused": refused,
        "is_stuck": tile.state == WallState.STUCK,
        "time": clock(attempt.seconds) if attempt else "",
        "may_ask": may_teach_now(with_role, with_role.classroom),
    }
    template = "stats/_wall_student.html" if request.htmx else "stats/wall_student.html"
    return render(request, template, context)


@for_teachers("GET")
def hunt(request: SignedInRequest, pk: int) -> HttpResponse:
    """Show the class's hunt for all solutions of a board; for HTMX, nothing unless one was
    found."""
    puzzle = get_assigned_puzzle_for_teacher(request.user, pk, Right.LOOK)
    shown = hunt_at(puzzle)
    version = f"{shown.found}.{shown.count.value if shown.count else ''}"
    is_shown = puzzle.assignment.is_shown
    if request.htmx and (request.GET.get("have") == version or not is_shown):
        return HttpResponse(status=NOTHING_NEW)
    names = request.GET.get("names", "nicknames")
    page = Paginator(shown.groups, GROUPS_PER_PAGE).get_page(request.GET.get("page"))
    context = {
        "puzzle": puzzle,
        "hunt": shown,
        "version": version,
        "names": names if names in (UNNAMED, "names") else "nicknames",
        "page": page,
        "groups": [(group, _finder(group, names)) for group in page],
        "records": class_records(puzzle),
    }
    template = "stats/_hunt.html" if request.htmx else "stats/hunt.html"
    return render(request, template, context)


def _finder(group: SolutionGroup, names: str) -> NamedStudent | None:
    """Return the student who found the first of the solutions, named as the page names students."""
    if names == UNNAMED:
        return None
    finder = group.solutions[0].finders[0]
    return finder if names == "names" else NamedStudent(finder.pk, nickname(finder.pk))
