"""The audit log: what is stored, who sees it, its filters, its file, and how long it is kept."""

import csv
import io
from datetime import timedelta

import pytest
from django.urls import reverse
from django.utils import timezone

from puzzleclass.accounts.models import User
from puzzleclass.classes.audit import EVENTS, expired_lines
from puzzleclass.classes.models import Classroom, DataRecord
from puzzleclass.classes.school_models import School
from tests.web.conftest import PASSWORD
from tests.web.rosters.test_schools import school

__all__ = ["school"]
pytestmark = pytest.mark.django_db


@pytest.fixture
def log_page(school) -> str:
    return reverse("school_log", args=[school.pk])


def events() -> list[str]:
    return list(DataRecord.objects.order_by("pk").values_list("event", flat=True))


def test_sign_ins_and_failures_of_staff_are_stored_with_their_network(
    school, teacher, client, settings
):
    settings.TRUSTED_PROXIES = 1
    for password in ("wrong", PASSWORD):
        client.post(
            "/sign-in/",
            {"username": teacher.username, "password": password},
            headers={"X-Forwarded-For": "192.0.2.77"},
        )
    lines = list(
        DataRecord.objects.order_by("pk").values("event", "network", "school_key", "actor")
    )
    assert next(line["event"] for line in lines) == "wrong password"
    assert {(each["network"], each["school_key"]) for each in lines} == {
        ("192.0.2.0/24", school.pk)
    }


def test_guesses_are_bounded(school, teacher, client, monkeypatch):
    monkeypatch.setattr("puzzleclass.classes.audit.MAX_FAILURES_PER_DAY", 2)
    for _ in range(4):
        client.post("/sign-in/", {"username": teacher.username, "password": "wrong"})
    client.post("/sign-in/", {"username": "nobody here", "password": "wrong"})
    assert events() == ["wrong password"] * 2


def test_what_students_do_is_not_stored(classroom, student, client_of, begun):
    client_of(student).get("/")
    assert not DataRecord.objects.filter(actor=student).exists()


def test_changes_of_a_class_belong_to_its_school(school, teacher, teacher_client, classroom):
    teacher_client.post(f"/classes/{classroom.pk}/archive/")
    assert DataRecord.objects.get(event="class archived").school_key is None
    Classroom.objects.filter(pk=classroom.pk).update(school=school)
    teacher_client.post(f"/classes/{classroom.pk}/archive/")
    line = DataRecord.objects.get(event="class archived", school_key=school.pk)
    assert (line.actor, line.classroom, line.action) == (teacher, classroom, "people")


def test_the_page_shows_only_the_lines_of_the_own_school(school, teacher_client, teacher, log_page):
    other = School.objects.create(name="Other school")
    DataRecord.objects.create(
        actor=teacher, action="security", event="e-mail changed", school_key=other.pk
    )
    DataRecord.objects.create(
        actor=teacher, action="looked", class_name="5-1", school_key=school.pk
    )
    page = teacher_client.get(log_page).content.decode()
    assert "5-1" in page and "<td>E-mail address changed" not in page


def test_the_site_sees_everything(school, teacher, client_of, db):
    kubo = User.objects.create_teacher("kubo", "Kubo Aya", "a good password")
    User.objects.filter(pk=kubo.pk).update(is_staff=True)
    DataRecord.objects.create(
        actor=teacher, action="security", event="e-mail changed", school_key=school.pk
    )
    page = client_of(kubo).get(reverse("site_log"))
    assert "E-mail address changed" in page.content.decode()
    assert school.name in page.content.decode()


def test_filters_and_the_file_which_is_a_line_itself(school, teacher, teacher_client, log_page):
    person = User.objects.create_teacher("mori", "Mori Ken", "a good password")
    old = timezone.now() - timedelta(days=3)
    line = {"school_key": school.pk, "actor": teacher}
    DataRecord.objects.create(**line, action="people", event="class given", person_key=person.pk)
    DataRecord.objects.create(**line, action="exported", at=old, rows={"accounts.User": 3})
    day = timezone.localdate()
    for asked, number in (
        ({"person": "mori"}, 1),
        ({"action": "exported"}, 1),
        ({"action": "people", "since": day.isoformat()}, 1),
        ({"until": (day - timedelta(days=1)).isoformat()}, 1),
        ({"person": "nobody"}, 0),
    ):
        assert len(teacher_client.get(log_page, asked).context["lines"]) == number, asked
    assert teacher_client.get(log_page, {"since": "yesterday"}).status_code == 422
    file = teacher_client.post(log_page, {"person": "mori"}).content.decode("utf-8-sig")
    [_heads, row] = csv.reader(io.StringIO(file))
    assert row[2] == teacher.username and row[9] == "Mori Ken"
    assert DataRecord.objects.latest("pk").event == "log exported"


def test_a_deleted_person_is_no_longer_named(school, teacher, teacher_client, log_page):
    person = User.objects.create_teacher("mori", "Mori Ken", "a good password")
    DataRecord.objects.create(
        school_key=school.pk, actor=person, action="security", event="e-mail changed"
    )
    DataRecord.objects.create(
        school_key=school.pk, actor=teacher, action="people", person_key=person.pk
    )
    person.delete()
    page = teacher_client.get(log_page).content.decode()
    assert "Mori" not in page and "deleted account" in page


def test_the_page_uses_the_same_number_of_queries_for_many_lines(
    school, teacher, teacher_client, log_page, queries_of
):
    few = queries_of(teacher_client, log_page)
    DataRecord.objects.bulk_create(
        DataRecord(school_key=school.pk, actor=teacher, action="people", person_key=teacher.pk)
        for _ in range(60)
    )
    assert queries_of(teacher_client, log_page) <= few + 2


def test_each_school_and_the_site_keep_lines_for_their_time(school, settings):
    settings.LOG_MONTHS = 12
    School.objects.filter(pk=school.pk).update(log_months=2)
    other = School.objects.create(name="Other school")
    for key in (school.pk, other.pk, None):
        for days in (1, 100, 400):
            DataRecord.objects.create(
                action="looked", school_key=key, at=timezone.now() - timedelta(days=days)
            )
    gone = expired_lines().order_by("school_key", "at").values_list("school_key", flat=True)
    assert sorted(gone, key=str) == sorted([school.pk, school.pk, other.pk, None], key=str)


def test_the_oldest_lines_go_first_if_there_are_too_many(monkeypatch):
    monkeypatch.setattr(DataRecord, "MAX_COUNT", 2)
    lines = [DataRecord.objects.create(action="looked") for _ in range(4)]
    assert set(expired_lines()) == set(lines[:2])


def test_every_event_fits_its_column():
    assert max(map(len, EVENTS)) <= DataRecord._meta.get_field("event").max_length
