"""Who may enter: the decorators of the views.

What a teacher or student may see inside is decided by helpers that name the right
(`get_puzzle_for_owner`, `get_attempt_for_student`): somebody else's object answers
as a missing one does.
"""

from collections.abc import Callable
from functools import wraps
from urllib.parse import urlencode

from django.core.exceptions import PermissionDenied
from django.http import HttpRequest, HttpResponse
from django.shortcuts import redirect, render
from django.urls import reverse

View = Callable[..., HttpResponse]


def teacher_required(view: View) -> View:
    """Let teachers in; others are sent to the sign-in, signed-in students answered with 403."""

    @wraps(view)
    def guarded(request: HttpRequest, *args: object, **kwargs: object) -> HttpResponse:
        if not request.user.is_authenticated:
            return sign_in_first(request, "sign_in")
        if not request.user.is_teacher:
            raise PermissionDenied
        return view(request, *args, **kwargs)

    return guarded


def student_required(view: View) -> View:
    """Let students in; others are sent to the class code, signed-in teachers answered with 403."""

    @wraps(view)
    def guarded(request: HttpRequest, *args: object, **kwargs: object) -> HttpResponse:
        if not request.user.is_authenticated:
            return sign_in_first(request, "join")
        if not request.user.is_student:
            raise PermissionDenied
        return view(request, *args, **kwargs)

    return guarded


def sign_in_first(request: HttpRequest, sign_in: str) -> HttpResponse:
    """Send a page to the sign-in; answer a fragment with 401 and a notice in its place."""
    if not request.htmx:
        return redirect(f"{reverse(sign_in)}?{urlencode({'next': request.get_full_path()})}")
    # A fragment's own address is no page to come back to: the one around it is.
    page = request.htmx.current_url_abs_path or reverse("home")
    context = {"status": 401, "sign_in_url": f"{reverse(sign_in)}?{urlencode({'next': page})}"}
    return render(request, "errors/_error.html", context, status=401)
