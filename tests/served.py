"""Servers that answer in a thread of the test."""

from collections.abc import Iterator
from contextlib import contextmanager
from socketserver import BaseServer
from threading import Thread

POLL = 0.01
"""Seconds after which a server sees that it is to end. Python's half a second would be the longest
part of most tests that need one."""


@contextmanager
def answering(server: BaseServer) -> Iterator[None]:
    """Let the server answer as long as the test needs it."""
    Thread(target=server.serve_forever, args=(POLL,), daemon=True).start()
    try:
        yield
    finally:
        server.shutdown()
        server.server_close()
