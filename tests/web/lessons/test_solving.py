"""The whole class solves a board together, from the same second on."""

from datetime import timedelta

import pytest
from django.db import connection
from django.test.utils import CaptureQueriesContext
from django.urls import reverse
from django.utils import timezone

from puzzleclass.assignments.lesson_models import Pace
from puzzleclass.lessons.models import Question
from puzzleclass.lessons.questions import ask, running_question
from puzzleclass.lessons.solving import solving_of
from puzzleclass.play.attempts import current_attempt, take_step
from puzzleclass.play.models import Attempt, Step
from puzzleclass.play.restarts import restart
from puzzleclass.play.result_models import FoundSolution

HTMX = {"HX-Request": "true"}


@pytest.fixture(autouse=True)
def _closes_at_once(monkeypatch):
    monkeypatch.setattr(Question, "CLOSING", timedelta())


@pytest.fixture
def lead(teacher_client):
    """Return a function that presses a button of the lesson page, and returns the page."""

    def lead(assignment, do: str, **fields: object):
        url = reverse("lead", args=[assignment.pk])
        return teacher_client.post(url, {"do": do, **fields}, headers=HTMX).content.decode()

    return lead


@pytest.fixture
def start(lead):
    """Return a function that lets the class solve a board together whose countdown is over."""

    def start(board, seconds_ago: int = 100) -> Question:
        lead(board.assignment, "ask:solve", board=board.pk)
        began = timezone.now() - timedelta(seconds=seconds_ago)
        Pace.objects.update(starts_at=began)
        Question.objects.exclude(stage="over").update(starts_at=began)
        Attempt.objects.filter(next_step=0).update(started_at=began, last_at=began)
        board.refresh_from_db()
        return running_question(board.assignment)

    return start


@pytest.fixture
def solve(lines):
    """Return a function that lets a student solve the board so many seconds after the start."""

    def solve(student, board, seconds: int, line: str = lines.solution) -> None:
        at = Question.objects.first().starts_at + timedelta(seconds=seconds)
        attempt = current_attempt(student, board, at)
        for number, move in enumerate(line.split()):
            attempt = take_step(attempt, number, "move", move, at)

    return solve


def now(client, assignment) -> str:
    url = reverse("lesson_now")
    return client.get(url, headers=HTMX).content.decode()


def step(client, student, puzzle, number: int = 0):
    attempt = current_attempt(student, puzzle)
    fields = {"action": "move", "move": "1,1", "step": number}
    return client.post(reverse("step", args=[attempt.key]), fields, headers=HTMX)


def test_the_board_takes_no_steps_before_the_start(
    lead, student, student_client, assignment, assigned
):
    lead(assignment, "ask:solve", board=assigned.pk)
    page = now(student_client, assignment)
    assert f'data-go="/play/{assigned.pk}/"' in page
    left = int(page.split('data-begins-in="')[1].split('"')[0])
    assert 0 < left <= Question.COUNTDOWN.total_seconds() * 1000
    refused = step(student_client, student, assigned)
    assert refused.headers["Refused"] == "423"
    assert "not begun yet" in refused.content.decode()
    board = student_client.get(reverse("play", args=[assigned.pk])).content.decode()
    assert "is-waiting" in board
    Pace.objects.update(starts_at=timezone.now())
    assert "Refused" not in step(student_client, student, assigned).headers
    assert "data-begins-in" not in now(student_client, assignment)
    assert "is-waiting" not in student_client.get(reverse("play", args=[assigned.pk])).text
    assert Step.objects.count() == 1


def test_everybody_begins_with_an_untouched_board(
    start, student, classmate, assigned, tried, lines
):
    lost = tried(student, assigned, "1,1")
    won = tried(classmate, assigned, lines.solution)
    yesterday = timezone.now() - timedelta(days=1)
    Attempt.objects.update(started_at=yesterday, last_at=yesterday)
    FoundSolution.objects.update(found_at=yesterday)
    running = start(assigned)
    for before, state in ((lost, "given up"), (won, "solved")):
        before.refresh_from_db()
        assert before.state == state
        attempt = current_attempt(before.student, assigned)
        assert (attempt.line, attempt.number, attempt.started_at) == ("", 2, running.starts_at)
    assert solving_of(running).seconds == []


def test_the_result_agrees_with_what_the_students_did(
    start, classroom, student, classmate, assigned, solve, lines
):
    running = start(assigned)
    solve(classmate, assigned, 20)
    solve(student, assigned, 35)
    again = restart(current_attempt(student, assigned))
    assert again.number == 2
    result = solving_of(running)
    assert [(each.enrolment.number, each.seconds, each.place) for each in result.finishes] == [
        (1, 35, 2),
        (2, 20, 1),
        (3, None, None),
    ]
    assert (result.solved, result.half_time) == (2, "0:35")


def test_equal_seconds_share_a_place(start, student, classmate, assigned, solve):
    running = start(assigned)
    for who in (student, classmate):
        solve(who, assigned, 20)
    assert [each.place for each in solving_of(running).finishes] == [1, 1, None]


def test_places_and_times_are_shown_only_on_request(
    lead, start, student, classmate, assigned, solve, assignment
):
    running = start(assigned)
    solve(classmate, assigned, 20)
    assert (
        "0:20" not in lead(assignment, f"show:question {running.pk}").split('solving-students"')[1]
    )
    shown = lead(assignment, "places").split('solving-students"')[1]
    assert shown.index(classmate.name) < shown.index(student.name)
    assert "<b>Place 1:</b>" in shown and "0:20" in shown
    hidden = lead(assignment, "no-places").split('solving-students"')[1]
    assert hidden.index(student.name) < hidden.index(classmate.name)
    assert "<b>Place 1:</b>" not in hidden


