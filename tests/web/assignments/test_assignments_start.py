"""Drafts, start dates, instructions and templates: what students see of an assignment, and when."""

from datetime import timedelta

import pytest
from django.utils import timezone

from puzzleclass.assignments.models import Assignment, Template
from puzzleclass.play.attempts import current_attempt
from puzzleclass.play.models import Attempt


@pytest.fixture(params=["a draft", "not started"])
def hidden(request, assignment) -> Assignment:
    """Return an assignment that students don't see yet."""
    if request.param == "a draft":
        assignment.is_draft = True
    else:
        assignment.starts_at = timezone.now() + timedelta(hours=1)
    assignment.save()
    return assignment


def local(hours: int) -> str:
    return (timezone.localtime() + timedelta(hours=hours)).strftime("%Y-%m-%dT%H:%M")


def sent(puzzle, **others: str) -> dict[str, str]:
    fields = {"title": "Set", "due_at": local(48), "hints": "3", "board": f"library-{puzzle.pk}"}
    return fields | others


def test_students_get_nowhere_before_the_start(hidden, assigned, student, student_client, begun):
    assert "Homework" not in student_client.get("/").content.decode()
    assert student_client.get(f"/play/{assigned.pk}/").status_code == 404
    # Neither the key of a first attempt nor that of a stored one leads to the board.
    keys = [current_attempt(student, assigned).key, begun(student, assigned).key]
    step = {"action": "move", "move": "1,1", "step": "0", "level": "1", "moves": "0"}
    for key in keys:
        for name in ("steps", "moves", "restart", "hint", "look-ahead", "back"):
            url = f"/attempts/{key}/{name}/"
            assert student_client.get(url).status_code == 403
            assert student_client.post(url, step).status_code == 403
    assert not student.attempts.filter(next_step__gt=0).exists()


@pytest.mark.parametrize("is_begun", [True, False])
@pytest.mark.parametrize("language", ["en", "ja"])
def test_students_are_told_when_an_assignment_is_withdrawn(
    hidden, assigned, student, client_of, play, begun, is_begun, language
):
    client = client_of(student, language)
    attempt = Attempt.first(student, assigned)
    if is_begun:
        attempt = play(begun(student, assigned), "1,1")
    step = {"action": "move", "move": "2,1", "step": str(attempt.next_step)}
    words = {"en": "Your teacher has taken these puzzles back.", "ja": "先生がこの問題を"}[language]
    htmx = {"HTTP_HX_REQUEST": "true"}
    # The notice replaces the board and the stone that waits on it.
    for answer in (
        client.post(f"/attempts/{attempt.key}/steps/", step, **htmx),
        client.get(f"/play/{assigned.pk}/", **htmx),
    ):
        page = answer.content.decode()
        assert answer.status_code == 410
        assert '<div id="play"' in page and words in page and "data-board" not in page
    page = client.get(f"/play/{assigned.pk}/")
    assert page.status_code == (403 if is_begun else 404)
    assert (words in page.content.decode()) == is_begun


def test_students_come_in_from_the_start_on(hidden, assigned, student_client, teacher_client):
    hidden.starts_at = timezone.now() - timedelta(seconds=1)
    hidden.save()
    if hidden.is_draft:
        assert student_client.get(f"/play/{assigned.pk}/").status_code == 404
        teacher_client.post(f"/assignments/{hidden.pk}/publish/")
    assert student_client.get(f"/play/{assigned.pk}/").status_code == 200
    assert "Homework" in student_client.get("/").content.decode()


def test_a_hunt_shows_no_board_before_the_start(hidden, assigned, teacher_client):
    hunt = teacher_client.get(f"/assigned/{assigned.pk}/found/").content.decode()
    assert "Students don&#x27;t see this yet." in hunt or "Students don't see this yet." in hunt
    assert '<svg class="board' not in hunt


def test_the_teacher_sees_what_is_not_shown_yet(hidden, teacher_client, classroom):
    badge = "Draft" if hidden.is_draft else "Starts "
    for url in ("/", f"/classes/{classroom.pk}/", f"/assignments/{hidden.pk}/"):
        assert badge in teacher_client.get(url).content.decode(), url


