"""The link to an assignment that a teacher shares with a class."""

from urllib.parse import parse_qs, urlsplit

import pytest
from django.urls import reverse
from django.utils import timezone

from puzzleclass.classes.models import Classroom
from tests.web.conftest import PIN


@pytest.fixture
def link(assignment) -> str:
    return reverse("assignment_open", args=[assignment.classroom.code, assignment.pk])


def test_the_class_table_has_the_link_and_a_plain_link_to_classroom(
    teacher_client, assignment, link
):
    page = teacher_client.get(reverse("assignment", args=[assignment.pk]))
    assert page.context["share_url"] == f"http://testserver{link}"
    address = urlsplit(page.context["classroom_url"])
    assert (address.scheme, address.netloc) == ("https", "classroom.google.com")
    assert parse_qs(address.query) == {
        "url": [f"http://testserver{link}"],
        "title": [assignment.title],
    }
    assert "https://apis.google.com" not in page.content.decode()


def test_a_student_signs_in_with_number_and_pin_and_is_at_the_board(
    client_of, student, assigned, link
):
    client = client_of(None)
    page = client.get(link, follow=True)
    number = student.enrolments.get().number
    page = client.post(page.redirect_chain[-1][0], {"who": number}, follow=True)
    page = client.post(page.redirect_chain[-1][0], {"pin": PIN}, follow=True)
    assert page.redirect_chain[-1][0] == reverse("play", args=[assigned.pk])


def test_the_link_leads_to_the_first_board_that_is_not_solved(
    client_of, student, assignment, assigned, tried, lines, link
):
    tried(student, assigned, lines.solution)
    assert client_of(student).get(link).url == reverse("play", args=[assigned.pk])
    second = assignment.puzzles.create(
        number=2, kind_slug="goishi", position="oo/oo", title="Second"
    )
    assert client_of(student).get(link).url == reverse("play", args=[second.pk])


def test_a_teacher_is_led_to_the_class_table(teacher_client, assignment, link):
    assert teacher_client.get(link).url == reverse("assignment", args=[assignment.pk])


@pytest.mark.parametrize("change", [{"is_draft": True}, {"deleted_at": timezone.now()}])
def test_what_students_do_not_see_is_not_open(client_of, student, assignment, link, change):
    type(assignment).every.filter(pk=assignment.pk).update(**change)
    answer = client_of(student).get(link)
    assert answer.status_code == 403
    assert "not open for you" in answer.content.decode()


def test_a_link_of_an_old_class_code_asks_for_the_code(client_of, assignment, link):
    Classroom.objects.update(code="NEWCDE")
    answer = client_of(None).get(link, follow=True)
    assert answer.status_code == 404
    assert 'name="code"' in answer.content.decode()
