"""The seating plan of a class, on its page and on the lesson page."""

import pytest
from django.urls import reverse

from puzzleclass.lessons.models import SeatingPlan
from puzzleclass.lessons.seats import seats_of


@pytest.fixture
def pks(classroom):
    return list(classroom.enrolments.order_by("number").values_list("student", flat=True))


@pytest.fixture
def arrange(teacher_client, classroom):
    """Return a function that sends a plan as the page does."""

    def arrange(places: list[object], columns: object = 2):
        url = reverse("seats", args=[classroom.pk])
        return teacher_client.post(url, {"columns": columns, "place": places})

    return arrange


def test_a_class_sits_by_number_until_somebody_arranges_it(classroom, pks):
    assert seats_of(classroom, pks).places == pks


def test_an_arranged_plan_is_the_order_of_the_lesson_page(
    arrange, teacher_client, classroom, assignment, pks
):
    wanted = [pks[2], 0, pks[0], pks[1]]
    assert arrange(wanted).status_code == 302
    assert seats_of(classroom, pks) == (2, wanted)
    url = reverse("lesson", args=[assignment.pk])
    page = teacher_client.get(url, {"view": "seats"})
    assert [tile and tile.student for tile in page.context["tiles"]] == [pks[2], None, *pks[:2]]
    assert 'data-columns="2"' in page.content.decode()
    # The other views are by number, and an update sends no empty place.
    assert [tile.student for tile in teacher_client.get(url).context["tiles"]] == pks


def test_a_student_who_comes_later_sits_behind_the_others(arrange, classroom, pks, other_student):
    arrange([0, *reversed(pks)])
    classroom.enrolments.create(student=other_student, number=30)
    everybody = {*pks, other_student.pk}
    assert seats_of(classroom, everybody).places == [0, *reversed(pks), other_student.pk]
    assert seats_of(classroom, everybody - {pks[0]}).places[1:] == [
        *reversed(pks[1:]),
        0,
        other_student.pk,
    ]


@pytest.mark.parametrize("columns", ["0", "13", "", "x"])
def test_a_plan_has_a_sensible_width(arrange, pks, columns):
    answer = arrange(pks, columns)
    assert answer.status_code == 422 and 'class="notice bad"' in answer.content.decode()
    assert not SeatingPlan.objects.exists()


def test_a_plan_holds_each_student_of_the_class_at_most_once(arrange, pks, other_student):
    for places, fault in (
        ([pks[0], pks[0]], "sits at two places"),
        ([*pks, other_student.pk], "has changed"),
        ([*pks, *[0] * 400], "at most"),
    ):
        answer = arrange(places)
        assert answer.status_code == 422 and fault in answer.content.decode()
        assert not SeatingPlan.objects.exists()


def test_nonsense_is_an_empty_place(arrange, classroom, pks):
    assert arrange(["x", pks[0], "9" * 40]).status_code == 302
    assert seats_of(classroom, pks[:1]).places == [0, pks[0], 0]
