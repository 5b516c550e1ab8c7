"""The teachers of a class: owners, teachers, and substitutes who only look."""

import pytest

from puzzleclass.classes.models import Teaching


@pytest.fixture
def lookable(classroom, assignment, assigned, student, tried) -> list[str]:
    """Pages that only show."""
    attempt = tried(student, assigned, "1,1")
    return [
        f"/classes/{classroom.pk}/",
        f"/assignments/{assignment.pk}/",
        f"/assigned/{assigned.pk}/students/{student.pk}/",
        f"/assigned/{assigned.pk}/solutions/",
        f"/attempts/{attempt.key}/replay/",
    ]


@pytest.fixture
def changing(classroom, assignment, assigned, student, tried) -> list[str]:
    """What changes something, or leads to it."""
    here, place = f"/classes/{classroom.pk}/", student.enrolments.get().pk
    return [
        *(f"{here}{name}/" for name in ("edit", "delete", "door", "pins", "students/new")),
        *(f"{here}students/{place}/{name}" for name in ("", "pin/", "remove/")),
        f"{here}assignments/new/",
        f"/assignments/{assignment.pk}/edit/",
        f"/assignments/{assignment.pk}/delete/",
        f"/assigned/{assigned.pk}/count/",
    ]


def test_a_substitute_looks_and_changes_nothing(
    substitute_client, lookable, changing, classroom, student
):
    for url in lookable:
        assert substitute_client.get(url).status_code == 200, url
    for url in changing:
        assert substitute_client.post(url, {"do": "close"}).status_code == 403, url
    assert classroom.students.count() == 3
    assert student.check_pin("1234")


def test_only_an_owner_deletes_a_class(colleague, colleague_client, classroom):
    Teaching.objects.filter(teacher=colleague).update(role="teacher")
    url = f"/classes/{classroom.pk}/delete/"
    assert colleague_client.get(url).status_code == 403
    assert colleague_client.post(url).status_code == 403
    assert colleague_client.get(f"/classes/{classroom.pk}/edit/").status_code == 200
