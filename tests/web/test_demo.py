"""The demo school: what it shows has happened by the rules."""

import pytest
from django.core.management import CommandError, call_command

from puzzleclass import demo
from puzzleclass.accounts.models import User
from puzzleclass.assignments.models import Assignment
from puzzleclass.classes.models import Classroom
from puzzleclass.jobs.models import Job
from puzzleclass.play.models import Attempt, FoundSolution
from puzzleclass.puzzles.models import Puzzle


@pytest.fixture
def small_school(db, monkeypatch):
    """The demo with classes of four: the same things, sooner."""
    monkeypatch.setattr(demo, "CLASS_SIZE", 4)
    demo.make_demo()


def test_there_is_something_on_every_page(small_school):
    assert Classroom.objects.count() == len(demo.CLASSES)
    assert Puzzle.objects.count() >= 20
    assert {a.is_over for a in Assignment.objects.all()} == {True, False}
    assert {a.state for a in Attempt.objects.all()} >= {Attempt.State.OPEN, Attempt.State.SOLVED}
    assert Job.objects.filter(question="count").exists()


def test_every_try_replays_by_the_rules(small_school):
    for attempt in Attempt.objects.select_related("puzzle"):
        verdict = attempt.puzzle.kind.judge(attempt.position)
        assert verdict.solved == (attempt.state == Attempt.State.SOLVED)
    for found in FoundSolution.objects.select_related("puzzle"):
        end = found.puzzle.kind.play_line(found.puzzle.start, found.line)
        assert found.puzzle.kind.judge(end).solved
        assert found.puzzle.kind.solution(end) == found.text


def test_the_sign_ins_work(small_school, client_of):
    lines = demo.sign_ins()
    assert len(lines) == 1 + len(demo.CLASSES)
    username, _, password = demo.TEACHER
    browser = client_of(None)
    answer = browser.post("/sign-in/", {"username": username, "password": password})
    assert (answer.status_code, answer.url) == (302, "/")
    browser = client_of(None)
    answer = browser.post(f"/join/{demo.CLASSES[0][1]}/1/", {"pin": demo.PIN})
    assert (answer.status_code, answer.url) == (302, "/")


def test_a_database_with_people_is_left_alone(teacher):
    with pytest.raises(CommandError, match="has users already"):
        call_command("demo")
    assert list(User.objects.all()) == [teacher]


def test_without_the_demo_there_are_no_sign_ins(teacher):
    assert demo.sign_ins() == []
