"""The ASGI entry point, `puzzleclass.asgi:application`: slow visitors occupy no threads.

Django's views are synchronous, and none of their threads may wait for a slow network. Therefore a
body is read completely before a thread takes the request, and the thread is free again before the
answer is sent. Thus a few threads, each with its database connection, serve any number of slow
visitors. docs/decisions/asgi-server.md compares this module with the servers that others maintain.
"""

import asyncio
import codecs
import io
import os
import sys
from collections.abc import Awaitable, Callable, MutableMapping
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass, field
from http import HTTPStatus
from typing import Any

from django.conf import settings
from django.core.handlers.wsgi import WSGIHandler
from django.core.wsgi import get_wsgi_application
from django.utils.http import parse_header_parameters

from puzzleclass.bodies import max_bytes

BODY_SECONDS = 30
"""Seconds that a body may take to arrive."""

SMALL_BODY_BYTES = 16_000
"""The most bytes of a small body. Small bodies are not counted: a student's step has about 500
bytes, and the connections of one process (`launcher.web.MAX_CONNECTIONS`) send at most 64 MB of
them together."""

MAX_HELD_BYTES = 64_000_000
"""The most bytes of larger bodies that this process holds at a time."""

AsgiEvent = MutableMapping[str, Any]
Receive = Callable[[], Awaitable[AsgiEvent]]
Send = Callable[[AsgiEvent], Awaitable[None]]
Answer = tuple[HTTPStatus, list[tuple[bytes, bytes]], bytes]
"""Status, headers and content."""


class Refused(Exception):
    """The request is answered with this status and does not reach Django."""

    def __init__(self, status: HTTPStatus) -> None:
        super().__init__(status)
        self.status = status


class Gone(Exception):
    """The visitor has closed the connection."""


@dataclass(slots=True, eq=False)
class Body:
    """The body of a request, as far as it has arrived."""

    patience: asyncio.Timeout
    content: bytearray = field(default_factory=bytearray)
    is_dropped: bool = False
    """Whether the body was dropped to make room for another one."""

    @property
    def counted(self) -> int:
        """The bytes that count against `MAX_HELD_BYTES`."""
        return len(self.content) if len(self.content) > SMALL_BODY_BYTES else 0


class Application:
    """Speaks ASGI to the server and WSGI to Django."""

    def __init__(self, django: WSGIHandler, threads: int) -> None:
        self.django = django
        self.threads = ThreadPoolExecutor(threads, "web")
        self.held = 0
        """The bytes of the large bodies that are held."""
        self.arriving: dict[Body, None] = {}
        """The large bodies that are not complete, the oldest first."""

    async def __call__(self, scope: AsgiEvent, receive: Receive, send: Send) -> None:
        assert scope["type"] == "http"
        body = Body(asyncio.timeout(BODY_SECONDS))
        try:
            async with body.patience:
                is_whole = await self._read(scope, receive, body)
            environ = environ_of(scope, body.content)
            loop = asyncio.get_running_loop()
            status, headers, content = await loop.run_in_executor(
                self.threads, self._answer, environ
            )
        except Gone:
            return
        except Refused as refused:
            is_whole, (status, headers, content) = False, refusal(refused.status)
        except TimeoutError:
            is_whole, (status, headers, content) = (
                False,
                refusal(
                    HTTPStatus.SERVICE_UNAVAILABLE
                    if body.is_dropped
                    else HTTPStatus.REQUEST_TIMEOUT
                ),
            )
        finally:
            self.held -= body.counted
        if not is_whole:
            headers.append((b"connection", b"close"))
        await send({"type": "http.response.start", "status": status, "headers": headers})
        await send({"type": "http.response.body", "body": content})

    async def _read(self, scope: AsgiEvent, receive: Receive, body: Body) -> bool:
        """Read the body. Return whether it has been read completely.

        A body that is longer than allowed is not read to its end, because Django refuses it by its
        length. Raises Gone and Refused.
        """
        most = max_bytes(scope["path"])
        if length_of(scope) > most:
            return False
        try:
            while len(body.content) <= most:
                message = await receive()
                if message["type"] == "http.disconnect":
                    raise Gone
                self._hold(body, message.get("body", b""))
                if not message.get("more_body"):
                    return len(body.content) <= most
            return False
        finally:
            self.arriving.pop(body, None)

    def _hold(self, body: Body, part: bytes) -> None:
        """Add a part to a body. Raises Refused when there is no room for it.

        When the large bodies are too many, the one that has been arriving for the longest time
        makes room: an upload over a usual line takes a second, and whoever holds bodies in order to
        fill the room holds them for longer.
        """
        if body.is_dropped:
            raise Refused(HTTPStatus.SERVICE_UNAVAILABLE)
        self.held -= body.counted
        body.content += part
        self.held += body.counted
        if body.counted:
            self.arriving[body] = None
        while self.held > MAX_HELD_BYTES and body.counted:
            oldest = next(iter(self.arriving))
            if oldest is body:
                raise Refused(HTTPStatus.SERVICE_UNAVAILABLE)
            self._drop(oldest)

    def _drop(self, body: Body) -> None:
        """Forget a body that is arriving, and wake the task that waits for it."""
        del self.arriving[body]
        self.held -= body.counted
        body.content.clear()
        body.is_dropped = True
        if not body.patience.expired():
            body.patience.reschedule(0)

    def _answer(self, environ: dict[str, Any]) -> Answer:
        """Let Django answer the request. `close` ends what belongs to the request, such as the use
        of the thread's database connection."""
        started: list[tuple[str, list[tuple[str, str]]]] = []
        content: list[bytes] = []

        def start(
            status: str, headers: list[tuple[str, str]], error: object = None, /
        ) -> Callable[[bytes], object]:
            started.append((status, headers))
            return content.append

        response = self.django(environ, start)
        try:
            content += response
        finally:
            response.close()
        status, headers = started[0]
        return (
            HTTPStatus(int(status.split()[0])),
            [(name.lower().encode("latin-1"), value.encode("latin-1")) for name, value in headers],
            b"".join(content),
        )


