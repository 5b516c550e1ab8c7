"""A web process: `python -m puzzleclass.launcher.web DESCRIPTOR` serves a socket that it inherits.

uvicorn keeps thousands of connections at little cost. This module adds the limits that uvicorn
lacks: on the time and the size of a request's head, on trailers, on the time for which an answer
may stay unread, and on the number of connections. It also lets an idle process sleep longer.
"""

import asyncio
import gc
import socket
import sys
from contextlib import suppress
from types import FrameType
from typing import Any

import uvicorn
from django.conf import settings
from django.template.loader import get_template
from django.urls import get_resolver
from uvicorn.protocols.http.httptools_impl import HttpToolsProtocol

HEAD_SECONDS = 20
"""Seconds that a head may take to arrive, from the beginning of the connection or from its first
byte."""

MAX_HEAD_BYTES = 64_000
"""The most bytes that a connection may send without completing a head or a part of a body."""

UNREAD_SECONDS = 60
"""Seconds for which an answer may stay unread."""

KEEP_ALIVE_SECONDS = 330
"""Seconds for which an idle connection is kept: longer than browsers keep one (Chrome 300 s,
Firefox 115 s) and proxies do (Caddy 120 s). Thus they end it, and no request meets a socket that
closes."""

MAX_CONNECTIONS = 4_000
"""The most connections of one process. Beyond that, the connection that has waited longest is
closed."""

TICK_SECONDS = 1
"""Seconds between two looks at the clock. The time in the head of each answer comes from there."""

COLLECTED_AFTER = (5_000, 20, 20)
"""The thresholds of the garbage collector's three generations (`gc.set_threshold`). A request
leaves few reference cycles, so memory grows little until they are collected."""

OPTIONS: dict[str, Any] = {
    "loop": "asyncio",
    "ws": "none",
    "lifespan": "off",
    # Django decides who has sent a request, because it knows whether there is a proxy.
    "proxy_headers": False,
    "server_header": False,
    "access_log": False,
    "log_level": "error",
    "timeout_keep_alive": KEEP_ALIVE_SECONDS,
    "timeout_graceful_shutdown": 2,
}


class Trailers(Exception):
    """The visitor has sent header fields after a body (trailers)."""


class Protocol(HttpToolsProtocol):
    """A connection with limits."""

    head_timer: asyncio.TimerHandle | None = None
    """The timer that runs while a head is awaited."""
    is_in_head = True
    idle_bytes = 0
    """The bytes that have come since the last complete head or part of a body."""
    unread_timer: asyncio.TimerHandle | None = None
    waits_since = 0.0

    def connection_made(self, transport: asyncio.Transport) -> None:  # type: ignore[override]
        super().connection_made(transport)
        self._await_head()
        if len(self.connections) > MAX_CONNECTIONS:
            waiting = [other for other in self.connections if isinstance(other, Protocol)]
            idle = [other for other in waiting if other.is_idle]
            min(idle or waiting, key=lambda other: other.waits_since).transport.abort()

    def connection_lost(self, exc: Exception | None) -> None:
        self._cancel()
        super().connection_lost(exc)

    @property
    def is_idle(self) -> bool:
        """Whether no request is being answered."""
        return self.cycle is None or self.cycle.response_complete

    def data_received(self, data: bytes) -> None:
        if self.is_idle and self.head_timer is None:
            self._await_head()
        self.idle_bytes += len(data)
        super().data_received(data)
        if self.idle_bytes > MAX_HEAD_BYTES and not self.transport.is_closing():
            self.send_400_response("The head of the request is too long.")

    def on_message_begin(self) -> None:
        self.is_in_head = True
        super().on_message_begin()

    def on_header(self, name: bytes, value: bytes) -> None:
        # No browser sends trailers, and uvicorn would add them to the headers of the request.
        # `idle_bytes` bounds a trailer that does not end.
        if not self.is_in_head:
            raise Trailers
        super().on_header(name, value)

    def on_headers_complete(self) -> None:
        self._cancel()
        self.is_in_head, self.idle_bytes = False, 0
        super().on_headers_complete()

    def on_body(self, body: bytes) -> None:
        self.idle_bytes = 0
        super().on_body(body)

    def on_response_complete(self) -> None:
        super().on_response_complete()
        self.waits_since = self.loop.time()
        if self.transport.get_write_buffer_size():
            self.unread_timer = self.loop.call_later(UNREAD_SECONDS, self._end_unread)

    def timeout_keep_alive_handler(self) -> None:
        self.transport.abort()

    def _await_head(self) -> None:
        self.waits_since = self.loop.time()
        self.head_timer = self.loop.call_later(HEAD_SECONDS, self.transport.abort)

    def _end_unread(self) -> None:
        if self.transport.get_write_buffer_size():
            self.transport.abort()

    def _cancel(self) -> None:
        if self.head_timer:
            self.head_timer.cancel()
            self.head_timer = None


class Server(uvicorn.Server):
    """A server that wakes once in `TICK_SECONDS`. uvicorn's own wakes ten times a second to see
    whether it shall end, which takes most of the processor time of an idle process."""

    def __init__(self, config: uvicorn.Config) -> None:
        super().__init__(config)
        self.loop: asyncio.AbstractEventLoop | None = None
        self.is_ending = asyncio.Event()

    async def main_loop(self) -> None:
        """Keep the time in the answers' heads until a signal tells the process to end."""
        self.loop = asyncio.get_running_loop()
        while not await self.on_tick(0):
            with suppress(TimeoutError):
                await asyncio.wait_for(self.is_ending.wait(), TICK_SECONDS)

    def handle_exit(self, sig: int, frame: FrameType | None) -> None:
        """Note the signal, and wake the loop so that it ends at once."""
        super().handle_exit(sig, frame)
        if self.loop:
            self.loop.call_soon_threadsafe(self.is_ending.set)


def serve(listening: socket.socket) -> None:
    """Answer the requests that come to the socket until a signal tells the process to end."""
    _allow_files()
    config = uvicorn.Config("puzzleclass.asgi:application", http=Protocol, **OPTIONS)
    config.load()
    _load_pages()
    _spare_the_collector()
    Server(config).run(sockets=[listening])


def _load_pages() -> None:
    """Import all views and compile all templates, for which the first visitors would wait.

    Where memory is short, a template is compiled when it is needed, because all of them take 13 MB.
    """
    get_resolver().url_patterns  # noqa: B018  # The attribute imports the views.
    if settings.IS_SMALL or settings.DEBUG:
        return
    folder = settings.FILES_DIR / "templates"
    for path in folder.rglob("*.html"):
        get_template(path.relative_to(folder).as_posix())


def _spare_the_collector() -> None:
    """Let the garbage collector ignore what is loaded by now, and let it run less often.

    A full collection would look at all loaded objects, which are never freed. That took a quarter
    of a second, during which all students of the process waited.
    """
    gc.collect()
    gc.freeze()
    gc.set_threshold(*COLLECTED_AFTER)


def _allow_files() -> None:
    """Allow as many open files as the system permits, because each connection needs one."""
    try:
        import resource
    except ImportError:
        return  # Windows counts no files.
    _, most = resource.getrlimit(resource.RLIMIT_NOFILE)
    resource.setrlimit(resource.RLIMIT_NOFILE, (most, most))


if __name__ == "__main__":
    with socket.socket(fileno=int(sys.argv[1])) as inherited:
        serve(inherited)
