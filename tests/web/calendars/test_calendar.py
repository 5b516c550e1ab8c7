"""The due dates in calendar programs: the file (RFC 5545), and its secret address."""

from datetime import UTC, datetime, timedelta
from io import StringIO

import pytest
from django.core.management import call_command
from django.http import QueryDict
from django.urls import reverse
from django.utils import timezone

from puzzleclass.accounts.forms import NewPasswordForm
from puzzleclass.accounts.models import User
from puzzleclass.assignments.services import assign_puzzles
from puzzleclass.calendars.feed import DueDate, calendar_text
from puzzleclass.calendars.models import CalendarAddress
from puzzleclass.classes.services import renew_card, renew_pins
from tests.web.conftest import PASSWORD

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


def test_what_ends_all_sessions_ends_the_address(client, client_of, teacher, student):
    administrator = User.objects.create_teacher("chief", "Chief", PASSWORD)
    User.objects.filter(pk=administrator.pk).update(is_staff=True, is_superuser=True)
    password = reverse("admin:auth_user_password_change", args=[teacher.pk])
    new = {f"password{number}": "quite-a-new-word" for number in (1, 2)} | {
        "usable_password": "true"
    }
    enrolments = list(student.enrolments.all())
    endings = [
        (teacher, lambda: call_command("password", teacher.username, stdout=StringIO())),
        (teacher, lambda: new_password_form(teacher).save()),
        (teacher, lambda: client_of(administrator).post(password, new)),
        (student, lambda: renew_card(student)),
        (student, lambda: renew_pins(enrolments)),
        (student, student.sign_out_everywhere),
    ]
    for user, end in endings:
        CalendarAddress.objects.get_or_create(user=user)
        before = feed_of(user)
        assert client.get(before).status_code == 200
        end()
        assert client.get(before).status_code == 404
        assert client.get(feed_of(user)).status_code == 200


def new_password_form(teacher):
    form = NewPasswordForm(User.objects.get(pk=teacher.pk), QueryDict("password=quite-a-new-one"))
    assert form.is_valid()
    return form


def feed_of(user) -> str:
    word = CalendarAddress.objects.get(user=user).word
    return reverse("calendar_feed", args=[word])


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
    assert queries_of(client, url) == 3
