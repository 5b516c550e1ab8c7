"""Two teachers' tablets lead one lesson, and press at the same moment."""

import pytest
from django.test import Client
from django.urls import reverse

from puzzleclass.assignments.lesson_models import Attendance
from puzzleclass.lessons.models import Question

pytestmark = pytest.mark.django_db(transaction=True)

TABLETS = 4


@pytest.fixture
def press_together(teacher, assigned, at_once):
    """Return a function that sends a form from all tablets, and returns the statuses."""

    def press_together(name: str, key: int, fields: dict[str, object]) -> list[int]:
        tablets = [Client() for _ in range(TABLETS)]
        for tablet in tablets:
            tablet.force_login(teacher)
        url = reverse(name, args=[key])
        answers = at_once(lambda tablet: tablet.post(url, fields), *tablets)
        return [getattr(answer, "status_code", answer) for answer in answers]

    return press_together


@pytest.mark.parametrize("sort", ["count", "solve"])
def test_one_of_several_questions_runs(sort, press_together, assigned):
    fields = {"do": f"ask:{sort}", "board": assigned.pk}
    for _ in range(3):
        assert press_together("lead", assigned.assignment_id, fields) == [302] * TABLETS
        assert Question.objects.exclude(stage=Question.Stage.OVER).count() == 1


def test_a_student_has_one_of_several_messages(press_together, assigned, student):
    fields = {"do": "write", "student": student.pk, "message": "Try the corner"}
    for _ in range(6):
        assert press_together("lead", assigned.assignment_id, fields) == [302] * TABLETS
        assert Attendance.objects.get().message == "Try the corner"
