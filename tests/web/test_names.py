"""Every name of a student leads a teacher to the student's page."""

import pytest

from puzzleclass.play.result_models import FoundSolution


@pytest.mark.parametrize(
    "address",
    [
        "/classes/{c}/students/",
        "/classes/{c}/pins/",
        "/classes/{c}/students/{e}/",
        "/classes/{c}/students/move/?only={e}",
        "/classes/{c}/students/{e}/remove/",
        "/assignments/{a}/",
        "/classes/{c}/grades/",
        "/assignments/{a}/?rows=attempts",
        "/assignments/{a}/lesson/?student={s}",
        "/assigned/{p}/students/{s}/",
        "/assigned/{p}/found/",
        "/assigned/{p}/solutions/1/",
        "/attempts/{t}/replay/",
    ],
)
def test_every_name_leads_to_the_page(
    address, teacher_client, classroom, assignment, assigned, student, tried, lines
):
    attempt = tried(student, assigned, lines.solution)
    assert FoundSolution.objects.exists()
    enrolment = student.enrolments.get()
    group = classroom.groups.create(name="Reds")
    group.members.add(enrolment)
    keys = {"c": classroom, "e": enrolment, "a": assignment, "p": assigned, "s": student}
    url = address.format(**{key: row.pk for key, row in keys.items()}, t=attempt.key)
    page = teacher_client.get(url).content.decode()
    assert student.name in page
    assert f'href="/students/{student.pk}/"' in page
