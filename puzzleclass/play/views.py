"""The student's page of a puzzle, and the responses to the requests of that page."""

from collections.abc import Callable, Hashable
from uuid import UUID

from django.contrib import messages
from django.core.exceptions import PermissionDenied
from django.core.paginator import Paginator
from django.db.models import Case, Value, When
from django.http import Http404, HttpResponse
from django.shortcuts import redirect, render
from django.urls import reverse
from django.utils import timezone
from django.utils.translation import gettext_lazy
from msgspec import ValidationError

from puzzleclass.accounts.sign_in import SignedInRequest, for_students, for_users
from puzzleclass.assignments.models import AssignedPuzzle, Assignment
from puzzleclass.assignments.pace import board_instead
from puzzleclass.http import NOTHING_NEW, quietly_refused, read_key
from puzzleclass.play import attempts, restarts
from puzzleclass.play.access import get_attempt_for_student, get_puzzle_for_student, get_trial
from puzzleclass.play.attempts import current_attempt
from puzzleclass.play.forms import SentMoves, SentStep, read
from puzzleclass.play.models import BEGUN, Attempt, Feedback
from puzzleclass.play.offline_steps import time_of
from puzzleclass.play.quiet import quiet_answer
from puzzleclass.play.refusals import StepRefused
from puzzleclass.play.responses import answer, redirect_to_page, render_board, wanted_tool
from puzzleclass.play.staircase import advance
from puzzleclass.play.trial import advance_trial
from puzzleclass.puzzles.player import ordered_player
from solvers.message import Message
from solvers.registry import AnyKind

Action = Callable[[SignedInRequest, Attempt], HttpResponse]
"""A function that changes an attempt as a POST asks, and returns the response."""

ATTEMPTS_PER_PAGE = 30

GONE = 410
"""The status if the student had the board open and it can no longer be played."""


_END_OF_STAIRCASE = gettext_lazy("This is the end of the staircase. Well done!")
_UNREADABLE = StepRefused(Message("This could not be read. Please try again."), 400)


# Access: a student may open the assigned puzzles of their classes, and their own attempts.


# The page and the steps


@for_students("GET", "POST")
def attempt_action(request: SignedInRequest, key: UUID, action: Action) -> HttpResponse:
    """Apply the action of the address (`play.urls.ACTIONS`) to a student's own attempt."""
    try:
        attempt = get_attempt_for_student(request.user, key)
    except PermissionDenied as denied:
        return _render_withdrawn(request, denied)
    return _run_action(request, attempt, action)


@for_users("GET", "POST")
def trial_action(request: SignedInRequest, name: str, action: Action) -> HttpResponse:
    """Apply the action of the address (`play.urls.ACTIONS`) to an attempt without a row."""
    return _run_action(request, get_trial(request, name), action)


def _run_action(request: SignedInRequest, attempt: Attempt, action: Action) -> HttpResponse:
    """Return the response of an action. Show a refusal on the board; redirect a GET to the page."""
    if request.method == "GET":
        return redirect_to_page(request, attempt)
    try:
        return action(request, attempt)
    except ValidationError:
        return answer(request, attempt, _UNREADABLE)
    except StepRefused as refused:
        if request.htmx and refused.status == 422 and request.POST.get("expects") == "refusal":
            # The page shows the refusal already. The move is only counted.
            return quietly_refused(request, HttpResponse(status=NOTHING_NEW))
        return answer(request, attempt, refused)


def _render_withdrawn(request: SignedInRequest, denied: PermissionDenied) -> HttpResponse:
    """Return a fragment that replaces the board and says why the puzzle can't be played any more.

    Raise the exception again if a whole page was requested, because its error page says the same.
    """
    if not request.htmx:
        raise denied
    return render(request, "play/_withdrawn.html", {"said": denied.args[0]}, status=GONE)


@for_students("GET")
def play(request: SignedInRequest, pk: int) -> HttpResponse:
    """Show the page of a puzzle. For HTMX, which asks from an open page, return only the board."""
    try:
        puzzle = get_puzzle_for_student(request.user, pk, was_open=bool(request.htmx))
    except PermissionDenied as denied:
        return _render_withdrawn(request, denied)
    if not request.htmx and (instead := board_instead(request.user.pk, puzzle)):
        return redirect("play", instead)
    attempt = current_attempt(request.user, puzzle)
    return render_board(request, puzzle, attempt)


@for_users("GET")
def trial(request: SignedInRequest, name: str) -> HttpResponse:
    """Show the page of a puzzle to its teacher or author, without storing anything."""
    attempt = get_trial(request, name)
    return render_board(request, attempt.puzzle, attempt)


