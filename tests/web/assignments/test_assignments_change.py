"""Changing an assignment, closing it, and withdrawing it."""

import re
from datetime import datetime, timedelta

import pytest
from django.utils import timezone

from puzzleclass.assignments.models import Assignment
from puzzleclass.play.models import Attempt
from puzzleclass.puzzles.models import Puzzle
from tests.web.assignments.assignment_form import PAST, contents, fields, in_library, library

__all__ = ["library"]


@pytest.fixture
def three(classroom, library, assign) -> Assignment:
    return assign(classroom, *library)


def given_names(assignment: Assignment) -> list[str]:
    return [f"given-{board.pk}" for board in assignment.puzzles.all()]


def test_title_date_order_and_puzzles_are_changed(colleague_client, colleague, three):
    five, four, steps = given_names(three)
    added = Puzzle.objects.create(owner=colleague, kind_slug="goishi", position="ooo", title="Row")
    sent = fields(
        steps,
        five,
        in_library(added),
        listed=(five, four, steps, in_library(added)),
        title="Homework 2",
        due_at="2099-12-31T23:59",
    )
    kept = three.puzzles.get(title="Steps").pk
    answer = colleague_client.post(f"/assignments/{three.pk}/edit/", sent)
    assert answer.url == f"/assignments/{three.pk}/"
    three.refresh_from_db()
    assert contents(three) == [(1, "Steps"), (2, "Five stones"), (3, "Row")]
    assert three.puzzles.get(title="Steps").pk == kept
    assert timezone.localtime(three.due_at) == timezone.make_aware(datetime(2099, 12, 31, 23, 59))
    assert three.title == "Homework 2"


def test_the_library_of_the_form_omits_assigned_puzzles(teacher_client, three):
    page = teacher_client.get(f"/assignments/{three.pk}/edit/")
    assert all(choice.is_assigned for choice in page.context["choice"].choices)
    assert [choice.name for choice in page.context["choice"].basket] == given_names(three)


def test_attempts_are_deleted_only_after_a_confirmation(client_of, teacher, three, student, tried):
    five, four, steps = given_names(three)
    tried(student, three.puzzles.get(title="Four"), "1,1")
    url = f"/assignments/{three.pk}/edit/"
    sent = fields(five, steps, listed=(five, four, steps), title="Changed")
    for language, asked in (("en", "What should happen"), ("ja", "これまでの挑戦をどうしますか")):
        answer = client_of(teacher, language).post(url, sent)
        assert answer.status_code == 422
        assert asked in answer.content.decode()
    three.refresh_from_db()
    assert (three.title, three.puzzles.count(), Attempt.objects.count()) == ("Homework", 3, 1)
    kept = sent | {f"tries-{four}": "keep"}
    assert client_of(teacher).post(url, kept).status_code == 302
    assert contents(three) == [(1, "Five stones"), (2, "Steps"), (3, "Four")]
    assert Attempt.objects.count() == 1
    assert client_of(teacher).post(url, sent | {f"tries-{four}": "x"}).status_code == 422
    assert client_of(teacher).post(url, sent | {f"tries-{four}": "delete"}).status_code == 302
    assert contents(three) == [(1, "Five stones"), (2, "Steps")]
    assert not Attempt.objects.exists()


def test_puzzles_nobody_has_tried_go_without_asking(teacher_client, three, student, tried):
    five, four, steps = given_names(three)
    tried(student, three.puzzles.get(title="Four"))  # opened, without a move
    sent = fields(five, steps, listed=(five, four, steps))
    assert teacher_client.post(f"/assignments/{three.pk}/edit/", sent).status_code == 302
    assert contents(three) == [(1, "Five stones"), (2, "Steps")]


def test_a_puzzle_added_in_another_window_stays(teacher_client, three):
    five, _four, steps = given_names(three)
    sent = fields(steps, five, listed=(five, steps))
    teacher_client.post(f"/assignments/{three.pk}/edit/", sent)
    assert {title for number, title in contents(three)} == {"Five stones", "Four", "Steps"}


