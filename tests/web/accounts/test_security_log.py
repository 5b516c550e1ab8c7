"""The security log records what happened, who did it and from where, and never a secret."""

import json
import logging

import pytest

SECRETS = ("a good password", "wrong word", "stones on a board", "1234", "8642")


@pytest.fixture
def told(caplog):
    """Return a function that returns the log's lines so far."""
    caplog.set_level(logging.INFO, "puzzleclass.security")

    def told() -> list[dict[str, object]]:
        lines = [r.getMessage() for r in caplog.records if r.name == "puzzleclass.security"]
        assert not any(secret in line for secret in SECRETS for line in lines)
        return [json.loads(line) for line in lines]

    return told


def test_events_at_the_sign_in_are_logged(client_of, teacher, student, told):
    client, code = client_of(None), student.enrolments.get().classroom.code
    for name in ("sato", "nobody"):
        client.post("/sign-in/", {"username": name, "password": "wrong word"})
    client.post("/sign-in/", {"username": "sato", "password": "a good password"})
    client.post("/sign-out/")
    for pin in ("8642", "1234"):
        client.post(f"/join/{code}/1/", {"pin": pin})
    new = {"username": "kondo", "password": "stones on a board"}
    client_of(None).post("/sign-up/", new)
    events = [(line["event"], line["who"]) for line in told()]
    assert events[:6] == [
        ("wrong password", teacher.pk),
        ("wrong password", None),
        ("signed in", teacher.pk),
        ("signed out", teacher.pk),
        ("wrong PIN", student.pk),
        ("signed in", student.pk),
    ]
    assert [event for event, _ in events[6:]] == ["signed up", "signed in"]
    assert {line["from"] for line in told()} == {"127.0.0.1"}


def test_locks_are_written_down(client_of, teacher, student, told):
    client, code = client_of(None), student.enrolments.get().classroom.code
    for _ in range(5):
        client.post("/sign-in/", {"username": "sato", "password": "wrong word"})
        client.post(f"/join/{code}/1/", {"pin": "8642"})
    assert [line["event"] for line in told()][-2:] == ["password locked", "PIN locked"]


def test_deletions_by_a_teacher_are_logged(client_of, teacher, classroom, student, told):
    client, here = client_of(teacher), f"/classes/{classroom.pk}/"
    place = student.enrolments.get().pk
    client.post(f"{here}students/{place}/pin/")
    client.post(f"{here}door/", {"do": "code"})
    client.post(f"{here}students/{place}/remove/")
    client.post(f"{here}delete/")
    lines = told()[1:]
    assert [line["event"] for line in lines] == [
        "PINs made", "class door", "student removed", "class moved to the bin",
    ]  # fmt: skip
    assert all((line["who"], line["classroom"]) == (teacher.pk, classroom.pk) for line in lines)
    assert lines[2]["student"] == student.pk
