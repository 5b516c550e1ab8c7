"""The health check, and errors in words: as a page for a page, as a fragment for a fragment."""

import re
from io import BytesIO
from logging import Formatter, makeLogRecord
from types import SimpleNamespace
from uuid import uuid4

import psycopg.errors
import pytest
from django.db import DatabaseError, OperationalError, connection
from django.test import Client
from django.urls import Resolver404, get_resolver, resolve

from puzzleclass import errors, http
from puzzleclass.database.texts import UnstorableText
from puzzleclass.home import views as home
from puzzleclass.operations import probes
from solvers import __version__

HTMX = {"HX-Request": "true"}

of_sqlite = pytest.mark.skipif(
    connection.vendor != "sqlite", reason="PostgreSQL has other errors (tests/integration)"
)
"""A test that imitates an error of SQLite."""


@pytest.mark.parametrize(
    ("language", "words"), [("en", "This page does not exist"), ("ja", "ページが見つかりません")]
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


def test_signing_in_twice_succeeds(teacher):
    """On a double press, the first sign-in has changed the token that the second one still
    sends."""
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
    assert "サイトの側で問題が起きました" in answer.content.decode()


@of_sqlite
def test_a_database_that_is_away_is_told_in_words(client_of, db, monkeypatch):
    def away(*args, **kwargs):
        raise OperationalError("connection refused")

    monkeypatch.setattr(home, "kinds", away)
    monkeypatch.setattr(errors, "render", away)
    answer = client_of(None, raise_request_exception=False).get("/")
    assert answer.status_code == 503
    assert "読み込み直してください" in answer.content.decode()


@of_sqlite
@pytest.mark.parametrize(
    ("cause", "said"),
    [
        (psycopg.OperationalError("connection refused"), "The site cannot reach its data just now"),
        (psycopg.errors.DeadlockDetected("deadlock detected"), "Many people are using the site"),
    ],
)
def test_a_database_server_that_does_not_answer_is_told_in_words(
    anonymous, monkeypatch, cause, said
):
    """With SQLite, such an error is a fault of ours. The test lets the site believe in a server."""

    def fail() -> None:
        raise OperationalError(str(cause)) from cause

    server = SimpleNamespace(vendor="postgresql")
    monkeypatch.setattr(errors, "connection", server)
    monkeypatch.setattr(home, "kinds", fail)
    answer = anonymous.get("/")
    assert (answer.status_code, answer["Retry-After"]) == (503, "2")
    assert said in answer.content.decode()


@of_sqlite
def test_a_session_that_cannot_be_stored_is_no_fault_of_the_reader(client_of, teacher, monkeypatch):
    """A page is shown all the same while others write. A missing table is a fault of ours."""

    client, said = client_of(teacher, raise_request_exception=False), "database is locked"

    def process_response(*arguments: object) -> None:
        raise OperationalError(said)

    monkeypatch.setattr(http.sessions.SessionMiddleware, "process_response", process_response)
    assert client.get("/classes/").status_code == 200
    assert client.post("/classes/").status_code == 503
    said = "no such table: accounts_session"
    assert client.get("/classes/").status_code == 500


def test_a_character_that_cannot_be_stored_is_refused_and_its_field_named(anonymous, monkeypatch):
    def store() -> None:
        raise UnstorableText

    monkeypatch.setattr(home, "kinds", store)
    answer = anonymous.get("/", {"page": "2", "word": "a\0b"})
    assert answer.status_code == 400 and "The text in “word” holds" in answer.content.decode()
    # The character did not come from a field, but from a file, for example.
    answer = anonymous.get("/", {"page": "2"})
    assert answer.status_code == 400 and "U+0000" not in answer.content.decode()


def test_too_many_who_want_the_same_are_asked_to_come_again(anonymous, monkeypatch):
    def busy() -> None:
        raise errors.Busy

    monkeypatch.setattr(home, "kinds", busy)
    answer = anonymous.get("/")
    assert (answer.status_code, answer["Retry-After"]) == (503, "2")


class Blocker:
    """A wrapper around the database: while it is on, no query is answered."""

    def __call__(self, execute, *statement):
        raise OperationalError("the database is locked")


@of_sqlite
@pytest.mark.parametrize("headers", [{}, HTMX])
@pytest.mark.parametrize("method", ["get", "post"])
def test_every_page_answers_503_while_the_database_is_away(client_of, teacher, method, headers):
    """This includes pages for which a middleware or the error page itself queries the database."""
    for language, words in (("en", "again automatically"), ("ja", "たくさんの人が使っています")):
        client = client_of(teacher, language, raise_request_exception=False)
        with connection.execute_wrapper(Blocker()):
            for address in ("/", "/classes/", "/classes/1/", "/account/", "/puzzles/"):
                answer = getattr(client, method)(address, headers=headers)
                assert (answer.status_code, answer["Retry-After"]) == (503, "2"), address
                assert words in answer.content.decode(), address
                assert ("<html" in answer.content.decode()) == (not headers)
        assert client.get("/classes/").status_code == 200


@of_sqlite
def test_a_missing_table_is_a_fault_of_ours(client_of, db, monkeypatch):
    def broken():
        raise OperationalError("no such table: puzzles_puzzle")

    monkeypatch.setattr(home, "kinds", broken)
    assert client_of(None, raise_request_exception=False).get("/").status_code == 500


@pytest.mark.parametrize("address", ["/", "/nowhere/", "/healthz", "/static/nowhere.css"])
def test_no_other_site_embeds_an_answer_and_no_page_uses_a_device(anonymous, address):
    answer = anonymous.get(address)
    if address != "/healthz":
        assert answer["Cross-Origin-Resource-Policy"] == "same-origin"
        assert "camera=()" in answer["Permissions-Policy"]
        assert "fullscreen" not in answer["Permissions-Policy"]
        fragment = anonymous.get(address, headers={"HX-Request": "true"})
        assert "Permissions-Policy" not in fragment


def test_no_other_site_embeds_a_static_file(client_of, settings, tmp_path):
    (tmp_path / "app.css").write_text("main {}")
    settings.STATIC_ROOT = str(tmp_path)
    answer = client_of(None).get("/static/app.css")
    assert answer.getvalue() == b"main {}"
    assert answer["Cross-Origin-Resource-Policy"] == "same-origin"
    assert answer["X-Content-Type-Options"] == "nosniff"
    assert "Access-Control-Allow-Origin" not in answer
    assert "Permissions-Policy" not in answer


@pytest.mark.parametrize(
    ("who", "address", "words"),
    [("student", "/account/", "for teachers"), ("teacher", "/gallery/", "for students")],
)
def test_a_refusal_says_for_whom_the_page_is(client_of, request, caplog, who, address, words):
    answer = client_of(request.getfixturevalue(who)).get(address)
    assert answer.status_code == 403
    assert words in answer.content.decode()
    [line] = [each for each in caplog.records if "Forbidden" in each.message]
    assert errors.RefusalFilter().filter(line)
    assert not line.exc_info and "Traceback" not in Formatter().format(line)


def test_the_log_has_no_traceback_of_a_refusal_and_one_of_a_fault(settings):
    [name] = settings.LOGGING["handlers"]["console"]["filters"]
    assert settings.LOGGING["filters"][name]["()"] == "puzzleclass.errors.RefusalFilter"
    fault = makeLogRecord({"exc_info": (ValueError, ValueError("x"), None)})
    assert errors.RefusalFilter().filter(fault)
    assert fault.exc_info


def test_nothing_from_elsewhere_may_run(anonymous):
    policy = anonymous.get("/")["Content-Security-Policy"]
    assert "default-src 'self'" in policy
    assert "unsafe" not in policy


@pytest.mark.django_db
def test_healthy(client, settings):
    settings.SECURE_SSL_REDIRECT = True
    response = client.get("/healthz", headers={"Host": "10.0.0.7:8000"})
    assert response.status_code == 200
    assert response.json() == {"status": "ok", "version": __version__}


def test_without_a_database(client, monkeypatch):
    class Away:
        def cursor(self):
            raise DatabaseError

    monkeypatch.setattr(probes, "connection", Away())
    assert client.get("/healthz").status_code == 503


def every_address(value: str) -> list[str]:
    """Return every address of ours with the value wherever it takes a number or a text, except
    those that take no such number."""
    fills = {"uuid": str(uuid4()), "slug": "goishi"}
    routes = iter_patterns(get_resolver())
    paths = {re.sub(r"<(\w+):\w+>", lambda m: fills.get(m[1], value), route) for route in routes}
    return sorted(f"/{path}" for path in paths if value in path and is_ours(f"/{path}"))


def is_ours(address: str) -> bool:
    """Return whether a view answers at the address. All other addresses have the same answer, which
    `test_a_wrong_address` tests."""
    try:
        resolve(address)
    except Resolver404:
        return False
    return True


def iter_patterns(resolver, before: str = ""):
    for pattern in resolver.url_patterns:
        route = before + str(pattern.pattern)
        if hasattr(pattern, "url_patterns"):
            yield from iter_patterns(pattern, route)
        else:
            yield route


@pytest.mark.parametrize("value", [str(2**63), str(2**63 - 1), str(2**31), "0"])
@pytest.mark.parametrize("who", ["teacher", "student", None])
def test_impossible_values_are_found_nowhere(client_of, request, db, who, value):
    """Pages are opened whole. Forms are sent as HTMX sends them, which answers with a fragment."""
    client = client_of(who and request.getfixturevalue(who))
    addresses = every_address(value)
    # A key that no database can hold is no address at all; texts can be any digits.
    assert len(addresses) > (30 if value != str(2**63) else 5)
    for address in addresses:
        if address.startswith("/lti/frame/"):
            continue  # It answers 204, because the launch may still come.
        # Strangers are sent to a sign-in. In Django's admin all but administrators are strangers.
        is_strange = who is None or address.startswith("/administration/")
        least = 300 if is_strange else 400
        # The address of a page that has moved leads to the new one, which finds nothing either.
        page = client.get(address, follow=not is_strange)
        for answer in (page, client.post(address, headers=HTMX)):
            assert least <= answer.status_code < 500 or who is None, address


@pytest.mark.parametrize("value", ["%00", "a%00"])
def test_a_character_no_database_can_hold_is_refused_in_every_address(client, value):
    """It is refused before anything is read, so a signed-in user has the same answer: the test has
    no database."""
    addresses = every_address(value)
    assert len(addresses) > 15
    for address in addresses:
        for method in (client.get, client.post):
            assert method(address, headers=HTMX).status_code == 400, address


@pytest.mark.parametrize("who", ["teacher", "student"])
def test_a_fragment_of_what_does_not_exist_is_no_fault(client_of, request, db, who):
    client = client_of(request.getfixturevalue(who))
    for address in every_address(str(2**63 - 1)):
        assert client.get(address, headers=HTMX).status_code < 500, address
        assert client.post(address).status_code < 500, address


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
