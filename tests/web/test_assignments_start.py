"""Drafts, start dates and instructions: what students see of an assignment, and when; templates."""

from datetime import timedelta

import pytest
from django.utils import timezone

from puzzleclass.assignments.models import Assignment, Template
from puzzleclass.play.attempts import current_attempt


@pytest.fixture(params=["a draft", "not begun"])
def hidden(request, assignment) -> Assignment:
    """An assignment that students don't see yet."""
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
    # Neither by the key of a first try nor by one that was begun.
    keys = [current_attempt(student, assigned).key, begun(student, assigned).key]
    step = {"action": "move", "move": "1,1", "step": "0", "level": "1", "moves": "0"}
    for key in keys:
        for name in ("steps", "moves", "restart", "hint", "look-ahead", "back"):
            url = f"/attempts/{key}/{name}/"
            assert student_client.get(url).status_code == 404
            assert student_client.post(url, step).status_code == 404
    assert not student.attempts.filter(next_step__gt=0).exists()


def test_students_come_in_from_the_start_on(hidden, assigned, student_client, teacher_client):
    hidden.starts_at = timezone.now() - timedelta(seconds=1)
    hidden.save()
    if hidden.is_draft:
        assert student_client.get(f"/play/{assigned.pk}/").status_code == 404
        teacher_client.post(f"/assignments/{hidden.pk}/publish/")
    assert student_client.get(f"/play/{assigned.pk}/").status_code == 200
    assert "Homework" in student_client.get("/").content.decode()


def test_a_hunt_shows_no_board_before_the_start(hidden, assigned, teacher_client):
    hunt = teacher_client.get(f"/assigned/{assigned.pk}/hunt/").content.decode()
    assert "Students don&#x27;t see this yet." in hunt or "Students don't see this yet." in hunt
    assert '<svg class="board' not in hunt


def test_the_teacher_sees_what_is_not_shown_yet(hidden, teacher_client, classroom):
    badge = "Draft" if hidden.is_draft else "Starts "
    for url in ("/", f"/classes/{classroom.pk}/", f"/assignments/{hidden.pk}/"):
        assert badge in teacher_client.get(url).content.decode(), url


def test_instructions_start_and_draft_are_given_and_changed(
    teacher_client, classroom, puzzle, student_client
):
    new = f"/classes/{classroom.pk}/assignments/new/"
    fields = sent(puzzle, instructions="Look at the corners.\nThen begin.", is_draft="on")
    page = teacher_client.post(new, fields, follow=True).content.decode()
    assert "Saved. Students don&#x27;t see it yet." in page
    given = classroom.assignments.get()
    assert given.is_draft and given.starts_at is None
    teacher_client.post(f"/assignments/{given.pk}/publish/")
    play = f"/play/{given.puzzles.get().pk}/"
    for url in ("/", play):
        assert "Look at the corners.<br>Then begin." in student_client.get(url).content.decode()
    edit = f"/assignments/{given.pk}/edit/"
    board = {"board": f"given-{given.puzzles.get().pk}"}
    teacher_client.post(edit, sent(puzzle, starts_at=local(24)) | board)
    given.refresh_from_db()
    assert given.starts_at and student_client.get(play).status_code == 404


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


def test_a_template_is_given_to_a_class(teacher_client, teacher, assignment, make_class):
    Assignment.objects.update(hints=7, instructions="Think first.")
    teacher_client.post(f"/assignments/{assignment.pk}/template/")
    assignment.delete()
    template = Template.objects.get()
    page = teacher_client.get("/").content.decode()
    assert f"/templates/{template.pk}/give/" in page and "Homework" in page
    room = make_class(teacher, "5-1", "Wada")
    answer = teacher_client.post(f"/templates/{template.pk}/give/", {"classroom": room.pk})
    given = room.assignments.get()
    assert answer.url == f"/assignments/{given.pk}/edit/"
    assert (given.title, given.hints, given.instructions) == ("Homework", 7, "Think first.")
    assert given.puzzles.get().position == "o./oo/../oo"
    teacher_client.post(f"/templates/{template.pk}/delete/")
    assert not Template.objects.exists() and room.assignments.exists()


def test_a_template_goes_to_own_classes_only(teacher_client, assignment, other_student):
    teacher_client.post(f"/assignments/{assignment.pk}/template/")
    room = other_student.student_classrooms.get()
    for sent_key, status in ((room.pk, 404), ("x", 400), ("", 400), ("9" * 30, 400)):
        url = f"/templates/{Template.objects.get().pk}/give/"
        assert teacher_client.post(url, {"classroom": sent_key}).status_code == status


def test_templates_are_bounded(teacher_client, assignment, monkeypatch):
    monkeypatch.setattr(Template, "MOST", 1)
    url = f"/assignments/{assignment.pk}/template/"
    assert teacher_client.post(url).status_code == 302
    answer = teacher_client.post(url)
    assert answer.status_code == 429 and "You have 1 templates" in answer.content.decode()
