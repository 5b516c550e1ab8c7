"""The sheets of a class's week, which teachers print for parents."""

from datetime import date, timedelta

import pytest
from django.urls import reverse
from django.utils import timezone

from puzzleclass.assignments.services import assign_puzzles
from puzzleclass.play.models import Feedback
from puzzleclass.stats.week import Week


@pytest.fixture
def page(classroom) -> str:
    return reverse("student_weeks", args=[classroom.pk])


@pytest.fixture
def give(classroom, teacher, puzzle):
    """Return a function that assigns a puzzle that is due this many days after the week ends."""

    def give(title: str, days: int, **changes):
        ends = Week.of(timezone.localdate()).times[1]
        due = ends + timedelta(days=days, seconds=-1)
        made = assign_puzzles(classroom, teacher, title, due, [puzzle])
        type(made).objects.filter(pk=made.pk).update(**changes)
        return made

    return give


def test_a_week_begins_on_monday():
    week = Week.of(date(2026, 11, 25))
    assert (week.monday, week.sunday) == (date(2026, 11, 23), date(2026, 11, 29))
    assert (week.before, week.after) == (date(2026, 11, 16), date(2026, 11, 30))
    begins, ends = week.times
    assert ends - begins == timedelta(days=7)


def test_the_sheet_tells_what_was_due_what_is_open_and_what_was_solved(
    teacher_client, page, give, student, tried, lines
):
    due = give("Due now", 0)
    give("Due later", 14)
    give("Hidden", 14, is_draft=True)
    give("Long over", -14)
    tried(student, due.puzzles.get(), lines.solution)
    sheets = teacher_client.get(page).context["paper_sheets"]
    [sheet] = [each for each in sheets if each.enrolment.student == student]
    assert [each.assignment.title for each in sheet.due] == ["Due now"]
    assert [each.assignment.title for each in sheet.coming] == ["Due later"]
    assert (sheet.all.solved, sheet.all.given) == (1, 3)
    others = [each for each in sheets if each.enrolment.student != student]
    assert all(each.all.solved == 0 for each in others)


def test_what_was_solved_so_far_never_falls_and_earlier_weeks_stay_as_they_were(
    teacher_client, page, give, student, tried, lines
):
    made = timezone.now() - timedelta(days=30)
    for days in (-14, -7, 0):
        work = give(f"Due {days}", 0, created_at=made)
        tried(student, work.puzzles.get(), lines.solution)
        work.due_at += timedelta(days=days)
        work.save(update_fields=["due_at"])
    told = []
    for days in (14, 7, 0):
        week = timezone.localdate() - timedelta(days=days)
        sheets = teacher_client.get(page, {"week": week.isoformat()}).context["paper_sheets"]
        [sheet] = [each for each in sheets if each.enrolment.student == student]
        told.append((sheet.all.solved, sheet.all.given, [each.solved for each in sheet.due]))
    # All three were solved just now, so that the earlier weeks ended without any of them.
    assert told == [(0, 3, [0]), (0, 3, [0]), (3, 3, [1])]


def test_another_week_can_be_printed(teacher_client, page, give):
    give("Long over", -14, created_at=timezone.now() - timedelta(days=20))
    week = timezone.localdate() - timedelta(days=14)
    shown = teacher_client.get(page, {"week": week.isoformat()})
    assert "Long over" in shown.content.decode()
    assert "Long over" not in teacher_client.get(page).content.decode()


@pytest.mark.parametrize("week", ["", "x", "0001-01-01", "9999-12-31", "2026-02-30"])
def test_a_week_that_no_calendar_has_is_this_week(teacher_client, page, week):
    assert teacher_client.get(page, {"week": week}).context["week"] == Week.of(timezone.localdate())


def test_the_teachers_words_of_the_week_are_on_the_sheet(
    teacher_client, teacher, page, give, student, tried, lines
):
    attempt = tried(student, give("Due now", 0).puzzles.get(), lines.solution)
    said = Feedback.objects.create(attempt=attempt, teacher=teacher, comment="Well thought!")
    assert "Well thought!" in teacher_client.get(page).content.decode()
    Feedback.objects.filter(pk=said.pk).update(at=timezone.now() - timedelta(days=20))
    assert "Well thought!" not in teacher_client.get(page).content.decode()


def test_the_view_is_logged(teacher_client, teacher, page):
    teacher_client.get(page)
    assert teacher.data_records.filter(action="looked").count() == 1
