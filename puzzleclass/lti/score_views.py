"""What a teacher sees of the scores that a platform has refused, and how they are sent again."""

from django.contrib import messages
from django.http import HttpResponse
from django.shortcuts import redirect
from django.utils.translation import gettext as _

from puzzleclass.accounts.sign_in import SignedInRequest, for_teachers, record
from puzzleclass.assignments.access import get_assignment_for_teacher
from puzzleclass.lti.grades import send_again


@for_teachers("POST")
def scores_send_again(request: SignedInRequest, pk: int) -> HttpResponse:
    """Send the scores of the assignment that were refused once more."""
    assignment = get_assignment_for_teacher(request.user, pk)
    send_again(assignment)
    record(request, "scores sent again", assignment=pk)
    messages.success(request, _("The scores will be sent again within a minute."))
    return redirect("assignment", pk)
