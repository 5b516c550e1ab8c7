"""A teacher leads a class through an assignment, and students' pages follow."""

import re
from datetime import timedelta

import pytest
from django.db import connection
from django.test.utils import CaptureQueriesContext
from django.urls import reverse
from django.utils import timezone

from puzzleclass.assignments.lesson_models import Pace
from puzzleclass.play.models import Attempt, Step

HTMX = {"HX-Request": "true"}


@pytest.fixture
def set_of_three(classroom, assign, make_puzzle, puzzle):
    """Return an assignment of three boards."""
    others = [make_puzzle("goishi", text, text) for text in ("ooo", "oo/oo")]
    return assign(classroom, puzzle, *others)


@pytest.fixture
def lead(teacher_client):
    """Return a function that presses a button of the lesson page."""

    def lead(assignment, do: str, **fields: object):
        return teacher_client.post(reverse("lead", args=[assignment.pk]), {"do": do, **fields})

    return lead


@pytest.fixture
def now():
    """Return a function that asks for the lesson as a student's page does."""

    def now(client, assignment, have: str = ""):
        fields = {"have": have, "at": assignment.pk}
        return client.get(reverse("lesson_now"), fields, headers=HTMX)

    return now


def have_of(page: str) -> str:
    return re.search(r"have=([^\"&]*)", page)[1]


def board(assignment, number: int):
    return assignment.puzzles.get(number=number)


def step(client, student, puzzle, move: str = "1,1", number: int = 0):
    key = Attempt.first(student, puzzle).key
    fields = {"action": "move", "move": move, "step": number}
    return client.post(reverse("step", args=[key]), fields, headers=HTMX)


def test_a_pause_refuses_steps_and_loses_none(
    lead, now, student, student_client, assignment, assigned
):
    lead(assignment, "pause", message="Look at the board")
    page = now(student_client, assignment).content.decode()
    assert "data-paused" in page and "Look at the board" in page
    refused = step(student_client, student, assigned)
    assert refused.headers["Refused"] == "423"
    assert "paused the boards" in refused.content.decode()
    assert not Step.objects.exists()
    lead(assignment, "resume")
    assert "data-paused" not in now(student_client, assignment).content.decode()
    assert "Refused" not in step(student_client, student, assigned).headers
    assert Step.objects.count() == 1


def test_a_pause_refuses_other_actions_too(lead, student, student_client, assignment, assigned):
    step(student_client, student, assigned)
    lead(assignment, "pause")
    key = student.attempts.get().key
    for name, fields in (
        ("restart", {}),
        ("moves", {"step": 1, "moves": 0}),
        ("hint", {"step": 1, "level": 1}),
    ):
        answer = student_client.post(reverse(name, args=[key]), fields, headers=HTMX)
        assert answer.headers["Refused"] == "423", name
    assert student.attempts.count() == 1


def test_without_javascript_a_paused_step_says_so(
    lead, student, student_client, assignment, assigned
):
    lead(assignment, "pause")
    key = Attempt.first(student, assigned).key
    fields = {"action": "move", "move": "1,1", "step": 0}
    answer = student_client.post(reverse("step", args=[key]), fields)
    assert answer.status_code == 423
    assert "paused the boards" in answer.content.decode()


def test_nothing_is_sent_while_nothing_changes(lead, now, student_client, assignment):
    assert now(student_client, assignment, "0").status_code == 204
    lead(assignment, "pause")
    page = now(student_client, assignment, "0").content.decode()
    assert now(student_client, assignment, have_of(page)).status_code == 204


def test_a_page_that_asks_costs_three_queries(now, lead, student_client, assignment):
    lead(assignment, "pause")
    have = have_of(now(student_client, assignment).content.decode())
    with CaptureQueriesContext(connection) as seen:
        assert now(student_client, assignment, have).status_code == 204
    # The session, the user and the state.
    assert len(seen) <= 3
    with CaptureQueriesContext(connection) as seen:
        assert now(student_client, assignment, "0").status_code == 200
    # The lesson, the question and what concerns the student, too.
    assert len(seen) <= 6


def test_everybody_is_led_to_a_board(lead, now, student_client, set_of_three):
    first, second = board(set_of_three, 1), board(set_of_three, 2)
    lead(set_of_three, f"send:{second.pk}")
    assert f'data-go="/play/{second.pk}/"' in now(student_client, set_of_three).content.decode()
    answer = student_client.get(reverse("play", args=[first.pk]))
    assert answer.url == reverse("play", args=[second.pk])
    assert student_client.get(answer.url).status_code == 200
    lead(set_of_three, "free")
    assert student_client.get(reverse("play", args=[first.pk])).status_code == 200


def test_a_step_that_was_made_before_the_class_went_on_is_stored(
    lead, student, student_client, set_of_three
):
    lead(set_of_three, f"send:{board(set_of_three, 2).pk}")
    assert "Refused" not in step(student_client, student, board(set_of_three, 1)).headers
    assert Step.objects.count() == 1


