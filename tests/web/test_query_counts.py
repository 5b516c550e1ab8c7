"""The number of queries of a page does not depend on how much it shows, or of which kinds."""

import random

import pytest
from django.urls import reverse

from puzzleclass.assignments.dealing import deal
from puzzleclass.assignments.models import Assignment
from puzzleclass.lessons.models import Question
from puzzleclass.lessons.questions import advance, ask, give
from puzzleclass.play.restarts import restart
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
    assert numbers[0] == numbers[1] <= 20


def test_the_form_of_an_assignment(teacher_client, classroom, assign, boards, queries_of):
    numbers = []
    boards(FEW)  # these are not assigned
    for sizes in (FEW, MANY):
        assignment = assign(classroom, *boards(sizes))
        new = f"/classes/{classroom.pk}/assignments/new/"
        edit = f"/assignments/{assignment.pk}/edit/"
        numbers.append((queries_of(teacher_client, new), queries_of(teacher_client, edit)))
    assert numbers[0] == numbers[1] <= (11, 17)


@pytest.mark.parametrize(("who", "most"), [("student_client", 23), ("teacher_client", 24)])
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
    assert numbers[0] == numbers[1] == numbers[2] <= 32


PAGES = {
    ("classroom_list", "", ""): 7,
    ("classroom", "class", ""): 10,
    ("class_students", "class", ""): 9,
    ("student_sheets", "class", ""): 30,
    ("student_weeks", "class", ""): 24,
    **{("class_ledger", "class", f"?table={each}"): 24 for each in ("", "course", "kinds")},
    ("class_ledger", "class", "?open=1&group=1&show=all"): 27,
    ("student", "student", ""): 30,
    ("assignment", "assignment", ""): 20,
    ("assignment_edit", "assignment", ""): 16,
    ("assignment", "assignment", "?show=all&format=csv"): 21,
    ("assignment", "assignment", "?rows=attempts"): 7,
    ("lesson", "assignment", ""): 15,
    ("seats", "class", ""): 6,
    ("question_list", "assignment", ""): 7,
    ("found", "assigned", ""): 19,
    ("found", "assigned", "?view=groups"): 19,
    ("found", "assigned", "?view=tree"): 22,
    ("found", "assigned", "?view=map"): 24,
    ("found", "assigned", "?view=mistakes"): 26,
    ("attempts", "assigned student", ""): 8,
}
"""Name of an address, its values and its query -> the most queries that its page may take."""


@pytest.fixture
def furnished(teacher, make_class, puzzle, assign, tried, lines, reviewed, counted):
    """Return a function that makes a class of this many students, assignments, boards in each,
    attempts and questions, and returns the objects of the addresses."""

    def furnished(size: int) -> dict[str, int]:
        room = make_class(teacher, f"Of {size}", *(f"Student {n}" for n in range(size)))
        students = list(room.students.order_by("enrolments__number"))
        for number in range(size):
            options = [{}, {"wanted": 2}, {"dealing": "each"}][number % 3]
            assignment = assign(room, *[puzzle] * size, **options)
            board = assignment.puzzles.first()
            for place, student in enumerate(students):
                line = (lines.lost, lines.solution, lines.jam)[place % 3]
                reviewed(tried(student, board, line), place % 3 and 1)
        first = room.assignments.earliest("pk")
        assigned = first.puzzles.first()
        counted(assigned, 5)
        for _ in range(size):
            restart(tried(students[0], assigned))
            tried(students[0], assigned, lines.lost)
            question = Question(assignment=first, puzzle=assigned, sort="move")
            ask(teacher, question)
            for student in students:
                give(question, student, "1,1")
            advance(teacher, question, "done")
        keys = {"class": room, "student": students[0], "assignment": first, "assigned": assigned}
        return {word: each.pk for word, each in keys.items()}

    return furnished


def test_pages_about_a_class(teacher_client, furnished, queries_of):
    """All pages are in one test, because making the classes takes longer than the requests."""
    asked = []
    for size in (3, 6):
        keys, numbers = furnished(size), {}
        for name, words, query in PAGES:
            url = reverse(name, args=[keys[word] for word in words.split()]) + query
            teacher_client.get(url)  # the first view of a day is logged
            numbers[name, words, query] = queries_of(teacher_client, url)
        asked.append(numbers)
    assert asked[0] == asked[1]
    assert {page: number for page, number in asked[0].items() if number > PAGES[page]} == {}
