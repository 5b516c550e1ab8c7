"""The responses of a board: its page, or the fragment that replaces it."""

import re
from urllib.parse import urlencode

from django.http import HttpResponse
from django.shortcuts import redirect, render
from django.template.backends.utils import csrf_input
from django.template.loader import render_to_string
from django.utils import timezone

from puzzleclass.accounts.sign_in import SignedInRequest
from puzzleclass.assignments.models import AssignedPuzzle
from puzzleclass.classes.grades import FIRST_TYPED_MOVE, has_reached
from puzzleclass.http import quietly_refused
from puzzleclass.play.attempts import current_attempt
from puzzleclass.play.board import board_context
from puzzleclass.play.due import OwnPuzzle
from puzzleclass.play.found import found_context
from puzzleclass.play.models import Attempt
from puzzleclass.play.offline_steps import handed_out
from puzzleclass.play.refusals import HELD, StepRefused
from puzzleclass.play.sets import set_context
from puzzleclass.play.status import status_of_board
from puzzleclass.play.tools import tools_for
from puzzleclass.play.trial import keep_in_session

# The pattern begins with a rare character, so that the search is fast.
_INDENTATION = re.compile(r"\n\s+")
"""The indentation in a response. It is left out, because a response is sent after every step."""


def redirect_to_page(request: SignedInRequest, attempt: Attempt) -> HttpResponse:
    """Redirect to the page of the attempt.

    It is needed after a sign-in, and when the address of a refused step is loaded again.
    """
    page, tool = attempt.addresses["page"], wanted_tool(request)
    return redirect(f"{page}?{urlencode({'tool': tool})}" if tool else page)


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
    is_line_known: bool = False,
) -> HttpResponse:
    """Show the student's latest board, which may differ from the board of the request.

    An open attempt is the latest, and so is an attempt that has just stored a step. If the browser
    knows the moves on the board (`is_line_known`), they are left out, so that the answer to a step
    is as short at the end of a long attempt as at its beginning.
    """
    keep_in_session(request, attempt)
    if not request.htmx and not refused:
        return redirect_to_page(request, attempt)
    puzzle, is_open = attempt.puzzle, attempt.state == Attempt.State.OPEN
    if refused and is_open and _is_about(request, attempt) and refused.status in (422, HELD):
        # The board is as it was read a moment ago.
        return render_board(request, puzzle, attempt, refused, is_alone=True)
    if refused or is_new or (not is_open and attempt.before is None):
        latest = attempt if attempt.trial else current_attempt(request.user, puzzle)
        return render_board(request, puzzle, latest, refused)
    return render_board(request, puzzle, attempt, is_alone=is_open, is_line_known=is_line_known)


def _is_about(request: SignedInRequest, attempt: Attempt) -> bool:
    """Return whether the request is a student's next step at the attempt."""
    is_next = request.POST.get("step") == str(attempt.next_step)
    return is_next and attempt.trial is None


def render_board(
    request: SignedInRequest,
    puzzle: AssignedPuzzle,
    attempt: Attempt | None,
    refused: StepRefused | None = None,
    *,
    is_alone: bool = False,
    is_line_known: bool = False,
) -> HttpResponse:
    """Return the page. For HTMX return the board with the solutions found.

    If the board `is_alone`, it comes without the solutions found, unless it is solved.
    """
    student, tool = request.user, wanted_tool(request)
    context = board_context(student, puzzle, attempt, tool, refused)
    context["is_line_known"] = is_line_known
    if not is_alone or context["is_solved"]:
        context |= found_context(student, puzzle, attempt, context)
    elif attempt and attempt.number == attempt.next_step == 1:
        # The very first step changes the mark of the puzzle in the set.
        name = attempt.trial.name if attempt.trial else ""
        begun = status_of_board(is_begun=True, found=0, needed=1)
        context["state"] = OwnPuzzle(puzzle, begun, name)
    if not request.htmx:
        context |= set_context(student, puzzle, context)
        if attempt and attempt.line and puzzle.kind.browser_rules:
            # Without the server, the browser draws the board before each move from its start.
            context["start_board"] = tools_for(puzzle.kind, puzzle.start, tool)
        context |= {
            "is_page": True,
            "may_type": has_reached(student, FIRST_TYPED_MOVE),
            "csrf_input": csrf_input(request),
        }
        if puzzle.pk and student.is_student:
            context["handed"] = handed_out(student.pk, puzzle.pk, timezone.now())
        return _with_status(request, render(request, "play/play.html", context), refused)
    if context["is_solved"] or context["may_ask"]:
        # The button that leads on and the question to the class are ordinary forms and need the
        # CSRF token. Others do not need it, because the page sends it as a header (`play.html`).
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
