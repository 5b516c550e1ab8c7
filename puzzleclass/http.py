"""The requests that views get, what is refused before any view, and the answers to errors.

An error is answered with a page for a page, a fragment for a fragment, never a traceback.
"""

import logging
from collections.abc import Callable
from dataclasses import dataclass
from typing import TYPE_CHECKING

from django.conf import settings
from django.db import DatabaseError, OperationalError, connection
from django.http import HttpRequest, HttpResponse
from django.shortcuts import redirect, render
from django.urls import register_converter
from django.urls.converters import IntConverter, SlugConverter
from django.utils.cache import add_never_cache_headers
from django_htmx.middleware import HtmxDetails
from whitenoise.storage import CompressedManifestStaticFilesStorage

from solvers.message import Message
from solvers.registry import AnyKind, UnknownKind, get_kind

if TYPE_CHECKING:
    from puzzleclass.accounts.models import User

HEALTH_PATH = "/healthz"
BUSY_RETRY_SECONDS = 2
HIGHEST_KEY = 2**63 - 1
"""What a database can hold as a whole number."""

TOO_LARGE = Message(
    "What was sent is larger than {most} MB, so nothing of it was read or stored. Divide it into "
    "several parts; of a class list send the cells alone, as CSV.",
    {"most": f"{settings.DATA_UPLOAD_MAX_MEMORY_SIZE / 1_000_000:g}"},
)

SIGN_INS = {"sign_in", "sign_up", "join", "join_student", "join_by_card"}
"""The names of the addresses whose forms bring somebody in."""

logger = logging.getLogger(__name__)


class Request(HttpRequest):
    """What a view gets; the middleware of django-htmx has been there."""

    htmx: HtmxDetails


class SignedInRequest(Request):
    """What a view gets behind `for_teachers` or `for_students`."""

    user: "User"


class KeyConverter(IntConverter):
    """A whole number in an address; one that no row can have is no address of ours (404)."""

    def to_python(self, value: str) -> int:
        key = super().to_python(value)
        if key > HIGHEST_KEY:
            raise ValueError
        return key


class KindConverter:
    """A kind of puzzles in an address; a word that names none is no address of ours (404)."""

    regex = SlugConverter.regex

    def to_url(self, slug: str) -> str:
        return slug

    def to_python(self, value: str) -> AnyKind:
        try:
            return get_kind(value)
        except UnknownKind:
            raise ValueError from None


register_converter(KeyConverter, "key")
register_converter(KindConverter, "kind")


def read_key(text: str) -> int:
    """Return the key of a row that a form names; 0, which no row has, where it can't be one."""
    return int(text) if text.isdecimal() and len(text) < 19 else 0


@dataclass(frozen=True, slots=True)
class Middleware:
    """Stands between the server and the views; `get_response` is what comes after it."""

    get_response: Callable[[HttpRequest], HttpResponse]


class HealthMiddleware(Middleware):
    """Answers `/healthz`: 200 when the database answers, else 503.

    Stands before everything else, because a load balancer or Compose asks by no host name of
    ours, without HTTPS and without a session.
    """

    def __call__(self, request: HttpRequest) -> HttpResponse:
        if request.path_info != HEALTH_PATH:
            return self.get_response(request)
        try:
            with connection.cursor() as cursor:
                cursor.execute("SELECT 1")
        except DatabaseError:
            return HttpResponse("no database\n", status=503, content_type="text/plain")
        return HttpResponse("ok\n", content_type="text/plain")


class RefusingMiddleware(Middleware):
    """Refuses what need not be read: a body too large (413), a text no database can hold (400).

    Stands before whatever reads a body or looks a session up. The only files are lists of students,
    so one limit holds for every body; `asgi` gives one that came without a length its length.
    """

    def __call__(self, request: HttpRequest) -> HttpResponse:
        length = request.META.get("CONTENT_LENGTH") or "0"
        if not length.isdecimal():
            return error_answer(request, 400)
        if int(length) > settings.DATA_UPLOAD_MAX_MEMORY_SIZE:
            return error_answer(request, 413, TOO_LARGE)
        if any("\0" in text for text in (request.path_info, *request.COOKIES.values())):
            return error_answer(request, 400)
        return self.get_response(request)


