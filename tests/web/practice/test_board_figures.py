"""Figures about boards: how often a class solved them, and whether the figures leave the class."""

from math import exp

import pytest
from django.db.models import F
from django.urls import reverse

from puzzleclass.accounts.models import User
from puzzleclass.assignments.models import Assignment
from puzzleclass.assignments.services import TimeEstimate, estimate_time
from puzzleclass.classes.models import Classroom, Teaching
from puzzleclass.play.first_attempts import MEASURED_AFTER
from puzzleclass.play.models import Attempt
from puzzleclass.play.restarts import restart
from puzzleclass.practice import services
from puzzleclass.practice.counting import count_ended_attempts, measure_boards
from puzzleclass.practice.experience import MAX_FIGURES, Experience, Figures, fitted
from puzzleclass.practice.fitting import experience_of
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
SHOWN = "students in other classes solved it at their first attempt"


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


def measured(*students: User) -> None:
    """Let the day pass after which first attempts count, and count them."""
    for student in students:
        mine = Attempt.objects.filter(student=student, is_measured=False)
        mine.update(started_at=F("started_at") - MEASURED_AFTER)
        measure_boards(student)


def numbers() -> list[tuple[int, int]]:
    return list(BoardFigures.objects.values_list("students", "solved"))


# Counting


def test_solved_and_unsolved_first_attempts_wait_for_the_same_time(
    classroom, student, classmate, ready, assign, tried, line
):
    (row,) = assign(classroom, ready).puzzles.all()
    tried(student, row, line)
    tried(classmate, row, line.split()[0])
    count_ended_attempts()
    assert numbers() == []
    # The classmate is still at the board when the day is over.
    Attempt.objects.update(started_at=F("started_at") - MEASURED_AFTER)
    count_ended_attempts()
    assert numbers() == [(2, 1)]
    tried(classmate, row, line.partition(" ")[2])
    count_ended_attempts()
    assert numbers() == [(2, 1)]


def test_the_first_attempt_of_each_student_at_an_assigned_board_counts(
    classroom, student, classmate, ready, assign, tried, line
):
    (row,) = assign(classroom, ready).puzzles.all()
    restart(tried(student, row, line.split()[0]))
    measured(student)
    assert numbers() == [(1, 0)]
    tried(student, row, line)
    measured(student)
    assert numbers() == [(1, 0)]
    tried(classmate, row, line)
    measured(classmate)
    measured(classmate)
    assert numbers() == [(2, 1)]
    # The same board in another assignment is nothing new.
    (again,) = assign(classroom, ready).puzzles.all()
    tried(classmate, again, line)
    measured(classmate)
    assert numbers() == [(2, 1)]
    (found,) = BoardFigures.objects.all()
    assert (found.fingerprint, found.difficulty) == (KEY, DIFFICULTY)


def test_boards_that_students_choose_do_not_count(
    classroom, student, classmate, ready, assign, tried, line
):
    chosen = services.begin(classroom, *BOARD.key, BOARD.title)
    tried(student, chosen, line)
    measured(student)
    for fields in ({"is_gallery": True}, {"dealing": "staircase"}, {"warns": True}):
        (row,) = assign(classroom, ready).puzzles.all()
        Assignment.objects.filter(pk=row.assignment_id).update(**fields)
        tried(classmate, row, line)
        measured(classmate)
        Assignment.objects.filter(pk=row.assignment_id).delete()
    assert numbers() == []


def test_figures_stay_with_their_class_and_hold_no_student(
    classroom, student, ready, assign, tried, line
):
    (row,) = assign(classroom, ready).puzzles.all()
    tried(student, row, line)
    measured(student)
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


def test_few_students_are_not_shown(teacher_client, make_class, other_teacher, figures):
    elsewhere, there = (make_class(other_teacher, name) for name in ("Elsewhere", "There"))
    figures(5, LEAST_STUDENTS - 1, at=elsewhere)
    share(elsewhere)
    assert SHOWN not in teacher_client.get(COLLECTION).content.decode()
    figures(1, 1, at=there)
    assert SHOWN not in teacher_client.get(COLLECTION).content.decode()
    share(there)
    assert f"60% of 10 {SHOWN}" in teacher_client.get(COLLECTION).content.decode()


def test_nobody_finds_few_students_by_subtracting_classes_of_one_s_own(
    teacher_client, teacher, classroom, make_class, other_teacher, figures
):
    """The teacher knows the own classes, archived ones and those of colleagues included."""
    elsewhere, shared = (make_class(other_teacher, name) for name in ("Elsewhere", "Shared"))
    Teaching.objects.create(classroom=shared, teacher=teacher, role=Teaching.Role.SUBSTITUTE)
    share(classroom, elsewhere, shared)
    figures(30, 40)
    figures(30, 40, at=shared)
    few = figures(2, LEAST_STUDENTS - 1, at=elsewhere)
    assert "first attempt" not in teacher_client.get(COLLECTION).content.decode()
    few.students += 1
    few.save()
    assert f"20% of 10 {SHOWN}" in teacher_client.get(COLLECTION).content.decode()


def test_the_time_is_estimated_from_own_classes_and_from_many_students_of_those_that_share(
    teacher, other_teacher, classroom, student, make_class, ready, assign
):
    def solve(students: list[User], seconds: int, at: Classroom) -> None:
        (row,) = assign(at, ready).puzzles.all()
        for each in students:
            Attempt.objects.create(
                student=each, puzzle=row, number=1, has_solved=True, seconds=seconds
            )

    elsewhere = make_class(other_teacher, "Elsewhere", *"abcdefghij")
    many = list(elsewhere.students.all())
    assert len(many) == LEAST_STUDENTS
    solve(many[1:], 600, elsewhere)
    assert estimate_time([ready], teacher) is None
    share(elsewhere)
    assert estimate_time([ready], teacher) is None
    solve(many[:1], 600, elsewhere)
    assert estimate_time([ready], teacher) == TimeEstimate(10, 1)
    Classroom.objects.update(shares_figures=False)
    assert estimate_time([ready], teacher) is None
    solve([student], 120, classroom)
    assert estimate_time([ready], teacher) == TimeEstimate(2, 1)
    assert estimate_time([ready], other_teacher) == TimeEstimate(10, 1)


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
    monkeypatch.setattr("puzzleclass.practice.fitting.MAX_FIGURES", 1)
    elsewhere = make_class(other_teacher, "Elsewhere")
    figures(100, 100, at=elsewhere)
    share(elsewhere)
    figures(0)
    assert experience_of(classroom).offsets[KEY] > 0
    assert MAX_FIGURES > 100


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
