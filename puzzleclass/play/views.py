from urllib.parse import urlencode
from uuid import UUID

from django.http import HttpRequest, HttpResponse
from django.shortcuts import redirect, render, resolve_url
from django.views.decorators.http import require_GET, require_http_methods

from puzzleclass.accounts.sign_in import student_required
from puzzleclass.assignments.models import AssignedPuzzle
from puzzleclass.play import services
from puzzleclass.play.access import get_attempt_for_student, get_puzzle_for_student
from puzzleclass.play.board import board_context
from puzzleclass.play.forms import StepForm
from puzzleclass.play.models import Attempt
from puzzleclass.play.services import StepRefused, current_attempt
from solvers.message import Message


@require_GET
@student_required
def play(request: HttpRequest, pk: int) -> HttpResponse:
    puzzle = get_puzzle_for_student(request.user, pk)
    return render_board(request, puzzle, current_attempt(request.user, puzzle))


@require_http_methods(["GET", "POST"])
@student_required
def step(request: HttpRequest, key: UUID) -> HttpResponse:
    attempt = get_attempt_for_student(request.user, key)
    if request.method == "GET":
        return to_board(request, attempt)
    if "take" in request.POST:
        # Sent like a step, so that it waits its turn among the steps; but it is none.
        return answer(request, attempt)
    form = StepForm(request.POST)
    try:
        if not form.is_valid():
            raise StepRefused(Message("This step could not be read. Please make it again."), 400)
        step = form.cleaned_data
        attempt = services.take_step(attempt, step["step"], step["action"], step["move"])
    except StepRefused as refused:
        return answer(request, attempt, refused)
    return answer(request, attempt)


@require_http_methods(["GET", "POST"])
@student_required
def restart(request: HttpRequest, key: UUID) -> HttpResponse:
    attempt = get_attempt_for_student(request.user, key)
    if request.method == "GET":
        return to_board(request, attempt)
    try:
        return answer(request, services.restart(attempt))
    except StepRefused as refused:
        return answer(request, attempt, refused)


def to_board(request: HttpRequest, attempt: Attempt) -> HttpResponse:
    """Lead to the page: from a refused step's address loaded again, or after a sign-in."""
    page, tool = resolve_url("play", attempt.puzzle_id), tool_in_hand(request)
    return redirect(f"{page}?{urlencode({'tool': tool})}" if tool else page)


def tool_in_hand(request: HttpRequest) -> str:
    """Return the tool that was just taken up, else the one the board was drawn for."""
    fields = request.POST or request.GET
    return fields.get("take") or fields.get("tool", "")


def answer(
    request: HttpRequest, attempt: Attempt, refused: StepRefused | None = None
) -> HttpResponse:
    """Show the student's latest board after a POST, which may have been about an older one."""
    puzzle = attempt.puzzle
    if not request.htmx and not refused:
        return to_board(request, attempt)
    return render_board(request, puzzle, current_attempt(request.user, puzzle), refused)


def render_board(
    request: HttpRequest,
    puzzle: AssignedPuzzle,
    attempt: Attempt | None,
    refused: StepRefused | None = None,
) -> HttpResponse:
    """Return the page, or for HTMX what a step can have changed on it."""
    template = "play/_answer.html" if request.htmx else "play/play.html"
    context = board_context(request.user, puzzle, attempt, tool_in_hand(request), refused)
    return render(request, template, context, status=refused.status if refused else 200)
