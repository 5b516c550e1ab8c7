"""Visitors: the address from which they come, and the browsers in which a teacher is known.

Forty students sit behind their teacher's address. One of them who guesses at her password closes
the lock of her username for that address, but not for the browsers in which she has signed in
before.
"""

import secrets
from contextvars import ContextVar
from ipaddress import ip_address, ip_network

from django.conf import settings
from django.http import HttpRequest, HttpResponse

from puzzleclass.http import Middleware

_SECONDS_KNOWN = 400 * 24 * 3600
_COOKIE = "known"

_present: ContextVar[HttpRequest | None] = ContextVar("present", default=None)
"""The request that is being answered; None in a command or a worker."""


def remember_browser(request: HttpRequest, response: HttpResponse, username: str) -> HttpResponse:
    """Remember that this teacher has signed in with the browser; return the response."""
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


def browser_or_address(request: HttpRequest, username: str) -> str:
    """Return a name for the browser or the address where this teacher's password is typed."""
    return _known_as(request, username) or address_of(request)


def is_known_browser(request: HttpRequest, username: str) -> bool:
    """Return whether this teacher has signed in with the browser before."""
    return bool(_known_as(request, username))


def _known_as(request: HttpRequest, username: str) -> str:
    """Return the browser's own name; empty if this teacher has not signed in with it."""
    name = request.get_signed_cookie(_COOKIE, "", salt=_salt(username), max_age=_SECONDS_KNOWN)
    return name or ""


def _salt(username: str) -> str:
    return f"browser of {username}"


def address_of(request: HttpRequest) -> str:
    """Return the visitor's address as the outermost of our proxies saw it, or "unknown".

    Each of the `TRUSTED_PROXIES` has added the address that it saw to the end of X-Forwarded-For.
    Anybody can have written what stands before these.
    """
    forwarded = request.headers.get("X-Forwarded-For", "").split(",")
    hops = [hop.strip() for hop in forwarded if hop.strip()]
    seen = [*hops, request.META.get("REMOTE_ADDR", "")]
    address = seen[-1 - min(settings.TRUSTED_PROXIES, len(hops))]
    try:
        ip = ip_address(_without_port(address))
    except ValueError:
        return "unknown"
    if ip.version == 4:
        return str(ip)
    # A socket for both versions writes an address of version 4 as one of version 6. Other addresses
    # of version 6 are cut to their network, because a single visitor has 2^64 of them.
    return str(ip.ipv4_mapped or ip_network((ip, 64), strict=False))


class AddressMiddleware(Middleware):
    """Lets the audit log know the address of the request that is being answered."""

    def __call__(self, request: HttpRequest) -> HttpResponse:
        token = _present.set(request)
        try:
            return self.get_response(request)
        finally:
            _present.reset(token)


def present_network() -> str:
    """Return the network from which the present request comes, which is a part of its address:
    24 bits of version 4, 48 of version 6. Empty if there is no request."""
    request = _present.get()
    address = address_of(request) if request else ""
    if not request or address == "unknown":
        return ""
    ip = ip_network(address).network_address
    return str(ip_network((ip, 24 if ip.version == 4 else 48), strict=False))


def _without_port(address: str) -> str:
    """Return an address without the port that some proxies add: 192.0.2.1:80, [2001:db8::1]:80."""
    if address.startswith("["):
        return address[1:].partition("]")[0]
    return address.partition(":")[0] if address.count(":") == 1 else address
