"""Figures about boards: how often a class solved them, and whether the figures leave the class."""

from math import exp

import pytest
from django.urls import reverse

from puzzleclass.assignments.models import Assignment
from puzzleclass.classes.models import Classroom
from puzzleclass.play.attempts import restart
from puzzleclass.practice import services
from puzzleclass.practice.choice import experience_of
from puzzleclass.practice.counting import count_results
from puzzleclass.practice.experience import MOST_FIGURES, Experience, Figures, fitted
from puzzleclass.practice.skill import BEGINNER, collected_difficulty
from puzzleclass.puzzles.measured import LEAST_STUDENTS
from puzzleclass.puzzles.models import BoardFigures, Puzzle, fingerprint
from puzzleclass.puzzles.worlds import worlds
from solvers.question import finish
from solvers.registry import get_kind

GOISHI = get_kind("goishi")
BOARD = worlds(GOISHI)[1][0]
KEY = fingerprint(*BOARD.key)
DIFFICULTY = collected_difficulty(GOISHI, BOARD.position)
COLLECTION = "/puzzles/collection/goishi/1/"
SHOWN = "students solved it at their first attempt"


@pytest.fixture(scope="module")
def line() -> str:
    answer = finish(GOISHI.questions["count"].ask(GOISHI, GOISHI.read(BOARD.position)))
    return " ".join(answer.moves)


@pytest.fixture
def ready(make_puzzle) -> Puzzle:
    """Return a board of the collection in the teacher's library."""
    return make_puzzle("goishi", BOARD.position, "Ready")


@pytest.fixture
def figures(classroom):
    """Return a function that stores the figures of the board in a class."""

    def figures(solved: int, students: int = 20, at: Classroom = classroom) -> BoardFigures:
        return BoardFigures.objects.create(
            classroom=at,
            kind_slug="goishi",
            fingerprint=KEY,
            difficulty=DIFFICULTY,
            students=students,
            solved=solved,
        )

    return figures


def share(*classrooms: Classroom) -> None:
    keys = [classroom.pk for classroom in classrooms]
    Classroom.objects.filter(pk__in=keys).update(shares_figures=True)


def numbers() -> list[tuple[int, int]]:
    return list(BoardFigures.objects.values_list("students", "solved"))


# Counting


def test_the_first_attempt_of_each_student_at_an_assigned_board_counts(
    classroom, student, classmate, ready, assign, tried, line
):
    (row,) = assign(classroom, ready).puzzles.all()
    restart(tried(student, row, line.split()[0]))
    count_results(student)
    assert numbers() == [(1, 0)]
    tried(student, row, line)
    count_results(student)
    assert numbers() == [(1, 0)]
    tried(classmate, row, line)
    for _ in range(2):
        count_results(classmate)
    assert numbers() == [(2, 1)]
    # The same board in another assignment is nothing new.
    (again,) = assign(classroom, ready).puzzles.all()
    tried(classmate, again, line)
    count_results(classmate)
    assert numbers() == [(2, 1)]
    (found,) = BoardFigures.objects.all()
    assert (found.fingerprint, found.difficulty) == (KEY, DIFFICULTY)


def test_boards_that_students_choose_do_not_count(
    classroom, student, classmate, ready, assign, tried, line
):
    chosen = services.begin(classroom, *BOARD.key, BOARD.title)
    tried(student, chosen, line)
    count_results(student)
    for fields in ({"is_gallery": True}, {"dealing": "staircase"}, {"warns": True}):
        (row,) = assign(classroom, ready).puzzles.all()
        Assignment.objects.filter(pk=row.assignment_id).update(**fields)
        tried(classmate, row, line)
        count_results(classmate)
        Assignment.objects.filter(pk=row.assignment_id).delete()
    assert numbers() == []


def test_figures_stay_with_their_class_and_hold_no_student(
    classroom, student, ready, assign, tried, line
):
    (row,) = assign(classroom, ready).puzzles.all()
    tried(student, row, line)
    count_results(student)
    student.delete()
    assert numbers() == [(1, 1)]
    persons = [field.name for field in BoardFigures._meta.fields if field.is_relation]
    assert persons == ["classroom"]
    classroom.delete()
    assert numbers() == []


# What leaves the class


def pages(ready: Puzzle, classroom: Classroom) -> list[str]:
    return [
        COLLECTION,
        "/puzzles/",
        reverse("puzzle", args=[ready.pk]),
        reverse("assignment_new", args=[classroom.pk]),
    ]


