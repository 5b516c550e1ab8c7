"""The student's page of a puzzle, and the responses to the requests of that page."""

import re
from collections.abc import Callable, Hashable
from typing import NoReturn
from urllib.parse import urlencode
from uuid import UUID

from django.contrib import messages
from django.core.exceptions import PermissionDenied
from django.core.paginator import Paginator
from django.db.models import BigIntegerField, UUIDField
from django.http import Http404, HttpResponse
from django.shortcuts import redirect, render
from django.template.backends.utils import csrf_input
from django.template.loader import render_to_string
from django.urls import reverse
from django.utils.translation import gettext_lazy
from msgspec import ValidationError

from puzzleclass.accounts.models import User
from puzzleclass.accounts.sign_in import SignedInRequest, for_students, for_teachers
from puzzleclass.assignments.dealing import assigned_to, enrolments_of, is_dealt
from puzzleclass.assignments.models import AssignedPuzzle, Assignment
from puzzleclass.assignments.pace import board_instead
from puzzleclass.database.prepared_queries import Prepared
from puzzleclass.http import quietly_refused
from puzzleclass.play import attempts
from puzzleclass.play.attempts import PRACTICE_IS_OFF, current_attempt, may_be_played
from puzzleclass.play.board import board_context, found_context, set_context
from puzzleclass.play.due import OwnPuzzle
from puzzleclass.play.forms import SentMoves, SentStep, read
from puzzleclass.play.models import Attempt
from puzzleclass.play.progress import status_of_board
from puzzleclass.play.refusals import HELD, StepRefused
from puzzleclass.play.staircase import advance
from puzzleclass.play.trial import advance_trial, get_trial_for_teacher, keep_in_session
from puzzleclass.puzzles.player import ordered_player
from solvers.message import Message
from solvers.registry import AnyKind

Action = Callable[[SignedInRequest, Attempt], HttpResponse]
"""A function that changes an attempt as a POST asks, and returns the response."""

ATTEMPTS_PER_PAGE = 30

GONE = 410
"""The status if the student had the board open and it can no longer be played."""

TAKEN_BACK = Message("Your teacher has taken these puzzles back. You can't play them now.")
CLASS_IS_OVER = Message("This class is over. Its puzzles can't be played any more.")

_END_OF_STAIRCASE = gettext_lazy("This is the end of the staircase. Well done!")
_UNREADABLE = StepRefused(Message("This could not be read. Please try again."), 400)

# The pattern begins with a rare character, so that the search is fast.
_INDENTATION = re.compile(r"\n\s+")
"""The indentation in a response. It is left out, because a response is sent after every step."""

# Access: a student may open the assigned puzzles of their classes, and their own attempts.


def _refuse(student: User, *, was_open: bool = False, **of: object) -> NoReturn:
    """Refuse the puzzle that the lookup `of` finds in the student's classes, and say why.

    `was_open` says that the student has had the puzzle on the screen. Raise PermissionDenied with
    the reason if the class is archived, practice is switched off, or the teacher has taken the
    puzzle back. Otherwise raise Http404.
    """
    own = AssignedPuzzle.objects.filter(assignment__classroom__students=student, **of)
    puzzle = own.select_related("assignment__classroom").first()
    if puzzle is None:
        raise Http404
    assignment = puzzle.assignment
    if assignment.classroom.archived_at:
        raise PermissionDenied(CLASS_IS_OVER)
    if assignment.is_practice and not assignment.classroom.practice:
        raise PermissionDenied(PRACTICE_IS_OFF)
    if was_open or puzzle.attempts.filter(student=student).exists():
        raise PermissionDenied(TAKEN_BACK)
    if assignment.was_taken_back and _was_for(student, puzzle):
        raise PermissionDenied(TAKEN_BACK)
    raise Http404


def _was_for(student: User, puzzle: AssignedPuzzle) -> bool:
    """Return whether a puzzle of the student's class was for the student, even if it is deleted."""
    own = enrolments_of(puzzle.assignment).filter(student=student)
    return own.exists() and is_dealt(student, puzzle)


