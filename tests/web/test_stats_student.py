"""A student's page: all attempts, the course over time, strengths, notes."""

from datetime import timedelta

import pytest
from django.utils import timezone

from puzzleclass.classes.models import StudentNote
from puzzleclass.jobs import services as jobs


@pytest.fixture
def url(student) -> str:
    return f"/students/{student.pk}/"


def test_the_page_sums_up_all_work(
    teacher_client, teacher, student, classroom, puzzle, assign, tried, lines, url, answered
):
    first, second = (assign(classroom, puzzle, title=title).puzzles.get() for title in "ab")
    tried(student, first, lines.solution)
    tried(student, second, "1,1")
    answered(jobs.ask(teacher, "goishi", "rate", puzzle.position), 1, band="hard")
    context = teacher_client.get(url).context
    figures = context["figures"]
    assert [figures[name] for name in ("begun", "solved", "found")] == [2, 1, 1]
    [strength] = context["strengths"]
    assert (strength.band, strength.begun, strength.solved, strength.share) == ("hard", 2, 1, 50)
    assert [(week.tries, week.solved) for week in context["weeks"]] == [(2, 1)]


def test_weeks_without_work_stand_between_those_with(
    teacher_client, student, assigned, tried, lines, url
):
    attempt = tried(student, assigned, lines.solution)
    attempt.last_at = timezone.now() - timedelta(weeks=3)
    attempt.save()
    weeks = teacher_client.get(url).context["weeks"]
    assert [week.tries for week in weeks] == [1, 0, 0, 0]


def test_work_of_a_colleagues_class_of_today_is_the_colleagues(
    teacher_client, other_teacher, student, make_class, puzzle, assign, tried, url
):
    other = make_class(other_teacher, "Club")
    enrolment = other.enrolments.create(student=student, number=1)
    tried(student, assign(other, puzzle).puzzles.get(), "1,1")
    assert teacher_client.get(url).context["works"] == []
    enrolment.delete()
    [work] = teacher_client.get(url).context["works"]
    assert not work.is_mine


def test_every_name_leads_to_the_page(
    teacher_client, classroom, assignment, assigned, tried, student, url
):
    attempt = tried(student, assigned, "1,1")
    for page in (
        f"/classes/{classroom.pk}/",
        f"/assignments/{assignment.pk}/",
        f"/assigned/{assigned.pk}/students/{student.pk}/",
        f"/attempts/{attempt.key}/replay/",
    ):
        assert f'href="{url}"' in teacher_client.get(page).content.decode(), page


def test_notes_are_written_and_deleted_by_their_author(
    teacher_client, colleague_client, student, url, client_of
):
    teacher_client.post(f"{url}notes/", {"text": "Looks ahead <b>well</b>\0"})
    note = StudentNote.objects.get()
    page = colleague_client.get(url).content.decode()
    assert "Looks ahead &lt;b&gt;well&lt;/b&gt;" in page
    assert colleague_client.post(f"{url}notes/", {"delete": note.pk}).status_code == 404
    teacher_client.post(f"{url}notes/", {"delete": note.pk})
    assert not StudentNote.objects.exists()
    assert "well" not in client_of(student).get("/").content.decode()


@pytest.mark.parametrize("text", ["", "  ", "x" * 2001])
def test_bad_notes_are_refused_in_words(teacher_client, url, text):
    answer = teacher_client.post(f"{url}notes/", {"text": text}, follow=True)
    assert "notice bad" in answer.content.decode()
    assert not StudentNote.objects.exists()


def test_notes_have_a_bound(teacher_client, student, url, monkeypatch):
    monkeypatch.setattr(StudentNote, "MOST", 1)
    for _ in range(2):
        answer = teacher_client.post(f"{url}notes/", {"text": "x"}, follow=True)
    assert "There are 1 notes already." in answer.content.decode()


def test_the_page_takes_the_same_queries_for_much_work(
    teacher_client, student, classroom, puzzle, assign, tried, queries_of, url
):
    for _ in range(6):
        tried(student, assign(classroom, puzzle, puzzle).puzzles.first(), "1,1")
    teacher_client.get(url)
    assert queries_of(teacher_client, url) <= 20
