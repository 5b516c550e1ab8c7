"""The page of what a student has found at a board."""

from typing import Any
from zlib import crc32

from django.http import HttpResponse
from django.shortcuts import redirect, render
from django.template.loader import render_to_string
from django.urls import reverse

from puzzleclass.accounts.sign_in import SignedInRequest, for_students
from puzzleclass.assignments.models import AssignedPuzzle, Assignment
from puzzleclass.http import NOTHING_NEW
from puzzleclass.lessons.cases import (
    all_cases,
    found_cases,
    lettered,
    letters,
    own_cases_of,
    solutions_among,
    tree_of,
    whole_tree,
)
from puzzleclass.play.access import get_puzzle_for_student
from puzzleclass.puzzles.answers import SOLUTIONS, job_about
from puzzleclass.puzzles.player import ALL_SOLUTIONS
from puzzleclass.stats.class_results import hunt_at


@for_students("GET")
def own_found(request: SignedInRequest, pk: int) -> HttpResponse:
    """Show a student the solutions found, or the tree of the cases that the student has found.

    Where the class looks for all solutions together, a student who has found one sees those of the
    class, too. With `missing`, the tree has an empty place for each case that is missing, once all
    of them are listed, if the assignment shows how many there are.
    """
    puzzle = get_puzzle_for_student(request.user, pk)
    view = "tree" if request.GET.get("view") == "tree" else "solutions"
    context: dict[str, Any] = {"puzzle": puzzle, "view": view}
    part = "lessons/_own_solutions.html"
    reading = _own_solutions
    if view == "tree":
        part, reading = "lessons/_own_tree.html", _own_tree
    context |= reading(request, puzzle)
    context["body"] = render_to_string(part, context, request)
    context["version"] = f"{crc32(context['body'].encode()):x}"
    if request.htmx and request.GET.get("have") == context["version"]:
        return HttpResponse(status=NOTHING_NEW)
    return render(request, "lessons/own_found.html", context)


@for_students("GET")
def own_cases(request: SignedInRequest, pk: int) -> HttpResponse:
    """Lead from the address of earlier releases to the student's tree."""
    puzzle = get_puzzle_for_student(request.user, pk)
    return redirect(reverse("own_found", args=[puzzle.pk], query={"view": "tree"}))


def _own_solutions(request: SignedInRequest, puzzle: AssignedPuzzle) -> dict[str, Any]:
    hunt = hunt_at(puzzle)
    own = {
        each.number
        for group in hunt.groups
        for each in group.solutions
        if any(finder.pk == request.user.pk for finder in each.finders)
    }
    is_together = puzzle.assignment.wanted == Assignment.TOGETHER
    solutions = [
        (each, each.number in own)
        for group in hunt.groups
        for each in group.solutions
        if each.number in own or (is_together and own)
    ]
    return {"by_class": hunt.found if is_together else None, "shown": solutions, "own": len(own)}


def _own_tree(request: SignedInRequest, puzzle: AssignedPuzzle) -> dict[str, Any]:
    listed = all_cases(puzzle, job_about(request.user, puzzle, SOLUTIONS, ALL_SOLUTIONS))
    (own,) = found_cases(puzzle, listed, request.user)
    can_show_missing = listed is not None and puzzle.assignment.shows_total
    shows_missing = can_show_missing and "missing" in request.GET
    cases = listed if shows_missing and listed else own_cases_of(puzzle, listed, own)
    is_whole = whole_tree(puzzle.kind_slug, puzzle.position) is not None
    # The letters of a whole tree stay as they are while the student finds more.
    names = letters(puzzle, listed if listed and is_whole else cases)
    return {
        "own": own,
        "can_show_missing": can_show_missing,
        "shows_missing": shows_missing,
        "is_whole": is_whole,
        "missing_dead_ends": len(cases) - len(solutions_among(cases)) - len(own.dead_ends),
        "board": lettered(puzzle, names),
        "tree": tree_of(puzzle, cases, names, own.times + own.dead_ends, shows="found"),
    }
