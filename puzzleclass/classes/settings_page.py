"""The settings' tab of a class: the settings, the teachers, the data, archiving and deletion."""

from typing import cast

from django.http import HttpRequest, HttpResponse

from puzzleclass.accounts.models import User
from puzzleclass.classes.access import Right, may
from puzzleclass.classes.forms import ClassroomForm, ColleagueForm
from puzzleclass.classes.models import Classroom, Teaching, TeachingInvitation
from puzzleclass.http import form_page


def settings_page(
    request: HttpRequest, classroom: Classroom, part: str = "", **context: object
) -> HttpResponse:
    """Return the page with the part "teachers" or "deletion" open.

    The teacher's role comes with the class. `context` has the form that was sent, and what the open
    part needs. A form that was refused is answered with 422.
    """
    return form_page(
        request,
        "classes/settings.html",
        {
            "classroom": classroom,
            "tab": "settings",
            "part": part,
            "form": ClassroomForm(cast(User, request.user), instance=classroom),
            "colleague_form": ColleagueForm(classroom),
            "teachings": classroom.teachings.select_related("teacher").order_by("pk"),
            "invited": TeachingInvitation.listed(classroom=classroom).select_related("teacher"),
            "roles": Teaching.Role.choices,
            "may_teach": may(classroom, Right.TEACH),
            "may_own": may(classroom, Right.OWN),
            **context,
        },
    )
