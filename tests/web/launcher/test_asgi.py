"""The limits of a connection in time, size and number, and what Django gets of a request."""

import asyncio
import http.client
import signal
import socket
import threading
import time
from contextlib import closing, contextmanager, suppress
from email.utils import parsedate_to_datetime

import pytest
import uvicorn
from django.core.handlers.wsgi import WSGIRequest
from django.test import RequestFactory
from hypothesis import given
from hypothesis import strategies as st

from puzzleclass import asgi
from puzzleclass.asgi import Application
from puzzleclass.launcher import web


def echo(environ, start_response):
    """Answer with the content of the request, as a WSGI application."""
    length = int(environ["CONTENT_LENGTH"])
    names = sorted(name for name in environ if name.startswith("HTTP_X"))
    body = environ["wsgi.input"].read()
    start_response("200 OK", [("X-Length", str(length)), ("X-Names", " ".join(names))])
    if environ["PATH_INFO"] == "/large":
        body = b"x" * 50_000_000
    return Answer([environ["QUERY_STRING"].encode("latin-1") + body])


class Answer(list):
    def close(self):
        """Do nothing; Django's responses have this method."""


@contextmanager
def serving(listening):
    """Run a web process of the test's own in a thread."""
    config = uvicorn.Config(Application(echo, 1), http=web.Protocol, **web.OPTIONS)
    server = web.Server(config)
    thread = threading.Thread(target=server.run, kwargs={"sockets": [listening]})
    thread.start()
    try:
        yield
    finally:
        server.force_exit = True
        server.handle_exit(signal.SIGTERM, None)
        thread.join(10)
        assert not thread.is_alive()


@pytest.fixture
def port(settings):
    """Provide the port of a web process of the test's own."""
    settings.DATA_UPLOAD_MAX_MEMORY_SIZE = 1000
    with socket.create_server(("127.0.0.1", 0)) as listening, serving(listening):
        yield listening.getsockname()[1]


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
    # This body is chunked, so it has no length.
    assert ask(port, "POST", body=iter([b"a=", b"2"]))[1]["x-length"] == "3"


def test_a_process_ends_at_once_though_it_wakes_rarely(monkeypatch):
    monkeypatch.setattr(web, "TICK_SECONDS", 3600)
    with socket.create_server(("127.0.0.1", 0)) as listening, serving(listening):
        assert ask(listening.getsockname()[1])[0] == 200


def test_the_time_in_answers_goes_on(port):
    def sent_at():
        return parsedate_to_datetime(ask(port)[1]["date"])

    first, deadline = sent_at(), time.monotonic() + 10
    while sent_at() == first and time.monotonic() < deadline:
        time.sleep(0.05)
    assert sent_at() > first


def test_a_name_with_an_underscore_does_not_pass_for_the_proxys(port):
    _, headers, _ = ask(port, headers={"X_Forwarded_For": "1.2.3.4"})
    assert headers["x-names"] == ""


@pytest.mark.parametrize("body", [b"x" * 1001, iter([b"x" * 1001])], ids=["length", "chunks"])
def test_a_body_too_long_is_not_read_and_django_hears_its_length(port, body):
    _, headers, _ = ask(port, "POST", body=body)
    assert headers["x-length"] == "1001"
    # The server does not wait for the rest.
    assert headers["connection"] == "close"


def test_the_rest_of_a_body_too_long_is_not_waited_for(settings):
    settings.DATA_UPLOAD_MAX_MEMORY_SIZE = 1000
    sent = []

    async def receive():
        assert not sent
        return {"type": "http.request", "body": b"x" * 600, "more_body": True}

    async def send(message):
        sent.append(message)

    scope = {"type": "http", "scheme": "http", "http_version": "1.1", "method": "POST"}
    scope |= {"path": "/", "query_string": b"", "headers": []}
    asyncio.run(Application(echo, 1)(scope, receive, send))
    assert (b"connection", b"close") in sent[0]["headers"]


def hold_body(connection, length=500, sent=300):
    """Send a part of a body and hold back the rest."""
    head = f"POST / HTTP/1.1\r\nHost: a\r\nContent-Length: {length}\r\n\r\n"
    connection.sendall(head.encode() + b"x" * sent)


@pytest.fixture
def little_room(monkeypatch):
    """Let a web process hold 400 bytes of bodies that are larger than 50 bytes."""
    monkeypatch.setattr(asgi, "SMALL_BODY_BYTES", 50)
    monkeypatch.setattr(asgi, "MAX_HELD_BYTES", 400)


def test_large_bodies_have_a_bound_together(port, little_room):
    assert ask(port, "POST", body=b"x" * 401)[0] == 503
    assert ask(port, "POST", body=b"x" * 400)[0] == 200
    assert ask(port, "POST", body=b"x" * 400)[0] == 200


def test_a_small_body_is_taken_while_large_ones_fill_the_room(port, little_room, monkeypatch):
    monkeypatch.setattr(asgi, "MAX_HELD_BYTES", 0)
    assert ask(port, "POST", body=b"x" * 51)[0] == 503
    assert ask(port, "POST", body=b"x" * 50)[0] == 200


def test_the_body_that_has_been_arriving_for_longest_makes_room(port, little_room):
    with connect(port) as first:
        hold_body(first)
        # The first connection's part has been read when a later request is answered.
        assert ask(port)[0] == 200
        assert ask(port, "POST", body=b"x" * 300)[0] == 200
        assert b" 503 " in first.recv(1000)
    assert ask(port, "POST", body=b"x" * 400)[0] == 200


