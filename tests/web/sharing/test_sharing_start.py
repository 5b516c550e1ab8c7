"""The choice of a lesson for a class, by its grade."""

import pytest
from django.urls import reverse

from puzzleclass.assignments.models import Assignment
from puzzleclass.classes.models import GRADES
from puzzleclass.puzzles.models import Puzzle
from puzzleclass.sharing.plans import plans_for, sets_for
from puzzleclass.sharing.starting import find_start


@pytest.fixture
def page(classroom) -> str:
    return reverse("lesson_start", args=[classroom.pk])


@pytest.mark.parametrize("grade", [None, *GRADES])
def test_each_grade_is_offered_plans_and_boards(grade):
    assert plans_for(grade) and sets_for(grade)
    for kind, level in sets_for(grade):
        start = find_start(f"set:{kind}:{level}")
        assert start and len(start.puzzles) == 6


def test_the_first_plan_suits_the_grade():
    assert [plan.slug for plan in plans_for(6)][:2] == ["kikazu-pieces", "counting-cases"]
    assert plans_for(2)[0].slug == "goishi-first"


@pytest.mark.parametrize("start", ["plan:kikazu-pieces", "set:goishi:2"])
def test_one_press_assigns_and_opens_the_lesson(teacher_client, classroom, page, start):
    answer = teacher_client.post(page, {"start": start})
    assignment = Assignment.objects.get(classroom=classroom)
    assert answer.url == reverse("lesson", args=[assignment.pk])
    assert assignment.is_shown and not assignment.is_over
    assert all(board.puzzle is None for board in assignment.puzzles.all())
    assert not Puzzle.objects.exists()
    # A second assignment gets another title.
    teacher_client.post(page, {"start": start})
    assert len(set(Assignment.objects.values_list("title", flat=True))) == 2


def test_what_the_class_has_had_comes_last(teacher_client, classroom, page):
    classroom.grade = 5
    classroom.save()
    teacher_client.post(page, {"start": "plan:kikazu-pieces"})
    shown = teacher_client.get(page)
    assert [start.plan.slug for start in shown.context["plans"]][-1] == "kikazu-pieces"
    assert "This class has had it" in shown.content.decode()


def test_an_unknown_grade_is_asked_for_with_one_press(teacher_client, teacher, make_class):
    classroom = make_class(teacher, "2-1")
    page = reverse("lesson_start", args=[classroom.pk])
    shown = teacher_client.get(page)
    assert [grade for grade, _label in shown.context["choices"]] == [2, 8, 11]
    assert teacher_client.post(page, {"grade": "8"}).url == page
    classroom.refresh_from_db()
    assert classroom.grade == 8


@pytest.mark.parametrize(
    "sent", [{}, {"start": "plan:no"}, {"start": "set:goishi:99"}, {"grade": "13"}, {"grade": "x"}]
)
def test_a_choice_that_is_none_is_refused(teacher_client, page, sent):
    assert teacher_client.post(page, sent).status_code == 400
    assert not Assignment.objects.exists()
