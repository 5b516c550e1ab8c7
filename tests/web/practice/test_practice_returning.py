"""Positions at which an attempt was lost return after 1, 4 and 10 days."""

from datetime import date, timedelta

import pytest
from django.urls import reverse
from django.utils import timezone

from puzzleclass.assignments.models import AssignedPuzzle, Assignment
from puzzleclass.classes.personal_data import rows_under, student_roots
from puzzleclass.jobs.models import Job
from puzzleclass.play.models import Attempt, Step
from puzzleclass.play.practised import results_of
from puzzleclass.play.restarts import restart
from puzzleclass.play.result_models import FoundSolution
from puzzleclass.practice import services
from puzzleclass.practice.counting import count_ended_attempts, count_results
from puzzleclass.practice.models import ReturningPosition
from puzzleclass.practice.returning import MAX_PER_DAY, due_positions, find_positions
from solvers.contract import brute
from solvers.registry import ready_kinds

BOARD, LOST, SOLUTION = "o./oo/../oo", "2,1 1,1", "2,2 4,2 4,1 1,1"
"""A Goishi board, a line that loses it with its second move, and a solution after the first."""

BOARDS = {
    "goishi": (BOARD, LOST),
    "tonari": ("Bb/ww", "1,2"),
    "maxstrings": (".../... 4", "x 1,1 x 1,2"),
    "kikazu": ("3/3/3 RBG", "R 2,2"),
    ready_kinds()["queens"].slug: ("4x4", "o 1,2 o 2,1"),
    ready_kinds()["slitherlink"].slug: ("2x2 clues=0./..", "o 4,5 o 1,5"),
}


@pytest.fixture
def clock(monkeypatch):
    """Return a function that sets the day, in days from today."""

    def clock(days: int) -> date:
        day = timezone.localdate() + timedelta(days=days)
        monkeypatch.setattr("puzzleclass.practice.services.today", lambda: day)
        return day

    return clock


@pytest.fixture
def lost(classroom, student, tried, done):
    """Return a function that lets the student lose an attempt at a board of practice.

    It returns the position that will return.
    """

    def lost(slug: str = "goishi", position: str = BOARD, line: str = LOST) -> ReturningPosition:
        puzzle = services.begin(classroom, slug, position, "A board")
        restart(tried(student, puzzle, line))
        count_results(student)
        for job in Job.objects.filter(question="review").exclude(state__in=Job.ENDED):
            done(job)
        find_positions(student)
        return ReturningPosition.objects.get(puzzle=puzzle)

    return lost


@pytest.mark.parametrize("slug", BOARDS)
def test_the_position_is_the_last_that_can_be_solved(lost, slug):
    position = lost(slug, *BOARDS[slug])
    kind, count = position.kind, brute.reference(position.kind, "count")
    line = kind.line(position.puzzle.after(position.line))
    assert kind.line(position.beginning) == line[: position.kept]
    assert count(kind, position.beginning)
    assert not count(kind, kind.play(position.beginning, line[position.kept]))


def test_it_returns_after_one_four_and_ten_days(student, student_client, lost, clock):
    position = lost()
    url = reverse("practice_again", args=[position.pk])
    assert due_positions(student, clock(0)) == []
    for days, moves in ((1, SOLUTION), (5, SOLUTION), (15, SOLUTION)):
        assert due_positions(student, clock(days - 1)) == []
        today = clock(days)
        assert due_positions(student, today) == [position]
        for page in ("/", "/practice/"):
            assert url in student_client.get(page).content.decode()
        solve(student_client, url, moves)
        assert due_positions(student, today) == []
        assert url not in student_client.get("/").content.decode()
    assert due_positions(student, clock(1_000)) == []


def solve(client, url: str, moves: str):
    line = ""
    for move in moves.split():
        page = client.post(url, {"line": line, "move": move}, headers={"HX-Request": "true"})
        line = page.context["scratch"].line
    assert page.context["scratch"].is_solved
    return page.content.decode()


def test_lost_again_it_begins_with_the_first_interval(student, student_client, lost, clock):
    position = lost()
    url = reverse("practice_again", args=[position.pk])
    clock(1)
    assert "This board comes back on" in solve(student_client, url, SOLUTION)
    clock(5)
    page = student_client.post(url, {"line": "1,1", "action": "restart"})
    assert "another day" in page.content.decode()
    position.refresh_from_db()
    assert (position.stage, position.due_on) == (0, clock(6))
    # On the same day nothing more counts.
    clock(5)
    solve(student_client, url, SOLUTION)
    position.refresh_from_db()
    assert position.stage == 0
    for days in (6, 10, 20):
        clock(days)
        said = solve(student_client, url, SOLUTION)
    assert "for good" in said


