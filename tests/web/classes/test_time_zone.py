"""The time zone of a class, in which its due dates are entered and shown."""

from datetime import UTC, datetime

import pytest
from django.template import Context, Template
from django.utils import timezone

from puzzleclass.assignments.forms import usual_due_date
from puzzleclass.classes.models import Classroom
from tests.web.assignments.assignment_form import fields

SHOWN = Template("{% moment at zone %}|{% due_date at zone %}")
LATE = datetime(2999, 12, 5, 16, tzinfo=UTC)


@pytest.fixture
def sydney(classroom) -> Classroom:
    classroom.time_zone = "Australia/Sydney"
    classroom.save()
    return classroom


@pytest.mark.parametrize(
    ("zone", "said"),
    [
        ("", "6 Dec 2999, 01:00|Fri 6 Dec · "),
        ("Asia/Seoul", "6 Dec 2999, 01:00|Fri 6 Dec · "),
        ("Europe/Berlin", "5 Dec 2999, 17:00 (Central European Standard Time)|Thu 5 Dec"),
    ],
)
def test_the_zone_is_named_where_clocks_of_the_reader_differ(classroom, zone, said):
    classroom.time_zone = zone
    text = SHOWN.render(Context({"at": LATE, "zone": classroom.zone}))
    assert text.startswith(said)
    assert ("(Central European" in text.partition("|")[2]) is ("Berlin" in zone)


def test_a_due_date_is_entered_in_the_zone_of_the_class(teacher_client, sydney, assignment):
    url = f"/assignments/{assignment.pk}/edit/"
    board = assignment.puzzles.get()
    due = datetime(2030, 7, 1, 17, tzinfo=sydney.zone)
    sent = fields(f"given-{board.pk}", due_at="2030-07-01T17:00")
    assert teacher_client.post(url, sent).status_code == 302
    assignment.refresh_from_db()
    assert assignment.due_at == due
    assert 'value="2030-07-01T17:00"' in teacher_client.get(url).content.decode()
    page = teacher_client.get(f"/assignments/{assignment.pk}/").content.decode()
    assert "1 Jul 2030, 17:00 (Australian Eastern Standard Time)" in page
    assert timezone.localtime(usual_due_date(sydney), sydney.zone).hour == 17


def test_the_settings_of_a_class_have_its_zone(teacher_client, classroom):
    url = f"/classes/{classroom.pk}/edit/"
    sent = {"name": classroom.name, "practice": "on", "time_zone": "Asia/Seoul"}
    assert teacher_client.post(url, sent).status_code == 302
    classroom.refresh_from_db()
    assert str(classroom.zone) == "Asia/Seoul"
    assert teacher_client.post(url, sent | {"time_zone": "Mars/Base"}).status_code == 422
