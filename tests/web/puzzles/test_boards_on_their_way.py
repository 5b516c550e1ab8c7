"""Boards that are given to a class: the library has them only when they are assigned."""

from datetime import timedelta

import pytest
from django.urls import reverse
from django.utils import timezone

from puzzleclass.puzzles import generator
from puzzleclass.puzzles.models import Puzzle
from solvers.registry import collection, get_kind
from tests.presses import Reader

FIRST, SECOND, THIRD = [puzzle.position for puzzle in collection(get_kind("goishi"))[:3]]
LEVEL = reverse("collection", args=["goishi", 1])


def give(client, classroom, *boards):
    return client.post(LEVEL, {"boards": boards, "give": classroom.pk})


def test_a_cancelled_assignment_leaves_no_copies(teacher_client, teacher, classroom):
    address = give(teacher_client, classroom, SECOND, THIRD).url
    page = teacher_client.get(address).content.decode()
    assert "Goishi Hiroi 1-2" in page and "Goishi Hiroi 1-3" in page
    assert not teacher.puzzles.exists()
    assert not Puzzle.expired().exists()
    Puzzle.every.update(changed_at=timezone.now() - timedelta(days=2))
    assert Puzzle.expired().count() == 2


def test_the_library_has_what_was_assigned(teacher_client, teacher, classroom):
    give(teacher_client, classroom, FIRST)
    reader = Reader(teacher_client, give(teacher_client, classroom, SECOND, THIRD).url)
    reader.press("Assign")
    titles = ["Goishi Hiroi 1-2", "Goishi Hiroi 1-3"]
    assert sorted(puzzle.title for puzzle in teacher.puzzles.all()) == titles
    assert [board.title for board in classroom.assignments.get().puzzles.all()] == titles


def test_a_board_of_the_collection_keeps_its_number(teacher_client, teacher, make_puzzle):
    teacher_client.post(LEVEL, {"boards": [THIRD]})
    teacher_client.post(LEVEL, {"boards": [FIRST, SECOND]})
    assert {puzzle.position: puzzle.title for puzzle in teacher.puzzles.all()} == {
        FIRST: "Goishi Hiroi 1-1",
        SECOND: "Goishi Hiroi 1-2",
        THIRD: "Goishi Hiroi 1-3",
    }


def test_boards_that_wait_have_a_bound(teacher_client, classroom, monkeypatch):
    monkeypatch.setattr(generator, "MAX_WAITING", 2)
    for board in (FIRST, SECOND, THIRD):
        give(teacher_client, classroom, board)
    assert set(Puzzle.every.values_list("position", flat=True)) == {SECOND, THIRD}


def test_nobody_else_assigns_them(teacher_client, other_client, classroom, other_student):
    give(teacher_client, classroom, FIRST)
    room = other_student.enrolments.get().classroom
    page = other_client.get(
        reverse("assignment_new", args=[room.pk]), {"puzzle": Puzzle.every.get().pk}
    )
    assert "Goishi Hiroi 1-1" not in page.content.decode()


@pytest.mark.parametrize("times", [1, 2])
def test_a_second_press_assigns_one_board_once(teacher_client, teacher, classroom, times):
    for _ in range(times):
        address = give(teacher_client, classroom, FIRST).url
    Reader(teacher_client, address).press("Assign")
    assert teacher.puzzles.count() == 1