_PUZZLE = Prepared(
    lambda pk, student: (
        AssignedPuzzle.objects.select_related("assignment__pace")
        .filter(
            assigned_to(student, "assignment"),
            may_be_played("assignment"),
            pk=pk,
            assignment__classroom__enrolments__student=student,
        )
        .order_by()
    ),
    BigIntegerField,
    BigIntegerField,
)
"""A puzzle by its primary key, if the student with a primary key may play it."""


def get_puzzle_for_student(student: User, pk: int, *, was_open: bool = False) -> AssignedPuzzle:
    """Return the puzzle if it is assigned to the student.

    Otherwise raise PermissionDenied with the reason, or Http404.
    """
    puzzle = _PUZZLE.first(pk, student.pk)
    if puzzle is None or not puzzle.assignment.is_shown or not is_dealt(student, puzzle):
        _refuse(student, was_open=was_open, pk=pk)
    return puzzle


_ATTEMPT = Prepared(
    lambda key, student: (
        Attempt.objects.select_related("puzzle__assignment__pace")
        .filter(
            assigned_to(student, "puzzle__assignment"),
            may_be_played("puzzle__assignment"),
            key=key,
            student=student,
            puzzle__assignment__classroom__enrolments__student=student,
        )
        .order_by()
    ),
    UUIDField,
    BigIntegerField,
)


def get_attempt_for_student(student: User, key: UUID) -> Attempt:
    """Return the student's own attempt, as long as the student is in the class.

    One query, and another one before the first step. Raise PermissionDenied with the reason, or
    Http404, if the puzzle can't be played.
    """
    if attempt := _ATTEMPT.first(key, student.pk):
        if not attempt.puzzle.assignment.is_shown:
            raise PermissionDenied(TAKEN_BACK)
        return attempt
    puzzle = Attempt.puzzle_of(key, student)
    if puzzle is None:
        _refuse(student, was_open=True, attempts__key=key, attempts__student=student)
    return Attempt.first(student, get_puzzle_for_student(student, puzzle, was_open=True))


# The page and the steps


def redirect_to_page(request: SignedInRequest, attempt: Attempt) -> HttpResponse:
    """Redirect to the page of the attempt.

    It is needed after a sign-in, and when the address of a refused step is loaded again.
    """
    page, tool = attempt.addresses["page"], wanted_tool(request)
    return redirect(f"{page}?{urlencode({'tool': tool})}" if tool else page)


@for_students("GET", "POST")
def attempt_action(request: SignedInRequest, key: UUID, action: Action) -> HttpResponse:
    """Apply the action of the address (`play.urls.ACTIONS`) to a student's own attempt."""
    try:
        attempt = get_attempt_for_student(request.user, key)
    except PermissionDenied as denied:
        return _render_withdrawn(request, denied)
    return _run_action(request, attempt, action)


@for_teachers("GET", "POST")
def trial_action(request: SignedInRequest, name: str, action: Action) -> HttpResponse:
    """Apply the action of the address (`play.urls.ACTIONS`) to a teacher's attempt."""
    return _run_action(request, get_trial_for_teacher(request, name), action)


def _run_action(request: SignedInRequest, attempt: Attempt, action: Action) -> HttpResponse:
    """Return the response of an action. Show a refusal on the board; redirect a GET to the page."""
    if request.method == "GET":
        return redirect_to_page(request, attempt)
    try:
        return action(request, attempt)
    except ValidationError:
        return answer(request, attempt, _UNREADABLE)
    except StepRefused as refused:
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
    if not request.htmx and (instead := board_instead(puzzle)):
        return redirect("play", instead)
    attempt = current_attempt(request.user, puzzle)
    return render_board(request, puzzle, attempt)


@for_teachers("GET")
def trial(request: SignedInRequest, name: str) -> HttpResponse:
    """Show a teacher the page of a puzzle as a student sees it, without storing anything."""
    attempt = get_trial_for_teacher(request, name)
    return render_board(request, attempt.puzzle, attempt)


def step(request: SignedInRequest, attempt: Attempt) -> HttpResponse:
    """Make a move, or take one back."""
    if "take" in request.POST:
        # Taking up a tool is no step. It is sent like one so that it waits for the steps before it.
        return answer(request, attempt)
    sent = read(request.POST, SentStep)
    move = sent.move or sent.redo or sent.typed
    return answer(request, attempts.take_step(attempt, sent.step, sent.action, move))


