"""A network cable between a browser and a site, which a test can pull out and put back."""

import socket
from contextlib import suppress
from socketserver import BaseRequestHandler, ThreadingTCPServer
from threading import Thread


class Cable(ThreadingTCPServer):
    """Passes bytes on between its own port and a site's, unless it is pulled out.

    As a context manager it works inside the `with` block.
    """

    daemon_threads = True
    allow_reuse_address = True

    def __init__(self, port: int) -> None:
        super().__init__(("127.0.0.1", 0), _Passing)
        self.port = port
        self.address = f"http://127.0.0.1:{self.server_address[1]}"
        self.is_out = self.is_hanging = False
        self.answer = b""
        self.connections: set[socket.socket] = set()

    def __enter__(self) -> "Cable":
        Thread(target=self.serve_forever, daemon=True).start()
        return self

    def __exit__(self, *_: object) -> None:
        self.pull_out()
        self.shutdown()
        self.server_close()

    def pull_out(self) -> None:
        """End all connections, and refuse new ones."""
        self.is_out = True
        for connection in list(self.connections):
            with suppress(OSError):
                connection.shutdown(socket.SHUT_RDWR)

    def hang(self) -> None:
        """End all connections. Take the bytes of new ones, and answer nothing."""
        self.pull_out()
        self.is_out, self.is_hanging = False, True

    def answer_only(self, answer: bytes) -> None:
        """End all connections. Give this answer to each new one, as a proxy does without a site."""
        self.pull_out()
        self.is_out, self.answer = False, answer

    def put_back(self) -> None:
        """Pass on new connections again, and end those that hang."""
        self.pull_out()
        self.is_out = self.is_hanging = False
        self.answer = b""


class _Passing(BaseRequestHandler):
    """One connection of the browser, with its own connection to the site."""

    server: Cable

    def handle(self) -> None:
        if self.server.is_out:
            return
        if self.server.is_hanging or self.server.answer:
            self.server.connections.add(self.request)
            with suppress(OSError):
                while self.request.recv(65536):
                    if self.server.answer:
                        self.request.sendall(self.server.answer)
                        break
            self.server.connections.discard(self.request)
            return
        with socket.create_connection(("127.0.0.1", self.server.port)) as site:
            both = {self.request, site}
            self.server.connections |= both
            back = Thread(target=_pass_on, args=(site, self.request), daemon=True)
            back.start()
            _pass_on(self.request, site)
            back.join()
            self.server.connections -= both


def _pass_on(source: socket.socket, goal: socket.socket) -> None:
    with suppress(OSError):
        while some := source.recv(65536):
            goal.sendall(some)
    for each in (source, goal):
        with suppress(OSError):
            each.shutdown(socket.SHUT_RDWR)
