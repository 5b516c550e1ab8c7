"""The address of an assignment that a teacher shares, for example in Google Classroom."""

from urllib.parse import urlencode

from django.core.exceptions import PermissionDenied
from django.http import HttpResponse
from django.shortcuts import redirect
from django.urls import reverse
from django.views.decorators.http import require_safe

from puzzleclass.assignments.access import get_assignment_for_teacher
from puzzleclass.classes.access import Right
from puzzleclass.http import Request
from puzzleclass.play.due import assignments_of, state_of
from solvers.message import Message

NOT_OPEN = Message("This assignment is not open for you. Perhaps it has not started yet.")


@require_safe
def assignment_open(request: Request, code: str, pk: int) -> HttpResponse:
    """Lead a student to the next board of the assignment, and a teacher to the class table.

    Visitors sign in to the class first. The code in the address only spares them the typing: who
    may open the assignment is decided after that.
    """
    user = request.user
    if not user.is_authenticated:
        wanted = urlencode({"next": request.path})
        return redirect(f"{reverse('join_class', args=[code])}?{wanted}")
    if user.is_teacher:
        return redirect("assignment", get_assignment_for_teacher(user, pk, Right.LOOK).pk)
    assignment = assignments_of(user).filter(pk=pk).first()
    if assignment is None:
        raise PermissionDenied(NOT_OPEN)
    state = state_of(user, assignment)
    board = state.next or next(iter(state.puzzles), None)
    return redirect(board.url if board else "home")
