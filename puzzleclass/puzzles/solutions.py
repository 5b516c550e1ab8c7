"""The list of a puzzle's solutions, each looked at by itself or beside another."""

from collections.abc import Sequence
from dataclasses import dataclass, replace
from itertools import zip_longest

from django.core.paginator import Paginator
from django.http import Http404, HttpRequest, HttpResponse
from django.shortcuts import redirect, render
from django.urls import reverse
from django.views.decorators.http import require_http_methods

from puzzleclass.accounts.sign_in import teacher_required
from puzzleclass.jobs.models import Job
from puzzleclass.puzzles.access import get_puzzle_for_owner
from puzzleclass.puzzles.asking import ask_about, can_ask, job_about
from puzzleclass.puzzles.counts import MOST_LISTED
from puzzleclass.puzzles.models import Puzzle
from puzzleclass.puzzles.player import Player, player_at, solution_player
from solvers.grid import HALF, centre, read_cell
from solvers.kind import split_moves
from solvers.picture import Circle, Picture

QUESTION = "solutions"

OPTIONS = {"first": 1, "limit": MOST_LISTED}
"""All of them in one answer: turning a page then waits for nobody."""

A_PAGE = 50
"""Lines of moves on a page of the list."""

BOARDS_A_PAGE = 24
"""The same where boards are shown."""


@dataclass(frozen=True, slots=True)
class Entry:
    """A solution in the list."""

    number: int
    text: str
    differs: int | None
    """The step (from 1) at which it leaves the one before; for boards, how many moves of it are
    not among those of the one before."""
    picture: Picture | None
    """Where what stands on the board is the solution, that board."""


@dataclass(frozen=True, slots=True)
class Side:
    """One of two solutions side by side."""

    number: int
    player: Player
    moves: list[tuple[str, bool]]
    """Each with whether it is marked: the first where the orders part, or all that the other
    board does not have."""


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
    texts = job.details.get("solutions", ())
    if not texts:
        return {}
    if not (1 <= number <= len(texts) and (other is None or 1 <= other <= len(texts))):
        raise Http404
    are_boards = puzzle.kind.family == "placement"
    a_page = BOARDS_A_PAGE if are_boards else A_PAGE
    page = Paginator(range(1, len(texts) + 1), a_page).get_page(
        request.GET.get("page", (number - 1) // a_page + 1)
    )
    step = request.GET.get("step")
    line = split_moves(texts[number - 1])
    context = {
        "entries": [_entry(puzzle, texts, each) for each in page],
        "are_boards": are_boards,
        "page": page,
        "number": number,
        "other": other,
        "total": len(texts),
        "is_all": job.answer["proven"],
    }
    if other is None:
        address = reverse("puzzle_solutions", args=[puzzle.pk, number])
        player = solution_player(puzzle.kind, puzzle.position, line, step)
        return context | {"player": player, "player_url": address}
    lines = line, split_moves(texts[other - 1])
    differs = parting(*lines)
    if are_boards:
        sides = [
            _board_side(puzzle, each, mine, theirs, step)
            for each, mine, theirs in ((number, *lines), (other, *reversed(lines)))
        ]
    else:
        shown = differs if step is None else step
        sides = [
            _line_side(puzzle, each, mine, differs, shown)
            for each, mine in ((number, lines[0]), (other, lines[1]))
        ]
    return context | {
        "sides": sides,
        "differs": None if are_boards else differs,
        "elsewhere": sum(is_marked for _, is_marked in sides[0].moves),
        "player": max((side.player for side in sides), key=lambda player: player.total),
        "player_url": reverse("puzzle_solutions", args=[puzzle.pk, number, other]),
    }


def _entry(puzzle: Puzzle, texts: Sequence[str], number: int) -> Entry:
    text = texts[number - 1]
    line = split_moves(text)
    before = split_moves(texts[number - 2]) if number > 1 else None
    if puzzle.kind.family == "placement":
        picture = puzzle.kind.draw(puzzle.kind.play_line(puzzle.start, text))
        differs = None if before is None else len(set(line) - set(before))
        return Entry(number, text, differs, picture)
    return Entry(number, text, None if before is None else parting(before, line), None)


def parting(one: Sequence[str], other: Sequence[str]) -> int | None:
    """Return the first step (from 1) at which two lines differ; None when they are the same.

    >>> parting(["1,1", "1,2"], ["1,1", "2,1"])
    2
    """
    for step, (mine, theirs) in enumerate(zip_longest(one, other), 1):
        if mine != theirs:
            return step
    return None


def _line_side(
    puzzle: Puzzle,
    number: int,
    line: Sequence[str],
    differs: int | None,
    step: str | int | None,
) -> Side:
    player = player_at(puzzle.kind, puzzle.position, line, step)
    return Side(number, player, [(move, at == differs) for at, move in enumerate(line, 1)])


def _board_side(
    puzzle: Puzzle,
    number: int,
    line: Sequence[str],
    others: Sequence[str],
    step: str | None,
) -> Side:
    player = solution_player(puzzle.kind, puzzle.position, line, step)
    own = set(line) - set(others)
    # A move ends in the point that it is about.
    cells = (read_cell(move.split()[-1]) for move in line[: player.step] if move in own)
    rings = (Circle(*centre(cell), HALF - 2, "changed") for cell in cells)
    marked = replace(player, picture=player.picture.with_marks(rings))
    return Side(number, marked, [(move, move in own) for move in line])
