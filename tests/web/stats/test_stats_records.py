"""The scores of a class as its teacher sees them."""

import pytest

from puzzleclass.stats.assignment_ledger import assignment_ledger
from puzzleclass.stats.class_results import class_records
from puzzleclass.stats.fall_off import fall_off_of
from solvers.kind import split_moves

SIX = split_moves("o 1,2 o 2,1 x 2,2 o 2,3 x 3,1 x 3,3")
OTHER_SIX = split_moves("x 1,1 x 1,3 o 2,1 x 2,2 o 2,3 o 3,2")
"""Boards with the best possible score."""


@pytest.fixture
def assigned(classroom, assign, make_puzzle):
    puzzle = make_puzzle("maxstrings", ".../.../... 4", "Go")
    return assign(classroom, puzzle).puzzles.get()


@pytest.fixture
def third(classroom):
    return classroom.students.get(enrolments__number=3)


def test_the_record_boards_and_who_holds_them(student, classmate, third, assigned, tried):
    tried(student, assigned, *SIX[:5])
    tried(classmate, assigned, *OTHER_SIX[:5])
    tried(third, assigned, *SIX[:5])
    records = class_records(assigned)
    assert (records.best, records.goal.score, records.goal.optimum) == (5, 4, 6)
    assert [[person.name for person in board.holders] for board in records.boards] == [
        [student.name, third.name],
        [classmate.name],
    ]
    tried(third, assigned, SIX[5])
    records = class_records(assigned)
    assert records.scores == [
        (6, [(third.pk, third.name)]),
        (5, [(student.pk, student.name), (classmate.pk, classmate.name)]),
    ]
    assert len(records.boards) == 1


def test_the_page_of_the_puzzle_shows_them(teacher_client, student, assigned, tried):
    url = f"/assigned/{assigned.pk}/found/"
    assert "No board of the class counts yet." in teacher_client.get(url).content.decode()
    tried(student, assigned, *SIX[:2])
    page = teacher_client.get(url).content.decode()
    card = page.partition("The class's record")[2].partition("</section>")[0]
    assert f'<a href="/students/{student.pk}/">{student.name}</a>' in card and "<svg" in card


def test_kinds_without_a_score_have_no_records(teacher_client, classroom, puzzle, assign):
    other = assign(classroom, puzzle).puzzles.get()
    assert class_records(other) is None
    page = teacher_client.get(f"/assigned/{other.pk}/found/").content.decode()
    assert "The class's record" not in page


def test_the_class_table_tells_the_scores(teacher_client, student, classmate, assigned, tried):
    tried(student, assigned, *SIX[:3])
    tried(classmate, assigned, *SIX[:5])
    table = assignment_ledger(assigned.assignment)
    assert [row.work.row[0].score for row in table.rows] == [3, 5, None]
    (column,) = table.columns
    assert (column.score, column.goal.score, column.goal.optimum) == (5, 4, 6)
    page = " ".join(
        teacher_client.get(f"/assignments/{assigned.assignment_id}/").content.decode().split()
    )
    assert "best 5, goal 4, possible 6" in page
    assert "Best score: 3" in page


def test_an_attempt_that_reached_the_goal_is_not_called_unsolved(
    teacher_client, student, assigned, tried
):
    attempt = tried(student, assigned, *SIX[:4])
    assert fall_off_of(assigned).alive == 0 and not fall_off_of(assigned).waiting
    page = teacher_client.get(f"/assigned/{assigned.pk}/students/{student.pk}/").content.decode()
    assert "Goal reached" in page
    assert "Goal reached" in teacher_client.get(f"/attempts/{attempt.key}/replay/").content.decode()
