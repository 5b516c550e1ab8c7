"""Where somebody types a password: in a browser known to the teacher, or at an address.

Forty students sit behind their teacher's address. One of them who tries out her username
closes its lock for that address, but not for the browsers she has signed in with before.
"""

import secrets
from ipaddress import ip_address, ip_network

from django.conf import settings
from django.http import HttpRequest, HttpResponse

_SECONDS_KNOWN = 400 * 24 * 3600

_COOKIE = "known"


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
    return _known_as(request, username) or _address(request)


def _known_as(request: HttpRequest, username: str) -> str:
    """Return the browser's own name; an empty text in one the teacher hasn't signed in with."""
    return request.get_signed_cookie(_COOKIE, "", salt=_salt(username), max_age=_SECONDS_KNOWN)


def _salt(username: str) -> str:
    return f"browser of {username}"


def _address(request: HttpRequest) -> str:
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
