"""The list on the home page of what a student has to do."""

from datetime import timedelta

import pytest
from django.utils import timezone

from puzzleclass.play.attempts import current_attempt
from puzzleclass.play.due import due_for
from puzzleclass.play.restarts import restart


def in_days(days: int):
    return timezone.now() + timedelta(days=days)


def test_open_ones_come_soonest_first_and_past_ones_latest_first(
    student, classroom, puzzle, assign
):
    for title, days in (("later", 3), ("older", -9), ("soon", 1), ("old", -2)):
        assign(classroom, puzzle, title=title, due_at=in_days(days))
    due = due_for(student)
    assert [mine.assignment.title for mine in due.open] == ["soon", "later"]
    assert [mine.assignment.title for mine in due.over] == ["old", "older"]


def test_only_the_students_own_classes_count(
    student, classmate, other_teacher, puzzle, assign, make_class
):
    second = make_class(other_teacher, "Club")
    second.enrolments.create(student=student, number=7)
    assign(second, puzzle)
    assert len(due_for(student).open) == 1
    assert due_for(classmate).open == []


def test_each_puzzle_shows_how_far_the_student_is(
    student, classmate, classroom, puzzle, assign, lines, play
):
    assignment = assign(classroom, puzzle, puzzle, puzzle, puzzle)
    solved, twice, working, opened = assignment.puzzles.all()
    play(current_attempt(student, solved), lines.solution)
    play(restart(play(current_attempt(student, twice), lines.solution)), lines.other_solution)
    play(current_attempt(student, working), "1,1")
    current_attempt(student, opened)
    play(current_attempt(classmate, opened), lines.solution)

    (mine,) = due_for(student).open
    assert [
        (state.status.is_begun, state.status.is_solved, state.status.found)
        for state in mine.puzzles
    ] == [(True, True, 1), (True, True, 2), (True, False, 0), (False, False, 0)]
    assert mine.solved == 2
    assert mine.next.puzzle == working


def test_the_queries_do_not_grow_with_the_work(
    student, classroom, puzzle, django_assert_num_queries, assign, lines, play
):
    for days in (-3, -2, 1, 2, 3):
        for assigned in assign(
            classroom, puzzle, puzzle, puzzle, due_at=in_days(days)
        ).puzzles.all():
            if days > 0:
                play(current_attempt(student, assigned), lines.solution)
    with django_assert_num_queries(3):
        due_for(student)


def page_of(client) -> str:
    return " ".join(client.get("/").content.decode().split())


@pytest.mark.parametrize(
    ("language", "texts"),
    [
        ("en", ("Homework", "Solved: 1 of 2", "Continue", "Not started", "Past their due date")),
        ("ja", ("Homework", "2問のうち1問解けた", "続ける", "まだ", "しめきりを過ぎた課題")),
    ],
)
def test_the_front_page_shows_it(
    client_of, student, classroom, puzzle, language, texts, assign, lines, play
):
    assignment = assign(classroom, puzzle, puzzle)
    assign(classroom, puzzle, due_at=in_days(-1))
    first, second = assignment.puzzles.all()
    play(current_attempt(student, first), lines.solution)
    page = page_of(client_of(student, language))
    for text in texts:
        assert text in page
    assert f'href="/play/{second.pk}/"' in page


def test_a_student_with_nothing_to_do_is_told_so(student_client):
    assert "You have no assignments right now." in page_of(student_client)


def test_a_student_who_has_solved_all_is_told_so(student_client, student, assigned, lines, play):
    play(current_attempt(student, assigned), lines.solution)
    assert "All solved" in page_of(student_client)
