from uuid import UUID

from django.http import HttpRequest, HttpResponse
from django.shortcuts import render
from django.views.decorators.http import require_http_methods

from puzzleclass.accounts.sign_in import student_required
from puzzleclass.play.access import get_attempt_for_student
from puzzleclass.play.forms import BackForm
from puzzleclass.play.hint import hint_card
from puzzleclass.play.hint_views import NOTHING_NEW
from puzzleclass.play.outlook import look_ahead
from puzzleclass.play.views import to_board, tool_in_hand


@require_http_methods(["GET", "POST"])
@student_required
def outlook(request: HttpRequest, key: UUID) -> HttpResponse:
    """Say whether the board can still be solved, as soon as that is known; till then, nothing.

    A board that has rested a moment asks, and asks again until there is an answer. It is told
    in a place of its own: the board, the hand and a step under way are left alone.
    """
    attempt = get_attempt_for_student(request.user, key)
    form = BackForm(request.POST)
    told = look_ahead(attempt, form.cleaned_data["step"]) if form.is_valid() else None
    if not request.htmx:
        return to_board(request, attempt)
    if told is None or not told.is_known:
        return HttpResponse(status=NOTHING_NEW)
    context = {
        "attempt": attempt,
        "assignment": attempt.puzzle.assignment,
        "outlook": told,
        "hint": hint_card(attempt, told) if told.is_lost else None,
        "hand": {"tool": tool_in_hand(request)},
    }
    return render(request, "play/_outlook_answer.html", context)
