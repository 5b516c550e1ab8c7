"""The request class, the converters for addresses, and middleware."""

import codecs
from collections.abc import Callable
from dataclasses import dataclass

from django.contrib.sessions import middleware as sessions
from django.contrib.sessions.exceptions import SessionInterrupted
from django.db import DatabaseError, InterfaceError
from django.http import HttpRequest, HttpResponse
from django.shortcuts import render
from django.urls import register_converter
from django.urls.converters import IntConverter, SlugConverter
from django.utils.cache import add_never_cache_headers
from django_htmx.middleware import HtmxDetails

from puzzleclass.bodies import is_roster, max_bytes
from puzzleclass.database.texts import UnstorableText, is_storable
from puzzleclass.errors import QuotaReached, error_answer, unavailable
from solvers.message import Message
from solvers.missing import NOT_INSTALLED
from solvers.registry import AnyKind, UnknownKind, get_kind

HEALTH_PATH = "/healthz"
HIGHEST_KEY = 2**63 - 1
"""The highest integer that a database column can hold."""

PERMISSIONS_POLICY = ", ".join(
    f"{feature}=()"
    for feature in (
        *("accelerometer", "bluetooth", "browsing-topics", "camera", "display-capture"),
        *("geolocation", "gyroscope", "hid", "idle-detection", "local-fonts", "magnetometer"),
        *("microphone", "midi", "payment", "screen-wake-lock", "serial", "usb"),
        "xr-spatial-tracking",
    )
)
"""The features that no page of ours may ask a browser for. Full screen for the projector, the
clipboard for the copy button and passkeys stay allowed."""

NOTHING_NEW = 204
"""The status of a response after which HTMX leaves the page as it is."""


class Request(HttpRequest):
    """A request as a view gets it, after the middleware of django-htmx."""

    htmx: HtmxDetails


class KeyConverter(IntConverter):
    """A primary key in an address. A number that no row can have leads to 404."""

    def to_python(self, value: str) -> int:
        key = super().to_python(value)
        if key > HIGHEST_KEY:
            raise ValueError
        return key


class KindConverter:
    """A kind of puzzles in an address. A word that names no kind leads to 404."""

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
    """Return the primary key that a form names; 0, which no row has, when it can't be one."""
    return int(text) if text.isdecimal() and len(text) < 19 else 0


@dataclass(frozen=True, slots=True)
class Middleware:
    """The base class of our middleware. `get_response` calls the next middleware or the view."""

    get_response: Callable[[HttpRequest], HttpResponse]


class RefusingMiddleware(Middleware):
    """Middleware that refuses requests early: a body too large (413), a text no database can hold
    (400).

    It stands before all middleware that reads a body or looks up a session. `asgi` sets the length
    of a body that came without one. Browsers send our forms in UTF-8. Other encodings, such as
    UTF-7, could produce half of a surrogate pair, which no database stores.
    """

    def __call__(self, request: HttpRequest) -> HttpResponse:
        length = request.META.get("CONTENT_LENGTH") or "0"
        if not length.isdecimal():
            return error_answer(request, 400)
        if int(length) > (most := max_bytes(request.path_info)):
            return error_answer(request, 413, _too_large(request.path_info, most))
        if any("\0" in text for text in (request.path_info, *request.COOKIES.values())):
            return error_answer(request, 400)
        if request.encoding and codecs.lookup(request.encoding).name != "utf-8":
            return error_answer(request, 400)
        return self.get_response(request)


class HeadersMiddleware(Middleware):
    """Middleware that adds the headers of every response but static files, which get theirs in the
    settings.

    Other sites may not embed our responses, and our own pages may not use devices. Neither proxies
    nor browsers may store a page, because it names the signed-in user; the browser's Back button
    then requests it again. A fragment becomes a part of a page whose policy holds for it.
    """

    def __call__(self, request: HttpRequest) -> HttpResponse:
        response = self.get_response(request)
        add_never_cache_headers(response)
        response.headers.setdefault("Cross-Origin-Resource-Policy", "same-origin")
        if "HX-Request" not in request.headers:
            response.headers.setdefault("Permissions-Policy", PERMISSIONS_POLICY)
        return response


