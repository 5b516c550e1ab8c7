"""What the teacher sees of a class's scores."""

import pytest

from puzzleclass.puzzles.models import Puzzle
from puzzleclass.stats.fall_off import fall_off
from puzzleclass.stats.records import class_records
from puzzleclass.stats.table import class_table
from tests.web.conftest import assign
from tests.web.test_play_score import OTHER_SIX, SIX, moves
from tests.web.trying import tried


@pytest.fixture
def assigned(teacher, classroom):
    puzzle = Puzzle.objects.create(
        owner=teacher, kind_slug="maxstrings", position=".../.../... 4", title="Go"
    )
    return assign(classroom, puzzle).puzzles.get()


@pytest.fixture
def third(classroom):
    return classroom.students.get(enrolments__number=3)


def test_the_record_boards_and_who_holds_them(student, classmate, third, assigned):
    tried(student, assigned, *moves(SIX)[:5])
    tried(classmate, assigned, *moves(OTHER_SIX)[:5])
    tried(third, assigned, *moves(SIX)[:5])
    records = class_records(assigned)
    assert (records.best, records.mark.score, records.mark.optimum) == (5, 4, 6)
    assert [board.holders for board in records.boards] == [
        [student.name, third.name],
        [classmate.name],
    ]
    tried(third, assigned, moves(SIX)[5])
    records = class_records(assigned)
    assert records.scores == [(6, [third.name]), (5, [student.name, classmate.name])]
    assert len(records.boards) == 1


def test_the_page_of_the_puzzle_shows_them(teacher_client, student, assigned):
    url = f"/assigned/{assigned.pk}/solutions/"
    assert "No board of the class counts yet." in teacher_client.get(url).content.decode()
    tried(student, assigned, *moves(SIX)[:2])
    page = teacher_client.get(url).content.decode()
    card = page.partition("The class's record")[2].partition("</section>")[0]
    assert student.name in card and "<svg" in card


def test_kinds_without_a_score_have_no_records(teacher_client, classroom, puzzle):
    other = assign(classroom, puzzle).puzzles.get()
    assert class_records(other) is None
    page = teacher_client.get(f"/assigned/{other.pk}/solutions/").content.decode()
    assert "The class's record" not in page


def test_the_class_table_tells_the_scores(teacher_client, student, classmate, assigned):
    tried(student, assigned, *moves(SIX)[:3])
    tried(classmate, assigned, *moves(SIX)[:5])
    table = class_table(assigned.assignment)
    assert [row.cells[0].score for row in table.rows] == ["3", "5", ""]
    (column,) = table.columns
    assert (column.best, column.mark.score, column.mark.optimum) == (5, 4, 6)
    page = " ".join(
        teacher_client.get(f"/assignments/{assigned.assignment_id}/").content.decode().split()
    )
    assert "best 5, mark 4, possible 6" in page
    assert "Best score: 3" in page and "★3" in page


def test_a_try_that_reached_the_mark_is_not_called_unsolved(teacher_client, student, assigned):
    attempt = tried(student, assigned, *moves(SIX)[:4])
    assert fall_off(assigned).alive == 0 and not fall_off(assigned).waiting
    page = teacher_client.get(f"/assigned/{assigned.pk}/students/{student.pk}/").content.decode()
    assert "Mark reached" in page
    assert "Mark reached" in teacher_client.get(f"/attempts/{attempt.key}/replay/").content.decode()