def step(request: SignedInRequest, attempt: Attempt) -> HttpResponse:
    """Make a move or the moves of a stroke, or take one back."""
    if "take" in request.POST:
        # Taking up a tool is no step. It is sent like one so that it waits for the steps before it.
        return answer(request, attempt, is_line_known=True)
    sent = read(request.POST, SentStep)
    move, now = sent.move or sent.redo or sent.typed, timezone.now()
    at = time_of(attempt, sent, now)
    if sent.stroke:
        after = attempts.take_stroke(attempt, sent.step, sent.stroke, at, arrived_at=now)
    else:
        after = attempts.take_step(attempt, sent.step, sent.action, move, at, arrived_at=now)
    if request.htmx and sent.expects:
        quiet = quiet_answer(attempt, after, sent.expects, wanted_tool(request))
        if quiet:
            return quiet
    return answer(request, after, is_line_known=not sent.typed)


def restart(request: SignedInRequest, attempt: Attempt) -> HttpResponse:
    """Begin a new attempt at the puzzle."""
    return answer(request, restarts.restart(attempt), is_new=True)


def moves(request: SignedInRequest, attempt: Attempt) -> HttpResponse:
    """Go back, or on again, to the board with the requested number of moves."""
    sent = read(request.POST, SentMoves)
    attempts.go_to(attempt, sent.step, sent.moves)
    return answer(request, attempt)


@for_students("GET", "POST")
def next_board(request: SignedInRequest, pk: int) -> HttpResponse:
    """Leave the board of a staircase for the next one, and show the student's latest board."""
    puzzle = get_puzzle_for_student(request.user, pk)
    if request.method == "POST" and puzzle.assignment.dealing == Assignment.Dealing.STAIRCASE:
        latest = advance(request.user, puzzle)
        if latest == puzzle:
            messages.success(request, _END_OF_STAIRCASE)
        puzzle = latest
    return redirect("play", puzzle.pk)


@for_students("POST")
def react(request: SignedInRequest, pk: int) -> HttpResponse:
    """Answer the teacher's feedback at the puzzle by one press; a second press takes it back."""
    puzzle = get_puzzle_for_student(request.user, pk)
    named, key = request.POST.get("reaction", ""), read_key(request.POST.get("attempt", ""))
    if named in Feedback.Reaction.values:
        given = Feedback.objects.filter(attempt=key, attempt__student=request.user)
        again = Case(When(reaction=named, then=Value("")), default=Value(named))
        given.filter(attempt__puzzle=puzzle).update(reaction=again)
    return redirect("play", pk)


@for_users("GET", "POST")
def trial_next_board(request: SignedInRequest, name: str) -> HttpResponse:
    """Leave the board of a staircase for the next one, in a teacher's attempt."""
    attempt = get_trial(request, name)
    puzzle = advance_trial(request, attempt) if request.method == "POST" else attempt.puzzle
    if request.method == "POST" and puzzle == attempt.puzzle:
        messages.success(request, _END_OF_STAIRCASE)
    return redirect("trial", puzzle.trial_name if puzzle.pk else name)


# The moves on the board, and earlier attempts


@for_students("GET")
def history(request: SignedInRequest, pk: int) -> HttpResponse:
    """Show the moves on the student's board, in words."""
    puzzle = get_puzzle_for_student(request.user, pk)
    attempt = current_attempt(request.user, puzzle)
    return _render_history(request, puzzle, attempt.position if attempt else puzzle.start)


@for_users("GET")
def trial_history(request: SignedInRequest, name: str) -> HttpResponse:
    """Show the moves of an attempt without a row, in words."""
    attempt = get_trial(request, name)
    return _render_history(request, attempt.puzzle, attempt.position, name)


def _render_history(
    request: SignedInRequest, puzzle: AssignedPuzzle, position: Hashable, trial_name: str = ""
) -> HttpResponse:
    kind: AnyKind = puzzle.kind
    context = {
        "puzzle": puzzle,
        "address": reverse("trial", args=[trial_name])
        if trial_name
        else reverse("play", args=[puzzle.pk]),
        "moves": list(map(kind.describe, kind.line(position))),
    }
    return render(request, "play/history.html", context)


@for_students("GET")
def own_attempts(request: SignedInRequest, pk: int, number: int | None = None) -> HttpResponse:
    """Show a student's own attempts at a puzzle, with the latest, or `number`, move by move."""
    puzzle = get_puzzle_for_student(request.user, pk)
    own = Attempt.objects.filter(BEGUN, student=request.user, puzzle=puzzle)
    ordered = own.order_by("-number")
    attempt = (ordered if number is None else ordered.filter(number=number)).first()
    if number is not None and attempt is None:
        raise Http404
    context: dict[str, object] = {"puzzle": puzzle, "shown": attempt}
    if attempt:
        context["player"] = ordered_player(puzzle, attempt.line, request.GET.get("step"))
    if request.htmx and "step" in request.GET:
        return render(request, "play/_own_player.html", context)
    context["page"] = Paginator(ordered, ATTEMPTS_PER_PAGE).get_page(request.GET.get("page"))
    return render(request, "play/own_attempts.html", context)


# Responses
