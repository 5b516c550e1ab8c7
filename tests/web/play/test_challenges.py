"""Challenges: who is offered them, playing against the clock, and the class's best times."""

from datetime import timedelta
from random import Random

import pytest
from django.urls import reverse
from django.utils import timezone

from puzzleclass.assignments.models import AssignedPuzzle
from puzzleclass.classes.models import Classroom
from puzzleclass.demo.players import find_solution
from puzzleclass.play.attempts import current_attempt
from puzzleclass.play.clock import best_times
from puzzleclass.play.models import HintUse
from puzzleclass.play.path import Result
from puzzleclass.play.result_models import TimedRun
from puzzleclass.practice.boards import boards_of_the_week, hard_boards_of_kinds
from puzzleclass.puzzles.worlds import PracticeBoard, worlds
from solvers.registry import get_kind

CHALLENGES = "/challenges/"
BOARD = ("goishi", 1, 1)
START = reverse("clock_start", args=BOARD)


@pytest.fixture
def older(classroom) -> Classroom:
    """Return the class, in junior high school."""
    classroom.grade = 8
    classroom.save()
    return classroom


@pytest.fixture
def moves() -> list[str]:
    """Return the moves that solve the board."""
    board = worlds(get_kind("goishi"))[1][0]
    kind = board.kind
    solution = find_solution(kind, kind.read(board.position), Random(1))
    return [kind.write_move(move) for move in solution or []]


@pytest.fixture
def solve(tried, moves):
    """Return a function that lets a student make moves at the board, by default those that solve
    it."""

    def solve(student, *chosen: str) -> AssignedPuzzle:
        puzzle = AssignedPuzzle.objects.get(assignment__is_practice=True)
        tried(student, puzzle, *(chosen or moves))
        return puzzle

    return solve


def earlier(run: TimedRun, **before: int) -> None:
    """Have the run begun earlier."""
    TimedRun.objects.filter(pk=run.pk).update(started_at=run.started_at - timedelta(**before))


@pytest.mark.parametrize(
    ("grade", "setting", "is_offered"),
    [
        (None, None, False),
        (5, None, False),
        (6, None, True),
        (11, None, True),
        (2, True, True),
        (None, True, True),
        (11, False, False),
    ],
)
def test_the_grade_decides_unless_the_teacher_does(
    student_client, classroom, grade, setting, is_offered
):
    Classroom.objects.filter(pk=classroom.pk).update(grade=grade, challenges=setting)
    assert (student_client.get(CHALLENGES).status_code == 200) == is_offered
    for url in ("/practice/", "/records/"):
        assert (CHALLENGES in student_client.get(url).content.decode()) == is_offered
    assert (student_client.post(START).status_code == 302) == is_offered


@pytest.mark.parametrize("switch", ["practice", "records", "challenges"])
def test_each_switch_of_the_teacher_closes_everything(student, student_client, older, switch):
    """A clock that is running is gone, too."""
    page = student_client.post(START).url
    assert "data-elapsed" in student_client.get(page).content.decode()
    Classroom.objects.filter(pk=older.pk).update(**{switch: False})
    assert student_client.get(CHALLENGES).status_code == 403
    assert student_client.post(START).status_code == 403
    assert "data-elapsed" not in student_client.get(page).content.decode()


def test_the_exact_rating_decides_what_is_hard(student_client, older):
    for each in student_client.get(CHALLENGES).context["hard"]:
        assert {board.band for board, _own in each[1]} <= {"hard", "very hard"}
        assert each[0].all >= len(each[1]) > 0
    bands = {board.band for board in boards_of_the_week(timezone.localdate())}
    assert bands <= {"hard", "very hard"}


def test_the_list_goes_on_with_what_is_not_solved():
    first = hard_boards_of_kinds({})[0].left
    after = hard_boards_of_kinds({first[0].key: Result(1)})[0]
    assert after.solved == 1 and after.left[:-1] == first[1:]


def test_a_run_ends_with_the_solution_by_the_servers_clock(student, student_client, older, solve):
    page = student_client.post(START).url
    run = TimedRun.objects.get()
    earlier(run, seconds=83)
    solve(student)
    run.refresh_from_db()
    assert 83 <= run.seconds <= 90 and not run.took_hint
    assert "data-elapsed" not in student_client.get(page).content.decode()


def test_moves_that_arrive_late_count_and_the_clock_has_run_on(
    student, student_client, older, solve, moves
):
    """The connection was lost: the first moves came at once, the last one much later."""
    student_client.post(START)
    solve(student, *moves[:-1])
    earlier(TimedRun.objects.get(), minutes=7)
    solve(student, moves[-1])
    assert 420 <= TimedRun.objects.get().seconds <= 430


def test_starting_again_does_not_set_the_clock_back(student, student_client, older, solve, moves):
    student_client.post(START)
    earlier(TimedRun.objects.get(), seconds=50)
    attempt = current_attempt(student, solve(student, moves[0]))
    student_client.post(f"/attempts/{attempt.key}/restart/")
    solve(student)
    assert TimedRun.objects.get().seconds >= 50


