"""What a connection may hold: how long, how much, how many; and what Django gets of a request."""

import asyncio
import http.client
import socket
import threading
from contextlib import closing, suppress

import pytest
import uvicorn

from puzzleclass import asgi
from puzzleclass.asgi import Application
from puzzleclass.launcher import web


def echo(environ, start_response):
    """Answer with what came, as WSGI."""
    length = int(environ["CONTENT_LENGTH"])
    names = sorted(name for name in environ if name.startswith("HTTP_X"))
    body = environ["wsgi.input"].read()
    start_response("200 OK", [("X-Length", str(length)), ("X-Names", " ".join(names))])
    if environ["PATH_INFO"] == "/large":
        body = b"x" * 50_000_000
    return Answer([environ["QUERY_STRING"].encode("latin-1") + body])


class Answer(list):
    def close(self):
        """As Django's responses have one."""


@pytest.fixture
def port(settings):
    """The port of a web process of this test's own, in a thread."""
    settings.DATA_UPLOAD_MAX_MEMORY_SIZE = 1000
    config = uvicorn.Config(
        Application(echo, 1), http=web.Protocol, lifespan="off", ws="none", log_level="error",
        proxy_headers=False, loop="asyncio",
    )  # fmt: skip
    with socket.create_server(("127.0.0.1", 0)) as listening:
        server = uvicorn.Server(config)
        thread = threading.Thread(target=server.run, kwargs={"sockets": [listening]})
        thread.start()
        yield listening.getsockname()[1]
        server.should_exit = server.force_exit = True
        thread.join(10)


def connect(port):
    return closing(socket.create_connection(("127.0.0.1", port), timeout=10))


def ask(port, method="GET", path="/", **options):
    connection = http.client.HTTPConnection("127.0.0.1", port, timeout=10)
    with closing(connection):
        connection.request(method, path, **options)
        answer = connection.getresponse()
        return answer.status, dict(answer.getheaders()), answer.read()


def test_a_request_comes_to_django_as_it_was_sent(port):
    assert ask(port, path="/?a=%E3%81%82")[2] == b"a=%E3%81%82"
    status, headers, body = ask(port, "POST", body=b"a=1", headers={"X-A": "1"})
    assert (status, headers["x-length"], body) == (200, "3", b"a=1")
    assert headers["x-names"] == "HTTP_X_A"
    # Chunked, so without a length.
    assert ask(port, "POST", body=iter([b"a=", b"2"]))[1]["x-length"] == "3"


def test_a_name_with_an_underscore_does_not_pass_for_the_proxys(port):
    _, headers, _ = ask(port, headers={"X_Forwarded_For": "1.2.3.4"})
    assert headers["x-names"] == ""


@pytest.mark.parametrize("body", [b"x" * 1001, iter([b"x" * 1001])], ids=["length", "chunks"])
def test_a_body_too_long_is_not_read_and_django_hears_its_length(port, body):
    _, headers, _ = ask(port, "POST", body=body)
    assert headers["x-length"] == "1001"
    # Nobody waits for the rest.
    assert headers["connection"] == "close"


def test_bodies_have_a_bound_together(port, monkeypatch):
    monkeypatch.setattr(asgi, "MOST_BODIES", 10)
    assert ask(port, "POST", body=b"x" * 11)[0] == 503
    assert ask(port, "POST", body=b"x" * 10)[0] == 200
    assert ask(port, "POST", body=b"x" * 10)[0] == 200


def test_a_head_that_does_not_come_is_not_waited_for(port, monkeypatch):
    monkeypatch.setattr(web, "HEAD_SECONDS", 1)
    with connect(port) as silent, connect(port) as begun, connect(port) as between:
        begun.sendall(b"GET / HTTP/1.1\r\nX: ")
        between.sendall(b"GET / HTTP/1.1\r\nHost: a\r\n\r\n")
        assert between.recv(10_000).startswith(b"HTTP/1.1 200")
        between.sendall(b"\r\n")  # no request's beginning, but a byte
        for connection in (silent, begun, between):
            with suppress(ConnectionResetError):
                while connection.recv(10_000):
                    pass


def test_a_head_too_long_is_refused(port):
    with connect(port) as long:
        with suppress(OSError):
            for _ in range(1000):
                long.sendall(b"GET / HTTP/1.1\r\n" + b"X: " + b"x" * 1000)
        with suppress(ConnectionResetError):
            assert b" 400 " in long.recv(1000)


def test_a_body_that_does_not_come_is_not_waited_for(port, monkeypatch):
    monkeypatch.setattr(asgi, "BODY_SECONDS", 0.3)
    with connect(port) as slow:
        slow.sendall(b"POST / HTTP/1.1\r\nContent-Length: 100\r\n\r\nab")
        assert ask(port)[0] == 200  # the only thread is free meanwhile
        answer = b""
        while more := slow.recv(1000):
            answer += more
        assert b" 408 " in answer


def test_an_answer_that_is_not_read_holds_no_thread_and_ends(port, monkeypatch):
    ended, end = threading.Event(), web.Protocol._end_unread
    monkeypatch.setattr(web, "UNREAD_SECONDS", 0.3)
    monkeypatch.setattr(web.Protocol, "_end_unread", lambda self: (end(self), ended.set()))
    with connect(port) as slow:
        slow.sendall(b"GET /large HTTP/1.1\r\n\r\n")
        assert slow.recv(10)
        assert ask(port)[0] == 200
        assert ended.wait(10)
        received = 10
        with suppress(ConnectionResetError):
            while more := len(slow.recv(1_000_000)):
                received += more
        assert received < 50_000_000


def test_the_connection_that_has_waited_longest_makes_room(port, monkeypatch):
    monkeypatch.setattr(web, "MOST_CONNECTIONS", 2)
    with connect(port) as first, connect(port) as second:
        second.sendall(b"GET / HTTP/1.1\r\n\r\n")
        assert second.recv(10)
        assert ask(port)[0] == 200
        with suppress(ConnectionResetError):
            assert first.recv(10) == b""


def test_who_leaves_in_the_middle_is_forgotten():
    async def gone():
        return {"type": "http.disconnect"}

    async def send(message):
        raise AssertionError

    application = Application(echo, 1)
    asyncio.run(application({"type": "http", "headers": []}, gone, send))
    assert application.held == 0
