"""The answer to all visitors while the site is being prepared: what is being done."""

import socket
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from enum import StrEnum
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from threading import Thread

from django.utils.html import format_html, format_html_join
from django.utils.translation import gettext, override
from django.utils.translation.trans_real import parse_accept_lang_header

from puzzleclass.language.languages import best_of

AGAIN_SECONDS = 3
"""Seconds after which a browser asks again."""


class Part(StrEnum):
    """What a start prepares before it shows pages, in this order. The values are for the log."""

    DATABASE = "database"
    STATIC_FILES = "static files"
    DEMO = "demo school"
    PAGES = "pages"


class Visitors:
    """What those are told who come while the site is starting."""

    def __init__(self, has_demo: bool) -> None:
        self.parts = [part for part in Part if has_demo or part != Part.DEMO]
        self.now = self.parts[0]

    def lines(self) -> list[tuple[str]]:
        """Return what is said of each part, in the visitor's language."""
        names = {
            Part.DATABASE: gettext("The database"),
            Part.STATIC_FILES: gettext("Style sheets and pictures"),
            Part.DEMO: gettext("The demo classes"),
            Part.PAGES: gettext("The pages"),
        }
        at = self.parts.index(self.now)
        said = [gettext("✓ {part}: ready")] * at + [gettext("… {part}: being prepared")]
        said += [gettext("· {part}: still to come")] * len(self.parts)
        return [(line.format(part=names[part]),) for line, part in zip(said, self.parts)]


class _Answer(BaseHTTPRequestHandler):
    """The answer to one visitor: 503, and a page that loads itself again."""

    timeout = 5
    """Seconds for which a request may take to arrive."""
    server: "_Server"

    def answer(self) -> None:
        accepted = parse_accept_lang_header(self.headers.get("Accept-Language", "").lower())
        language = best_of([code for code, _quality in accepted])
        with override(language):
            page = format_html(
                '<!doctype html><html lang="{}"><meta charset="utf-8">'
                '<meta name="viewport" content="width=device-width">'
                '<meta http-equiv="refresh" content="{}"><title>PuzzleClass</title>'
                "<h1>{}</h1><p>{}</p><ul>{}</ul></html>",
                language,
                AGAIN_SECONDS,
                gettext("PuzzleClass is starting."),
                gettext("This page opens by itself as soon as everything is ready."),
                format_html_join(
                    "", '<li style="list-style:none">{}</li>', self.server.visitors.lines()
                ),
            ).encode()
        self.send_response(503)
        self.send_header("Retry-After", str(AGAIN_SECONDS))
        self.send_header("Content-Type", "text/html; charset=utf-8")
        self.send_header("Content-Length", str(len(page)))
        self.send_header("Cache-Control", "no-store")
        self.end_headers()
        if self.command != "HEAD":
            self.wfile.write(page)

    do_GET = do_HEAD = do_POST = answer

    def log_message(self, format: str, *args: object) -> None:
        """Write no line for each request."""


class _Server(ThreadingHTTPServer):
    def __init__(self, listening: socket.socket, visitors: Visitors) -> None:
        self.visitors = visitors
        super().__init__(listening.getsockname(), _Answer, bind_and_activate=False)
        self.socket.close()
        self.socket = listening


@contextmanager
def answering(listening: Sequence[socket.socket], visitors: Visitors) -> Iterator[None]:
    """Tell those who come to the sockets meanwhile which parts of the site are being prepared.

    The sockets stay open, so that the web processes can inherit them.
    """
    servers = [_Server(each, visitors) for each in listening]
    for server in servers:
        Thread(target=server.serve_forever, args=(0.1,), daemon=True).start()
    try:
        yield
    finally:
        for server in servers:
            server.shutdown()
