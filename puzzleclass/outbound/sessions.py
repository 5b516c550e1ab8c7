"""Requests that the site sends to other servers: learning platforms, sign-in servers, rosters.

Their addresses come from people and from other servers, so a request could be led to a machine
behind the school's firewall (server-side request forgery). Therefore, a session of ours speaks only
HTTPS, looks a name up itself, and connects to the very address that it has checked. Redirects are
checked in the same way. Every answer is bounded in time and size.

Behind a proxy (`HTTPS_PROXY`), the proxy looks the names up and connects. Names that lead to a
private network here are refused before it is asked, and the certificate of the server is checked
through the proxy, so that a machine behind the firewall could be reached but never spoken to.
"""

import socket
import time
from collections.abc import Iterator
from ipaddress import IPv4Address, IPv6Address, ip_address, ip_network
from typing import Any
from urllib.parse import urlsplit

import requests
from django.conf import settings
from requests.adapters import HTTPAdapter
from requests.utils import should_bypass_proxies
from urllib3.exceptions import ConnectTimeoutError, NewConnectionError

from solvers.message import Message

CONNECT_SECONDS = 5
READ_SECONDS = 10
"""Seconds that a server may be silent."""
ANSWER_SECONDS = 20
"""Seconds that a whole answer may take."""
MAX_ANSWER_BYTES = 2_000_000
MAX_REDIRECTS = 3
LONGEST_ADDRESS = 500

LOCAL_ENDINGS = (".local", ".localhost", ".internal", ".lan", ".home.arpa", ".intranet")
"""Endings of names that belong to private networks."""

DEFAULT_PORTS = {"https": 443, "http": 80}

INTERNET = [ip_network("0.0.0.0/0"), ip_network("2000::/3")]
"""The addresses of the internet, with those below among them: for IPv6, only global unicast."""
SPECIAL = [
    ip_network(network)
    for network in (
        *("0.0.0.0/8", "10.0.0.0/8", "100.64.0.0/10", "127.0.0.0/8", "169.254.0.0/16"),
        *("172.16.0.0/12", "192.0.0.0/24", "192.0.2.0/24", "192.31.196.0/24", "192.52.193.0/24"),
        *("192.88.99.0/24", "192.168.0.0/16", "192.175.48.0/24", "198.18.0.0/15"),
        *("198.51.100.0/24", "203.0.113.0/24", "224.0.0.0/3"),
        # Protocols and tunnels, of which some contain another address; examples; anycast.
        *("2001::/23", "2001:db8::/32", "2002::/16", "2620:4f:8000::/48", "3fff::/20"),
    )
]
"""IANA's registries of special addresses, with multicast and what is reserved. No server of a
school has such an address, also where the registries allow to reach it from everywhere."""

OutboundError = requests.RequestException
"""The server was not reached, did not answer in time, or has refused. Its text can name machines of
the school, so it belongs in a log and not on a page."""


class ForbiddenAddress(OSError):
    """The name leads to an address in a private network."""


def new_session() -> requests.Session:
    """Return a session for requests to other servers.

    It takes the proxy from the settings, and nothing from `.netrc`.
    """
    session = requests.Session()
    session.trust_env = False
    session.max_redirects = MAX_REDIRECTS
    session.adapters.clear()
    session.mount("https://", _Adapter())
    if settings.LOCAL_SERVERS:
        session.mount("http://", _Adapter())
    return session


def fault_of_address(url: str) -> Message | None:
    """Return what is wrong with the address of another server; None if nothing is.

    The name is not looked up, because it can lead elsewhere tomorrow. `new_session` does so at each
    request.
    """
    try:
        parts = urlsplit(url)
        is_address = bool(parts.hostname) and parts.port != 0
    except ValueError:
        is_address = False
    if not is_address or not url.isascii() or any(sign <= " " for sign in url):
        return Message("This is not an address like https://platform.school.example/path.")
    if parts.scheme != "https" and not (parts.scheme == "http" and settings.LOCAL_SERVERS):
        return Message("The address must begin with https://.")
    if parts.username is not None or parts.fragment or len(url) > LONGEST_ADDRESS:
        return Message("The address must be shorter, and without a user name or a # sign.")
    return None


def origin_of(url: str) -> str:
    """Return scheme, host and port of an address: what decides which server receives a request."""
    parts = urlsplit(url)
    try:
        port = parts.port
    except ValueError:
        return ""
    return f"{parts.scheme}://{parts.hostname or ''}:{port or DEFAULT_PORTS.get(parts.scheme, '')}"


def may_connect(address: IPv4Address | IPv6Address) -> bool:
    """Return whether the address is one of the internet, or local servers are allowed."""
    if settings.LOCAL_SERVERS:
        return True
    is_special = any(address in network for network in SPECIAL)
    return not is_special and any(address in network for network in INTERNET)