def restart(request: SignedInRequest, attempt: Attempt) -> HttpResponse:
    """Begin a new attempt at the puzzle."""
    return answer(request, attempts.restart(attempt), is_new=True)


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


@for_teachers("GET", "POST")
def trial_next_board(request: SignedInRequest, name: str) -> HttpResponse:
    """Leave the board of a staircase for the next one, in a teacher's attempt."""
    attempt = get_trial_for_teacher(request, name)
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


@for_teachers("GET")
def trial_history(request: SignedInRequest, name: str) -> HttpResponse:
    """Show the moves on a teacher's board, in words."""
    attempt = get_trial_for_teacher(request, name)
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
    own = Attempt.objects.filter(student=request.user, puzzle=puzzle, next_step__gt=0)
    ordered = own.order_by("-number")
    shown = (ordered if number is None else ordered.filter(number=number)).first()
    if number is not None and shown is None:
        raise Http404
    context: dict[str, object] = {"puzzle": puzzle, "shown": shown}
    if shown:
        context["player"] = ordered_player(puzzle, shown.line, request.GET.get("step"))
    if request.htmx and "step" in request.GET:
        return render(request, "play/_own_player.html", context)
    context["page"] = Paginator(ordered, ATTEMPTS_PER_PAGE).get_page(request.GET.get("page"))
    return render(request, "play/own_attempts.html", context)


# Responses


def wanted_tool(request: SignedInRequest) -> str:
    """Return the tool that was just taken up, or else the one for which the board was drawn."""
    fields = request.POST or request.GET
    return fields.get("take") or fields.get("tool", "")


def answer(
    request: SignedInRequest,
    attempt: Attempt,
    refused: StepRefused | None = None,
    *,
    is_new: bool = False,
) -> HttpResponse:
    """Show the student's latest board, which may differ from the board of the request.

    An open attempt is the latest, and so is an attempt that has just stored a step.
    """
    keep_in_session(request, attempt)
    if not request.htmx and not refused:
        return redirect_to_page(request, attempt)
    puzzle, is_open = attempt.puzzle, attempt.state == Attempt.State.OPEN
    if refused or is_new or (not is_open and attempt.before is None):
        latest = attempt if attempt.trial else current_attempt(request.user, puzzle)
        return render_board(request, puzzle, latest, refused)
    return render_board(request, puzzle, attempt, is_alone=is_open)


def render_board(
    request: SignedInRequest,
    puzzle: AssignedPuzzle,
    attempt: Attempt | None,
    refused: StepRefused | None = None,
    *,
    is_alone: bool = False,
) -> HttpResponse:
    """Return the page. For HTMX return the board with the solutions found.

    If the board `is_alone`, it comes without the solutions found, unless it is solved.
    """
    student, tool = request.user, wanted_tool(request)
    context = board_context(student, puzzle, attempt, tool, refused)
    if not is_alone or context["is_solved"]:
        context |= found_context(student, puzzle, attempt, context)
    elif attempt and attempt.number == attempt.next_step == 1:
        # The very first step changes the mark of the puzzle in the set.
        name = attempt.trial.name if attempt.trial else ""
        begun = status_of_board(is_begun=True, found=0, needed=1)
        context["state"] = OwnPuzzle(puzzle, begun, name)
    if not request.htmx:
        context |= set_context(student, puzzle, context)
        context |= {"is_page": True, "csrf_input": csrf_input(request)}
        return _with_status(request, render(request, "play/play.html", context), refused)
    if context["is_solved"] or context["may_ask"]:
        # The button that leads on and the vote are ordinary forms and need the CSRF token. The
        # other forms do not need it, because the page sends the token as a header (`play.html`).
        context["csrf_input"] = csrf_input(request)
    html = render_to_string("play/_answer.html", context)
    return _with_status(request, HttpResponse(_INDENTATION.sub("\n", html)), refused)


def _with_status(
    request: SignedInRequest, response: HttpResponse, refused: StepRefused | None
) -> HttpResponse:
    """Return the response with the status of the refusal, if there is one."""
    if refused and refused.status in (422, HELD):
        return quietly_refused(request, response, refused.status)
    if refused:
        response.status_code = refused.status
    return response
