"""Sign-in: the decorators of views, the page after the sign-in, sessions, and known browsers.

The decorators decide who enters a view. What a teacher or student may see inside is decided by the
`access` module of each app, whose functions name the right (`get_puzzle_for_owner`,
`get_attempt_for_student`). For them, somebody else's object is a missing one.
"""

import json
import logging
import time
from collections.abc import Callable
from datetime import timedelta
from functools import wraps
from typing import Concatenate, ParamSpec, cast
from urllib.parse import urlencode, urlsplit

from django.conf import settings
from django.contrib.auth import SESSION_KEY, login, logout
from django.contrib.auth.models import AnonymousUser
from django.contrib.auth.signals import user_logged_in
from django.core.exceptions import PermissionDenied
from django.dispatch import Signal, receiver
from django.http import Http404, HttpRequest, HttpResponse, HttpResponseNotAllowed
from django.shortcuts import redirect, render, resolve_url
from django.urls import reverse
from django.utils import timezone
from django.utils.http import url_has_allowed_host_and_scheme

from puzzleclass.accounts import second_step
from puzzleclass.accounts.models import User
from puzzleclass.accounts.time_zones import zone_named
from puzzleclass.accounts.visitors import address_of, remember_browser
from puzzleclass.http import Middleware, Request
from puzzleclass.language.reader import YEAR_SECONDS, keep_choices
from solvers.message import Message

logger = logging.getLogger("puzzleclass.security")


class SignedInRequest(Request):
    """The request that `for_teachers` and `for_students` pass to a view."""

    user: User


P = ParamSpec("P")
View = Callable[Concatenate[SignedInRequest, P], HttpResponse]
Guarded = Callable[Concatenate[Request, P], HttpResponse]

RECENTLY = timedelta(minutes=15)
"""The time for which a typed password allows exports, deletions and changes of the account."""

SHARED_HOURS = 3
ENDS_AT = "ends_at"
SEEN_AT = "seen_at"
PROVEN_AT = "proven_at"
"""Session key of the time at which the password was typed last."""
AFTERWARDS = "afterwards"
"""Session key of the page that follows the next sign-in, whichever way it is done."""
IDLE_MINUTES = "idle_minutes"
"""Session key of the minutes after which a class signs idle students out sooner than the site."""
CLASS_CODE = "class_code"
"""Session key of the code of the class in which the student signed in."""
NUMBER = "number"
"""Session key of the student's number in that class."""
ENDED = "ended"
"""Session key of the reason for which the last session ended: "idle" or "hours"."""
REMEMBERED_SECONDS = 3600
"""Seconds for which a browser knows who was signed in when a session ended by itself."""

HALF_WAY = "half_way"
"""Session key of the teacher whose password was right and who is asked for a code now."""
HALF_WAY_SECONDS = 600

recorded = Signal()
"""Sent with `request`, `event` and `facts` for each line of the security log."""

CHOICES = ("language", "signs", "words")
"""The fields of the account that the browser keeps from the sign-in on."""

# Who may enter


def for_teachers(*methods: str, within: timedelta | None = None) -> Callable[[View[P]], Guarded[P]]:
    """Let teachers enter the view by these HTTP methods.

    Visitors are redirected to the sign-in, and students are answered with 403. With `within`,
    teachers who typed their password longer ago are asked for it again.
    """
    return _guard(methods, "sign_in", lambda user: user.is_teacher, _only_for_teachers, within)


def for_students(*methods: str) -> Callable[[View[P]], Guarded[P]]:
    """Let students enter the view by these HTTP methods.

    Visitors are redirected to the page for the class code, and teachers are answered with 403.
    """
    return _guard(methods, "join", lambda user: user.is_student, _only_for_students)


def for_users(*methods: str) -> Callable[[View[P]], Guarded[P]]:
    """Let teachers and students enter the view by these HTTP methods.

    Visitors are redirected to the sign-in. The view itself looks up what the user may have.
    """
    return _guard(methods, "sign_in", lambda user: True, Http404)


def for_administrators(
    *methods: str, within: timedelta | None = None
) -> Callable[[View[P]], Guarded[P]]:
    """Let administrators of the site enter the view by these HTTP methods.

    Visitors are redirected to the sign-in, and other users are answered with 404. `within` is as
    with `for_teachers`.
    """
    return _guard(methods, "sign_in", is_administrator, Http404, within)


