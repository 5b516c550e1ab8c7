"""The student's page of a puzzle, and the answers to what is pressed on it."""

import re
from collections.abc import Callable
from typing import NoReturn
from urllib.parse import urlencode
from uuid import UUID

from django.contrib import messages
from django.core.exceptions import PermissionDenied
from django.core.paginator import Paginator
from django.db.models import BigIntegerField, Q, UUIDField
from django.http import Http404, HttpResponse
from django.shortcuts import redirect, render
from django.template.backends.utils import csrf_input
from django.template.loader import render_to_string
from django.utils.translation import gettext_lazy
from msgspec import ValidationError

from puzzleclass.accounts.models import User
from puzzleclass.accounts.sign_in import Guarded, for_students, for_teachers
from puzzleclass.assignments.dealing import given_to, is_dealt
from puzzleclass.assignments.models import AssignedPuzzle, Assignment
from puzzleclass.http import SignedInRequest
from puzzleclass.play import attempts, hints
from puzzleclass.play.attempts import PRACTICE_IS_OFF, StepRefused, current_attempt
from puzzleclass.play.board import board_context, found_context, set_context
from puzzleclass.play.due import PuzzleState
from puzzleclass.play.forms import SentBoard, SentHint, SentMoves, SentStep, read
from puzzleclass.play.models import Attempt
from puzzleclass.play.staircase import climb
from puzzleclass.play.trial import climb_in_trial, get_trial_for_teacher, keep
from puzzleclass.prepared_queries import Prepared
from puzzleclass.puzzles.player import ordered_player
from solvers.message import Message

TryView = Callable[[SignedInRequest, Attempt], HttpResponse]

TRIES_A_PAGE = 30

NOTHING_NEW = 204
"""HTMX leaves the page as it is."""

_END = gettext_lazy("This is the end of the staircase. Well done!")
_UNREADABLE = StepRefused(Message("This could not be read. Please do it again."), 400)

# Begins with a sign that stands at few places: so it is found fast.
_INDENTATION = re.compile(r"\n\s+")
"""Between the parts of an answer: left out on its way after every step."""

# What a student may open: the puzzles given to their classes, and their own tries.


def _may_be_played(assignment: str) -> Q:
    """Where it is not practice that a teacher has switched off."""
    given, allowed = f"{assignment}__is_practice", f"{assignment}__classroom__practice"
    return Q(**{given: False}) | Q(**{allowed: True})


def _refuse(student: User, **of: object) -> NoReturn:
    """Raise PermissionDenied where it is practice that a teacher has switched off, else Http404."""
    off = {"assignment__is_practice": True, "assignment__classroom__practice": False}
    practice = AssignedPuzzle.objects.filter(given_to(student, "assignment"), **off, **of)
    if practice.filter(assignment__classroom__students=student).exists():
        raise PermissionDenied(PRACTICE_IS_OFF)
    raise Http404


def get_puzzle_for_student(student: User, pk: int) -> AssignedPuzzle:
    """Return the puzzle if it was given to the student. Raises as `_refuse` does."""
    puzzle = (
        AssignedPuzzle.objects.select_related("assignment")
        .filter(
            given_to(student, "assignment"),
            _may_be_played("assignment"),
            pk=pk,
            assignment__classroom__students=student,
        )
        .first()
    )
    if puzzle is None or not puzzle.assignment.is_shown or not is_dealt(student, puzzle):
        _refuse(student, pk=pk)
    return puzzle


