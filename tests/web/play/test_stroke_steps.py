"""The moves of a stroke are one request, and either all of them are stored or none."""

import pytest
from django.urls import reverse

from puzzleclass.play.attempts import MAX_STROKE, take_step, take_stroke
from puzzleclass.play.models import Attempt, RefusedMove, Step
from puzzleclass.play.refusals import StepRefused
from puzzleclass.play.result_models import FoundSolution
from solvers.registry import ready_kinds

pytestmark = pytest.mark.django_db

HTMX = {"HX-Request": "true"}
YIN_YANG = ready_kinds()["yin_yang"]
LINE = "o 1,1 o 1,2 o 1,3"


@pytest.fixture
def assign_board(classroom, assign, make_puzzle):
    """Return a function that assigns a board to the class."""

    def assign_board(slug: str, position: str):
        return assign(classroom, make_puzzle(slug, position, slug)).puzzles.get()

    return assign_board


@pytest.fixture
def board(assign_board):
    """Return an assigned board on which the student has done nothing yet."""
    return assign_board(YIN_YANG.slug, "5x5")


@pytest.fixture
def attempt(student, board) -> Attempt:
    return Attempt.first(student, board)


def refusal(attempt: Attempt, number: int, line: str) -> tuple[int, str]:
    with pytest.raises(StepRefused) as refused:
        take_stroke(attempt, number, line)
    return refused.value.status, str(refused.value)


def send(client, attempt, number, line):
    return client.post(
        f"/attempts/{attempt.key}/steps/", {"step": number, "stroke": line}, headers=HTMX
    )


def test_a_stroke_is_one_request_with_a_step_for_each_move(student_client, attempt):
    answer = send(student_client, attempt, 0, LINE)
    assert answer.status_code == 200
    assert list(Step.objects.values_list("number", "action", "move")) == [
        (0, "move", "o 1,1"), (1, "move", "o 1,2"), (2, "move", "o 1,3"),
    ]  # fmt: skip
    stored = Attempt.objects.get()
    assert (stored.line, stored.next_step) == (LINE, 3)
    assert 'name="step" value="3"' in answer.content.decode()
    assert take_step(stored, 3, "undo").line == "o 1,1 o 1,2"


def test_a_stroke_that_is_sent_twice_counts_once(attempt):
    first = take_stroke(attempt, 0, LINE)
    assert take_stroke(first, 0, LINE).next_step == 3
    after = take_step(first, 3, "move", "o 5,5")
    assert take_stroke(after, 0, LINE).next_step == 4


@pytest.mark.parametrize("line", ["x 1,1", "o 1,1 o 1,2 o 2,2", "o 1,1 o 1,2 o 1,3 o 2,2"])
def test_another_stroke_with_an_old_number_is_refused(attempt, line):
    after = take_step(take_stroke(attempt, 0, LINE), 3, "move", "o 5,5")
    status, why = refusal(after, 0, line)
    assert status == 409 and "another window" in why
    assert Step.objects.count() == 4


def test_a_move_against_the_rules_takes_the_whole_stroke_back_and_is_named(student_client, attempt):
    answer = send(student_client, attempt, 0, "o 1,1 o 1,2 o 1,1 o 1,3")
    assert answer["Refused"] == "422"
    assert "Row 1, column 1 is like this already." in answer.content.decode()
    assert not Step.objects.exists()
    # It says nothing about what the student has not understood.
    assert not RefusedMove.objects.exists()
    assert take_stroke(attempt, 0, LINE).next_step == 3


@pytest.mark.parametrize("line", ["", " ", "o", "1", "o 1,1 x", "z 1,1", "o 0,0 o 1,1", "o 1,1\0"])
def test_a_forged_stroke_is_refused(student_client, attempt, line):
    assert send(student_client, attempt, 0, line).status_code == 400
    assert not Step.objects.exists()


def test_a_stroke_has_a_bound(attempt):
    line = " ".join(["o 1,1", "- 1,1"] * (MAX_STROKE // 2))
    status, why = refusal(attempt, 0, f"{line} o 1,1")
    assert status == 400
    assert f"has {MAX_STROKE + 1} moves" in why
    assert take_stroke(attempt, 0, line).next_step == MAX_STROKE


def test_a_stroke_ends_with_the_move_that_solves_the_board(student, assign_board, attempt):
    queens = ready_kinds()["queens"]
    start = Attempt.first(student, assign_board(queens.slug, "4x4"))
    line = "o 1,2 o 2,4 o 3,1 o 4,3 o 4,4"
    solved = take_stroke(start, 0, line)
    assert solved.state == Attempt.State.SOLVED
    assert solved.line == "o 1,2 o 2,4 o 3,1 o 4,3"
    assert FoundSolution.objects.count() == 1
    assert take_stroke(solved, 0, line).next_step == 4


def test_a_stroke_of_a_teacher_leaves_no_trace(teacher_client, board):
    address = reverse("trial", args=[board.trial_name])
    page = teacher_client.get(address)
    answer = teacher_client.post(
        page.context["attempt"].addresses["step"], {"step": 0, "stroke": LINE}, headers=HTMX
    )
    assert answer.context["attempt"].line == LINE
    assert not Step.objects.exists()


def test_boards_that_take_strokes_load_their_script(student_client, assign_board, board):
    assert "strokes.js" in student_client.get(f"/play/{board.pk}/").content.decode()
    other = assign_board("goishi", "oo/oo")
    assert "strokes.js" not in student_client.get(f"/play/{other.pk}/").content.decode()
