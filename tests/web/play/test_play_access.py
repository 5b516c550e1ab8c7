"""Who may play a board: the key of an attempt, strangers, signed-out students, forged steps."""

import re
import uuid

import pytest

from puzzleclass.classes.models import Enrolment
from puzzleclass.play.attempts import current_attempt
from puzzleclass.play.models import Attempt, Step
from tests.web.play.board_page import HTMX, attempt, restart, send

__all__ = ["attempt"]


def test_the_first_move_creates_the_first_attempt_and_the_page_returns_to_it(
    student_client, student, assigned
):
    url = f"/play/{assigned.pk}/"
    board = re.compile('action="(/attempts/[^/]*/steps/)"')
    steps = board.search(student_client.get(url).content.decode())[1]
    assert student_client.get(steps).url == url
    assert steps == board.search(student_client.get(url).content.decode())[1]
    assert not Attempt.objects.exists()
    fields = {"action": "move", "move": "1,1", "step": 0}
    for _ in range(2):  # the step is repeated because its answer was lost
        answer = student_client.post(steps, fields, headers=HTMX)
        assert (answer.status_code, board.search(answer.content.decode())[1]) == (200, steps)
    attempt = Attempt.objects.get()
    assert (attempt.student, attempt.puzzle, attempt.number) == (student, assigned, 1)
    again = student_client.get(url).content.decode()
    assert 'name="step" value="1"' in again
    assert "Move 1: Stone at row 1, column 1" in again
    assert Attempt.objects.count() == 1


def test_an_invalid_step_creates_no_attempt(student_client, student, assigned):
    key = current_attempt(student, assigned).key
    steps = f"/attempts/{key}/steps/"
    for fields, status in (
        ({"action": "move", "move": "9,9", "step": 0}, 422),
        ({"action": "move", "move": "?", "step": 0}, 400),
        ({"action": "undo", "step": 0}, 422),
        ({"action": "move", "move": "1,1", "step": 1}, 409),
        ({"action": "undo", "step": 7}, 409),
        ({"take": "R"}, 200),
    ):
        answer = student_client.post(steps, fields, headers=HTMX)
        assert int(answer.get("Refused", answer.status_code)) == status
    for path in ("restart", "back", "look-ahead"):
        page = student_client.post(f"/attempts/{key}/{path}/", {"step": 0}, headers=HTMX)
        assert page.status_code in (200, 204, 409)
    assert not Attempt.objects.exists()


def test_the_key_of_a_future_attempt_works_for_its_student_only(
    client_of, student, classmate, assigned, classroom, overdue
):
    """Its key names the student and the puzzle. Another student who has the key finds nothing
    there."""
    key = Attempt.first(student, assigned).key
    fields = {"action": "move", "move": "1,1", "step": 0}
    assert client_of(classmate).post(f"/attempts/{key}/steps/", fields).status_code == 404
    client = client_of(student)
    assert client.post(f"/attempts/{key}/steps/", fields).status_code == 409  # it is overdue
    for puzzle in (999, 2**63, 2**64 - 1):
        unknown = uuid.UUID(int=student.pk << 64 | puzzle)
        assert client.post(f"/attempts/{unknown}/steps/", fields).status_code == 404
    Enrolment.objects.filter(student=student).delete()
    assert client.post(f"/attempts/{key}/steps/", fields).status_code == 404
    assert not Attempt.objects.exists()


@pytest.mark.parametrize("pk", [999, 10**30])
def test_a_puzzle_that_is_not_there_answers_404(student_client, pk):
    assert student_client.get(f"/play/{pk}/").status_code == 404


def test_a_stranger_sees_neither_board_nor_attempt(client_of, other_student, assigned, attempt):
    for language, text in (("en", "you may not see it"), ("ja", "見ることのできないページです")):
        client = client_of(other_student, language)
        for answer in (
            client.get(f"/play/{assigned.pk}/"),
            send(client, attempt),
            send(client, attempt, htmx=False),
            restart(client, attempt),
        ):
            assert answer.status_code == 404
            assert text in answer.content.decode()
    assert not Step.objects.exists()


def test_departed_students_cannot_play(student_client, student, assigned, attempt):
    Enrolment.objects.filter(student=student).delete()
    assert student_client.get(f"/play/{assigned.pk}/").status_code == 404
    assert send(student_client, attempt).status_code == 404


def test_a_signed_out_student_is_told_where_the_board_is(client_of, anonymous, assigned, attempt):
    plain = send(anonymous, attempt, htmx=False)
    assert plain.status_code == 302
    assert plain.url.startswith("/join/?next=")
    page = f"http://testserver/play/{assigned.pk}/"
    for language, text in (("en", "You have been signed out."), ("ja", "ログインが切れました")):
        answer = client_of(None, language).post(
            f"/attempts/{attempt.key}/steps/", headers=HTMX | {"HX-Current-URL": page}
        )
        assert answer.status_code == 401
        assert text in answer.content.decode()
        assert f"/join/?next=%2Fplay%2F{assigned.pk}%2F" in answer.content.decode()


def test_a_forged_step_is_refused(client_of, student, attempt):
    client = client_of(student, enforce_csrf_checks=True)
    assert send(client, attempt).status_code == 403
    assert restart(client, attempt).status_code == 403
    assert not Step.objects.exists()


def test_the_page_has_the_token_for_what_is_pressed_on_it(client_of, student, attempt):
    """Forms for browsers without scripts have the token, and so has a header. Fragments need
    none."""
    client = client_of(student, enforce_csrf_checks=True)
    page = client.get(f"/play/{attempt.puzzle_id}/").content.decode()
    token = re.search("""hx-headers:inherited='{"X-CSRFToken": "([^"]+)"}'""", page)[1]
    assert page.count(f'name="csrfmiddlewaretoken" value="{token}"') >= 2
    fields = {"action": "move", "move": "1,1", "step": 0}
    sent = {**HTMX, "X-CSRFToken": token}
    answer = client.post(f"/attempts/{attempt.key}/steps/", fields, headers=sent)
    assert answer.status_code == 200
    assert "csrf" not in answer.content.decode()


@pytest.mark.parametrize("path", ["steps", "restart"])
def test_a_steps_address_opened_as_a_page_leads_to_the_board(student_client, attempt, path):
    answer = student_client.get(f"/attempts/{attempt.key}/{path}/")
    assert answer.url == f"/play/{attempt.puzzle_id}/"
    assert student_client.delete(f"/attempts/{attempt.key}/{path}/").status_code == 405
    assert not Step.objects.exists()
