"""From every name of a student a teacher comes to the student's page."""

import pytest

from puzzleclass.play.models import FoundSolution


@pytest.mark.parametrize(
    "address",
    [
        "/classes/{c}/",
        "/classes/{c}/groups/",
        "/classes/{c}/pins/",
        "/classes/{c}/students/{e}/",
        "/classes/{c}/students/{e}/pin/",
        "/classes/{c}/students/{e}/move/",
        "/classes/{c}/students/{e}/remove/",
        "/assignments/{a}/",
        "/assignments/{a}/grades/",
        "/assignments/{a}/grades/?rows=tries",
        "/assignments/{a}/wall/{s}/",
        "/assigned/{p}/students/{s}/",
        "/assigned/{p}/solutions/",
        "/assigned/{p}/solutions/1/",
        "/assigned/{p}/hunt/?names=names",
        "/attempts/{t}/replay/",
    ],
)
def test_every_name_leads_to_the_page(
    address, teacher_client, classroom, assignment, assigned, student, tried, lines
):
    attempt = tried(student, assigned, lines.solution)
    assert FoundSolution.objects.exists()
    place = student.enrolments.get()
    group = classroom.groups.create(name="Reds")
    group.members.add(place)
    keys = {"c": classroom, "e": place, "a": assignment, "p": assigned, "s": student}
    url = address.format(**{key: row.pk for key, row in keys.items()}, t=attempt.key)
    page = teacher_client.get(url).content.decode()
    assert student.name in page
    assert f'href="/students/{student.pk}/"' in page
