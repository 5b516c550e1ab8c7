"""Messages of a class's teachers to its students, which stand on the students' home pages."""

from datetime import timedelta

import pytest
from django.utils import timezone

from puzzleclass.classes.models import Enrolment

URL = "/classes/{}/students/message/"


@pytest.fixture
def url(classroom) -> str:
    return URL.format(classroom.pk)


def test_only_the_chosen_students_see_the_message(
    url, teacher_client, student_client, client_of, classmate, student, classroom
):
    chosen = student.enrolments.get().pk
    answer = teacher_client.post(url, {"only": [chosen], "message": "Bring <b>stones</b>"})
    assert answer.url == f"/classes/{classroom.pk}/students/"
    assert "Bring &lt;b&gt;stones" in student_client.get("/").content.decode()
    assert "stones&lt;" not in client_of(classmate, "en").get("/").content.decode()


@pytest.mark.parametrize(("language", "words"), [("en", "From the teacher"), ("ja", "先生")])
def test_students_are_told_who_has_written(
    url, teacher_client, client_of, student, language, words
):
    teacher_client.post(url, {"only": [student.enrolments.get().pk], "message": "はい"})
    page = client_of(student, language).get("/").content.decode()
    assert words in page.partition('id="news"')[2]


def test_a_message_is_replaced_taken_back_and_old_after_14_days(
    url, teacher_client, student_client, student
):
    enrolment = student.enrolments.get()
    only = {"only": [enrolment.pk]}
    for text in ("First", "Second"):
        teacher_client.post(url, only | {"message": text})
    page = student_client.get("/").content.decode()
    assert "Second" in page and "First" not in page
    assert "Second" in teacher_client.get(url, only).content.decode()
    Enrolment.objects.update(messaged_at=timezone.now() - timedelta(days=15))
    assert "Second" not in student_client.get("/").content.decode()
    teacher_client.post(url, only | {"do": "take-back"})
    enrolment.refresh_from_db()
    assert (enrolment.message, enrolment.messaged_at) == ("", None)


@pytest.mark.parametrize("text", ["", "x" * 201])
def test_an_empty_or_long_message_is_refused_with_what_was_chosen(
    url, teacher_client, student, text
):
    key = student.enrolments.get().pk
    answer = teacher_client.post(url, {"only": [key], "message": text})
    assert answer.status_code == 422
    assert f'name="only" value="{key}"' in answer.content.decode()
    assert not Enrolment.objects.exclude(message="").exists()


def test_students_of_other_classes_are_not_chosen(url, teacher_client, other_student):
    key = other_student.enrolments.get().pk
    answer = teacher_client.post(url, {"only": [key], "message": "Hello"}, follow=True)
    assert "Select students in the class list first." in answer.content.decode()
    assert not Enrolment.objects.exclude(message="").exists()
