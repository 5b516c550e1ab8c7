"""The health check; errors in words: a page for a page, a fragment for a fragment."""

import re
from io import BytesIO
from uuid import uuid4

import pytest
from django.db import DatabaseError, OperationalError
from django.test import Client
from django.urls import get_resolver

from puzzleclass import home, http

HTMX = {"HX-Request": "true"}


@pytest.mark.parametrize(
    ("language", "words"),
    [("en", "There is nothing at this address"), ("ja", "このアドレスには何もない")],
)
def test_a_wrong_address(client_of, db, language, words):
    answer = client_of(None, language).get("/nowhere/")
    assert answer.status_code == 404
    assert words in answer.content.decode()
    assert "<html" in answer.content.decode()


def test_a_fragment_is_answered_with_a_fragment(anonymous):
    answer = anonymous.get("/nowhere/", headers=HTMX)
    assert answer.status_code == 404
    assert "<html" not in answer.content.decode()


def test_a_forged_form_is_refused_in_words(db):
    careful = Client(enforce_csrf_checks=True, headers={"accept-language": "en"})
    answer = careful.post("/join/", {"code": "ABC234"})
    assert answer.status_code == 403
    assert "Load it again" in answer.content.decode()


def test_who_signs_in_twice_is_in(teacher):
    """A double press: the first sign-in has changed the token that the second still sends."""
    careful = Client(enforce_csrf_checks=True)
    careful.force_login(teacher)
    answer = careful.post("/sign-in/", {"username": teacher.username, "password": "any"})
    assert (answer.status_code, answer.url) == (302, "/")
    assert careful.post("/puzzles/chosen/").status_code == 403


@pytest.mark.parametrize("headers", [{}, HTMX])
def test_a_busy_database_asks_to_come_again(anonymous, monkeypatch, headers):
    def busy(request):
        raise OperationalError("database is locked")

    monkeypatch.setattr(home, "kinds", lambda: busy(None))
    answer = anonymous.get("/", headers=headers)
    assert (answer.status_code, answer["Retry-After"]) == (503, "2")


def test_a_fault_of_ours_shows_no_traceback(client_of, db, monkeypatch):
    monkeypatch.setattr(home, "kinds", lambda: 1 / 0)
    answer = client_of(None, "ja", raise_request_exception=False).get("/")
    assert answer.status_code == 500
    assert "ZeroDivisionError" not in answer.content.decode()
    assert "こちらの側で問題が起きました" in answer.content.decode()


def test_a_database_that_is_away_is_told_in_words(client_of, db, monkeypatch):
    def away(*args, **kwargs):
        raise OperationalError("connection refused")

    monkeypatch.setattr(home, "kinds", away)
    monkeypatch.setattr(http, "render", away)
    answer = client_of(None, raise_request_exception=False).get("/")
    assert answer.status_code == 503
    assert "読み込み直してください" in answer.content.decode()


def test_nothing_from_elsewhere_may_run(anonymous):
    policy = anonymous.get("/")["Content-Security-Policy"]
    assert "default-src 'self'" in policy
    assert "unsafe" not in policy


@pytest.mark.django_db
def test_healthy(client, settings):
    settings.SECURE_SSL_REDIRECT = True
    response = client.get("/healthz", headers={"Host": "10.0.0.7:8000"})
    assert (response.status_code, response.content) == (200, b"ok\n")


def test_without_a_database(client, monkeypatch):
    class Away:
        def cursor(self):
            raise DatabaseError

    monkeypatch.setattr(http, "connection", Away())
    assert client.get("/healthz").status_code == 503


def every_address(value: str) -> list[str]:
    """Return every address of ours with the value wherever one takes a number or a text."""
    fills = {"uuid": str(uuid4()), "slug": "goishi"}
    routes = iter_patterns(get_resolver())
    paths = {re.sub(r"<(\w+):\w+>", lambda m: fills.get(m[1], value), route) for route in routes}
    return sorted(f"/{path}" for path in paths if value in path)


def iter_patterns(resolver, before: str = ""):
    for pattern in resolver.url_patterns:
        route = before + str(pattern.pattern)
        if hasattr(pattern, "url_patterns"):
            yield from iter_patterns(pattern, route)
        else:
            yield route


@pytest.mark.parametrize("value", [str(2**63), str(2**63 - 1), str(2**31), "0", "%00", "a%00"])
@pytest.mark.parametrize("who", ["teacher", "student", None])
def test_what_no_row_can_have_is_found_nowhere(client_of, request, db, who, value):
    client = client_of(who and request.getfixturevalue(who))
    addresses = every_address(value)
    assert len(addresses) > 30
    for address in addresses:
        # Strangers are sent to a sign-in; in Django's admin that is everybody but administrators.
        least = 300 if who is None or address.startswith("/administration/") else 400
        for method in (client.get, client.post):
            answer = method(address).status_code
            assert least <= answer < 500 or who is None, address
            assert method(address, headers=HTMX).status_code < 500, address


def test_a_session_key_no_database_can_hold_is_refused(anonymous):
    anonymous.cookies["sessionid"] = "\0" * 32
    assert anonymous.get("/").status_code == 400


@pytest.mark.parametrize("url", ["/sign-in/", "/nowhere/", "/", "/puzzles/new/goishi/"])
@pytest.mark.parametrize("kind", ["multipart/form-data; boundary=x", "text/plain"])
def test_a_large_body_is_refused_before_it_is_read(client_of, teacher, url, kind):
    for language, words in (("en", "larger than 1 MB"), ("ja", "1MB")):
        body = BytesIO(b"x" * 1_000_001)
        answer = client_of(teacher, language).generic(
            "POST", url, b"", kind, CONTENT_LENGTH="1000001", **{"wsgi.input": body}
        )
        assert answer.status_code == 413
        assert words in answer.content.decode()
        assert body.tell() == 0


@pytest.mark.parametrize("length", ["-1", "many", "1e3"])
def test_a_length_that_is_none_is_refused(anonymous, length):
    answer = anonymous.generic("POST", "/sign-in/", b"", CONTENT_LENGTH=length)
    assert answer.status_code == 400