def test_boards_are_unlocked_one_by_one(lead, student, student_client, set_of_three):
    first, second, third = set_of_three.puzzles.all()
    lead(set_of_three, "unlock:1")
    answer = student_client.get(reverse("play", args=[third.pk]))
    assert answer.url == reverse("play", args=[first.pk])
    refused = step(student_client, student, second)
    assert refused.headers["Refused"] == "423"
    assert "not opened this board yet" in refused.content.decode()
    lead(set_of_three, "unlock:2")
    # A press that is repeated, because its answer was lost, opens no other board.
    lead(set_of_three, "unlock:2")
    assert Pace.objects.get().open_boards == 2
    assert student_client.get(reverse("play", args=[second.pk])).status_code == 200
    lead(set_of_three, "unlock:3")
    assert Pace.objects.get().open_boards is None


def test_sending_the_class_to_a_locked_board_opens_it(lead, student_client, set_of_three):
    third = board(set_of_three, 3)
    lead(set_of_three, "unlock:1")
    lead(set_of_three, f"send:{third.pk}")
    assert student_client.get(reverse("play", args=[third.pk])).status_code == 200


def test_a_board_of_another_assignment_is_missing(lead, assignment, set_of_three):
    assert lead(assignment, f"send:{board(set_of_three, 1).pk}").status_code == 404


def test_a_message_reaches_everybody_or_one_student(
    lead, now, client_of, student, classmate, student_client, assignment
):
    lead(assignment, "say", message="Five more minutes")
    lead(assignment, "write", message="Try the corner", student=student.pk)
    mine = now(student_client, assignment).content.decode()
    other = now(client_of(classmate), assignment).content.decode()
    assert "Five more minutes" in mine and "Try the corner" in mine
    assert "Five more minutes" in other and "Try the corner" not in other
    lead(assignment, "write", message="", student=student.pk)
    lead(assignment, "say", message="")
    mine = now(student_client, assignment).content.decode()
    assert "Five more minutes" not in mine and "Try the corner" not in mine


def test_nobody_outside_the_class_gets_a_message(lead, assignment, other_student):
    assert lead(assignment, "write", message="Hello", student=other_student.pk).status_code == 404


def test_the_clock_tells_the_seconds_left(lead, now, student_client, assignment):
    lead(assignment, "clock:5")
    page = now(student_client, assignment).content.decode()
    assert 'data-seconds="300"' in page or 'data-seconds="299"' in page
    lead(assignment, "clock:0")
    assert "data-seconds" not in now(student_client, assignment).content.decode()


def test_closing_tells_the_pages_and_ends_the_lesson(lead, now, student_client, assignment):
    lead(assignment, "pause")
    lead(assignment, "close")
    page = now(student_client, assignment).content.decode()
    assert "data-over" in page and "data-paused" not in page


def test_a_forgotten_pause_ends_by_itself(lead, now, student, student_client, assignment, assigned):
    lead(assignment, "pause")
    Pace.objects.update(changed_at=timezone.now() - Pace.LASTS - timedelta(seconds=1))
    assert "Refused" not in step(student_client, student, assigned).headers
    assert "data-paused" not in now(student_client, assignment).content.decode()
    lead(assignment, "clock:1")
    assert not Pace.objects.get().is_paused


def test_the_end_of_a_lesson_lets_everybody_play(lead, student, student_client, set_of_three):
    lead(set_of_three, "unlock:1")
    lead(set_of_three, "pause")
    lead(set_of_three, "write", message="Hello", student=student.pk)
    lead(set_of_three, "end")
    assert "Refused" not in step(student_client, student, board(set_of_three, 3)).headers
    assert not student.attendances.get().message


def test_a_teachers_own_attempt_is_not_paused(lead, teacher_client, assignment, assigned):
    lead(assignment, "pause")
    url = reverse("trial_step", args=[f"given-{assigned.pk}"])
    answer = teacher_client.post(url, {"action": "move", "move": "1,1", "step": 0}, headers=HTMX)
    assert "Refused" not in answer.headers


def test_the_lesson_page_is_told_only_of_changes(lead, teacher_client, assignment):
    url = reverse("lesson", args=[assignment.pk])
    lead(assignment, "pause")
    page = teacher_client.get(url).content.decode()
    assert "Resume" in page
    have = re.findall(r'name="have"[^>]*value="([^"]+)"', page)
    assert teacher_client.get(url, {"have": have}, headers=HTMX).status_code == 204
    lead(assignment, "resume")
    changes = teacher_client.get(url, {"have": have}, headers=HTMX).content.decode()
    assert "lesson-bar" in changes and "Resume" not in changes
    assert 'class="tile' not in changes


def test_a_substitute_sees_the_class_without_controls(client_of, substitute, assignment):
    page = client_of(substitute).get(reverse("lesson", args=[assignment.pk])).content.decode()
    assert 'id="wall"' in page and 'value="pause"' not in page


def test_an_unknown_button_is_refused(lead, assignment):
    assert lead(assignment, "dance").status_code == 400


def test_the_lesson_page_leads_to_what_was_found_at_its_board(lead, teacher_client, set_of_three):
    second = board(set_of_three, 2)
    lead(set_of_three, f"send:{second.pk}")
    page = teacher_client.get(reverse("lesson", args=[set_of_three.pk])).content.decode()
    assert reverse("found", args=[second.pk]) in page