def _only_for_teachers() -> PermissionDenied:
    return PermissionDenied(Message("This page is for teachers."))


def _only_for_students() -> PermissionDenied:
    return PermissionDenied(Message("This page is for students."))


def is_administrator(user: User | AnonymousUser) -> bool:
    """Return whether the user is an administrator of the site."""
    return user.is_authenticated and user.is_active and user.is_staff and user.is_teacher


def _guard(
    methods: tuple[str, ...],
    sign_in: str,
    may_enter: Callable[[User], bool],
    refusal: Callable[[], Exception],
    within: timedelta | None = None,
) -> Callable[[View[P]], Guarded[P]]:
    """Return a decorator of views that lets in the users who `may_enter`.

    It redirects visitors to `sign_in`, and raises `refusal` for other users.
    """

    def decorate(view: View[P]) -> Guarded[P]:
        @wraps(view)
        def guarded(request: Request, /, *args: P.args, **kwargs: P.kwargs) -> HttpResponse:
            if request.method not in methods:
                return HttpResponseNotAllowed(methods)
            if not request.user.is_authenticated:
                return sign_in_first(request, sign_in)
            if not may_enter(request.user):
                raise refusal()
            if within and time.time() - request.session.get(PROVEN_AT, 0) >= within.total_seconds():
                # A form has to be sent again by hand, so the teacher is led back to its page.
                page = (
                    request.get_full_path() if request.method == "GET" else _previous_page(request)
                )
                return redirect(f"{reverse('confirm')}?{urlencode({'next': page})}")
            return view(cast(SignedInRequest, request), *args, **kwargs)

        return guarded

    return decorate


def sign_in_first(request: Request, sign_in: str) -> HttpResponse:
    """Redirect a page to the sign-in; answer a fragment with 401 and a notice in its place."""
    if not request.htmx:
        return redirect(sign_in_address(request, sign_in, request.get_full_path()))
    # After the sign-in, the user comes back to the page around a fragment, not to the fragment.
    page = request.htmx.current_url_abs_path or reverse("home")
    context = {"status": 401, "sign_in_url": sign_in_address(request, sign_in, page)}
    return render(request, "errors/_error.html", context, status=401)


def sign_in_address(request: HttpRequest, sign_in: str, page: str) -> str:
    """Return the address of the sign-in that leads to the page.

    A student whose session has ended by itself is asked only for the PIN.
    """
    code, number = request.session.get(CLASS_CODE), request.session.get(NUMBER)
    if sign_in == "join" and code and number:
        url = reverse("join_student", args=[code, number])
    else:
        url = reverse(sign_in)
    return f"{url}?{urlencode({'next': page})}"


def _previous_page(request: HttpRequest) -> str:
    page = urlsplit(request.headers.get("Referer", ""))
    return page.path if page.netloc == request.get_host() else reverse("home")


# Where to go after the sign-in


def wanted_page(request: HttpRequest) -> str:
    """Return the page that the sign-in was asked for; empty if it is not a page of this site."""
    url = request.POST.get("next") or request.GET.get("next") or ""
    is_ours = url_has_allowed_host_and_scheme(
        url, allowed_hosts={request.get_host()}, require_https=request.is_secure()
    )
    # `redirect` would take a word without a slash for the name of a view.
    return url if is_ours and url.startswith("/") else ""


def destination(request: HttpRequest) -> str:
    """Return the address of the page after the sign-in."""
    afterwards: str = request.session.pop(AFTERWARDS, "")
    return wanted_page(request) or afterwards or resolve_url(settings.LOGIN_REDIRECT_URL)


# The steps of a teacher's sign-in


def ask_for_code(
    request: HttpRequest, teacher: User, is_shared: bool, next_page: str
) -> HttpResponse:
    """Redirect to the second step of the sign-in; store in the session who has taken the first."""
    proven = {"teacher": teacher.pk, "hash": teacher.get_session_auth_hash()}
    request.session[HALF_WAY] = proven | {"shared": is_shared, "at": time.time()}
    return redirect(f"{reverse('sign_in_code')}?{urlencode({'next': next_page})}")