def addresses_of(url: str) -> list[str]:
    """Return the addresses to which the name in the URL leads, in the order of their use.

    One private address among several forbids all of them. Raises ForbiddenAddress, or another
    OSError or UnicodeError if the name can't be looked up.
    """
    parts = urlsplit(url)
    host, port = parts.hostname or "", parts.port or DEFAULT_PORTS[parts.scheme]
    found = [each[4][0] for each in socket.getaddrinfo(host, port, type=socket.SOCK_STREAM)]
    addresses = [ip_address(each) for each in dict.fromkeys(found)]
    if not all(map(may_connect, addresses)):
        raise ForbiddenAddress(f"{host} leads to a private network.")
    return [f"[{each}]" if each.version == 6 else str(each) for each in addresses]


def proxies_for(url: str) -> dict[str, str]:
    """Return the proxy by which the address is reached, as `requests` wants it; empty for none.

    Raises ForbiddenAddress for a name that must not be asked of a proxy.
    """
    host = urlsplit(url).hostname or ""
    if not settings.HTTPS_PROXY or url.startswith("http:"):
        return {}
    if should_bypass_proxies(url, settings.NO_PROXY):
        return {}
    if not settings.LOCAL_SERVERS:
        _check_before_proxy(host)
    return {"https": settings.HTTPS_PROXY}


def _check_before_proxy(host: str) -> None:
    """Raise ForbiddenAddress if the host is one of the school's network, as far as this is seen
    from here. Behind a proxy, many machines can't look up names of the internet."""
    try:
        addresses = [ip_address(host)]
    except ValueError:
        if "." not in host or host.endswith(LOCAL_ENDINGS):
            raise ForbiddenAddress(f"{host} is a name of a private network.") from None
        try:
            entries = socket.getaddrinfo(host, 443, type=socket.SOCK_STREAM)
        except (OSError, UnicodeError):
            return
        addresses = [ip_address(each[4][0]) for each in entries]
    if not all(map(may_connect, addresses)):
        raise ForbiddenAddress(f"{host} leads to a private network.")


class _Bounded:
    """The content of an answer as urllib3 reads it, within the limits of length and time."""

    def __init__(self, raw: Any, until: float) -> None:
        self._raw = raw
        self._until = until
        self._length = 0

    def stream(self, *args: Any, **options: Any) -> Iterator[bytes]:
        for part in self._raw.stream(*args, **options):
            self._length += len(part)
            if self._length > MAX_ANSWER_BYTES or time.monotonic() > self._until:
                self._raw.close()
                raise requests.exceptions.ContentDecodingError("The answer is too long or slow.")
            yield part

    def __getattr__(self, name: str) -> Any:
        return getattr(self._raw, name)


class _Adapter(HTTPAdapter):
    """Connects to the addresses that it has checked, and reads answers within the limits.

    The server's certificate has to fit the name in the URL, as usual.
    """

    address: str | None = None
    """The address to which the next request goes; None behind a proxy, which looks the name up."""

    def send(
        self, request: requests.PreparedRequest, *args: Any, **options: Any
    ) -> requests.Response:
        url = request.url or ""
        try:
            proxies = proxies_for(url)
        except ForbiddenAddress as error:
            raise requests.exceptions.ProxyError(error, request=request) from None
        try:
            addresses: list[str | None] = [None] if proxies else [*addresses_of(url)]
        except (OSError, UnicodeError) as error:
            raise requests.ConnectionError(error, request=request) from error
        options |= {"stream": True, "timeout": (CONNECT_SECONDS, READ_SECONDS), "proxies": proxies}
        until = time.monotonic() + ANSWER_SECONDS
        while True:
            self.address = addresses.pop(0)
            try:
                response = super().send(request, **options)
                break
            except requests.ConnectionError as error:
                if not addresses or not _was_not_connected(error):
                    raise
        response.raw = _Bounded(response.raw, until)
        return response

    def add_headers(self, request: requests.PreparedRequest, **kwargs: Any) -> None:
        if self.address:
            request.headers["Host"] = urlsplit(request.url or "").netloc.rpartition("@")[2]

    def build_connection_pool_key_attributes(self, *args: Any, **kwargs: Any) -> Any:
        options: Any
        place, options = super().build_connection_pool_key_attributes(*args, **kwargs)
        if self.address:
            options["server_hostname"] = place["host"]
            place["host"] = self.address
        return place, options


def _was_not_connected(error: requests.ConnectionError) -> bool:
    """Return whether the address did not accept a connection, so that no request was sent."""
    reason = getattr(error.args[0], "reason", None) if error.args else None
    return isinstance(reason, ConnectTimeoutError | NewConnectionError)
