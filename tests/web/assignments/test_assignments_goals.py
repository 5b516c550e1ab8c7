"""The goals of boards with a score, when they are assigned to a class."""

import re

import pytest

from puzzleclass.assignments.models import AssignedPuzzle
from puzzleclass.jobs import services as jobs
from puzzleclass.jobs.models import Job
from puzzleclass.puzzles.models import Puzzle
from tests.web.assignments.assignment_form import fields, in_library

WIDE = "/".join(["." * 11 + "-"] + ["." * 12] * 11)
"""A board whose optimum, 109, is not known at once because the board is too wide."""


@pytest.fixture
def drawn(make_puzzle):
    """Return a function that puts a board of a kind with a score into the teacher's library."""

    def drawn(position: str) -> Puzzle:
        return make_puzzle("maxstrings", position, "Go")

    return drawn


@pytest.fixture
def assign_board(teacher_client, classroom):
    """Return a function that assigns a board of the library to the class, with a goal."""

    def assign_board(board: Puzzle, goal: str):
        name = in_library(board)
        sent = fields(name, **{f"goal-{name}": goal})
        return teacher_client.post(f"/classes/{classroom.pk}/assignments/new/", sent)

    return assign_board


def test_the_goal_is_set_when_a_board_is_assigned(drawn, assign_board):
    board = drawn(".../.../...")
    assert assign_board(board, "4").status_code == 302
    assert AssignedPuzzle.objects.get().position == ".../.../... 4"
    board.refresh_from_db()
    assert board.position == ".../.../..."


def test_a_board_keeps_its_own_goal_unless_it_is_changed(
    teacher_client, classroom, drawn, assign_board
):
    board = drawn(".../.../... 5")
    new = f"/classes/{classroom.pk}/assignments/new/?puzzle={board.pk}"
    page = teacher_client.get(new).content.decode()
    assert re.search(rf'name="goal-library-{board.pk}"\s+value="5"\s+placeholder="6"', page)
    assign_board(board, "")
    assert AssignedPuzzle.objects.get().position == ".../.../..."


@pytest.mark.parametrize(("goal", "fault"), [("7", "holds 6 at most"), ("x", "whole number")])
def test_an_impossible_goal_is_not_assigned(drawn, assign_board, goal, fault):
    answer = assign_board(drawn(".../.../..."), goal)
    assert answer.status_code == 422
    page = answer.content.decode()
    assert fault in page and f'value="{goal}"' in page
    assert not AssignedPuzzle.objects.exists()


def test_no_board_without_a_known_goal_is_assigned(drawn, assign_board, teacher, answered):
    board = drawn(WIDE)
    answer = assign_board(board, "")
    assert answer.status_code == 422
    assert "The best possible score of this puzzle is not known yet." in answer.content.decode()
    answered(jobs.ask(teacher, "maxstrings", "best", WIDE), 109)
    assert assign_board(board, "").status_code == 302
    assert AssignedPuzzle.objects.get().position == f"{WIDE} 109"


def test_the_optimum_of_an_assigned_board_is_asked_for(drawn, assign_board):
    assert assign_board(drawn(f"{WIDE} 100"), "100").status_code == 302
    assert Job.objects.get(question="best").position == WIDE


def test_an_assigned_goal_stays(teacher_client, classroom, drawn, assign):
    assignment = assign(classroom, drawn(".../.../... 5"))
    page = teacher_client.get(f"/assignments/{assignment.pk}/edit/").content.decode()
    assert "Goal: 5" in page and 'name="goal-given' not in page
    name = f"given-{assignment.puzzles.get().pk}"
    sent = fields(name, **{f"goal-{name}": "3"})
    assert teacher_client.post(f"/assignments/{assignment.pk}/edit/", sent).status_code == 302
    assert assignment.puzzles.get().position == ".../.../... 5"
