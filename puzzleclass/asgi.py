"""The ASGI entry point, `puzzleclass.asgi:application`: slow visitors wait here, not in threads.

Django's views are synchronous, and no thread of theirs may wait for a slow network. So a body is
read whole before a thread takes the request up, and the thread is free again before the answer is
sent: a few threads, each with its database connection, serve any number of slow visitors. (Django's
own ASGI handler takes a new thread and database connection for every request; the threads of
a2wsgi wait for bodies.)
"""

import asyncio
import io
import sys
from collections.abc import Awaitable, Callable, MutableMapping
from concurrent.futures import ThreadPoolExecutor
from http import HTTPStatus
from typing import Any

from django.conf import settings
from django.core.handlers.wsgi import WSGIHandler

from puzzleclass.wsgi import application as wsgi_application

BODY_SECONDS = 30
"""By then a body has come."""

MOST_BODIES = 64_000_000
"""Bytes of bodies that this process holds at a time."""

Message = MutableMapping[str, Any]
Receive = Callable[[], Awaitable[Message]]
Send = Callable[[Message], Awaitable[None]]
Answer = tuple[HTTPStatus, list[tuple[bytes, bytes]], bytes]
"""Status, headers and content."""


class Refused(Exception):
    """The request is not taken up."""

    def __init__(self, status: HTTPStatus) -> None:
        super().__init__(status)
        self.status = status


class Gone(Exception):
    """The visitor has closed the connection."""


class Application:
    """Speaks ASGI to the server and WSGI to Django."""

    def __init__(self, django: WSGIHandler, threads: int) -> None:
        self.django = django
        self.threads = ThreadPoolExecutor(threads, "web")
        self.held = 0

    async def __call__(self, scope: Message, receive: Receive, send: Send) -> None:
        assert scope["type"] == "http"
        body = bytearray()
        try:
            async with asyncio.timeout(BODY_SECONDS):
                is_whole = await self._read(scope, receive, body)
            environ = environ_of(scope, body)
            loop = asyncio.get_running_loop()
            status, headers, content = await loop.run_in_executor(
                self.threads, self._answer, environ
            )
        except Gone:
            return
        except (Refused, TimeoutError) as refused:
            status = refused.status if isinstance(refused, Refused) else HTTPStatus.REQUEST_TIMEOUT
            is_whole, headers, content = False, [], f"{status} {status.phrase}\n".encode()
        finally:
            self.held -= len(body)
        if not is_whole:
            headers.append((b"connection", b"close"))
        await send({"type": "http.response.start", "status": status, "headers": headers})
        await send({"type": "http.response.body", "body": content})

    async def _read(self, scope: Message, receive: Receive, body: bytearray) -> bool:
        """Read the body; return whether that is all of it. What is longer than anybody may send
        is not read to its end: Django refuses it by its length. Raises Gone and Refused."""
        most = settings.DATA_UPLOAD_MAX_MEMORY_SIZE
        if length_of(scope) > most:
            return False
        while len(body) <= most:
            message = await receive()
            if message["type"] == "http.disconnect":
                raise Gone
            part = message.get("body", b"")
            if self.held + len(part) > MOST_BODIES:
                raise Refused(HTTPStatus.SERVICE_UNAVAILABLE)
            self.held += len(part)
            body += part
            if not message.get("more_body"):
                return len(body) <= most
        return False

    def _answer(self, environ: dict[str, Any]) -> Answer:
        """Let Django answer. What belongs to the request ends with `close`, the use of the
        thread's database connection for one."""
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


def length_of(scope: Message) -> int:
    """Return the length of the body as the head says, 0 where it says none. The server has
    looked that it is a number."""
    return next((int(value) for name, value in scope["headers"] if name == b"content-length"), 0)


def environ_of(scope: Message, body: bytearray) -> dict[str, Any]:
    """Return the request as WSGI has it (PEP 3333)."""
    host, port = scope["server"]
    environ: dict[str, Any] = {
        "REQUEST_METHOD": scope["method"],
        "SCRIPT_NAME": "",
        "PATH_INFO": scope["path"].encode().decode("latin-1"),
        "QUERY_STRING": scope["query_string"].decode("latin-1"),
        "SERVER_NAME": host,
        "SERVER_PORT": str(port),
        "SERVER_PROTOCOL": f"HTTP/{scope['http_version']}",
        "REMOTE_ADDR": scope["client"][0],
        "wsgi.version": (1, 0),
        "wsgi.url_scheme": scope["scheme"],
        "wsgi.input": io.BytesIO(body),
        "wsgi.errors": sys.stderr,
        "wsgi.multithread": True,
        "wsgi.multiprocess": True,
        "wsgi.run_once": False,
    }
    for name, value in scope["headers"]:
        # `X_Forwarded_For` would become what our proxy alone may say.
        if b"_" in name:
            continue
        key = "HTTP_" + name.decode("latin-1").upper().replace("-", "_")
        text = value.decode("latin-1")
        environ[key] = f"{environ[key]},{text}" if key in environ else text
    environ["CONTENT_TYPE"] = environ.pop("HTTP_CONTENT_TYPE", "")
    environ.pop("HTTP_CONTENT_LENGTH", "")
    environ["CONTENT_LENGTH"] = str(max(length_of(scope), len(body)))
    return environ


application = Application(wsgi_application, settings.WEB_THREADS)