def test_the_class_plays_against_its_own_earlier_time(
    lead, start, student, classmate, assigned, solve, assignment
):
    start(assigned, 500)
    solve(student, assigned, 60)
    solve(classmate, assigned, 90)
    lead(assignment, "question:close")
    lead(assignment, "question:done")
    running = start(assigned, 70)
    solve(classmate, assigned, 30)  # the same solution as before
    result = solving_of(running)
    assert result.seconds == [30]
    assert result.earlier_seconds == [60, 90]
    assert (result.earlier_solved, result.earlier_half_time) == (1, "1:30")


def test_teams_are_the_groups_of_the_class(start, classroom, student, assigned, solve):
    first, second, third = classroom.enrolments.order_by("number")
    classroom.groups.create(name="Blue").members.add(second, third)
    running = start(assigned)
    assert solving_of(running).teams == []
    classroom.groups.create(name="Red").members.add(first)
    solve(student, assigned, 20)
    teams = [(each.group.name, each.solved, each.size) for each in solving_of(running).teams]
    assert teams == [("Blue", 0, 2), ("Red", 1, 1)]


def test_a_solution_after_the_end_does_not_count(lead, start, student, assigned, solve, assignment):
    start(assigned)
    lead(assignment, "question:close")
    running = running_question(assignment)
    assert running.closes_at is not None
    solve(student, assigned, 200)
    assert FoundSolution.objects.exists() and solving_of(running).solved == 0


def test_afterwards_the_lesson_goes_on(lead, start, student_client, assigned, assignment):
    start(assigned)
    assert 'id="solving"' in lead(assignment, "question:close")
    page = lead(assignment, "question:done")
    assert 'id="solving"' not in page and "Who needs help now" in page
    assert "data-begins" not in now(student_client, assignment)


@pytest.mark.parametrize("ends", ["end", "close"])
def test_the_end_of_the_lesson_ends_the_board(lead, start, assigned, assignment, ends):
    start(assigned)
    lead(assignment, ends)
    assert running_question(assignment) is None
    assert Pace.objects.get().starts_at is None


def test_another_question_ends_the_board(lead, start, teacher_client, assigned, assignment):
    url = reverse("question_new", args=[assigned.pk])
    teacher_client.post(url, {"sort": "solvable"})
    first = Question.objects.get()
    start(assigned)
    first.refresh_from_db()
    assert first.stage == "over"
    teacher_client.post(url, {"sort": "solvable"})
    assert running_question(assignment).sort == "solvable"
    assert Pace.objects.get().starts_at is None


def test_boards_that_are_dealt_are_not_solved_together(lead, classroom, assign, puzzle):
    dealt = assign(classroom, puzzle, puzzle, dealing="each")
    assert "ask:solve" not in lead(dealt, "pause")
    lead(dealt, "ask:solve", board=dealt.puzzles.first().pk)
    assert not Question.objects.exists()


def test_a_board_of_another_assignment_is_missing(
    teacher_client, assignment, classroom, assign, puzzle
):
    other = assign(classroom, puzzle).puzzles.get()
    url = reverse("lead", args=[assignment.pk])
    assert teacher_client.post(url, {"do": "ask:solve", "board": other.pk}).status_code == 404


def test_too_many_questions_are_refused_in_words(teacher_client, assignment, assigned, monkeypatch):
    monkeypatch.setattr(Question, "MAX_COUNT", 1)
    url = reverse("lead", args=[assignment.pk])
    for _ in range(2):
        page = teacher_client.post(url, {"do": "ask:solve", "board": assigned.pk}, follow=True)
    assert "1 questions" in page.content.decode()


def test_it_takes_the_same_queries_for_a_large_class(
    teacher, teacher_client, make_class, assign, puzzle, tried, queries_of
):
    numbers = []
    for size in (3, 30):
        room = make_class(teacher, f"Of {size}", *(f"Student {n}" for n in range(size)))
        assignment = assign(room, puzzle)
        board = assignment.puzzles.get()
        for student in room.students.all():
            tried(student, board, "1,1")
        with CaptureQueriesContext(connection) as seen:
            question = Question(assignment=assignment, puzzle=board, sort="solve")
            ask(teacher, question)
        numbers.append(len(seen))
        Question.objects.update(starts_at=timezone.now())
        numbers.append(queries_of(teacher_client, reverse("lesson", args=[assignment.pk])))
    assert numbers[:2] == numbers[2:]


def test_students_are_told_that_the_time_is_over(start, lead, student_client, assignment, assigned):
    start(assigned)
    over = "The time is over. Please look at your teacher."
    assert over not in now(student_client, assignment)
    lead(assignment, "question:close")
    assert over in now(student_client, assignment)
    lead(assignment, "question:done")
    assert over not in now(student_client, assignment)


def test_a_board_that_was_solved_without_a_network_counts_from_its_arrival(
    start, assigned, student, solve
):
    question = start(assigned)
    solve(student, assigned, 10)
    assert solving_of(question).seconds == [10]
    Attempt.objects.filter(student=student).update(
        arrived_at=question.starts_at + timedelta(seconds=70)
    )
    assert solving_of(question).seconds == [70]