class SessionMiddleware(sessions.SessionMiddleware):
    """Django's sessions, except that pages can be read while the database cannot be written.

    A page may note in the session when its reader was last seen. When the disk is full, the note is
    lost, but not the page. Django itself treats a session that cannot be written as one that has
    ended and answers 400.
    """

    def process_response(self, request: HttpRequest, response: HttpResponse) -> HttpResponse:
        try:
            return super().process_response(request, response)
        except (DatabaseError, InterfaceError, SessionInterrupted) as error:
            passing = unavailable(request, error)
            if passing is None:
                raise
            return response if request.method in ("GET", "HEAD") else passing


class BusyMiddleware(Middleware):
    """Middleware that answers expected errors with a status of their own.

    A database that is busy or does not answer, a full disk and other `Busy` places are answered
    with 503 and Retry-After, a quota that is reached with 429, and a question about a kind that is
    not installed with 409.

    SQLite lets one writer in at a time, and PostgreSQL can be stopped. A user who has waited in
    vain has lost nothing and is told to try again later; send-steps.js does so by itself. The
    message about a quota appears in a separate element, so that the page keeps everything that was
    typed.
    """

    def __call__(self, request: HttpRequest) -> HttpResponse:
        response = self.get_response(request)
        if response.status_code == 405 and request.method == "GET" and not response.content:
            # Somebody has opened or reloaded an address that accepts only POST.
            page = error_answer(request, 405)
            page["Allow"] = response["Allow"]
            return page
        return response

    def process_exception(self, request: HttpRequest, error: Exception) -> HttpResponse | None:
        if passing := unavailable(request, error):
            return passing
        if isinstance(error, UnstorableText):
            return error_answer(request, 400, _unstorable_field(request))
        if isinstance(error, UnknownKind):
            return error_answer(request, 409, NOT_INSTALLED)
        if isinstance(error, QuotaReached):
            response = error_answer(request, 429, error.message)
            response["HX-Retarget"], response["HX-Reswap"] = "#notice", "innerHTML show:top"
            if error.seconds:
                response["Retry-After"] = str(error.seconds)
            return response
        return None


def _too_large(path: str, most: int) -> Message:
    if is_roster(path):
        return Message(
            "The roster is larger than {most} MB, so nothing was read or stored. Leave out the "
            "files that are not read, such as results, then send it again.",
            {"most": f"{most / 1_000_000:g}"},
        )
    return Message(
        "The data you sent is larger than {most} MB, so nothing was read or stored. Send it in "
        "several parts. A class list is smaller as a CSV file.",
        {"most": f"{most / 1_000_000:g}"},
    )


def _unstorable_field(request: HttpRequest) -> Message | None:
    """Return a message that names the field; None if the text did not come from a field."""
    for fields in (request.POST, request.GET):
        for name, values in fields.lists():
            if not all(map(is_storable, values)):
                return Message(
                    "The text in “{field}” holds a character that cannot be stored (U+0000). "
                    "Delete it, then send the text again.",
                    {"field": name[:60]},
                )
    return None


def quietly_refused(request: Request, response: HttpResponse, status: int = 422) -> HttpResponse:
    """Mark the response to a move that is refused, by default with 422: it is against the rules.

    A script gets the status in the header `Refused` instead. A browser's console reports every
    status over 399 as an error of the page, but a student who tries a move makes no error.
    """
    if request.htmx:
        response["Refused"] = str(status)
    else:
        response.status_code = status
    return response


def form_page(request: HttpRequest, template: str, context: dict[str, object]) -> HttpResponse:
    """Return the page of a form, with status 422 if the form was sent and refused."""
    status = 422 if request.method == "POST" else 200
    return render(request, template, context, status=status)
