"""The responses to what a page asks about hints and the look-ahead."""

from django.http import HttpResponse
from django.shortcuts import render
from msgspec import ValidationError

from puzzleclass.accounts.sign_in import SignedInRequest
from puzzleclass.http import NOTHING_NEW
from puzzleclass.play import hints
from puzzleclass.play.forms import SentBoard, SentHint, SentWait, read
from puzzleclass.play.models import Attempt
from puzzleclass.play.responses import answer, redirect_to_page, wanted_tool


def hint(request: SignedInRequest, attempt: Attempt) -> HttpResponse:
    """Ask for a hint."""
    sent = read(request.POST, SentHint)
    hints.ask_hint(attempt, sent.step, sent.level)
    return answer(request, attempt)


def hint_answer(request: SignedInRequest, attempt: Attempt) -> HttpResponse:
    """Take the hint that was asked for and show it. Until there is an answer, return nothing.

    The board asks every second. It is also drawn again when the worker stops or is back.
    """
    sent = read(request.POST, SentWait)
    hints.take_answer(attempt, sent.step)
    _, card = hints.help_for(attempt)
    is_late = sent.step != attempt.next_step
    is_shown = card is None or (card.is_pending and card.has_no_worker == sent.away)
    if request.htmx and (is_late or is_shown):
        # If the request is late, the board has gone on, and a later response shows its new state.
        return HttpResponse(status=NOTHING_NEW)
    return answer(request, attempt)


def hint_back(request: SignedInRequest, attempt: Attempt) -> HttpResponse:
    """Go back to the last position that could be solved."""
    sent = read(request.POST, SentBoard)
    return answer(request, hints.back_to_live(attempt, sent.step))


def look_ahead(request: SignedInRequest, attempt: Attempt) -> HttpResponse:
    """Say whether the board can still be solved, or that no worker is running.

    Return an empty response until one of the two is known. A board asks when nothing has been
    pressed for a moment, and asks again until there is an answer. The answer has a place of its
    own, so that the board, the tools and a step under way stay as they are.
    """
    try:
        ahead = hints.look_ahead(attempt, read(request.POST, SentBoard).step)
    except ValidationError:
        ahead = None
    if not request.htmx:
        return redirect_to_page(request, attempt)
    if ahead is None or not ahead.is_news(request.POST):
        return HttpResponse(status=NOTHING_NEW)
    context = {
        "attempt": attempt,
        "assignment": attempt.puzzle.assignment,
        "lookahead": ahead,
        "hint": hints.help_for(attempt)[1] if ahead.is_lost else None,
        "tools": {"tool": wanted_tool(request)},
    }
    return render(request, "play/_look_ahead_answer.html", context)
