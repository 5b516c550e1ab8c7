"""The pages of the questions other than the count: a page for each question, the list of solutions,
and the list of a teacher's running jobs."""

from django.contrib import messages
from django.http import Http404, HttpResponse
from django.shortcuts import redirect, render
from django.urls import reverse
from django.utils.translation import gettext as _

from puzzleclass.accounts.models import User
from puzzleclass.accounts.sign_in import SignedInRequest, for_teachers
from puzzleclass.errors import QuotaReached
from puzzleclass.jobs import services as jobs
from puzzleclass.jobs.models import Job
from puzzleclass.language.reader import say
from puzzleclass.puzzles.access import get_puzzle_for_owner
from puzzleclass.puzzles.answers import (
    MAX_LISTED,
    SOLUTIONS,
    answer_in,
    ask_about,
    can_ask,
    job_about,
)
from puzzleclass.puzzles.export import download
from puzzleclass.puzzles.models import Board, Puzzle
from puzzleclass.puzzles.other_questions import (
    ASKED_ELSEWHERE,
    Findings,
    options_form,
    previous_answers,
    question_address,
    refusal_of,
)
from puzzleclass.puzzles.player import (
    ALL_SOLUTIONS,
    are_boards,
    decisive_move,
    page_of_solutions,
    side_by_side,
    solution_entry,
    solution_player,
)
from solvers.answers import Answer, SolutionsAnswer
from solvers.kind import split_moves
from solvers.message import Message
from solvers.question import Question

MAX_LISTED_JOBS = 200
"""The most jobs on the page of running jobs."""


@for_teachers("GET", "POST")
def puzzle_question(request: SignedInRequest, pk: int, question: str) -> HttpResponse:
    """Show the page of a question, with the options in the address. A POST has it answered.

    For HTMX return only the part with the answer, or with `step` only the player.
    """
    puzzle = get_puzzle_for_owner(request.user, pk)
    asked = _question(puzzle, question)
    sent = request.POST if request.method == "POST" else request.GET
    form = options_form(asked, sent)
    context: dict[str, object] = {
        "puzzle": puzzle,
        "name": question,
        "question": asked,
        "form": form,
        "former": previous_answers(request.user, puzzle, question),
    }
    status = 422 if request.method == "POST" or not form.is_valid() else 200
    if form.is_valid():
        options = form.options()
        refusal = refusal_of(asked, puzzle, options)
        if request.method == "POST" and refusal is None:
            try:
                ask_about(request.user, puzzle, question, options)
                return redirect(question_address(puzzle, question, options))
            except QuotaReached as error:
                refusal, status = error.message, 429
        job = job_about(request.user, puzzle, question, options)
        context |= {"refusal": refusal, "job": job}
        if job is not None:
            context |= _job_context(request, puzzle, job)
    is_step = "step" in request.GET and "player" in context
    template = "puzzles/_player.html" if is_step else "puzzles/_findings.html"
    if not request.htmx:
        template, context["panel"] = "puzzles/puzzle.html", "puzzles/_question.html"
        context["here"] = say(Message(asked.title))
    return render(request, template, context, status=status)


@for_teachers("GET")
def puzzle_file(request: SignedInRequest, pk: int, question: str, number: int) -> HttpResponse:
    """Return a file of the answer by its number, from 1. The options are in the address."""
    puzzle = get_puzzle_for_owner(request.user, pk)
    asked = _question(puzzle, question)
    form = options_form(asked, request.GET)
    job = job_about(request.user, puzzle, question, form.options()) if form.is_valid() else None
    files = Findings(puzzle.kind, job.known(Answer)).files if job else ()
    if not 1 <= number <= len(files):
        raise Http404
    file = files[number - 1]
    return download(file.text, "text/plain; charset=utf-8", file.name)


def _question(board: Board, name: str) -> Question:
    """Return the kind's question.

    Raise Http404 if the kind does not know it, or if it has a dedicated page.
    """
    if name in ASKED_ELSEWHERE or name not in board.kind.questions:
        raise Http404
    return board.kind.questions[name]


def _job_context(request: SignedInRequest, puzzle: Puzzle, job: Job) -> dict[str, object]:
    """Return the context of a job: its findings, their boards, and the player of its line."""
    findings = Findings(puzzle.kind, job.known(Answer))
    page = findings.page(request.GET.get("page"))
    context = {"findings": findings, "page": page, "boards": [*map(findings.drawn, page)]}
    if job.result and job.result.moves:
        moves, step = job.result.moves, request.GET.get("step")
        query = request.GET.copy()
        query.pop("step", None)
        context |= {
            "player": solution_player(puzzle.kind, puzzle.position, moves, step),
            "player_url": request.path,
            "player_query": f"{query.urlencode()}&" if query else "",
        }
    return context


