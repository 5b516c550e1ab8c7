"""Who is signed in: the decorators of the views, where to go after the sign-in, how long a
session lasts, and the browsers a teacher is known in.

What a teacher or student may see inside is decided by helpers beside the views that name the
right (`get_puzzle_for_owner`, `get_attempt_for_student`): somebody else's object answers as a
missing one does.
"""

import json
import logging
import secrets
import time
from collections.abc import Callable
from datetime import timedelta
from functools import cache, wraps
from ipaddress import ip_address, ip_network
from typing import Concatenate, ParamSpec, cast
from urllib.parse import urlencode, urlsplit
from zoneinfo import ZoneInfo, available_timezones

from django.conf import settings
from django.contrib.auth import SESSION_KEY, login, logout
from django.contrib.auth.models import AnonymousUser
from django.contrib.auth.signals import user_logged_in
from django.core.exceptions import PermissionDenied
from django.dispatch import receiver
from django.http import Http404, HttpRequest, HttpResponse
from django.shortcuts import redirect, render, resolve_url
from django.urls import reverse
from django.utils import timezone
from django.utils.http import url_has_allowed_host_and_scheme
from django.views.decorators.http import require_http_methods

from puzzleclass.accounts.models import User
from puzzleclass.http import Middleware, Request, SignedInRequest

logger = logging.getLogger("puzzleclass.security")

P = ParamSpec("P")
View = Callable[Concatenate[SignedInRequest, P], HttpResponse]
Guarded = Callable[Concatenate[Request, P], HttpResponse]

RECENTLY = timedelta(minutes=15)
"""How long ago the password may have been typed, when data are exported or deleted, and the
account is changed."""

SHARED_HOURS = 3
ENDS_AT = "ends_at"
SEEN_AT = "seen_at"
PROVEN_AT = "proven_at"
"""Session key: when the password was typed last."""
IDLE_MINUTES = "idle_minutes"
"""Session key: the time of a class that signs idle students out sooner."""
CLASS_CODE = "class_code"
"""Session key: the class in which the student signed in."""

_SECONDS_KNOWN = 400 * 24 * 3600
_COOKIE = "known"

# Who may enter


def for_teachers(*methods: str, within: timedelta | None = None) -> Callable[[View[P]], Guarded[P]]:
    """Let teachers in by these methods; others are sent to the sign-in, signed-in students answered
    with 403. With `within` the password is asked again where it was typed longer ago."""
    return _guard(methods, "sign_in", lambda user: user.is_teacher, PermissionDenied, within)


def for_students(*methods: str) -> Callable[[View[P]], Guarded[P]]:
    """Let students in by these methods; others are sent to the class code, signed-in teachers
    answered with 403."""
    return _guard(methods, "join", lambda user: user.is_student, PermissionDenied)


def for_administrators(*methods: str) -> Callable[[View[P]], Guarded[P]]:
    """Let in who looks after the site; for others who are signed in there is nothing (404)."""
    return _guard(methods, "sign_in", is_administrator, Http404)


def is_administrator(user: User | AnonymousUser) -> bool:
    """Return whether the user looks after the site."""
    return user.is_authenticated and user.is_active and user.is_staff and user.is_teacher


def _guard(
    methods: tuple[str, ...],
    sign_in: str,
    may_enter: Callable[[User], bool],
    refusal: type[Exception],
    within: timedelta | None = None,
) -> Callable[[View[P]], Guarded[P]]:
    """Return the decorator that lets in who may enter, and sends others to `sign_in`."""

    def decorate(view: View[P]) -> Guarded[P]:
        @require_http_methods(methods)
        @wraps(view)
        def guarded(request: Request, /, *args: P.args, **kwargs: P.kwargs) -> HttpResponse:
            if not request.user.is_authenticated:
                return sign_in_first(request, sign_in)
            if not may_enter(request.user):
                raise refusal
            if within and time.time() - request.session.get(PROVEN_AT, 0) >= within.total_seconds():
                # What was sent is sent again by hand: back to the page with the button.
                page = request.get_full_path() if request.method == "GET" else _page_before(request)
                return redirect(f"{reverse('confirm')}?{urlencode({'next': page})}")
            return view(cast(SignedInRequest, request), *args, **kwargs)

        return guarded

    return decorate


def sign_in_first(request: Request, sign_in: str) -> HttpResponse:
    """Send a page to the sign-in; answer a fragment with 401 and a notice in its place."""
    if not request.htmx:
        return redirect(f"{reverse(sign_in)}?{urlencode({'next': request.get_full_path()})}")
    # A fragment's own address is no page to come back to: the one around it is.
    page = request.htmx.current_url_abs_path or reverse("home")
    context = {"status": 401, "sign_in_url": f"{reverse(sign_in)}?{urlencode({'next': page})}"}
    return render(request, "errors/_error.html", context, status=401)


def _page_before(request: HttpRequest) -> str:
    page = urlsplit(request.headers.get("Referer", ""))
    return page.path if page.netloc == request.get_host() else reverse("home")


# Where to go after the sign-in


