"""A student looks at their own tries."""

import pytest
from django.db import connection
from django.test.utils import CaptureQueriesContext

from puzzleclass.play.attempts import restart
from puzzleclass.play.models import Attempt

pytestmark = pytest.mark.django_db

HTMX = {"HX-Request": "true"}


def test_the_latest_try_is_shown_with_its_order(student_client, student, assigned, lines, tried):
    restart(tried(student, assigned, lines.jam))
    tried(student, assigned, lines.solution.split()[0])
    page = student_client.get(f"/play/{assigned.pk}/tries/")
    assert page.context["shown"].number == 2
    assert page.context["player"].step == page.context["player"].total == 1
    # That is for teachers.
    assert b"Show to the class" not in page.content
    assert [attempt.number for attempt in page.context["page"]] == [2, 1]
    earlier = f"/play/{assigned.pk}/tries/1/"
    player = student_client.get(earlier, {"step": 1}, headers=HTMX)
    assert player.context["player"].step == 1
    assert b"<html" not in player.content
    assert student_client.get(f"/play/{assigned.pk}/").content.count(b"/tries/") == 1


def test_more_tries_cost_no_query(
    student_client, student, assigned, lines, tried, django_assert_num_queries
):
    attempt = tried(student, assigned, lines.jam)
    url = f"/play/{assigned.pk}/tries/"
    with CaptureQueriesContext(connection) as few:
        student_client.get(url)
    for _ in range(3):
        restart(attempt)
        attempt = tried(student, assigned, lines.jam)
    with django_assert_num_queries(len(few)):
        assert len(student_client.get(url).context["page"]) == 4


def test_there_may_be_none(student_client, assigned):
    assert student_client.get(f"/play/{assigned.pk}/tries/").status_code == 200
    assert student_client.get(f"/play/{assigned.pk}/tries/0/").status_code == 404
    assert not Attempt.objects.exists()


def test_a_classmate_sees_nothing_of_it(client_of, classmate, student, assigned, lines, tried):
    tried(student, assigned, lines.jam)
    client = client_of(classmate)
    assert client.get(f"/play/{assigned.pk}/tries/").context["shown"] is None
    assert client.get(f"/play/{assigned.pk}/tries/1/").status_code == 404
