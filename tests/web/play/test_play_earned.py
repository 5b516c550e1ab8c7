"""What a student earns with the step that solves a board, and that it is shown once."""

import re
from datetime import date, datetime, timedelta

import pytest
from django.db import connection
from django.test.utils import CaptureQueriesContext
from django.urls import reverse
from django.utils import timezone

from puzzleclass.assignments.models import AssignedPuzzle
from puzzleclass.play.attempts import begin, current_attempt, take_step
from puzzleclass.play.earned import Earned, WorldLeft, earned_by
from puzzleclass.play.models import HintUse
from puzzleclass.play.restarts import restart
from puzzleclass.play.result_models import ClassFind, FoundSolution
from puzzleclass.practice import services
from puzzleclass.puzzles.daily import daily_pair
from puzzleclass.puzzles.worlds import worlds
from solvers.kind import split_moves
from solvers.question import finish
from solvers.registry import get_kind

HTMX = {"HX-Request": "true"}
MAX_QUERIES = 7
"""The most queries about what was earned."""

SUNDAY = date(2026, 11, 22)
"""The board of a Sunday is of the last world, so no board of the first one is today's."""


def line_for(board) -> str:
    answer = finish(board.kind.questions["count"].ask(board.kind, board.kind.read(board.position)))
    return " ".join(answer.moves)


@pytest.fixture
def practised(classroom):
    """Return a function that begins a practice board in the class."""
    return lambda board: services.begin(classroom, *board.key, board.title)


@pytest.fixture
def solve(student):
    """Return a function that solves a puzzle on a day, and returns what this has earned."""

    def solve(puzzle, line: str, day: date = SUNDAY, hour: int = 9, who=student):
        at = timezone.make_aware(datetime(day.year, day.month, day.day, hour))
        attempt, earned = current_attempt(who, puzzle, at), None
        if attempt.line:
            attempt = restart(attempt, at)
        for move in split_moves(line) if "undo" not in line else line.split():
            at += timedelta(seconds=1)
            action = "undo" if move == "undo" else "move"
            attempt = take_step(attempt, attempt.next_step, action, move.removeprefix("undo"), at)
        found = FoundSolution.objects.filter(student=who, puzzle=puzzle, found_at=attempt.last_at)
        if attempt.has_solved:
            earned = earned_by(who, attempt, is_new=found.exists())
        return earned

    return solve


def test_it_comes_with_the_solving_step_only(student, student_client, assigned, lines):
    attempt = current_attempt(student, assigned)
    answers = []
    for number, move in enumerate(split_moves(lines.solution)):
        fields = {"step": number, "action": "move", "move": move}
        url = reverse("step", args=[attempt.key])
        answers.append(student_client.post(url, fields, headers=HTMX).content.decode())
    again = student_client.post(url, fields, headers=HTMX).content.decode()
    page = student_client.get(reverse("play", args=[assigned.pk])).content.decode()
    assert [text.count('class="told"') for text in (*answers, again, page)] == [
        *[0] * (len(answers) - 1),
        *(2, 0, 0),
    ]
    assert "Your first Goishi Hiroi!" in answers[-1]
    assert "Without taking back a move!" in answers[-1]
    assert 'class="solved' in again and 'class="solved' in page


def test_a_solution_is_told_in_one_sentence_of_one_live_region(
    student, classmate, client_of, student_client, assigned, lines, solve
):
    solve(assigned, lines.other_solution, who=classmate)
    attempt = current_attempt(student, assigned)
    for number, move in enumerate(split_moves(lines.solution)):
        fields = {"step": number, "action": "move", "move": move}
        url = reverse("step", args=[attempt.key])
        answer = student_client.post(url, fields, headers=HTMX).content.decode()
    told = re.search(r'data-announced="told">(.*?)</div>', answer, re.DOTALL)[1]
    words = " ".join(re.sub(r"<[^>]*>", " ", told).split())
    assert words == "Solution 1 New in your class! Your first Goishi Hiroi!"
    assert 'role="status"' not in answer and "Solved!" in answer


