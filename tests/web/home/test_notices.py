"""What a teacher should look at: failed imports, and the e-mail of the day."""

from datetime import UTC, datetime, timedelta

import pytest
from django.utils import timezone

from puzzleclass.classes.school_models import School
from puzzleclass.home import daily_mail
from puzzleclass.rosters.models import RosterService, RosterUpload

AFTERNOON = datetime(2026, 6, 1, 8, 30, tzinfo=UTC)
"""Half past five in the afternoon in Tokyo."""


@pytest.fixture
def at(monkeypatch):
    """Return a function that sets the clock."""

    def set_clock(moment: datetime) -> None:
        monkeypatch.setattr(timezone, "now", lambda: moment)

    return set_clock


@pytest.fixture
def pass_by(monkeypatch, mailoutbox, settings):
    """Return a function that does the hour's task, and returns the e-mails of all hours."""
    settings.PUBLIC_URL = "https://puzzle.example"
    monkeypatch.setattr(
        daily_mail.mail_notices, "apply_async", lambda args, queue: daily_mail.mail_notices(*args)
    )

    def run() -> list:
        daily_mail.mail_every_day()
        return mailoutbox

    return run


@pytest.fixture
def wishing(teacher):
    teacher.email, teacher.mails_notices = "sato@school.example", True
    teacher.save()
    return teacher


@pytest.fixture
def due_tomorrow(at, classroom, student, assign, puzzle):
    at(AFTERNOON)
    return assign(classroom, puzzle, title="Homework", due_at=AFTERNOON + timedelta(days=1))


def test_the_email_is_sent_once_a_day(wishing, due_tomorrow, pass_by, at):
    [mail] = pass_by()
    assert mail.to == ["sato@school.example"]
    assert "Due tomorrow: 4-2 · Homework. " in mail.body
    assert f"https://puzzle.example/assignments/{due_tomorrow.pk}/" in mail.body
    assert "https://puzzle.example/account/" in mail.body
    assert len(pass_by()) == 1
    daily_mail.mail_notices(wishing.pk)
    at(AFTERNOON + timedelta(hours=5))
    assert len(pass_by()) == 1
    at(AFTERNOON + timedelta(days=1))
    due_tomorrow.due_at += timedelta(days=1)
    due_tomorrow.save()
    assert len(pass_by()) == 2


def test_the_email_names_no_student(wishing, due_tomorrow, pass_by, student):
    [mail] = pass_by()
    assert student.name not in mail.subject + mail.body


@pytest.mark.parametrize(
    ("change"), [{"mails_notices": False}, {"email": ""}, {"is_active": False}]
)
def test_nobody_gets_an_email_unasked(wishing, due_tomorrow, pass_by, change):
    type(wishing).objects.filter(pk=wishing.pk).update(**change)
    assert pass_by() == []


def test_nothing_is_sent_when_nothing_waits(wishing, at, pass_by):
    at(AFTERNOON)
    assert pass_by() == []


def test_the_email_is_in_the_teachers_language_and_time_zone(wishing, due_tomorrow, pass_by, at):
    wishing.language, wishing.time_zone = "ja", "Europe/London"
    wishing.save()
    due_tomorrow.due_at += timedelta(days=1)
    due_tomorrow.save()
    assert pass_by() == []
    at(AFTERNOON + timedelta(hours=6, minutes=40))
    [mail] = pass_by()
    assert "しめきりは明日" in mail.body


def test_a_failed_import_is_a_notice_for_the_schools_administrators(
    wishing, teacher_client, other_teacher, at, pass_by
):
    school = School.objects.create(name="North")
    made = {"teacher": other_teacher, "content": b"", "school": school}
    RosterUpload.objects.create(file_name="read.zip", state="failed", **made)
    RosterUpload.objects.create(file_name="night.zip", state="checked", stores=True, **made)
    RosterUpload.objects.create(file_name="shown.zip", state="checked", **made)
    service = RosterService.objects.create(
        school=school,
        teacher=other_teacher,
        source="Office",
        fetched_at=timezone.now(),
        fault=["No"],
    )
    assert not teacher_client.get("/").context["now"].failed_imports
    school.administrators.add(wishing)

    def names() -> list[str]:
        return [each.name for each in teacher_client.get("/").context["now"].failed_imports]

    assert names() == ["Office", "night.zip", "read.zip"]
    assert f"/schools/{school.pk}/" in teacher_client.get("/").content.decode()
    at(AFTERNOON)
    [mail] = pass_by()
    assert "The import of Office at North has failed." in mail.body
    RosterService.objects.filter(pk=service.pk).update(fault=None)
    assert names() == ["night.zip", "read.zip"]


def test_the_switch_needs_an_address(teacher_client, teacher, settings):
    page = teacher_client.get("/account/").content.decode()
    assert 'name="mails_notices"' not in page
    settings.EMAIL_HOST = "mail.school.example"
    page = teacher_client.get("/account/").content.decode()
    assert 'name="mails_notices"' in page and "checked" not in page
    fields = {"name": "Sato", "mails_notices": "on"}
    answer = teacher_client.post("/account/", fields)
    assert answer.status_code == 422
    assert "Enter your e-mail address first" in answer.content.decode()
    teacher.email = "sato@school.example"
    teacher.save()
    assert teacher_client.post("/account/", fields).status_code == 302
    teacher.refresh_from_db()
    assert teacher.mails_notices
