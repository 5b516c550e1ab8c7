"""The questions of a kind that have no place of their own on the site: a page for each."""

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any
from urllib.parse import urlencode

from django.http import Http404, HttpRequest, HttpResponse
from django.shortcuts import redirect, render
from django.urls import reverse
from django.utils.http import content_disposition_header
from django.views.decorators.cache import never_cache
from django.views.decorators.http import require_GET, require_http_methods

from puzzleclass.accounts.models import User
from puzzleclass.accounts.sign_in import teacher_required
from puzzleclass.jobs.models import Job, job_key
from puzzleclass.language import say
from puzzleclass.making.forms import OptionsForm
from puzzleclass.puzzles.access import get_puzzle_for_owner
from puzzleclass.puzzles.asking import ask_about, job_about
from puzzleclass.puzzles.findings import Findings
from puzzleclass.puzzles.models import Board, Puzzle
from puzzleclass.puzzles.player import solution_player
from solvers.kind import Option, PuzzleError, Question
from solvers.message import Message

PLACED = frozenset(
    {
        "count",
        "solve",
        "estimate",
        "rate",
        "solutions",
        "repair",
        "generate",
        "survey",
        "hint",
        "review",
    }
)
"""The questions that the site asks elsewhere."""

PREFIX = "with"
"""Before the name of an option in an address, so that it can't be taken for `step` or `page`."""

FORMER = 12
"""Earlier answers on a question's page."""


@dataclass(frozen=True, slots=True)
class More:
    """A question that can be asked about a puzzle, and how far its answer is."""

    name: str
    question: Question
    job: Job | None
    """Its job without any wish; None for a question with options, whose answers are many."""
    refusal: Message | None
    """Why there is no answer, where that is known at once."""


@dataclass(frozen=True, slots=True)
class Former:
    """The same question, asked before with other options."""

    told: list[tuple[str, str]]
    """The titles of the options and what they were."""
    query: str
    job: Job


def more_questions(user: User, puzzle: Puzzle) -> list[More]:
    """Return the questions about the puzzle that have no place of their own."""
    return [
        More(
            name,
            question,
            None if question.options else job_about(user, puzzle, name),
            None if question.options else _refusal(question, puzzle, {}),
        )
        for name, question in puzzle.kind.questions.items()
        if name not in PLACED
    ]


@require_http_methods(["GET", "POST"])
@never_cache
@teacher_required
def puzzle_question(request: HttpRequest, pk: int, question: str) -> HttpResponse:
    """A question's page, its options in the address; POST has it answered.

    For HTMX the part with the answer; with `step` the player alone.
    """
    puzzle = get_puzzle_for_owner(request.user, pk)
    asked = _question(puzzle, question)
    told = request.POST if request.method == "POST" else request.GET
    form = _form(asked, told)
    context = {
        "section": "puzzles",
        "puzzle": puzzle,
        "name": question,
        "question": asked,
        "form": form,
        "former": _former(request.user, puzzle, question),
    }
    if form.is_valid():
        options = form.options()
        refusal = _refusal(asked, puzzle, options)
        if request.method == "POST" and refusal is None:
            ask_about(request.user, puzzle, question, options)
            return redirect(_address(puzzle, question, _query(asked.options, options)))
        job = job_about(request.user, puzzle, question, options)
        context |= {"refusal": refusal, "job": job}
        if job is not None:
            context |= _shown(request, puzzle, job)
    is_step = "step" in request.GET and "player" in context
    template = "_player" if is_step else "_findings"
    if not request.htmx:
        template = "puzzle_question"
    is_at_fault = not form.is_valid() or request.method == "POST"
    return render(request, f"puzzles/{template}.html", context, status=422 if is_at_fault else 200)


@require_GET
@teacher_required
def puzzle_file(request: HttpRequest, pk: int, question: str, number: int) -> HttpResponse:
    """A file of the answer, numbered from 1; the options are in the address."""
    puzzle = get_puzzle_for_owner(request.user, pk)
    asked = _question(puzzle, question)
    form = _form(asked, request.GET)
    job = job_about(request.user, puzzle, question, form.options()) if form.is_valid() else None
    files = {file.number: file for file in Findings(puzzle, job).files} if job else {}
    if number not in files:
        raise Http404
    response = HttpResponse(files[number].text, content_type="text/plain; charset=utf-8")
    response["Content-Disposition"] = content_disposition_header(True, files[number].name)
    return response


def _question(board: Board, name: str) -> Question:
    """Return the kind's question; one that it does not know, or that has a place elsewhere: 404."""
    if name in PLACED or name not in board.kind.questions:
        raise Http404
    return board.kind.questions[name]


def _refusal(question: Question, board: Board, options: dict[str, Any]) -> Message | None:
    try:
        question.refuse_impossible(board.start, **options)
    except PuzzleError as error:
        return error.message
    return None


def _form(question: Question, told: Mapping[str, str]) -> OptionsForm:
    """Return the form of the options: what was told of each, else its default."""
    texts = {_field(name): option.default for name, option in question.options.items()}
    return OptionsForm(
        question, {field: told.get(field, text) for field, text in texts.items()}, prefix=PREFIX
    )


def _field(option: str) -> str:
    return f"{PREFIX}-{option}"


def _query(options: Mapping[str, Option], values: Mapping[str, Any]) -> str:
    """Return the options as they stand in an address."""
    return urlencode({_field(name): option.write(values[name]) for name, option in options.items()})


def _address(board: Puzzle, question: str, query: str) -> str:
    address = reverse("puzzle_question", args=[board.pk, question])
    return f"{address}?{query}" if query else address


def _shown(request: HttpRequest, puzzle: Puzzle, job: Job) -> dict[str, object]:
    """Return what there is to see of a job: what was found, drawn, and its line in the player."""
    findings = Findings(puzzle, job)
    page = findings.page(request.GET.get("page"))
    context = {"findings": findings, "page": page, "drawn": findings.drawn(page)}
    if job.state == Job.State.DONE and job.answer["moves"]:
        moves, step = job.answer["moves"], request.GET.get("step")
        query = request.GET.copy()
        query.pop("step", None)
        context |= {
            "player": solution_player(puzzle.kind, puzzle.position, moves, step),
            "player_url": request.path,
            "player_query": f"{query.urlencode()}&" if query else "",
        }
    return context


def _former(user: User, puzzle: Puzzle, name: str) -> list[Former]:
    """Return what the user has asked with other options, the latest first."""
    options = puzzle.kind.questions[name].options
    if not options:
        return []
    asked = Job.objects.filter(
        askers=user, kind_slug=puzzle.kind_slug, question=name, position=puzzle.position
    )
    return [
        Former(
            [(option.title, _words(option, job.options[key])) for key, option in options.items()],
            _query(options, job.options),
            job,
        )
        for job in asked.order_by("-asked_at")[:FORMER]
        # An older version of the solver may have known other options.
        if job.key == job_key(puzzle.kind_slug, name, puzzle.position, job.options)
    ]


def _words(option: Option, value: Any) -> str:
    """Return the value of an option as a reader knows it."""
    text = option.write(value)
    return say(Message(option.choices[text])) if text in option.choices else text
