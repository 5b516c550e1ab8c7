"""The second step of the sign-in where it is required: who has to set it up, and from which day.

Whether it is required is answered by the receivers of `required`: the schools of a teacher decide.
A code of the app, a recovery code and a passkey are a second step. So is a sign-in at the school's
own provider or its learning platform, which ask for whatever the school has chosen there. Whoever
has only typed a password gets a reminder until the day has come, and then can do nothing but set it
up (`SecondStepMiddleware`). That also holds for sessions that are open when a school begins to
require it.
"""

from collections.abc import Callable
from datetime import date
from typing import Any

from django.contrib import messages
from django.dispatch import Signal
from django.http import HttpRequest, HttpResponse
from django.shortcuts import redirect
from django.utils import timezone
from django.utils.formats import date_format
from django.utils.translation import gettext as _

from puzzleclass.accounts.models import User
from puzzleclass.http import Middleware

required = Signal()
"""Sent with a `teacher`. A receiver answers with the day from which a second step is required."""

FIRST_STEP_ALONE = "second_step_from"
"""Session key that a teacher's session has while only a password has been typed in it. Sessions of
earlier versions have it under this name."""

OPEN_PAGES = frozenset(
    {
        *("account_codes", "account_passkeys", "passkey_new_question", "passkey_question"),
        *("confirm", "passkey_confirm", "sign_out", "stay_signed_in", "set_language", "set_reader"),
        *("help", "help_task", "manifest", "service_worker", "offline"),
    }
)
"""The names of the addresses that are open without the second step."""


def required_from(teacher: User) -> date | None:
    """Return the day from which the teacher's sign-in needs a second step; None if never."""
    answers: Any = required.send(User, teacher=teacher)
    return min((day for _receiver, day in answers if day), default=None)


def begin_session(request: HttpRequest, teacher: User) -> None:
    """Note in the session that the teacher has signed in with a password alone, and remind the
    teacher of the day from which that is not enough."""
    request.session[FIRST_STEP_ALONE] = True
    day = required_from(teacher)
    if day and not _has_come(day):
        said = _(
            "From {day} on, your school requires a second step when you sign in. Set up an app or "
            "a passkey on the page of your account before then."
        )
        messages.warning(request, said.format(day=date_format(day, "DATE_FORMAT")))


def fulfil(request: HttpRequest) -> None:
    """Note that the second step has been set up or taken in this session."""
    request.session.pop(FIRST_STEP_ALONE, None)


def is_due(request: HttpRequest) -> bool:
    """Return whether this session needs a second step that it does not have."""
    if FIRST_STEP_ALONE not in request.session or not isinstance(request.user, User):
        return False
    day = required_from(request.user)
    return day is not None and _has_come(day)


def _has_come(day: date) -> bool:
    return day <= timezone.localdate(timezone=timezone.get_default_timezone())


class SecondStepMiddleware(Middleware):
    """Leads teachers who need a second step, and have none, to the page where it is set up."""

    def __call__(self, request: HttpRequest) -> HttpResponse:
        return self.get_response(request)

    def process_view(
        self, request: HttpRequest, view: Callable[..., Any], args: object, kwargs: object
    ) -> HttpResponse | None:
        """Answer instead of the view if the second step is due."""
        match = request.resolver_match
        if (match and match.url_name in OPEN_PAGES) or not is_due(request):
            return None
        response = redirect("account_codes")
        if "HX-Request" in request.headers:
            # A fragment would be put into a page that is no longer open to the teacher.
            return HttpResponse(status=403, headers={"HX-Redirect": response["Location"]})
        return response
