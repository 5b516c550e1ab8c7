"""The view of a class's hunt for solutions."""

from django.core.paginator import Paginator
from django.http import HttpResponse
from django.shortcuts import render

from puzzleclass.accounts.sign_in import SignedInRequest, for_teachers
from puzzleclass.assignments.access import get_assigned_puzzle_for_teacher
from puzzleclass.classes.access import Right
from puzzleclass.http import NOTHING_NEW
from puzzleclass.play.nicknames import nickname
from puzzleclass.stats.class_results import NamedStudent, SolutionGroup, class_records, hunt_at

UNNAMED = "none"
"""The value of the parameter `names` with which no names are sent."""

GROUPS_PER_PAGE = 40


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