def refusal(status: HTTPStatus) -> Answer:
    """Return the answer to a request that does not reach Django."""
    content = f"{status} {status.phrase}\n".encode()
    return status, [(b"content-type", b"text/plain"), (b"retry-after", b"2")], content


def length_of(scope: AsgiEvent) -> int:
    """Return the length of the body that the head states, 0 when it states none. The server has
    checked that it is a number."""
    return next((int(value) for name, value in scope["headers"] if name == b"content-length"), 0)


def is_readable(content_type: str) -> bool:
    """Return whether Django can read a body of this type.

    Our pages are sent in UTF-8, so browsers send their forms in UTF-8. Python also has codecs that
    are no text encodings, such as `zlib_codec`, and Django fails at those before it can answer.
    """
    try:
        _, parameters = parse_header_parameters(content_type)
        charset = parameters.get("charset")
        return charset is None or codecs.lookup(charset).name in ("utf-8", "ascii")
    except (LookupError, ValueError):
        return False


def environ_of(scope: AsgiEvent, body: bytearray) -> dict[str, Any]:
    """Return the request as a WSGI environ (PEP 3333). Raises Refused."""
    # A server that listens on a Unix socket has no port, and its visitors have no address.
    host, port = scope.get("server") or ("localhost", None)
    client = scope.get("client") or ("", None)
    environ: dict[str, Any] = {
        "REQUEST_METHOD": scope["method"],
        "SCRIPT_NAME": "",
        "PATH_INFO": scope["path"].encode().decode("latin-1"),
        "QUERY_STRING": scope["query_string"].decode("latin-1"),
        "SERVER_NAME": host,
        "SERVER_PORT": str(port or 80),
        "SERVER_PROTOCOL": f"HTTP/{scope['http_version']}",
        "REMOTE_ADDR": client[0],
        "wsgi.version": (1, 0),
        "wsgi.url_scheme": scope["scheme"],
        "wsgi.input": io.BytesIO(body),
        "wsgi.errors": sys.stderr,
        "wsgi.multithread": True,
        "wsgi.multiprocess": True,
        "wsgi.run_once": False,
    }
    for name, value in scope["headers"]:
        # `X_Forwarded_For` would become the header that only our proxy may set.
        if b"_" in name:
            continue
        key = "HTTP_" + name.decode("latin-1").upper().replace("-", "_")
        text = value.decode("latin-1")
        environ[key] = f"{environ[key]},{text}" if key in environ else text
    environ["CONTENT_TYPE"] = environ.pop("HTTP_CONTENT_TYPE", "")
    if not is_readable(environ["CONTENT_TYPE"]):
        raise Refused(HTTPStatus.UNSUPPORTED_MEDIA_TYPE)
    environ.pop("HTTP_CONTENT_LENGTH", "")
    environ["CONTENT_LENGTH"] = str(max(length_of(scope), len(body)))
    return environ


os.environ.setdefault("DJANGO_SETTINGS_MODULE", "puzzleclass.settings")

application = Application(get_wsgi_application(), settings.WEB_THREADS)