def test_stars_move_once_to_their_place(student, practised, solve):
    board = next(each for each in worlds(get_kind("tonari"))[1] if each.solutions != 1)
    puzzle, line = practised(board), line_for(board)
    attempt = current_attempt(student, puzzle)
    begin(attempt)
    HintUse.objects.create(attempt=attempt, step=0, level=1)
    first = solve(puzzle, line).stars
    assert [len(each) for each in first] == [0, 1, 2]
    assert [len(each) for each in solve(puzzle, line, hour=10).stars] == [1, 1, 1]
    assert solve(puzzle, line, hour=11) is None


def test_a_world_counts_the_boards_that_are_left(practised, solve):
    first, second = worlds(get_kind("goishi"))[1][:2]
    number = len(worlds(get_kind("goishi"))[1])
    assert solve(practised(first), line_for(first)).world == WorldLeft(1, number - 1)
    assert solve(practised(first), line_for(first), hour=10) is None
    assert solve(practised(second), line_for(second), hour=11).world == WorldLeft(1, number - 2)


def test_a_completed_world_is_told(student, practised, solve):
    *others, last = worlds(get_kind("goishi"))[1]
    for board in others:
        puzzle = practised(board)
        FoundSolution.objects.create(student=student, puzzle=puzzle, text="x", line="")
    earned = solve(practised(last), line_for(last))
    assert earned.world == WorldLeft(1, 0) and "is complete" in earned.world_said.text


def test_a_board_of_a_day_opens_a_petal_for_the_first_of_the_class(practised, solve, classmate):
    monday = SUNDAY + timedelta(days=1)
    for daily in daily_pair(monday):
        line = line_for(daily.board)
        earned = solve(practised(daily.board), line, monday)
        assert earned.daily.board == daily.board and len(earned.badges) == 2
        assert solve(practised(daily.board), line, monday, hour=11, who=classmate).daily is None
        assert solve(practised(daily.board), line, monday, hour=10) is None


def test_at_most_two_badges_are_told():
    kind = get_kind("goishi")
    everything = Earned(first_of_kind=kind, is_new_in_class=True, went_straight=True)
    assert [str(each) for each in everything.badges] == [
        "New in your class!",
        "Your first Goishi Hiroi!",
    ]


def test_a_solution_that_nobody_has_found(assigned, classmate, lines, solve):
    """The first of all is no discovery, because it may be the only one."""
    assert not solve(assigned, lines.solution, who=classmate).is_new_in_class
    assert not solve(assigned, lines.solution, hour=10).is_new_in_class
    assert solve(assigned, lines.other_solution, hour=11).is_new_in_class
    assert solve(assigned, lines.other_solution, hour=12) is None
    assert ClassFind.objects.count() == 2


def test_what_a_class_has_found_stays_when_students_leave(assigned, classmate, lines, solve):
    solve(assigned, lines.solution, who=classmate)
    solve(assigned, lines.other_solution, who=classmate, hour=10)
    classmate.delete()
    assert ClassFind.objects.count() == 2
    assert not solve(assigned, lines.other_solution, hour=11).is_new_in_class


def test_without_taking_back_counts_from_the_first_step(assigned, lines, solve):
    assert solve(assigned, lines.solution).went_straight


def test_after_a_restart_nothing_is_without_taking_back(assigned, lines, solve):
    solve(assigned, "1,1")
    assert not solve(assigned, lines.solution, hour=10).went_straight


def test_a_move_that_was_taken_back_counts(assigned, lines, solve):
    assert not solve(assigned, f"1,1 undo {lines.solution}").went_straight


def test_a_teachers_attempt_earns_nothing(teacher_client, assigned, lines):
    url = reverse("trial_step", args=[assigned.trial_name])
    for number, move in enumerate(split_moves(lines.solution)):
        fields = {"step": number, "action": "move", "move": move}
        answer = teacher_client.post(url, fields, headers=HTMX).content.decode()
    assert 'class="solved' in answer and 'class="told"' not in answer


def test_it_takes_a_fixed_number_of_queries(student, practised, solve):
    for board in worlds(get_kind("goishi"))[1][:3]:
        solve(practised(board), line_for(board))
    board = worlds(get_kind("goishi"))[1][3]
    puzzle: AssignedPuzzle = practised(board)
    attempt = current_attempt(student, puzzle)
    for move in split_moves(line_for(board)):
        attempt = take_step(attempt, attempt.next_step, "move", move)
    with CaptureQueriesContext(connection) as seen:
        assert earned_by(student, attempt, is_new=True)
    assert len(seen) <= MAX_QUERIES
