"""Pages about many boards: how many there are, and of which kinds, costs no query."""

import random

import pytest

from puzzleclass.puzzles.models import Puzzle
from solvers.registry import kinds


@pytest.fixture
def boards(make_puzzle):
    """Puts boards of every kind into the library, small ones and some that no table knows."""
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
    """Lets every student make the first legal move at every puzzle of an assignment."""

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
    assert numbers[0] == numbers[1] <= 15


def test_the_form_of_an_assignment(teacher_client, classroom, assign, boards, queries_of):
    numbers = []
    boards(FEW)  # not given to anybody
    for sizes in (FEW, MANY):
        given = assign(classroom, *boards(sizes))
        new = f"/classes/{classroom.pk}/assignments/new/"
        edit = f"/assignments/{given.pk}/edit/"
        numbers.append((queries_of(teacher_client, new), queries_of(teacher_client, edit)))
    assert numbers[0] == numbers[1] <= (8, 13)


@pytest.mark.parametrize(("who", "most"), [("student_client", 8), ("teacher_client", 6)])
def test_the_front_page(request, who, most, classroom, assign, boards, played, queries_of):
    numbers = []
    for sizes in (FEW, MANY):
        played(assign(classroom, *boards(sizes)))
        numbers.append(queries_of(request.getfixturevalue(who), "/"))
    assert numbers[0] == numbers[1] <= most