class PrivateMiddleware(Middleware):
    """Lets nobody keep a page: neither a proxy nor the browser, whose Back then asks us again.

    Every page of ours names who is signed in. Static files are answered before.
    """

    def __call__(self, request: HttpRequest) -> HttpResponse:
        response = self.get_response(request)
        add_never_cache_headers(response)
        return response


class StaticFiles(CompressedManifestStaticFilesStorage):
    """Names each file after its content, also where a script imports another one."""

    support_js_module_import_aggregation = True


class Busy(Exception):
    """Too many want the same at this moment."""


class QuotaReached(Exception):
    """Somebody has as much of something as anybody may have; `message` says so, and what to do."""

    def __init__(self, message: Message) -> None:
        super().__init__(str(message))
        self.message = message


class BusyMiddleware(Middleware):
    """Answers a database that stayed busy, and other `Busy` places, with 503 and Retry-After; a
    quota that is reached with 429.

    SQLite lets one writer in at a time; who waited in vain has lost nothing and is
    told to come again (steps.js does so by itself). A quota is told in a place of its own: what
    was pressed stands as it did, with all that was typed.
    """

    def __call__(self, request: HttpRequest) -> HttpResponse:
        response = self.get_response(request)
        if response.status_code == 405 and request.method == "GET" and not response.content:
            # An address that only takes what a page sends was opened, or loaded anew.
            page = error_answer(request, 405)
            page["Allow"] = response["Allow"]
            return page
        return response

    def process_exception(self, request: HttpRequest, error: Exception) -> HttpResponse | None:
        is_locked = isinstance(error, OperationalError) and "locked" in str(error)
        if is_locked or isinstance(error, Busy):
            response = error_answer(request, 503)
            response["Retry-After"] = str(BUSY_RETRY_SECONDS)
            return response
        if isinstance(error, QuotaReached):
            response = error_answer(request, 429, error.message)
            response["HX-Retarget"], response["HX-Reswap"] = "#notice", "innerHTML show:top"
            return response
        return None


def error_answer(request: HttpRequest, status: int, message: Message | None = None) -> HttpResponse:
    """Return the error as a page, or as a notice when a fragment was asked for."""
    # What is refused before any view is, comes before `request.htmx` is there.
    is_part = request.headers.get("HX-Request") == "true"
    template = "errors/_error.html" if is_part else "errors/error.html"
    return render(request, template, {"status": status, "said": message}, status=status)


def bad_request(request: HttpRequest, exception: Exception) -> HttpResponse:
    return error_answer(request, 400)


def permission_denied(request: HttpRequest, exception: Exception) -> HttpResponse:
    """Say why, where the exception holds a `Message`."""
    said = next((word for word in exception.args if isinstance(word, Message)), None)
    return error_answer(request, 403, said)


def page_not_found(request: HttpRequest, exception: Exception) -> HttpResponse:
    return error_answer(request, 404)


def server_error(request: HttpRequest) -> HttpResponse:
    """The page of the other errors; words alone when even that can't be made."""
    try:
        return error_answer(request, 500)
    except Exception as error:
        # The page asks the database who is signed in, and the database may be the fault.
        logger.exception("The error page failed")
        words = "PuzzleClass はいま使えません。少し待ってから読み込み直してください。\n"
        words += "PuzzleClass can't be used just now. Wait a little, then load the page again.\n"
        status = 503 if isinstance(error, DatabaseError) else 500
        return HttpResponse(words, status=status, content_type="text/plain; charset=utf-8")


def csrf_failure(request: HttpRequest, reason: str = "") -> HttpResponse:
    """The form is older than the sign-in, or came from elsewhere. Whoever sent the sign-in twice
    (a double press, Enter after the fourth digit) has come in by the first."""
    match = request.resolver_match
    if match and match.url_name in SIGN_INS and request.user.is_authenticated:
        return redirect("home")
    return error_answer(request, 403)