def test_the_answer_to_the_last_move_tells_the_time(student, student_client, older, solve, moves):
    student_client.post(START)
    puzzle = solve(student, *moves[:-1])
    earlier(TimedRun.objects.get(), seconds=61)
    attempt = current_attempt(student, puzzle)
    sent = {"action": "move", "move": moves[-1], "step": attempt.next_step}
    url = f"/attempts/{attempt.key}/steps/"
    page = student_client.post(url, sent, headers={"HX-Request": "true"}).content.decode()
    assert "Your time:" in page and "1:0" in page and "Best time" in page
    assert "Your time:" not in student_client.get(f"/play/{puzzle.pk}/").content.decode()


def test_a_run_with_a_hint_is_no_best_time(student, student_client, older, solve, moves):
    student_client.post(START)
    attempt = current_attempt(student, solve(student, *moves[:-1]))
    HintUse.objects.create(attempt=attempt, step=0, level=1)
    solve(student, moves[-1])
    assert TimedRun.objects.get().took_hint
    assert not best_times(student)
    student_client.post(START)
    solve(student)
    assert len(best_times(student)) == 1


def test_one_clock_runs_at_a_time_and_can_be_stopped(student_client, older):
    student_client.post(START)
    student_client.post(reverse("clock_start", args=["goishi", 1, 2]))
    assert TimedRun.objects.get().puzzle.title == "1-2"
    assert student_client.post(reverse("clock_stop")).url == CHALLENGES
    assert not TimedRun.objects.exists()


def test_a_clock_that_was_forgotten_has_stopped(student, student_client, older, solve):
    page = student_client.post(START).url
    earlier(TimedRun.objects.get(), hours=2)
    assert "data-elapsed" not in student_client.get(page).content.decode()
    solve(student)
    assert TimedRun.objects.get().seconds is None


# The best times of a class


@pytest.fixture
def weekly(older, student, classmate, client_of) -> PracticeBoard:
    """Return a board of the week at which two students have a time: 40 and 95 seconds."""
    today = timezone.localdate()
    board = boards_of_the_week(today - timedelta(days=today.weekday()))[0]
    url = reverse("clock_start", args=[board.kind_slug, board.level, board.number])
    for each, seconds in ((student, 95), (classmate, 40)):
        client_of(each).post(url)
        TimedRun.objects.filter(student=each).update(seconds=seconds)
    return board


def compare(teacher_client, classroom, grade: str):
    sent = {"name": classroom.name, "grade": grade, "idle_minutes": "0"}
    sent |= {"practice": "on", "records": "on", "compares_times": "on"}
    return teacher_client.post(f"/classes/{classroom.pk}/edit/", sent)


def test_nobody_is_compared_unless_the_teacher_wants_it(
    student_client, teacher_client, older, weekly, classmate
):
    page = student_client.get(CHALLENGES).content.decode()
    assert "Your classmates do not see your times." in page
    assert "1:35" in page and "0:40" not in page and classmate.name not in page
    assert compare(teacher_client, older, "8").status_code == 302
    page = student_client.get(CHALLENGES).content.decode()
    assert page.index(classmate.name) < page.rindex("1:35") and "0:40" in page


def test_young_classes_are_never_compared(student_client, teacher_client, older, weekly, classmate):
    answer = compare(teacher_client, older, "6")
    assert answer.status_code == 422 and "junior high school" in answer.content.decode()
    older.refresh_from_db()
    assert not older.compares_times
    Classroom.objects.filter(pk=older.pk).update(compares_times=True, grade=6)
    assert classmate.name not in student_client.get(CHALLENGES).content.decode()


def test_only_the_five_best_times_are_shown(
    client_of, teacher, make_class, student, weekly, older, classmate
):
    Classroom.objects.filter(pk=older.pk).update(compares_times=True)
    puzzle = AssignedPuzzle.objects.get(assignment__is_practice=True)
    others = make_class(teacher, "More", *"ABCDEF").students.all()
    for number, other in enumerate(others, 4):
        older.enrolments.create(student=other, number=number)
        TimedRun.objects.create(student=other, puzzle=puzzle, seconds=40 + number)
    _board, _solved, own, best = client_of(student).get(CHALLENGES).context["weekly"][0]
    assert own == 95
    assert [each.seconds for each in best] == [40, 44, 45, 46, 47]


def test_times_of_other_weeks_and_of_students_who_left_are_not_shown(
    client_of, student, classmate, weekly, older
):
    Classroom.objects.filter(pk=older.pk).update(compares_times=True)
    earlier(TimedRun.objects.get(student=student), days=8)
    older.enrolments.filter(student=classmate).delete()
    assert client_of(student).get(CHALLENGES).context["weekly"][0][3] == []


def test_the_page_costs_the_same_for_any_number_of_times(
    client_of, student, classmate, weekly, older, queries_of
):
    Classroom.objects.filter(pk=older.pk).update(compares_times=True)
    client, puzzle = client_of(student), AssignedPuzzle.objects.get(assignment__is_practice=True)
    few = queries_of(client, CHALLENGES)
    for seconds in range(50, 60):
        TimedRun.objects.create(student=classmate, puzzle=puzzle, seconds=seconds)
    assert queries_of(client, CHALLENGES) == few <= 12