def test_instructions_start_and_draft_are_set_and_changed(
    teacher_client, classroom, puzzle, student_client
):
    new = f"/classes/{classroom.pk}/assignments/new/"
    fields = sent(puzzle, instructions="Look at the corners.\nThen begin.", is_draft="on")
    page = teacher_client.post(new, fields, follow=True).content.decode()
    assert "Saved. Students can&#x27;t see it yet." in page
    assignment = classroom.assignments.get()
    assert assignment.is_draft and assignment.starts_at is None
    teacher_client.post(f"/assignments/{assignment.pk}/publish/")
    play = f"/play/{assignment.puzzles.get().pk}/"
    for url in ("/", play):
        assert "Look at the corners.<br>Then begin." in student_client.get(url).content.decode()
    edit = f"/assignments/{assignment.pk}/edit/"
    board = {"board": f"given-{assignment.puzzles.get().pk}"}
    teacher_client.post(edit, sent(puzzle, starts_at=local(24)) | board)
    assignment.refresh_from_db()
    assert assignment.starts_at and student_client.get(play).status_code == 403


@pytest.mark.parametrize(
    ("bad", "said"),
    [
        ({"starts_at": local(49)}, "The start must be before the due date."),
        ({"starts_at": "soon"}, "This is not a date and time."),
        ({"instructions": "x" * 1001}, "at most 1000 characters"),
    ],
)
def test_bad_terms_are_answered_in_words(teacher_client, classroom, puzzle, bad, said):
    answer = teacher_client.post(f"/classes/{classroom.pk}/assignments/new/", sent(puzzle) | bad)
    assert answer.status_code == 422 and said in answer.content.decode()


# Templates


def test_a_template_is_assigned_to_a_class(teacher_client, teacher, assignment, make_class):
    Assignment.objects.update(hints=7, instructions="Think first.")
    teacher_client.post(f"/assignments/{assignment.pk}/template/")
    assignment.delete()
    template = Template.objects.get()
    page = teacher_client.get("/").content.decode()
    assert f"/templates/{template.pk}/assign/" in page and "Homework" in page
    room = make_class(teacher, "5-1", "Wada")
    answer = teacher_client.post(f"/templates/{template.pk}/assign/", {"classroom": room.pk})
    homework = room.assignments.get()
    assert answer.url == f"/assignments/{homework.pk}/edit/?publish=yes"
    assert homework.is_draft
    assert (homework.title, homework.hints, homework.instructions) == (
        "Homework",
        7,
        "Think first.",
    )
    assert homework.puzzles.get().position == "o./oo/../oo"
    teacher_client.post(f"/templates/{template.pk}/delete/")
    assert not Template.objects.exists() and room.assignments.exists()


def test_a_template_goes_to_own_classes_only(teacher_client, assignment, other_student):
    teacher_client.post(f"/assignments/{assignment.pk}/template/")
    room = other_student.student_classrooms.get()
    for sent_key, status in ((room.pk, 404), ("x", 400), ("", 400), ("9" * 30, 400)):
        url = f"/templates/{Template.objects.get().pk}/assign/"
        assert teacher_client.post(url, {"classroom": sent_key}).status_code == status


def test_templates_are_bounded(teacher_client, assignment, monkeypatch):
    monkeypatch.setattr(Template, "MAX_COUNT", 1)
    url = f"/assignments/{assignment.pk}/template/"
    assert teacher_client.post(url).status_code == 302
    answer = teacher_client.post(url)
    assert answer.status_code == 429 and "You have 1 templates" in answer.content.decode()


@pytest.mark.parametrize("how", ["made a draft", "put off", "deleted"])
def test_a_student_who_never_opened_the_board_hears_that_it_was_taken_back(
    assignment, assigned, teacher_client, student_client, how
):
    assert student_client.get("/").status_code == 200
    url = f"/assignments/{assignment.pk}/"
    if how == "deleted":
        teacher_client.post(f"{url}delete/", follow=True)
    else:
        hiding = {"made a draft": {"is_draft": "on"}, "put off": {"starts_at": local(24)}}[how]
        boards = [f"given-{board.pk}" for board in assignment.puzzles.all()]
        teacher_client.post(f"{url}edit/", sent(assigned, **hiding) | {"board": boards})
    page = student_client.get(f"/play/{assigned.pk}/")
    assert page.status_code == 403
    assert "Your teacher has taken these puzzles back." in page.content.decode()
