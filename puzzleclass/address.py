"""The absolute addresses of this site for cards, QR codes and e-mails."""

from ipaddress import ip_address
from urllib.parse import urlsplit

from django.conf import settings
from django.http import HttpRequest

ADDRESS_FILE = settings.VAR_DIR / "address"
"""The file to which `manage.py run` writes its address, for commands that have no request."""


def absolute(path: str, request: HttpRequest | None = None) -> str:
    """Return the path, preceded by the address that people use for this site.

    That address is `PUBLIC_URL`. Without this setting it is the name by which the request came and,
    without a request, the address that `manage.py run` served last.
    """
    if settings.PUBLIC_URL:
        return f"{settings.PUBLIC_URL}{path}"
    if request:
        return request.build_absolute_uri(path)
    return f"{_last_address()}{path}"


def _last_address() -> str:
    if ADDRESS_FILE.exists():
        return ADDRESS_FILE.read_text().strip()
    scheme = "https" if settings.HTTPS else "http"
    host = next((host for host in settings.ALLOWED_HOSTS if host != "*"), "localhost")
    return f"{scheme}://{host.removeprefix('.')}"


def is_loopback(address: str) -> bool:
    """Return whether the address leads every device to itself, so that no other device can open
    it."""
    host = urlsplit(address).hostname or ""
    try:
        return ip_address(host).is_loopback
    except ValueError:
        return host == "localhost" or host.endswith(".localhost")
