"""Forms for a new account that are sent twice. Nobody has a one-time key before there is one."""

from datetime import datetime, timedelta

from django.http import HttpRequest
from django.utils import timezone

from puzzleclass.accounts import two_factor
from puzzleclass.accounts.forms import SignInForm
from puzzleclass.accounts.models import User

SECOND_PRESS_SECONDS = 600
"""The time after a sign-up in which the same form, sent again, leads to the account it has made."""


def first_press_since() -> datetime:
    """Return the earliest time of a first press to which a second one may belong now."""
    return timezone.now() - timedelta(seconds=SECOND_PRESS_SECONDS)


def made_by_first_press(request: HttpRequest) -> User | None:
    """Return the account that this form has made a moment ago, if it is sent a second time.

    The form contains the new password, which proves as much as at the sign-in, and wrong ones count
    there.
    """
    if request.method != "POST":
        return None
    name = request.POST.get("username", "")
    if not User.objects.filter(username=name, date_joined__gte=first_press_since()).exists():
        return None
    form = SignInForm(request, request.POST)
    if not form.is_valid() or two_factor.is_on(form.get_user()):
        return None
    return form.get_user()
