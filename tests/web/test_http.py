"""The health check; errors in words: a page for a page, a fragment for a fragment."""

import pytest
from django.db import DatabaseError, OperationalError
from django.test import Client

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


def test_a_student_is_kept_out_of_the_teachers_room(student_client):
    assert student_client.get("/puzzles/").status_code == 403


def test_a_teacher_is_kept_off_the_students_board(teacher_client, assigned):
    assert teacher_client.get(f"/play/{assigned.pk}/").status_code == 403


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
    assert answer.status_code == 500
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
