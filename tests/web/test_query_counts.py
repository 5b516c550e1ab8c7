"""The number of queries of a page does not depend on how many boards it has, or of which kinds."""

import random

import pytest

from puzzleclass.assignments.dealing import deal
from puzzleclass.assignments.models import Assignment
from puzzleclass.puzzles.models import Puzzle
from solvers.registry import kinds


@pytest.fixture
def boards(make_puzzle):
    """Return a function that puts boards of every kind into the library.

    Some of them are small, and some have sizes that no table knows.
    """
    rng = random.Random(9)

    def boards(sizes: tuple[int, ...]) -> list[Puzzle]:
        return [
            make_puzzle(slug, kind.write(kind.sample(rng, size)), f"{slug} {size}")
            for slug, kind in kinds().items()
            for size in sizes
        ]

    return boards


@pytest.fixture
def played(tried):
    """Return a function that lets every student make the first legal move at every assigned
    puzzle."""

    def played(assignment) -> None:
        for board in assignment.puzzles.all():
            moves = board.kind.moves(board.start)
            first = next((board.kind.write_move(move) for move in moves), None)
            for student in assignment.classroom.students.all():
                tried(student, board, *[first] if first else [])

    return played


FEW, MANY = (3, 12), (3, 4, 5, 11, 12, 13)
"""Sizes of the boards of every kind."""


def test_the_class_table(
    teacher, teacher_client, classroom, make_class, assign, boards, played, queries_of
):
    small = assign(classroom, *boards(FEW))
    large = assign(make_class(teacher, "Large", *"abcdefgh"), *boards(MANY))
    played(small)
    played(large)
    urls = [f"/assignments/{one.pk}/" for one in (small, large)]
    numbers = [queries_of(teacher_client, url) for url in urls]
    assert numbers[0] == numbers[1] <= 17


def test_the_form_of_an_assignment(teacher_client, classroom, assign, boards, queries_of):
    numbers = []
    boards(FEW)  # these are not assigned
    for sizes in (FEW, MANY):
        assignment = assign(classroom, *boards(sizes))
        new = f"/classes/{classroom.pk}/assignments/new/"
        edit = f"/assignments/{assignment.pk}/edit/"
        numbers.append((queries_of(teacher_client, new), queries_of(teacher_client, edit)))
    assert numbers[0] == numbers[1] <= (9, 15)


@pytest.mark.parametrize(("who", "most"), [("student_client", 19), ("teacher_client", 15)])
def test_the_front_page(request, who, most, classroom, assign, boards, played, queries_of):
    numbers = []
    for sizes in (FEW, MANY):
        played(assign(classroom, *boards(sizes)))
        numbers.append(queries_of(request.getfixturevalue(who), "/"))
    assert numbers[0] == numbers[1] <= most


def test_the_front_page_of_a_teacher_with_many_classes(
    teacher, teacher_client, make_class, assign, boards, played, queries_of
):
    """All assignments count: those that deal their boards, want several solutions, or are for some
    students."""
    numbers = []
    puzzles = boards((3,))
    for number in range(3):
        room = make_class(teacher, f"5-{number}", *"abc"[: number + 1])
        played(assign(room, *puzzles, wanted=2))
        played(assign(room, *puzzles, dealing=Assignment.Dealing.EACH))
        deal(assign(room, *puzzles), [room.students.first().pk])
        numbers.append(queries_of(teacher_client, "/"))
    assert numbers[0] == numbers[1] == numbers[2] <= 22