_ATTEMPT = Prepared(
    lambda key, student: (
        Attempt.objects.select_related("puzzle__assignment")
        .filter(
            given_to(student, "puzzle__assignment"),
            _may_be_played("puzzle__assignment"),
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
    """Return the student's own try, while they are in the class. One query, and another one before
    the first step. Raises as `_refuse` does."""
    if attempt := _ATTEMPT.first(key, student.pk):
        if not attempt.puzzle.assignment.is_shown:
            raise Http404
        return attempt
    puzzle = Attempt.puzzle_of(key, student)
    if puzzle is None:
        _refuse(student, attempts__key=key, attempts__student=student)
    return Attempt.first(student, get_puzzle_for_student(student, puzzle))


# The page, and the steps.


def to_page(request: SignedInRequest, attempt: Attempt) -> HttpResponse:
    """Lead to the page: from a refused step's address loaded again, or after a sign-in."""
    page, tool = attempt.to["page"], wanted_tool(request)
    return redirect(f"{page}?{urlencode({'tool': tool})}" if tool else page)


def on_a_board(shown: TryView) -> Callable[[TryView], Guarded[[UUID]]]:
    """Make a view of what a POST does to the student's try: what can't be is said on the board.

    `shown` answers a GET.
    """

    def decorate(change: TryView) -> Guarded[[UUID]]:
        def answered(request: SignedInRequest, attempt: Attempt) -> HttpResponse:
            if request.method == "GET":
                return shown(request, attempt)
            try:
                return change(request, attempt)
            except ValidationError:
                return answer(request, attempt, _UNREADABLE)
            except StepRefused as refused:
                return answer(request, attempt, refused)

        return _for_both(change.__name__, answered)

    return decorate


on_trials: dict[str, Guarded[[str]]] = {}
"""Name of a view below -> the same for a teacher's try."""


def _for_both(name: str, view: TryView) -> Guarded[[UUID]]:
    """Return the view for a student's try, by its key; `on_trials` has the one for a teacher's."""

    @for_students("GET", "POST")
    def of_student(request: SignedInRequest, key: UUID) -> HttpResponse:
        return view(request, get_attempt_for_student(request.user, key))

    @for_teachers("GET", "POST")
    def of_teacher(request: SignedInRequest, name: str) -> HttpResponse:
        return view(request, get_trial_for_teacher(request, name))

    on_trials[name] = of_teacher
    return of_student


@for_students("GET")
def play(request: SignedInRequest, pk: int) -> HttpResponse:
    puzzle = get_puzzle_for_student(request.user, pk)
    attempt = current_attempt(request.user, puzzle)
    return render_board(request, puzzle, attempt)


@for_teachers("GET")
def trial(request: SignedInRequest, name: str) -> HttpResponse:
    """The page of a puzzle as a student sees it, for a teacher; nothing is stored."""
    attempt = get_trial_for_teacher(request, name)
    return render_board(request, attempt.puzzle, attempt)


@on_a_board(to_page)
def step(request: SignedInRequest, attempt: Attempt) -> HttpResponse:
    if "take" in request.POST:
        # Sent like a step, so that it waits its turn among the steps; but it is none.
        return answer(request, attempt)
    sent = read(request.POST, SentStep)
    move = sent.move or sent.redo or sent.typed
    return answer(request, attempts.take_step(attempt, sent.step, sent.action, move))


@on_a_board(to_page)
def restart(request: SignedInRequest, attempt: Attempt) -> HttpResponse:
    return answer(request, attempts.restart(attempt), is_new=True)


@on_a_board(to_page)
def moves(request: SignedInRequest, attempt: Attempt) -> HttpResponse:
    """Go back, or on again, to the board with so many moves."""
    sent = read(request.POST, SentMoves)
    attempts.go_to(attempt, sent.step, sent.moves)
    return answer(request, attempt)


@for_students("GET", "POST")
def next_board(request: SignedInRequest, pk: int) -> HttpResponse:
    """Leave the board of a staircase for the next one; show the student's latest."""
    puzzle = get_puzzle_for_student(request.user, pk)
    if request.method == "POST" and puzzle.assignment.dealing == Assignment.Dealing.STAIRCASE:
        latest = climb(request.user, puzzle)
        if latest == puzzle:
            messages.success(request, _END, "ok")
        puzzle = latest
    return redirect("play", puzzle.pk)


@for_teachers("GET", "POST")
def trial_next_board(request: SignedInRequest, name: str) -> HttpResponse:
    """The same for a teacher's try."""
    attempt = get_trial_for_teacher(request, name)
    puzzle = climb_in_trial(request, attempt) if request.method == "POST" else attempt.puzzle
    if request.method == "POST" and puzzle == attempt.puzzle:
        messages.success(request, _END, "ok")
    return redirect("trial", puzzle.trial_name if puzzle.pk else name)


on_trials["next_board"] = trial_next_board


# Earlier tries.


@for_students("GET")
def own_tries(request: SignedInRequest, pk: int, number: int | None = None) -> HttpResponse:
    """A student's own tries at a puzzle; the latest, or the one of the number, move by move."""
    puzzle = get_puzzle_for_student(request.user, pk)
    own = Attempt.objects.filter(student=request.user, puzzle=puzzle, next_step__gt=0)
    tries = own.order_by("-number")
    shown = (tries if number is None else tries.filter(number=number)).first()
    if number is not None and shown is None:
        raise Http404
    context: dict[str, object] = {"puzzle": puzzle, "shown": shown}
    if shown:
        context["player"] = ordered_player(puzzle, shown.line, request.GET.get("step"))
    if request.htmx and "step" in request.GET:
        return render(request, "play/_own_player.html", context)
    context["page"] = Paginator(tries, TRIES_A_PAGE).get_page(request.GET.get("page"))
    return render(request, "play/own_tries.html", context)


# Hints and the look ahead.


def _waited(request: SignedInRequest, attempt: Attempt) -> HttpResponse:
    """Answer a board that asks every second whether the worker is done with its hint."""
    if not request.htmx:
        return to_page(request, attempt)
    _, card = hints.help_for(attempt)
    is_late = request.GET.get("step") != str(attempt.next_step)
    if is_late or card is None or card.is_thinking:
        # Late: the board has gone on, and shows, or will, what stands there now.
        return HttpResponse(status=NOTHING_NEW)
    return answer(request, attempt)


@on_a_board(_waited)
def hint(request: SignedInRequest, attempt: Attempt) -> HttpResponse:
    """POST: take a hint. GET: the board with the answer, as soon as it is there."""
    sent = read(request.POST, SentHint)
    hints.ask_hint(attempt, sent.step, sent.level)
    return answer(request, attempt)


@on_a_board(to_page)
def hint_back(request: SignedInRequest, attempt: Attempt) -> HttpResponse:
    """Go back to the last position that could be solved."""
    sent = read(request.POST, SentBoard)
    return answer(request, hints.back_to_live(attempt, sent.step))


def _look_ahead(request: SignedInRequest, attempt: Attempt) -> HttpResponse:
    """Say whether the board can still be solved, as soon as that is known; till then, nothing.

    A board that has rested a moment asks, and asks again until there is an answer. It is said
    in a place of its own: the board, the tools and a step under way are left alone.
    """
    try:
        ahead = hints.look_ahead(attempt, read(request.POST, SentBoard).step)
    except ValidationError:
        ahead = None
    if not request.htmx:
        return to_page(request, attempt)
    if ahead is None or not ahead.is_known:
        return HttpResponse(status=NOTHING_NEW)
    context = {
        "attempt": attempt,
        "assignment": attempt.puzzle.assignment,
        "lookahead": ahead,
        "hint": hints.help_for(attempt)[1] if ahead.is_lost else None,
        "tools": {"tool": wanted_tool(request)},
    }
    return render(request, "play/_look_ahead_answer.html", context)


look_ahead = _for_both("look_ahead", _look_ahead)


# Answers.


def wanted_tool(request: SignedInRequest) -> str:
    """Return the tool that was just taken up, else the one the board was drawn for."""
    fields = request.POST or request.GET
    return fields.get("take") or fields.get("tool", "")


def answer(
    request: SignedInRequest,
    attempt: Attempt,
    refused: StepRefused | None = None,
    *,
    is_new: bool = False,
) -> HttpResponse:
    """Show the student's latest board, which may be another than the one asked about.

    An open try is the latest, and so is one of which a step was stored just now.
    """
    keep(request, attempt)
    if not request.htmx and not refused:
        return to_page(request, attempt)
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
    """Return the page; for HTMX the board, and unless it `is_alone` what was found.

    A board that is solved never is.
    """
    student, tool, status = request.user, wanted_tool(request), refused.status if refused else 200
    context = board_context(student, puzzle, attempt, tool, refused)
    if not is_alone or context["is_solved"]:
        context |= found_context(student, puzzle, attempt, context)
    elif attempt and attempt.number == attempt.next_step == 1:
        # The first step of all changes the puzzle's dot in the set.
        name = attempt.trial.name if attempt.trial else ""
        context["state"] = PuzzleState(puzzle, is_begun=True, found=0, trial=name)
    if not request.htmx:
        context |= set_context(student, puzzle, context)
        context |= {"is_page": True, "csrf_input": csrf_input(request)}
        return render(request, "play/play.html", context, status=status)
    if context["is_solved"]:
        # The way on is an ordinary form. For the rest nothing of the request is needed: the page
        # sends its CSRF token as a header (`play.html`).
        context["csrf_input"] = csrf_input(request)
    html = render_to_string("play/_answer.html", context)
    return HttpResponse(_INDENTATION.sub("\n", html), status=status)