def wanted(request: HttpRequest) -> str:
    """Return the page the sign-in was asked for, if it is one of ours, else an empty text."""
    url = request.POST.get("next") or request.GET.get("next") or ""
    is_ours = url_has_allowed_host_and_scheme(
        url, allowed_hosts={request.get_host()}, require_https=request.is_secure()
    )
    # A word without a slash would be taken for the name of a view.
    return url if is_ours and url.startswith("/") else ""


def destination(request: HttpRequest) -> str:
    """Return where to go after the sign-in."""
    return wanted(request) or resolve_url(settings.LOGIN_REDIRECT_URL)


# Short sessions, where the computer is everybody's


def sign_in_student(
    request: HttpRequest, student: User, class_code: str, idle_minutes: int = 0
) -> None:
    """Sign the student in at a computer that is everybody's; 0 minutes: the site's `IDLE_MINUTES`.

    `login` gives the session a new key and drops whatever another user had in it.
    """
    login(request, student)
    end_with_browser(request)
    request.session[CLASS_CODE] = class_code
    if idle_minutes:
        request.session[IDLE_MINUTES] = idle_minutes


def end_with_browser(request: HttpRequest) -> None:
    """Let the session end when the browser is closed, after `SHARED_HOURS` at most."""
    request.session.set_expiry(0)
    request.session[ENDS_AT] = time.time() + SHARED_HOURS * 3600


class SessionEndMiddleware(Middleware):
    """Signs out whose hours are over, and who has done nothing for `IDLE_MINUTES`.

    A session that ends with the browser can't bear a time of its own in Django, and some
    browsers bring it back when they open again. What a page fetches by itself is nothing
    done: a page left open asks for as long as it stands there.
    """

    def __call__(self, request: HttpRequest) -> HttpResponse:
        session, now = request.session, time.time()
        idle = session.get(IDLE_MINUTES, settings.IDLE_MINUTES) * 60
        if SESSION_KEY in session:
            seen_at = session.get(SEEN_AT, 0)
            if session.get(ENDS_AT, now) < now or 0 < idle < now - seen_at:
                logout(request)
            # Not at every click: the session would be written each time.
            elif 0 < idle < 20 * (now - seen_at) and not _asks_by_itself(request):
                session[SEEN_AT] = now
        return self.get_response(request)


class TimeZoneMiddleware(Middleware):
    """Lets a teacher read and type times in the time zone of the account."""

    def __call__(self, request: HttpRequest) -> HttpResponse:
        name = getattr(request.user, "time_zone", "") if SESSION_KEY in request.session else ""
        with timezone.override(_zone(name)):
            return self.get_response(request)


@cache
def _zone(name: str) -> ZoneInfo | None:
    """Return the time zone; None for that of the site, and for one that is gone."""
    return ZoneInfo(name) if name in available_timezones() else None


def _asks_by_itself(request: HttpRequest) -> bool:
    return request.method == "GET" and "HX-Request" in request.headers


@receiver(user_logged_in)
def _see(request: HttpRequest, user: User, **kwargs: object) -> None:
    request.session[SEEN_AT] = request.session[PROVEN_AT] = time.time()
    record(request, "signed in", who=user.pk, role=user.role)


# The security log


def record(request: HttpRequest, event: str, **facts: object) -> None:
    """Write a line to the security log: what, who (a key), from where; never a word typed."""
    user = getattr(request, "user", None)
    line = {"event": event, "who": user.pk if user else None, "from": address_of(request)}
    logger.info(json.dumps(line | facts))


# Teachers: the browsers they are known in
#
# Forty students sit behind their teacher's address. One of them who tries out her username
# closes its lock for that address, but not for the browsers she has signed in with before.


def remember_browser(request: HttpRequest, response: HttpResponse, username: str) -> HttpResponse:
    """Make the browser one that this teacher has signed in with; return the response."""
    response.set_signed_cookie(
        _COOKIE,
        _known_as(request, username) or secrets.token_hex(8),
        salt=_salt(username),
        max_age=_SECONDS_KNOWN,
        httponly=True,
        secure=settings.HTTPS,
        samesite="Lax",
    )
    return response


def place_of(request: HttpRequest, username: str) -> str:
    """Return a name for where this teacher's password is being typed."""
    return _known_as(request, username) or address_of(request)


def is_known_browser(request: HttpRequest, username: str) -> bool:
    """Return whether this teacher has signed in with the browser before."""
    return bool(_known_as(request, username))


def _known_as(request: HttpRequest, username: str) -> str:
    """Return the browser's own name; an empty text in one the teacher hasn't signed in with."""
    name = request.get_signed_cookie(_COOKIE, "", salt=_salt(username), max_age=_SECONDS_KNOWN)
    return name or ""


def _salt(username: str) -> str:
    return f"browser of {username}"


def address_of(request: HttpRequest) -> str:
    """Return the visitor's address: with HTTPS, the one that our proxy has seen."""
    forwarded = request.headers.get("X-Forwarded-For", "") if settings.HTTPS else ""
    # Proxies add to the end; what stands before it anybody can have written.
    address = forwarded.rpartition(",")[2].strip() or request.META.get("REMOTE_ADDR", "")
    try:
        ip = ip_address(address)
    except ValueError:
        return "unknown"
    # A single visitor has 2^64 addresses of version 6.
    return str(ip_network((ip, 64), strict=False)) if ip.version == 6 else str(ip)