def test_a_body_that_made_room_never_reaches_django_cut_off():
    """The last part of a body may arrive in the same turn of the loop in which the body is
    dropped."""
    sent = []

    async def scenario():
        application = Application(echo, 1)
        parts = asyncio.Queue()

        async def send(message):
            sent.append(message)

        scope = {"type": "http", "path": "/", "headers": [(b"content-length", b"40000")]}
        task = asyncio.ensure_future(application(scope, parts.get, send))
        await parts.put({"type": "http.request", "body": b"x" * 20_000, "more_body": True})
        while not application.arriving:
            await asyncio.sleep(0)
        await parts.put({"type": "http.request", "body": b"x" * 20_000})
        application._drop(next(iter(application.arriving)))
        await task
        assert application.held == 0

    asyncio.run(scenario())
    assert sent[0]["status"] == 503


def test_a_body_whose_time_ends_in_the_turn_in_which_it_makes_room_is_answered_once():
    sent = []

    async def scenario():
        application = Application(echo, 1)
        parts = asyncio.Queue()

        async def send(message):
            sent.append(message)

        scope = {"type": "http", "path": "/", "headers": [(b"content-length", b"40000")]}
        task = asyncio.ensure_future(application(scope, parts.get, send))
        await parts.put({"type": "http.request", "body": b"x" * 20_000, "more_body": True})
        while not application.arriving:
            await asyncio.sleep(0)
        body = next(iter(application.arriving))
        body.patience.reschedule(0)
        while not body.patience.expired():
            await asyncio.sleep(0)
        application._drop(body)
        await task
        assert application.held == 0

    asyncio.run(scenario())
    assert [each.get("status") for each in sent] == [503, None]


TRAILER = b"POST / HTTP/1.1\r\nHost: a\r\nTransfer-Encoding: chunked\r\n\r\n1\r\na\r\n0\r\n"


def answer_to(port, sent):
    with connect(port) as connection:
        connection.sendall(sent)
        answer = b""
        with suppress(ConnectionResetError):
            while more := connection.recv(10_000):
                answer += more
        return answer


def test_a_trailer_is_refused_and_is_no_header(port):
    answer = answer_to(port, TRAILER + b"X-Forwarded-For: 1.2.3.4\r\n\r\n")
    assert answer.startswith(b"HTTP/1.1 400 ")
    assert b"HTTP_X" not in answer
    with connect(port) as connection:  # without a trailer, the connection is kept
        connection.sendall(TRAILER + b"\r\n")
        assert b" 200 OK" in connection.recv(10_000)


def test_a_trailer_that_does_not_end_is_cut(port):
    sent = 0
    with connect(port) as connection:
        connection.sendall(TRAILER + b"X: ")
        with pytest.raises(OSError):
            while True:
                sent += connection.send(b"x" * 10_000)
    # The bound is the buffers of both ends and what the parser may hold.
    assert sent < 10_000_000


CHARSETS = [
    "charset=zlib_codec", "charset=idna", "charset=rot13", "charset=undefined", "charset=utf-16",
"charset*=nothing''utf-8",
]  # fmt: skip


@pytest.mark.parametrize("charset", CHARSETS)
def test_a_charset_that_is_none_is_refused_before_django(port, charset):
    status, _, _ = ask(port, "POST", headers={"Content-Type": f"text/plain; {charset}"}, body=b"a")
    assert status == 415
    for good in ("text/plain; charset=UTF-8", "multipart/form-data; boundary=x", "", ";", "a;b;;="):
        assert ask(port, "POST", headers={"Content-Type": good}, body=b"a")[0] == 200


@given(st.text(st.characters(codec="latin-1", exclude_characters="\0\r\n"), max_size=40))
def test_django_can_make_a_request_of_whatever_is_readable(text):
    for content_type in (text, f"text/plain; {text}", f"text/plain; charset={text}"):
        if asgi.is_readable(content_type):
            environ = RequestFactory().get("/?a=%ff").environ | {"CONTENT_TYPE": content_type}
            assert WSGIRequest(environ).GET["a"]


def test_a_unix_socket_is_served(tmp_path):
    with socket.socket(socket.AF_UNIX) as listening:
        listening.bind(str(tmp_path / "web.sock"))
        listening.listen()
        with serving(listening), closing(socket.socket(socket.AF_UNIX)) as visitor:
            visitor.settimeout(10)
            visitor.connect(str(tmp_path / "web.sock"))
            visitor.sendall(b"GET /?a=1 HTTP/1.1\r\nHost: a\r\nConnection: close\r\n\r\n")
            answer = b""
            while more := visitor.recv(1000):
                answer += more
    assert b" 200 OK" in answer
    assert b"a=1" in answer


def test_a_head_that_does_not_come_is_not_waited_for(port, monkeypatch):
    monkeypatch.setattr(web, "HEAD_SECONDS", 1)
    with connect(port) as silent, connect(port) as begun, connect(port) as between:
        begun.sendall(b"GET / HTTP/1.1\r\nX: ")
        between.sendall(b"GET / HTTP/1.1\r\nHost: a\r\n\r\n")
        assert between.recv(10_000).startswith(b"HTTP/1.1 200")
        between.sendall(b"\r\n")  # these bytes begin no request
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
        assert ask(port)[0] == 200  # the only thread stays free
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
    monkeypatch.setattr(web, "MAX_CONNECTIONS", 2)
    with connect(port) as first, connect(port) as second:
        second.sendall(b"GET / HTTP/1.1\r\n\r\n")
        assert second.recv(10)
        assert ask(port)[0] == 200
        with suppress(ConnectionResetError):
            assert first.recv(10) == b""


def test_a_visitor_who_leaves_in_the_middle_is_forgotten():
    async def gone():
        return {"type": "http.disconnect"}

    async def send(message):
        raise AssertionError

    application = Application(echo, 1)
    asyncio.run(application({"type": "http", "path": "/", "headers": []}, gone, send))
    assert application.held == 0
