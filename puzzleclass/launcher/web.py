"""A web process: `python -m puzzleclass.launcher.web DESCRIPTOR` serves a socket it inherits.

uvicorn keeps thousands of connections at little cost. What it lacks stands here: limits on how long
a connection may take for the head of a request, and how large that may be; on how long it may leave
an answer unread; and on how many there are.
"""

import asyncio
import resource
import socket
import sys

import uvicorn
from uvicorn.protocols.http.httptools_impl import HttpToolsProtocol

HEAD_SECONDS = 20
"""By then the head of a request has come, from the connection's beginning or its first byte."""

MOST_HEAD = 64_000
"""Bytes of a head."""

UNREAD_SECONDS = 60
"""By then an answer has been read."""

KEEP_ALIVE_SECONDS = 330
"""For longer than browsers keep a connection (Chrome 300 s, Firefox 115 s) and proxies (Caddy
120 s): it is they who end it, so that no request meets a socket that closes."""

MOST_CONNECTIONS = 4_000
"""In one process. The one that has waited longest makes room."""


class Protocol(HttpToolsProtocol):
    """A connection whose patience has limits."""

    head_timer: asyncio.TimerHandle | None = None
    """Runs while a head is awaited."""
    head_bytes = 0
    unread_timer: asyncio.TimerHandle | None = None
    waits_since = 0.0

    def connection_made(self, transport: asyncio.Transport) -> None:  # type: ignore[override]
        super().connection_made(transport)
        self._await_head()
        if len(self.connections) > MOST_CONNECTIONS:
            waiting = [other for other in self.connections if isinstance(other, Protocol)]
            idle = [other for other in waiting if other.is_idle]
            min(idle or waiting, key=lambda other: other.waits_since).transport.abort()

    def connection_lost(self, exc: Exception | None) -> None:
        self._cancel()
        super().connection_lost(exc)

    @property
    def is_idle(self) -> bool:
        """No request is being answered."""
        return self.cycle is None or self.cycle.response_complete

    def data_received(self, data: bytes) -> None:
        if self.is_idle and self.head_timer is None:
            self._await_head()
        super().data_received(data)
        if self.head_timer:
            self.head_bytes += len(data)
            if self.head_bytes > MOST_HEAD:
                self.send_400_response("The head of the request is too long.")

    def on_headers_complete(self) -> None:
        self._cancel()
        super().on_headers_complete()

    def on_response_complete(self) -> None:
        super().on_response_complete()
        self.waits_since = self.loop.time()
        if self.transport.get_write_buffer_size():
            self.unread_timer = self.loop.call_later(UNREAD_SECONDS, self._end_unread)

    def timeout_keep_alive_handler(self) -> None:
        self.transport.abort()

    def _await_head(self) -> None:
        self.waits_since, self.head_bytes = self.loop.time(), 0
        self.head_timer = self.loop.call_later(HEAD_SECONDS, self.transport.abort)

    def _end_unread(self) -> None:
        if self.transport.get_write_buffer_size():
            self.transport.abort()

    def _cancel(self) -> None:
        if self.head_timer:
            self.head_timer.cancel()
            self.head_timer = None


def main(descriptor: int) -> None:
    """Serve until a signal says to end."""
    # A connection is a file.
    _, most = resource.getrlimit(resource.RLIMIT_NOFILE)
    resource.setrlimit(resource.RLIMIT_NOFILE, (most, most))
    config = uvicorn.Config(
        "puzzleclass.asgi:application",
        http=Protocol,
        loop="asyncio",
        ws="none",
        lifespan="off",
        # Who has sent a request is Django's affair, which knows whether there is a proxy.
        proxy_headers=False,
        server_header=False,
        access_log=False,
        log_level="error",
        timeout_keep_alive=KEEP_ALIVE_SECONDS,
        timeout_graceful_shutdown=2,
    )
    with socket.socket(fileno=descriptor) as listening:
        uvicorn.Server(config).run(sockets=[listening])


if __name__ == "__main__":
    main(int(sys.argv[1]))
