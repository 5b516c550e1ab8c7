"""Attempts of an earlier release, in which lines were drawn between any two squares of Tents."""

from importlib import import_module
from types import SimpleNamespace

import pytest
from django.apps import apps
from django.db import connection

from puzzleclass.kinds.models import StoredTable
from puzzleclass.play.models import Attempt, RefusedMove, Step
from puzzleclass.play.result_models import FoundSolution
from puzzleclass.practice.models import ReturningPosition
from solvers.message import Message
from solvers.registry import ready_kinds

pytestmark = pytest.mark.django_db

TENTS = ready_kinds()["tents"]
BOARD = "T..../...../....T"
WHY = {"reason": Message("It is like this already.").to_json()}
GOOD, OTHER, BETWEEN_LIKE = "o 2,4", "o 8,13", "o 8,4"
MIGRATION = import_module("puzzleclass.play.migrations.0016_lines_between_like_squares")


def store(student, board, *steps: str, **fields: object) -> Attempt:
    """Store an attempt with these moves; an empty text takes one back."""
    attempt = Attempt.objects.create(
        student=student, puzzle=board, next_step=len(steps), number=1, **fields
    )
    for number, move in enumerate(steps):
        action = "move" if move else "undo"
        Step.objects.create(attempt=attempt, number=number, action=action, move=move)
    return attempt


@pytest.fixture
def board(classroom, assign, make_puzzle):
    return assign(classroom, make_puzzle(TENTS.slug, BOARD, "Tents")).puzzles.get()


def migrate() -> None:
    MIGRATION.leave_out(apps, SimpleNamespace(connection=connection))


def test_the_other_moves_of_the_attempt_remain_and_its_pages_open(
    board, student, classmate, student_client, teacher_client
):
    steps = (GOOD, BETWEEN_LIKE, "", BETWEEN_LIKE, OTHER, "")
    mine = store(student, board, *steps, line=f"{GOOD} {BETWEEN_LIKE}", undone=OTHER)
    mine.hints.create(step=4, line=f"{GOOD} {BETWEEN_LIKE}", level=1)
    other = store(classmate, board, GOOD, OTHER, line=f"{GOOD} {OTHER}")
    for line in (GOOD, BETWEEN_LIKE):
        RefusedMove.objects.create(student=student, puzzle=board, line=line, move=GOOD, **WHY)
    ReturningPosition.objects.create(student=student, puzzle=board, line=BETWEEN_LIKE)
    line = f"{BETWEEN_LIKE} - {BETWEEN_LIKE[2:]} {GOOD} {OTHER}"
    FoundSolution.objects.create(student=student, puzzle=board, text="", line=line)
    StoredTable.objects.create(slug=f"t-{7:032x}", text="no table", is_kept=True)
    migrate()
    mine.refresh_from_db()
    assert (mine.line, mine.undone, mine.next_step) == (GOOD, OTHER, 6)
    assert list(mine.steps.values_list("number", "move")) == [(0, GOOD), (4, OTHER), (5, "")]
    assert mine.hints.get().line == GOOD
    other.refresh_from_db()
    assert (other.line, other.steps.count()) == (f"{GOOD} {OTHER}", 2)
    assert RefusedMove.objects.get().line == GOOD
    assert not ReturningPosition.objects.exists()
    assert FoundSolution.objects.get().line == f"{GOOD} {OTHER}"
    assert student_client.get(f"/play/{board.pk}/").status_code == 200
    assert teacher_client.get(mine.get_absolute_url()).status_code == 200
    assert teacher_client.get(board.assignment.get_absolute_url()).status_code == 200
