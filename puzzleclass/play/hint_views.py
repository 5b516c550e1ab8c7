from uuid import UUID

from django.http import HttpRequest, HttpResponse
from django.views.decorators.cache import never_cache
from django.views.decorators.http import require_http_methods

from puzzleclass.accounts.sign_in import student_required
from puzzleclass.play import hint as hints
from puzzleclass.play.access import get_attempt_for_student
from puzzleclass.play.forms import BackForm, HintForm
from puzzleclass.play.models import Attempt
from puzzleclass.play.outlook import told_outlook
from puzzleclass.play.services import StepRefused
from puzzleclass.play.views import answer, render_board, to_board
from solvers.message import Message

NOTHING_NEW = 204
"""HTMX leaves the page as it is."""

UNREADABLE = StepRefused(Message("This could not be read. Please press the button again."), 400)


@require_http_methods(["GET", "POST"])
@never_cache
@student_required
def hint(request: HttpRequest, key: UUID) -> HttpResponse:
    """POST: take a hint. GET: the board with the answer, as soon as it is there."""
    attempt = get_attempt_for_student(request.user, key)
    if request.method == "GET":
        return _waited(request, attempt)
    form = HintForm(request.POST)
    if not form.is_valid():
        return answer(request, attempt, UNREADABLE)
    try:
        hints.ask_hint(attempt, form.cleaned_data["step"], form.cleaned_data["level"])
    except StepRefused as refused:
        return answer(request, attempt, refused)
    return answer(request, attempt)


def _waited(request: HttpRequest, attempt: Attempt) -> HttpResponse:
    """Answer a board that asks every second whether the worker is done with its hint."""
    if not request.htmx:
        return to_board(request, attempt)
    card = hints.hint_card(attempt, told_outlook(attempt))
    is_late = request.GET.get("step") != str(attempt.next_step)
    if is_late or card is None or card.is_thinking:
        # Late: the board has gone on, and shows, or will, what stands there now.
        return HttpResponse(status=NOTHING_NEW)
    return render_board(request, attempt.puzzle, attempt)


@require_http_methods(["GET", "POST"])
@student_required
def hint_back(request: HttpRequest, key: UUID) -> HttpResponse:
    """Go back to the last position that could be solved."""
    attempt = get_attempt_for_student(request.user, key)
    if request.method == "GET":
        return to_board(request, attempt)
    form = BackForm(request.POST)
    if not form.is_valid():
        return answer(request, attempt, UNREADABLE)
    try:
        hints.back_to_live(attempt, form.cleaned_data["step"])
    except StepRefused as refused:
        return answer(request, attempt, refused)
    return answer(request, attempt)