@for_teachers("GET", "POST")
def job_list(request: SignedInRequest) -> HttpResponse:
    """Show the teacher's jobs that are waiting or running, and those that have failed lately.

    A POST stops all jobs that are waiting or running.
    """
    if request.method == "POST":
        if stopped := jobs.withdraw_all(request.user):
            messages.success(request, _("Jobs stopped: {number}").format(number=stopped))
        return redirect("job_list")
    under_way = jobs.asked_by(request.user).defer("stored_found", "answer")
    rows = list(under_way.order_by("asked_at")[:MAX_LISTED_JOBS])
    failed = list(jobs.failed_lately(request.user)[:MAX_LISTED_JOBS])
    owned = Puzzle.objects.filter(
        owner=request.user, position__in={job.position for job in (*rows, *failed)}
    ).only("kind_slug", "position", "title")
    puzzles = {(puzzle.kind_slug, puzzle.position): puzzle for puzzle in owned}
    context = {
        "rows": [(job, puzzles.get((job.kind_slug, job.position))) for job in rows],
        "more": max(0, under_way.count() - len(rows)),
        "failed": [(job, puzzles.get((job.kind_slug, job.position))) for job in failed],
        "for_students": request.user.jobs.filter(
            served__role=User.Role.STUDENT, state__in=(Job.State.WAITING, Job.State.RUNNING)
        ).count(),
    }
    template = "puzzles/_job_list.html" if request.htmx else "puzzles/job_list.html"
    return render(request, template, context)


@for_teachers("GET", "POST")
def puzzle_solutions(
    request: SignedInRequest, pk: int, number: int = 1, other: int | None = None
) -> HttpResponse:
    """Show all solutions page by page, with solution `number` in the player.

    With `other`, show the two solutions side by side.
    """
    puzzle = get_puzzle_for_owner(request.user, pk)
    if not can_ask(puzzle, SOLUTIONS):
        raise Http404
    if request.method == "POST":
        ask_about(request.user, puzzle, SOLUTIONS, ALL_SOLUTIONS)
        if not request.htmx:
            return redirect("puzzle_solutions", pk)
    job = job_about(request.user, puzzle, SOLUTIONS, ALL_SOLUTIONS)
    context: dict[str, object] = {"puzzle": puzzle, "job": job, "most": MAX_LISTED}
    answer = answer_in(job, SolutionsAnswer)
    if answer and answer.solutions:
        context |= _solutions_context(request, puzzle, answer, number, other)
    if not request.htmx:
        context |= {"panel": "puzzles/_solutions.html", "here": _("All solutions")}
        return render(request, "puzzles/puzzle.html", context)
    if "step" in request.GET and "player" in context:
        fragment = "_solution_pair" if other else "_player"
        return render(request, f"puzzles/{fragment}.html", context)
    return render(request, "puzzles/_solutions.html", context)


def _solutions_context(
    request: SignedInRequest,
    puzzle: Puzzle,
    answer: SolutionsAnswer,
    number: int,
    other: int | None,
) -> dict[str, object]:
    """Return the context of a page of the list, and of the one or two solutions shown."""
    texts = answer.solutions
    numbers = (number,) if other is None else (number, other)
    if not all(1 <= each <= len(texts) for each in numbers):
        raise Http404
    step = request.GET.get("step")
    page = page_of_solutions(texts, number, request.GET.get("page"))
    context = {
        "page": page,
        "entries": [solution_entry(puzzle, texts, each) for each in page],
        "are_boards": are_boards(puzzle),
        "number": number,
        "other": other,
        "total": len(texts),
        "is_all": answer.proven,
        "player_url": reverse("puzzle_solutions", args=[puzzle.pk, *numbers]),
    }
    if other is None:
        line = split_moves(texts[number - 1])
        decisive = decisive_move(puzzle, line, None, answer)
        player = solution_player(puzzle.kind, puzzle.position, line, step, decisive=decisive)
        after = [puzzle.pk, number + 1]
        player_next = reverse("puzzle_solutions", args=after) if number < len(texts) else ""
        return context | {"player": player, "player_next": player_next}
    sides, differs = side_by_side(puzzle, texts, (number, other), step)
    return context | {
        "sides": sides,
        "differs": differs,
        "elsewhere": sum(is_marked for _, is_marked in sides[0].moves),
        "player": max((side.player for side in sides), key=lambda player: player.total),
    }
