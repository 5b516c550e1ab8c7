"""The due dates in calendar programs: the file (RFC 5545), and its secret address."""

from datetime import UTC, datetime, timedelta

import pytest
from django.urls import reverse
from django.utils import timezone

from puzzleclass.assignments.services import assign_puzzles
from puzzleclass.calendars.feed import DueDate, calendar_text
from puzzleclass.calendars.models import CalendarAddress

PAGE = reverse("calendar")
AT = datetime(2026, 11, 30, 14, 59, tzinfo=UTC)


def feed(client, user):
    word = CalendarAddress.objects.get_or_create(user=user)[0].word
    return client.get(reverse("calendar_feed", args=[word]))


def unfolded(text: str) -> list[str]:
    """Return the lines of a calendar as a program reads them."""
    assert text.endswith("\r\n") and "\n" not in text.replace("\r\n", "")
    assert all(len(line.encode()) <= 75 for line in text.split("\r\n"))
    return text.replace("\r\n ", "").split("\r\n")[:-1]


def events(answer) -> list[dict[str, str]]:
    found: list[dict[str, str]] = []
    for line in unfolded(answer.content.decode()):
        name, _colon, value = line.partition(":")
        if line == "BEGIN:VEVENT":
            found.append({})
        elif found:
            found[-1].setdefault(name, value)
    return found


def test_long_lines_are_folded_between_characters():
    title = "碁石拾いの課題、" * 20
    lines = unfolded(calendar_text("x", [DueDate("1@x", AT, title, "", "https://x/")], AT))
    assert f"SUMMARY:{title}" in lines


def test_texts_are_escaped():
    entry = DueDate("1@x", AT, "a,b;c\\d", "one\r\ntwo\x07", "https://x/")
    lines = unfolded(calendar_text("x", [entry], AT))
    assert "SUMMARY:a\\,b\\;c\\\\d" in lines
    assert "DESCRIPTION:one\\ntwo" in lines


def test_a_calendar_has_what_the_standard_requires():
    lines = unfolded(calendar_text("x", [DueDate("1@x", AT, "t", "", "https://x/")], AT))
    assert (lines[0], lines[-1]) == ("BEGIN:VCALENDAR", "END:VCALENDAR")
    assert {"VERSION:2.0", "UID:1@x", "DTSTAMP:20261130T145900Z", "DTSTART:20261130T145900Z"} <= {
        *lines
    }
    assert any(line.startswith("PRODID:") for line in lines)


def test_a_student_has_the_assignments_that_are_shown(
    client, student, classroom, teacher, puzzle, assignment
):
    now = timezone.now()
    hidden = assign_puzzles(classroom, teacher, "Hidden", now + timedelta(days=3), [puzzle])
    type(hidden).objects.filter(pk=hidden.pk).update(is_draft=True)
    assign_puzzles(classroom, teacher, "Long ago", now - timedelta(days=90), [puzzle])
    answer = feed(client, student)
    assert answer["Content-Type"] == "text/calendar; charset=utf-8"
    [event] = events(answer)
    assert event["SUMMARY"].startswith(assignment.title)
    assert event["DTSTART"] == f"{assignment.due_at.astimezone(UTC):%Y%m%dT%H%M%SZ}"
    assert event["URL"] == "http://testserver/"
    assert classroom.code not in answer.content.decode()


def test_a_teacher_has_the_assignments_of_all_classes(client, teacher, other_teacher, assignment):
    [event] = events(feed(client, teacher))
    assert event["URL"] == f"http://testserver{reverse('assignment', args=[assignment.pk])}"
    assert events(feed(client, other_teacher)) == []


def test_the_address_is_created_renewed_and_turned_off(teacher_client, client, teacher):
    assert "calendar-" not in teacher_client.get(PAGE).content.decode()
    teacher_client.post(PAGE, {"do": "on"})
    first = teacher_client.get(PAGE).context["url"]
    assert client.get(first).status_code == 200
    teacher_client.post(PAGE, {"do": "on"})
    assert teacher_client.get(PAGE).context["url"] == first
    teacher_client.post(PAGE, {"do": "renew"})
    second = teacher_client.get(PAGE).context["url"]
    assert (client.get(first).status_code, client.get(second).status_code) == (404, 200)
    teacher_client.post(PAGE, {"do": "off"})
    assert client.get(second).status_code == 404


@pytest.mark.parametrize("word", ["x", "1-", "1-aaaaaaaaaaaaaaaaaaaaaaaa", "9" * 30 + "-a"])
def test_a_guessed_address_finds_nothing(client, db, word):
    assert client.get(reverse("calendar_feed", args=[word])).status_code == 404


def test_a_locked_account_has_no_calendar(client, teacher):
    teacher.is_active = False
    teacher.save()
    assert feed(client, teacher).status_code == 404


def test_more_assignments_need_no_more_queries(
    client, student, classroom, teacher, puzzle, queries_of
):
    url = reverse("calendar_feed", args=[CalendarAddress.objects.create(user=student).word])
    for number in range(5):
        assign_puzzles(classroom, teacher, f"No. {number}", timezone.now(), [puzzle])
    # The address with its user, and the assignments.
    assert queries_of(client, url) == 2