def test_a_board_without_a_move_is_lost(student_client, lost, clock):
    position = lost()
    clock(1)
    url = reverse("practice_again", args=[position.pk])
    page = student_client.post(url, {"move": "1,1"})
    assert page.context["scratch"].is_jammed
    position.refresh_from_db()
    assert (position.stage, position.due_on) == (0, clock(2))


def test_two_windows_move_on_once(lost, clock):
    position = lost()
    today = clock(1)
    same = ReturningPosition.objects.get(pk=position.pk)
    assert position.move_on(today, is_solved=True)
    assert not same.move_on(today, is_solved=True)
    assert not same.move_on(today, is_solved=False)
    same.refresh_from_db()
    assert (same.stage, same.due_on) == (1, today + timedelta(days=4))


def test_nothing_else_is_stored(student, student_client, lost, clock):
    position = lost()
    clock(1)
    before = [model.objects.count() for model in (Attempt, Step, FoundSolution)]
    reached = results_of(student)
    solve(student_client, reverse("practice_again", args=[position.pk]), SOLUTION)
    assert [model.objects.count() for model in (Attempt, Step, FoundSolution)] == before
    assert results_of(student) == reached


def test_the_way_on_stays_on_the_path(student, student_client, lost, tried, clock):
    """A position that returns is an invitation on two pages. The next board is that of the map."""
    position = lost()
    url = reverse("practice_again", args=[position.pk])
    clock(1)
    assert url in student_client.get("/practice/").content.decode()
    page = student_client.get("/practice/").context["maps"]
    following = next(each.way.current for each in page if each.kind.slug == "tonari")
    played = student_client.post(reverse("go_on", args=["tonari"]))
    board = AssignedPuzzle.objects.get(pk=played.url.split("/")[2])
    assert board.key == following.key
    after = student_client.get("/practice/").context["maps"]
    assert following in [each.way.current for each in after]
    assert reverse("go_on", args=["goishi"]) in solve(student_client, url, SOLUTION)


def test_the_latest_loss_at_a_board_counts(student, lost, tried, clock):
    first = lost()
    clock(1)
    first.move_on(services.today(), is_solved=True)
    again = lost(line="4,2")
    assert again.pk == first.pk and (first.kept, again.kept, again.stage) == (1, 0, 0)
    assert again.due_on == timezone.localdate() + timedelta(days=1)


def test_an_attempt_that_is_still_solvable_does_not_return(classroom, student, tried, done):
    puzzle = services.begin(classroom, "goishi", BOARD, "A board")
    restart(tried(student, puzzle, "1,1"))
    count_ended_attempts()
    assert due_positions(student, date(2999, 1, 1)) == []
    for job in Job.objects.filter(question="review"):
        done(job)
    count_ended_attempts()
    assert not ReturningPosition.objects.exists()


def test_a_position_of_an_assignment_waits_until_it_is_over(
    student, assignment, assigned, tried, lines, done, clock
):
    restart(tried(student, assigned, lines.lost))
    count_results(student)
    done(Job.objects.get(question="review"))
    find_positions(student)
    tomorrow = clock(1)
    assert due_positions(student, tomorrow) == []
    Assignment.objects.update(due_at=timezone.now())
    assert len(due_positions(student, tomorrow)) == 1
    Assignment.objects.update(deleted_at=timezone.now())
    assert due_positions(student, tomorrow) == []


def test_a_lost_review_is_asked_for_again(student, lost):
    position = lost()
    ReturningPosition.objects.update(kept=None)
    Job.objects.all().delete()
    find_positions(student)
    assert Job.objects.get().position == f"{position.puzzle.position} | {position.line}"


def test_a_few_are_shown_at_a_time(student, classroom, clock):
    for number in range(MAX_PER_DAY + 1):
        puzzle = services.begin(classroom, "goishi", "o" * (number + 2), "A board")
        ReturningPosition.objects.create(
            student=student, puzzle=puzzle, line="1,1", kept=0, due_on=services.today()
        )
    assert len(due_positions(student, clock(0))) == MAX_PER_DAY


def test_positions_are_deleted_with_the_student(student, lost):
    lost()
    assert rows_under(student_roots(student))[ReturningPosition].count() == 1
    student.delete()
    assert not ReturningPosition.objects.exists()
