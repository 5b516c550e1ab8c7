"""The errors that every app may raise, and the pages that answer errors.

A request for a page is answered with an error page, a request for a fragment with a fragment, and a
request of a program with problem details (RFC 9457). No answer shows a traceback.
"""

import errno
import logging
import sys
from collections.abc import Iterator
from http import HTTPStatus
from typing import Annotated

import msgspec
from django.core.exceptions import BadRequest, PermissionDenied, SuspiciousOperation
from django.db import DatabaseError, InterfaceError, OperationalError, connection
from django.http import HttpRequest, HttpResponse
from django.shortcuts import redirect, render
from django.template.loader import render_to_string
from django.utils.translation import gettext

from solvers.message import Message, gettext_noop

RETRY_SECONDS = 2
"""Seconds after which a browser may repeat a request that was answered with 503."""

DATABASE_AWAY = Message(
    "The site cannot reach its data just now. Wait a little, then open the page again."
)

SIGN_INS = {"sign_in", "sign_up", "join", "join_student", "join_by_card"}
"""The URL names of the forms that sign somebody in."""

OPEN_TOO_LONG = Message(
    "This page has been open for too long. Load it again, then repeat your input."
)

DISK_IS_FULL = Message(
    "The server's disk is full: nothing can be stored until there is room again. You can still "
    "read everything. Tell the people who run the site."
)

API_PATH = "/api/v"
"""The beginning of the addresses whose errors are answered to programs."""

_PROBLEMS = {
    400: Message("This request could not be understood."),
    404: Message("Nothing is at this address, or you may not see it."),
    503: Message("Many people are using the site right now. Try again in a few seconds."),
}
_OUR_FAULT = Message(
    "Something went wrong on our side. The error has been logged so that we can fix it."
)

_FULL_FILE = (errno.ENOSPC, errno.EDQUOT)
_FULL_SQLITE, _FULL_POSTGRES = 13, "53100"
"""The error codes of a full disk: SQLITE_FULL and PostgreSQL's disk_full."""
_BUSY_POSTGRES = ("40001", "40P01", "55P03")
"""PostgreSQL's codes of a query that it has ended because of others: serialization_failure,
deadlock_detected and lock_not_available."""

REFUSALS = (PermissionDenied, SuspiciousOperation, BadRequest)

logger = logging.getLogger(__name__)


class RefusalFilter(logging.Filter):
    """A filter that removes the traceback from the log of a request that was refused on purpose."""

    def filter(self, record: logging.LogRecord) -> bool:
        if record.exc_info and isinstance(record.exc_info[1], REFUSALS):
            record.exc_info = record.exc_text = None
        return True


class Busy(Exception):
    """Too many requests want the same thing at this moment."""


class QuotaReached(Exception):
    """A user has reached a quota. `message` says so, and what to do.

    After `seconds`, if they are known, the request may be repeated.
    """

    def __init__(self, message: Message, seconds: int | None = None) -> None:
        super().__init__(str(message))
        self.message, self.seconds = message, seconds


class ProblemDetails(msgspec.Struct):
    """An error of the API (problem details, RFC 9457)."""

    status: Annotated[int, msgspec.Meta(description=gettext_noop("The HTTP status"))]
    title: Annotated[str, msgspec.Meta(description=gettext_noop("The name of the status"))]
    detail: Annotated[str, msgspec.Meta(description=gettext_noop("What happened, and what to do"))]
    type: str = "about:blank"


def error_answer(request: HttpRequest, status: int, message: Message | None = None) -> HttpResponse:
    """Return the error as a page, as a notice when a fragment was asked for, or as problem details
    when the API was asked."""
    if request.path_info.startswith(API_PATH):
        return _problem(status, message)
    # A request that a middleware refuses early does not have `request.htmx` yet.
    is_fragment = request.headers.get("HX-Request") == "true"
    template = "errors/_error.html" if is_fragment else "errors/error.html"
    return render(request, template, {"status": status, "said": message}, status=status)


def _problem(status: int, message: Message | None) -> HttpResponse:
    wording = message or _PROBLEMS.get(status, _OUR_FAULT)
    problem = ProblemDetails(
        status, HTTPStatus(status).phrase, gettext(wording.text).format_map(wording.values)
    )
    body = msgspec.json.encode(problem)
    return HttpResponse(body, status=status, content_type="application/problem+json")