def test_an_assignment_that_is_over_gets_another_title_but_no_past_date(
    teacher_client, overdue, assigned
):
    url = f"/assignments/{overdue.pk}/edit/"
    name = f"given-{assigned.pk}"
    shown = timezone.localtime(overdue.due_at).strftime("%Y-%m-%dT%H:%M")
    assert shown in teacher_client.get(url).content.decode()
    assert teacher_client.post(url, fields(name, title="Past", due_at=shown)).status_code == 302
    before = overdue.due_at
    overdue.refresh_from_db()
    assert (overdue.title, overdue.due_at) == ("Past", before)
    answer = teacher_client.post(url, fields(name, due_at="2020-01-01T00:00"))
    assert PAST in answer.content.decode()


def test_an_assignment_keeps_a_puzzle(teacher_client, assignment, assigned):
    sent = fields(listed=(f"given-{assigned.pk}",))
    answer = teacher_client.post(f"/assignments/{assignment.pk}/edit/", sent)
    assert "Choose at least one puzzle." in answer.content.decode()
    assert assignment.puzzles.count() == 1


def test_a_deleted_assignment_comes_back_with_the_students_work(
    teacher_client, client_of, assignment, assigned, student, classroom, tried
):
    tried(student, assigned, "1,1")
    answer = teacher_client.post(f"/assignments/{assignment.pk}/delete/", follow=True)
    assert answer.redirect_chain == [(f"/classes/{classroom.pk}/", 302)]
    page = answer.content.decode()
    assert "“Homework” has been deleted." in page
    assert not Assignment.objects.exists() and not classroom.assignments.exists()
    assert "Homework" not in client_of(student).get("/").content.decode()
    restored = teacher_client.post(re.search(r"/bin/[0-9]+/", page)[0])
    assert restored.url == f"/assignments/{assignment.pk}/"
    assert Assignment.objects.get() == assignment
    assert student.attempts.get().line == "1,1"
    assert "Homework" in client_of(student).get("/").content.decode()


def test_an_assignment_is_closed_now(teacher_client, student_client, assignment, assigned):
    page = teacher_client.get(f"/assignments/{assignment.pk}/").content.decode()
    assert "Close now" in page
    teacher_client.post(f"/assignments/{assignment.pk}/close/")
    assignment.refresh_from_db()
    assert assignment.is_over
    assert (
        "The due date has passed." in student_client.get(f"/play/{assigned.pk}/").content.decode()
    )
    assert "Close now" not in teacher_client.get(f"/assignments/{assignment.pk}/").content.decode()
    # An assignment that is over stays as it was, and so does one that students do not see yet.
    closed_at = assignment.due_at
    teacher_client.post(f"/assignments/{assignment.pk}/close/")
    assignment.refresh_from_db()
    assert assignment.due_at == closed_at


def test_a_closed_assignment_can_still_get_another_title(teacher_client, assignment):
    Assignment.objects.update(starts_at=timezone.now().replace(second=0, microsecond=0))
    teacher_client.post(f"/assignments/{assignment.pk}/close/")
    page = teacher_client.get(f"/assignments/{assignment.pk}/edit/")
    moments = {
        name: page.context["form"][name].value().strftime("%Y-%m-%dT%H:%M")
        for name in ("starts_at", "due_at")
    }
    board = page.context["choice"].basket[0].name
    fields = {"title": "Renamed", "hints": "3", "board": board, **moments}
    answer = teacher_client.post(f"/assignments/{assignment.pk}/edit/", fields)
    assert answer.status_code == 302


def test_a_due_date_in_the_past_leads_to_the_way_to_close(teacher_client, assignment):
    past = timezone.localtime() - timedelta(days=1)
    fields = {"title": "x", "hints": "3", "due_at": past.strftime("%Y-%m-%dT%H:%M")}
    page = teacher_client.post(f"/assignments/{assignment.pk}/edit/", fields).content.decode()
    assert "To close the assignment now, choose “Close now” in the menu of its page." in page
