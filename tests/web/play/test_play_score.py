"""Scores on a student's board: the goal, the best score of the class, and what must stay hidden."""

import re
from datetime import timedelta

import pytest
from django.utils import timezone

from puzzleclass.assignments.models import AssignedPuzzle, Assignment
from puzzleclass.jobs import services as jobs
from puzzleclass.jobs.models import Job
from puzzleclass.play.attempts import current_attempt
from puzzleclass.play.hints import ask_hint, take_answer
from puzzleclass.play.models import Attempt, HintUse
from puzzleclass.play.restarts import restart
from puzzleclass.play.result_models import BestScore, FoundSolution
from solvers.registry import get_kind

SIX = "o 1,2 o 2,1 x 2,2 o 2,3 x 3,1 x 3,3"
"""The most strings on three lines."""
OTHER_SIX = "x 1,1 x 1,3 o 2,1 x 2,2 o 2,3 o 3,2"


@pytest.fixture
def assign_board(classroom, assign, make_puzzle):
    """Return a function that assigns a board to the class."""

    def assign_board(position: str, **settings: object) -> AssignedPuzzle:
        kind = get_kind("maxstrings")
        canonical = kind.write(kind.read(position))
        puzzle = make_puzzle(kind.slug, canonical, "Go")
        return assign(classroom, puzzle, **settings).puzzles.get()

    return assign_board


def moves(line: str) -> list[str]:
    return re.findall(r"[xo-] \d+,\d+", line)


def figures(client, assigned: AssignedPuzzle) -> dict[str, str]:
    """Return the numbers on the card of scores."""
    page = client.get(f"/play/{assigned.pk}/").content.decode()
    found = re.findall(r"<dt>(.*?)</dt>\s*<dd>(.*?)</dd>", page, re.DOTALL)
    return {
        name: re.sub(r"<[^>]*>|★|It is your record\.", "", text).strip() for name, text in found
    }


def test_own_score_best_of_the_class_and_optimum(
    student, classmate, student_client, assign_board, tried
):
    assigned = assign_board(".../.../... 5")
    assert figures(student_client, assigned) == {
        "Goal": "5", "Best possible": "6", "Your best": "–", "Best of the class": "–"
    }  # fmt: skip
    tried(student, assigned, *moves(SIX)[:3])
    tried(classmate, assigned, *moves(SIX)[:4])
    assert figures(student_client, assigned) == {
        "Goal": "5", "Best possible": "6", "Your best": "3", "Best of the class": "4"
    }  # fmt: skip


def test_the_best_score_survives_removed_stones_and_the_next_attempt(
    student, student_client, assign_board, tried
):
    assigned = assign_board(".../.../... 5")
    attempt = tried(student, assigned, *moves(SIX)[:4], "undo", "undo")
    assert BestScore.objects.get().score == 4
    restart(attempt)
    tried(student, assigned, "x 1,1")
    best = BestScore.objects.get()
    assert (best.score, moves(best.line)) == (4, moves(SIX)[:4])
    assert figures(student_client, assigned)["Your best"] == "4"


def test_a_board_with_a_fault_or_without_a_wanted_stone_does_not_count(
    student, assign_board, tried
):
    assigned = assign_board(".../.s./... 3")
    tried(student, assigned, "x 1,1", "o 1,2", "o 2,1")
    assert not BestScore.objects.exists()
    tried(student, assigned, "- 2,1", "x 2,2")
    assert BestScore.objects.get().score == 3


def test_the_page_says_that_a_board_does_not_count(student, student_client, assign_board, tried):
    assigned = assign_board(".../.../... 5")
    tried(student, assigned, "x 1,1", "o 1,2", "o 2,1")
    page = student_client.get(f"/play/{assigned.pk}/").content.decode()
    assert "This board does not count for the best score yet" in page
    assert "touches no empty point. Nothing is captured, but it does not count." in page


def test_a_kind_without_a_score_has_no_card(student_client, assigned):
    assert "Best of the class" not in student_client.get(f"/play/{assigned.pk}/").content.decode()


# The goal


def test_the_goal_solves_and_the_board_goes_on(student, student_client, assign_board, tried):
    assigned = assign_board(".../.../... 5")
    attempt = tried(student, assigned, *moves(SIX)[:5])
    assert attempt.state == Attempt.State.OPEN
    assert FoundSolution.objects.count() == 1
    page = student_client.get(f"/play/{assigned.pk}/").content.decode()
    assert "The goal is reached!" in page and "data-board" in page
    attempt = tried(student, assigned, moves(SIX)[5])
    assert attempt.state == Attempt.State.SOLVED
    page = student_client.get(f"/play/{assigned.pk}/").content.decode()
    assert "Is there another solution?" in page and "data-board" not in page


def test_several_boards_of_one_score_are_all_accepted(student, assign_board, tried):
    assigned = assign_board("3x3")
    for line in (SIX, OTHER_SIX, SIX):
        attempt = tried(student, assigned, *moves(line))
        assert attempt.state == Attempt.State.SOLVED
        restart(attempt)
    assert FoundSolution.objects.count() == 2


