"""The list of a puzzle's solutions, each looked at by itself or beside another."""

from collections.abc import Sequence
from dataclasses import dataclass
from itertools import zip_longest

from django.core.paginator import Page, Paginator
from django.http import Http404, HttpRequest, HttpResponse
from django.shortcuts import redirect, render
from django.urls import reverse
from django.views.decorators.http import require_http_methods

from puzzleclass.accounts.access import teacher_required
from puzzleclass.jobs.models import Job
from puzzleclass.puzzles.access import get_puzzle_for_owner
from puzzleclass.puzzles.asking import ask_about, can_ask, job_about
from puzzleclass.puzzles.counts import MOST_LISTED
from puzzleclass.puzzles.models import Puzzle
from puzzleclass.puzzles.player import Player, player_at
from solvers.kind import split_moves

QUESTION = "solutions"

OPTIONS = {"first": 1, "limit": MOST_LISTED}
"""All of them in one answer: turning a page then waits for nobody."""

A_PAGE = 50


@dataclass(frozen=True, slots=True)
class Entry:
    """A solution in the list."""

    number: int
    text: str
    differs: int | None
    """The step (from 1) at which it leaves the one before."""


@dataclass(frozen=True, slots=True)
class Side:
    """One of two solutions side by side."""

    number: int
    player: Player
    before: str
    """The moves that are the same in both."""
    move: str
    """The first one that is not."""
    after: str


@require_http_methods(["GET", "POST"])
@teacher_required
def puzzle_solutions(
    request: HttpRequest, pk: int, number: int = 1, other: int | None = None
) -> HttpResponse:
    """All solutions page by page, with number `number` in the player, or two side by side."""
    puzzle = get_puzzle_for_owner(request.user, pk)
    if not can_ask(puzzle, QUESTION):
        raise Http404
    if request.method == "POST":
        ask_about(request.user, puzzle, QUESTION, OPTIONS)
        if not request.htmx:
            return redirect("puzzle_solutions", pk)
    job = job_about(request.user, puzzle, QUESTION, OPTIONS)
    context = {"section": "puzzles", "puzzle": puzzle, "job": job, "most": MOST_LISTED}
    if job is not None and job.state == Job.State.DONE:
        context |= _listed(request, puzzle, job, number, other)
    if not request.htmx:
        return render(request, "puzzles/puzzle_solutions.html", context)
    if "step" in request.GET and "player" in context:
        fragment = "_pair" if other else "_player"
        return render(request, f"puzzles/{fragment}.html", context)
    return render(request, "puzzles/_solutions.html", context)


def _listed(
    request: HttpRequest, puzzle: Puzzle, job: Job, number: int, other: int | None
) -> dict[str, object]:
    lines = [split_moves(text) for text in job.details.get("solutions", ())]
    if not lines:
        return {}
    if not (1 <= number <= len(lines) and (other is None or 1 <= other <= len(lines))):
        raise Http404
    page = Paginator(range(1, len(lines) + 1), A_PAGE).get_page(
        request.GET.get("page", (number - 1) // A_PAGE + 1)
    )
    step = request.GET.get("step")
    context = {
        "entries": _entries(lines, page),
        "page": page,
        "number": number,
        "other": other,
        "total": len(lines),
        "is_all": job.answer["proven"],
    }
    if other is None:
        address = reverse("puzzle_solutions", args=[puzzle.pk, number])
        player = player_at(puzzle.kind, puzzle.position, lines[number - 1], step)
        return context | {"player": player, "player_url": address}
    differs = parting(lines[number - 1], lines[other - 1])
    shown = differs if step is None else step
    sides = [_side(puzzle, lines, each, differs, shown) for each in (number, other)]
    return context | {
        "sides": sides,
        "differs": differs,
        "player": max((side.player for side in sides), key=lambda player: player.total),
        "player_url": reverse("puzzle_solutions", args=[puzzle.pk, number, other]),
    }


def _entries(lines: Sequence[list[str]], page: Page) -> list[Entry]:
    return [
        Entry(
            number,
            " ".join(lines[number - 1]),
            parting(lines[number - 2], lines[number - 1]) if number > 1 else None,
        )
        for number in page
    ]


def parting(one: Sequence[str], other: Sequence[str]) -> int | None:
    """Return the first step (from 1) at which two lines differ; None when they are the same.

    >>> parting(["1,1", "1,2"], ["1,1", "2,1"])
    2
    """
    for step, (mine, theirs) in enumerate(zip_longest(one, other), 1):
        if mine != theirs:
            return step
    return None


def _side(
    puzzle: Puzzle,
    lines: Sequence[list[str]],
    number: int,
    differs: int | None,
    step: str | int | None,
) -> Side:
    line = lines[number - 1]
    at = (differs or len(line) + 1) - 1
    return Side(
        number,
        player_at(puzzle.kind, puzzle.position, line, step),
        " ".join(line[:at]),
        " ".join(line[at : at + 1]),
        " ".join(line[at + 1 :]),
    )