def is_disk_full(error: BaseException) -> bool:
    """Return whether the error, or one that led to it, says that there is no room on a disk."""
    return any(
        (isinstance(each, OSError) and each.errno in _FULL_FILE)
        or getattr(each, "sqlite_errorcode", None) == _FULL_SQLITE
        or getattr(each, "sqlstate", None) == _FULL_POSTGRES
        for each in _chain(error)
    )


def _chain(error: BaseException) -> Iterator[BaseException]:
    """Yield the error and those that led to it, the latest first."""
    each: BaseException | None = error
    while each:
        yield each
        each = each.__cause__ or each.__context__


def unavailable(request: HttpRequest, error: BaseException) -> HttpResponse | None:
    """Return the answer (503 with Retry-After) to a temporary error: a database that is busy or
    does not answer, too many requests at once, or a full disk. Return None for other errors."""
    if is_disk_full(error):
        response = error_answer(request, 503, DISK_IS_FULL)
    elif any(isinstance(each, Busy) for each in _chain(error)):
        response = error_answer(request, 503)
    elif any(map(_is_locked, _chain(error))):
        response = _answer_without_database(request)
    elif any(map(_is_away, _chain(error))):
        logger.error("The database did not answer: %s", error)
        response = _answer_without_database(request, DATABASE_AWAY)
    else:
        return None
    response["Retry-After"] = str(RETRY_SECONDS)
    return response


def _is_locked(error: BaseException) -> bool:
    is_locked_sqlite = isinstance(error, OperationalError) and "locked" in str(error)
    return is_locked_sqlite or getattr(error, "sqlstate", None) in _BUSY_POSTGRES


def _is_away(error: BaseException) -> bool:
    """Return whether the error says that the database cannot be reached. SQLite's file can always
    be reached, so with SQLite such an error is a fault of ours, such as a missing table."""
    return isinstance(error, OperationalError | InterfaceError) and connection.vendor != "sqlite"


def _answer_without_database(request: HttpRequest, said: Message | None = None) -> HttpResponse:
    """Return an answer that needs no query, not even for the signed-in user."""
    if request.path_info.startswith(API_PATH):
        return _problem(503, said)
    is_fragment = request.headers.get("HX-Request") == "true"
    template = "errors/_error.html" if is_fragment else "errors/away.html"
    return HttpResponse(render_to_string(template, {"status": 503, "said": said}), status=503)


def bad_request(request: HttpRequest, exception: Exception) -> HttpResponse:
    return error_answer(request, 400)


def permission_denied(request: HttpRequest, exception: Exception) -> HttpResponse:
    """Show the exception's `Message`, if it has one."""
    reason = next((word for word in exception.args if isinstance(word, Message)), None)
    return error_answer(request, 403, reason)


def page_not_found(request: HttpRequest, exception: Exception) -> HttpResponse:
    return error_answer(request, 404)


def server_error(request: HttpRequest) -> HttpResponse:
    """Return the page for all other errors, or plain text when even that page can't be made.

    Django calls this while it handles the error. An error raised by a middleware also comes here.
    """
    try:
        error = sys.exc_info()[1]
        passing = unavailable(request, error) if error else None
        return passing or error_answer(request, 500)
    except Exception as error:
        # The error page queries the signed-in user, and the database may be the cause of the error.
        logger.exception("The error page failed")
        words = "PuzzleClass はいま使えません。少し待ってから読み込み直してください。\n"
        words += "PuzzleClass can't be used just now. Wait a little, then load the page again.\n"
        status = 503 if isinstance(error, DatabaseError) else 500
        return HttpResponse(words, status=status, content_type="text/plain; charset=utf-8")


def csrf_failure(request: HttpRequest, reason: str = "") -> HttpResponse:
    """Answer a form that is older than the sign-in or came from another site.

    A user who has sent the sign-in form twice (a double press, Enter after the fourth digit) has
    been signed in by the first one.
    """
    match = request.resolver_match
    if match and match.url_name in SIGN_INS and request.user.is_authenticated:
        return redirect("home")
    return error_answer(request, 403, OPEN_TOO_LONG)