def test_restarting_after_the_goal_is_no_giving_up(student, assign_board, tried):
    assigned = assign_board(".../.../... 5")
    first = tried(student, assigned, *moves(SIX)[:5])
    second = restart(first)
    first.refresh_from_db()
    assert (first.state, second.number) == (Attempt.State.SOLVED, 2)
    assert not Job.objects.filter(question="review").exists()
    tried(student, assigned, "x 1,1")
    restart(second)
    second.refresh_from_db()
    assert second.state == Attempt.State.GIVEN_UP


# The record board


def test_the_record_board_is_for_those_who_have_reached_the_goal(
    student, classmate, student_client, assign_board, tried
):
    assigned = assign_board(".../.../... 4")
    tried(classmate, assigned, *moves(SIX)[:5])

    def shown() -> int:
        page = student_client.get(f"/play/{assigned.pk}/").content.decode()
        assert classmate.name not in page
        return page.partition("record board")[2].partition("</details>")[0].count("<svg")

    assert shown() == 0
    tried(student, assigned, *moves(OTHER_SIX)[:4])
    assert shown() == 1
    tried(student, assigned, moves(OTHER_SIX)[4])
    assert shown() == 2


def test_when_it_is_over_everybody_may_see_it(
    student, classmate, student_client, assign_board, tried
):
    assigned = assign_board(".../.../... 4")
    tried(classmate, assigned, *moves(SIX)[:2])
    tried(student, assigned, *moves(SIX)[:1])
    Assignment.objects.update(due_at=timezone.now() - timedelta(minutes=1))
    assert "record board" in student_client.get(f"/play/{assigned.pk}/").content.decode()


def test_departed_students_hold_no_record(student, classmate, student_client, assign_board, tried):
    assigned = assign_board(".../.../... 4")
    tried(classmate, assigned, *moves(SIX)[:2])
    classmate.enrolments.all().delete()
    assert figures(student_client, assigned)["Best of the class"] == "–"


def test_forty_students_cost_no_more_queries(
    teacher, student, student_client, assign_board, queries_of, classroom, tried
):
    assigned = assign_board("3x3")
    for number in range(10, 40):
        other = type(student).objects.create_student(f"Student {number}", "1234")
        classroom.enrolments.create(student=other, number=number)
        BestScore.objects.create(student=other, puzzle=assigned, score=3, text="t", line="x 1,1")
    tried(student, assigned, "x 1,1")
    assert queries_of(student_client, f"/play/{assigned.pk}/") <= 20


# The optimum, hidden


def told_numbers(page: str) -> set[str]:
    """Return the numbers on the page, except those in attributes of the drawing and in scripts."""
    body = page.partition("<main")[2].partition("</main>")[0]
    said = " ".join(re.findall(r'aria-label="([^"]*)"|<title>(.*?)</title>', body)[0])
    return set(re.findall(r"\d+", re.sub(r"<[^>]*>", " ", body) + said))


@pytest.mark.parametrize("position", ["9x9", "9x9 61"])
def test_a_hidden_optimum_is_told_nowhere(
    student, student_client, assign_board, done, position, tried
):
    assigned = assign_board(position, shows_total=False)
    attempt = tried(student, assigned, "x 1,1")
    assert figures(student_client, assigned) == {
        "Goal": "as much as you can", "Your best": "1", "Best of the class": "1"
    }  # fmt: skip
    ask_hint(attempt, attempt.next_step, HintUse.Level.ALIVE)
    done(jobs.find("maxstrings", "hint", attempt.position_text))
    take_answer(attempt, attempt.next_step)
    page = student_client.get(f"/play/{assigned.pk}/").content.decode()
    assert "can still be reached" in page
    assert not {"61", "20"} & told_numbers(page)
    shown = assign_board(position, shows_total=True)
    tried(student, shown, "x 1,1")
    assert "61" in told_numbers(student_client.get(f"/play/{shown.pk}/").content.decode())


def test_a_hidden_optimum_is_not_told_when_it_is_lost(
    student, student_client, assign_board, done, tried
):
    assigned = assign_board("4x4", shows_total=False)
    attempt = tried(student, assigned, "x 1,1", "x 1,2")
    ask_hint(attempt, attempt.next_step, HintUse.Level.ALIVE)
    done(jobs.find("maxstrings", "hint", attempt.position_text))
    take_answer(attempt, attempt.next_step)
    page = student_client.get(f"/play/{assigned.pk}/").content.decode()
    assert "can&#x27;t be reached any more" in page
    assert "12" not in told_numbers(page)


def test_a_goal_below_a_hidden_optimum_is_told(student, student_client, assign_board):
    assigned = assign_board("9x9 58", shows_total=False)
    current_attempt(student, assigned)
    assert figures(student_client, assigned)["Goal"] == "58"


def test_a_goal_that_may_be_the_hidden_optimum_is_not_told(student, student_client, assign_board):
    wide = "/".join(["." * 11 + "-"] + ["." * 12] * 11)
    assigned = assign_board(f"{wide} 109", shows_total=False)
    current_attempt(student, assigned)
    assert figures(student_client, assigned)["Goal"] == "as much as you can"