@pytest.mark.parametrize("is_shared", [True, False])
def test_teachers_see_the_figures_of_classes_that_share_them(
    teacher_client, other_teacher, make_class, classroom, ready, figures, is_shared
):
    ready.level = 1
    ready.save()
    elsewhere = make_class(other_teacher, "Elsewhere")
    figures(15, at=elsewhere)
    if is_shared:
        share(elsewhere)
    for url in pages(ready, classroom):
        html = teacher_client.get(url).content.decode()
        assert (f"75% of 20 {SHOWN}" in html) == is_shared, url


def test_few_students_are_not_shown(teacher_client, make_class, teacher, classroom, figures):
    figures(5, LEAST_STUDENTS - 1)
    share(classroom)
    assert SHOWN not in teacher_client.get(COLLECTION).content.decode()
    other = make_class(teacher, "Other")
    figures(1, 1, at=other)
    assert SHOWN not in teacher_client.get(COLLECTION).content.decode()
    share(other)
    assert f"60% of 10 {SHOWN}" in teacher_client.get(COLLECTION).content.decode()


def test_no_student_sees_them(student_client, classroom, figures):
    figures(15)
    share(classroom)
    for url in ("/", "/practice/", "/practice/goishi/1/"):
        assert "first attempt" not in student_client.get(url).content.decode()


def test_a_class_shares_only_if_its_settings_say_so(teacher_client, classroom, make_class, teacher):
    assert not make_class(teacher, "New").shares_figures
    url = reverse("classroom_edit", args=[classroom.pk])
    assert "Let other classes use" in teacher_client.get(url).content.decode()
    fields = {"name": classroom.name, "practice": "on", "records": "on"}
    for sent, shares in (({"shares_figures": "on"}, True), ({}, False)):
        assert teacher_client.post(url, fields | sent).status_code == 302
        classroom.refresh_from_db()
        assert classroom.shares_figures is shares


# What practice makes of them


def test_practice_learns_from_the_class_and_from_those_that_share(
    classroom, make_class, other_teacher, figures
):
    elsewhere = make_class(other_teacher, "Elsewhere")
    assert experience_of(classroom) == Experience()
    figures(2, at=elsewhere)
    assert experience_of(classroom) == Experience()
    share(elsewhere)
    shared = experience_of(classroom)
    assert shared.beginners["goishi"] < BEGINNER.value - 0.5 and shared.offsets[KEY] > 0.1
    Classroom.objects.update(shares_figures=False)
    figures(19)
    own = experience_of(classroom)
    assert own.beginners["goishi"] > BEGINNER.value + 0.5 and own.offsets[KEY] < 0
    assert own.felt("goishi", KEY, DIFFICULTY) < DIFFICULTY
    assert own.felt("tonari", KEY[::-1], 0.4) == 0.4


def test_the_figures_of_the_class_come_before_those_of_others(
    classroom, make_class, other_teacher, figures, monkeypatch
):
    monkeypatch.setattr("puzzleclass.practice.choice.MOST_FIGURES", 1)
    elsewhere = make_class(other_teacher, "Elsewhere")
    figures(100, 100, at=elsewhere)
    share(elsewhere)
    figures(0)
    assert experience_of(classroom).offsets[KEY] > 0
    assert MOST_FIGURES > 100


def test_the_fit_finds_what_made_the_figures():
    """A class that finds difficult boards harder than computed, and one board that surprises."""

    def row(classroom, board, difficulty, level):
        p = 1 / (1 + exp(-level))
        return Figures(classroom, "goishi", board, difficulty, 4000, round(4000 * p))

    boards = {f"b{n}": n / 5 - 1 for n in range(11)}
    rows = [row(1, each, d, 0.6 - 1.5 * d - (each == "b4")) for each, d in boards.items()]
    rows += [row(2, each, d, -0.4 - 1.5 * d - (each == "b4")) for each, d in boards.items()]
    weak, strong = fitted(rows, 2), fitted(rows, 1)
    assert strong.beginners["goishi"] - weak.beginners["goishi"] == pytest.approx(1, abs=0.1)
    assert strong.slopes["goishi"] == pytest.approx(1.5, abs=0.15)
    surprises = sorted(strong.offsets, key=lambda each: -strong.offsets[each])
    assert surprises[0] == "b4" and strong.offsets["b4"] > 0.6


def test_a_difficult_board_never_counts_as_easier_than_an_easy_one():
    rows = [Figures(1, "goishi", str(n), n / 5 - 1, 1000, 50 + 90 * n) for n in range(11)]
    assert fitted(rows, 1).slopes["goishi"] == 0
