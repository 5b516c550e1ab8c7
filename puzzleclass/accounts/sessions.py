"""Students' sessions: short, because the computer is everybody's."""

import time
from collections.abc import Callable

from django.contrib.auth import login, logout
from django.http import HttpRequest, HttpResponse

from puzzleclass.accounts.models import User

STUDENT_HOURS = 3
ENDS_AT = "ends_at"
CLASS_CODE = "class_code"


def sign_in_student(request: HttpRequest, student: User, class_code: str) -> None:
    """Sign the student in, until the browser is closed, for `STUDENT_HOURS` at most.

    `login` gives the session a new key and drops whatever another user had in it.
    """
    login(request, student)
    request.session.set_expiry(0)
    request.session[ENDS_AT] = time.time() + STUDENT_HOURS * 3600
    request.session[CLASS_CODE] = class_code


class StudentHoursMiddleware:
    """Signs a student out whose hours are over.

    A session that ends with the browser can't bear a time of its own in Django, and some
    browsers bring it back when they open again.
    """

    def __init__(self, get_response: Callable[[HttpRequest], HttpResponse]) -> None:
        self.get_response = get_response

    def __call__(self, request: HttpRequest) -> HttpResponse:
        ends_at = request.session.get(ENDS_AT)
        if ends_at is not None and ends_at < time.time():
            logout(request)
        return self.get_response(request)