def sign_teacher_in(
    request: HttpRequest,
    teacher: User,
    is_shared: bool = False,
    first_page: str = "home",
    *,
    by_password: bool = False,
) -> HttpResponse:
    """Sign the teacher in; redirect to the page that was wanted, otherwise to `first_page`.

    Whoever signs in `by_password` alone may have to set up a second step.
    """
    login(request, teacher)
    second_step.fulfil(request)
    if by_password:
        second_step.begin_session(request, teacher)
    response = redirect(wanted_page(request) or first_page)
    chosen = {name: getattr(teacher, name) for name in CHOICES if getattr(teacher, name)}
    keep_choices(request, response, chosen, None if is_shared else YEAR_SECONDS)
    if is_shared:
        end_with_browser(request)
        return response
    return remember_browser(request, response, teacher.username)


# Short sessions, for shared computers


def sign_in_student(
    request: HttpRequest, student: User, class_code: str, number: int, idle_minutes: int
) -> None:
    """Sign the student in at a shared computer. 0 minutes stand for the site's `IDLE_MINUTES`.

    `login` gives the session a new key and drops what another user had in it.
    """
    login(request, student)
    end_with_browser(request)
    request.session[CLASS_CODE], request.session[NUMBER] = class_code, number
    if idle_minutes:
        request.session[IDLE_MINUTES] = idle_minutes


def end_with_browser(request: HttpRequest) -> None:
    """Make the session end when the browser is closed, or after `SHARED_HOURS` at most."""
    request.session.set_expiry(0)
    request.session[ENDS_AT] = time.time() + SHARED_HOURS * 3600


def idle_seconds(request: HttpRequest) -> int:
    """Return the seconds without activity after which the user is signed out; 0 for never."""
    return 60 * int(request.session.get(IDLE_MINUTES, settings.IDLE_MINUTES))


def end_session(request: HttpRequest, reason: str) -> None:
    """Sign the user out, and remember the reason.

    The class and the number of a student are kept for a while. They are on the list of the class,
    which everybody with the class code sees, and the PIN is asked for again.
    """
    class_values = {
        key: request.session[key] for key in (CLASS_CODE, NUMBER) if key in request.session
    }
    logout(request)
    request.session.update(class_values | {ENDED: reason})
    request.session.set_expiry(REMEMBERED_SECONDS)


class SessionEndMiddleware(Middleware):
    """Signs out users whose session has expired, or who have been idle for `IDLE_MINUTES`.

    In Django, a session that ends with the browser can't have an expiry time of its own, and some
    browsers restore it when they open again. Requests that a page makes by itself are not activity:
    a page left open makes them as long as it stands there.
    """

    def __call__(self, request: HttpRequest) -> HttpResponse:
        session, now = request.session, time.time()
        idle = idle_seconds(request)
        if SESSION_KEY in session:
            seen_at = session.get(SEEN_AT, 0)
            if session.get(ENDS_AT, now) < now:
                end_session(request, "hours")
            elif 0 < idle < now - seen_at:
                end_session(request, "idle")
            # The time is not stored at every click, because the session would be written each time.
            elif 0 < idle < 20 * (now - seen_at) and not _is_automatic(request):
                session[SEEN_AT] = now
        return self.get_response(request)


class TimeZoneMiddleware(Middleware):
    """Shows and reads a teacher's times in the time zone of the account."""

    def __call__(self, request: HttpRequest) -> HttpResponse:
        name = getattr(request.user, "time_zone", "") if SESSION_KEY in request.session else ""
        with timezone.override(zone_named(name)):
            return self.get_response(request)


def _is_automatic(request: HttpRequest) -> bool:
    return request.method == "GET" and "HX-Request" in request.headers


@receiver(user_logged_in)
def _start_session(request: HttpRequest, user: User, **kwargs: object) -> None:
    for key in (CLASS_CODE, NUMBER, ENDED):
        request.session.pop(key, None)
    request.session.set_expiry(None)
    request.session[SEEN_AT] = request.session[PROVEN_AT] = time.time()
    record(request, "signed in", who=user.pk, role=user.role)


# The security log


def record(request: HttpRequest, event: str, **facts: object) -> None:
    """Write a line to the security log: the event, the user's key, the address, and the facts.

    The events that `classes.audit` names are also stored for the administrators' page.

    The facts must never contain text that somebody has typed.
    """
    user = getattr(request, "user", None)
    line = {"event": event, "who": user.pk if user else None, "from": address_of(request)}
    logger.info(json.dumps(line | facts))
    recorded.send(record, request=request, event=event, facts=facts)
