"""The statistics of a class over all its assignments, on the screen and in files."""

from collections import Counter
from datetime import date, datetime, timedelta

import pytest
from django.utils import timezone

from puzzleclass.charts import round_half_up
from puzzleclass.classes.models import DataRecord
from puzzleclass.classes.terms import Term, term_of
from puzzleclass.jobs import services as jobs
from puzzleclass.play.models import Attempt
from puzzleclass.play.result_models import FoundSolution
from puzzleclass.stats.class_statistics import StatisticsTable, statistics_of
from tests.web.sheets import shown_everywhere


@pytest.fixture
def url(classroom) -> str:
    return f"/classes/{classroom.pk}/statistics/"


def due(*day: int) -> datetime:
    return timezone.make_aware(datetime(*day, 17))


@pytest.fixture
def year(classroom, puzzle, assign, tried, lines, student, classmate, teacher, answered):
    """Create assignments of three terms, of all dealings, and some work at them."""
    assignments = [
        assign(classroom, puzzle, title="Spring <1>"),
        assign(classroom, puzzle, puzzle, title="Autumn", wanted=2),
        assign(classroom, puzzle, puzzle, title="Each", dealing="each"),
        assign(classroom, puzzle, puzzle, title="Winter"),
    ]
    assign(classroom, puzzle, title="Draft", is_draft=True)
    spring, autumn, _each, winter = (each.puzzles.first() for each in assignments)
    tried(student, spring, lines.solution)
    tried(student, autumn, lines.solution)
    tried(classmate, winter, lines.solution)
    tried(classmate, spring, lines.jam)
    answered(jobs.ask(teacher, "goishi", "rate", puzzle.position), 1, band="hard")
    Attempt.objects.filter(has_solved=True).update(seconds=100)
    days = (due(2026, 5, 1), due(2026, 9, 9), due(2026, 12, 1), due(2027, 2, 2))
    for each, each.due_at in zip(assignments, days):
        each.save()
    return assignments


@pytest.mark.parametrize("language", ["en", "ja"])
@pytest.mark.parametrize("table", StatisticsTable)
def test_screen_csv_and_excel_agree(client_of, teacher, url, year, table, language):
    client = client_of(teacher, language)
    on_screen, as_csv, in_excel = shown_everywhere(client, url, {"table": table.value})
    assert on_screen == as_csv == in_excel
    assert len(as_csv) > 1 and len({len(row) for row in as_csv}) == 1


def test_the_grade_book_counts_the_solved_boards(classroom, year):
    sheet = statistics_of(classroom, None, None).sheet(StatisticsTable.GRADES)
    assert [group.label for group in sheet.groups[2:]] == [
        *("2026, term 1", "2026, term 2", "2026, term 3")
    ]
    assert sheet.head[5:] == [
        *("5/1 (1) Spring <1>", "9/9 (2) Autumn", "12/1 (1) Each", "2/2 (2) Winter")
    ]
    assert sheet.rows == [
        [1, "Abe Haruto", 1, 6, 17, 1, 0, 0, 0],
        [2, "Ito Yui", 1, 6, 17, 0, 0, 0, 1],
        [3, "Kato Ren", 0, 6, 0, 0, 0, 0, 0],
    ]


def test_each_board_shows_the_sign_of_the_state(classroom, year):
    sheet = statistics_of(classroom, None, None).sheet(StatisticsTable.BOARDS)
    assert [row[5:] for row in sheet.rows[:2]] == [
        ["✓", "…", "–", *sheet.rows[0][8:10], "–", "–"],
        ["!", "–", "–", *sheet.rows[1][8:10], "✓", "–"],
    ]
    for row in sheet.rows:
        assert sorted(row[8:10]) == ["·", "–"]


def test_the_tables_agree_with_the_rows_of_the_database(classroom, year):
    """A count of the rows themselves, without the statuses."""
    statistics = statistics_of(classroom, None, None)
    found = Counter(FoundSolution.objects.values_list("puzzle__assignment", "student", "puzzle"))
    solved = Counter(
        assignment
        for (assignment, _student, _puzzle), number in found.items()
        if number >= next(each.wanted for each in year if each.pk == assignment)
    )
    begun = Attempt.objects.filter(next_step__gt=0)
    places = set(begun.values_list("puzzle__assignment", "student", "puzzle"))
    table = statistics.sheet(StatisticsTable.ASSIGNMENTS)
    for each, row in zip(year, table.rows, strict=True):
        assert row[:2] == [each.title, timezone.localdate(each.due_at)]
        assert row[4] == sum(place[0] == each.pk for place in places)
        assert row[5] == solved[each.pk]
    [kind] = statistics.sheet(StatisticsTable.KINDS).rows
    assert kind == ["Goishi Hiroi", "hard", len(places), solved.total(), 50, 2]
    course = statistics.sheet(StatisticsTable.COURSE).rows
    assert sum(row[1] for row in course) == begun.count()
    assert sum(row[2] for row in course) == begun.filter(has_solved=True).count()
    assert all(row[4] == round_half_up(100 * row[2], row[1]) for row in course if row[1])
    assert [(bar.value, bar.label) for bar in statistics.solved_chart.bars] == [
        *((3, "5/1"), (6, "9/9"), (3, "12/1"), (6, "2/2"))
    ]


def test_a_term_shows_its_own_assignments(teacher_client, url, year):
    page = teacher_client.get(url, {"first": "2026-09-01", "last": "2026-12-31"})
    assert [each.title for each in page.context["statistics"].assignments] == ["Autumn", "Each"]
    shown = page.content.decode()
    assert "first=2027-01-01&amp;last=2027-03-31" in shown
    assert shown.count("2026, term 2") == 2  # the link and the group


@pytest.mark.parametrize("asked", [{"first": "soon"}, {"last": "2026-13-01"}])
@pytest.mark.parametrize("ending", ["", "csv"])
def test_a_bad_day_is_reported_beside_its_field(teacher_client, url, year, asked, ending):
    page = teacher_client.get(url, asked | {"format": ending})
    assert page.status_code == 200 and "Enter a valid date." in page.content.decode()


def test_bad_words_in_the_address_show_the_page(teacher_client, url, year):
    for query in ("?table=x", "?format=exe", "?page=x", "?page=99"):
        assert "Abe Haruto" in teacher_client.get(url + query).content.decode()


def test_files_with_names_are_logged(teacher_client, url, year, classroom):
    for table in ("grades", "boards", "kinds", "course", "assignments"):
        teacher_client.get(url, {"table": table, "format": "csv"})
    exported = DataRecord.objects.filter(action="exported", classroom=classroom)
    assert [record.rows for record in exported] == [{"classes.Enrolment": 3}] * 2


def test_a_class_without_work_has_a_page(teacher_client, teacher, make_class):
    empty = make_class(teacher, "Empty")
    for table in StatisticsTable:
        page = teacher_client.get(f"/classes/{empty.pk}/statistics/", {"table": table.value})
        assert "nothing to add up" in page.content.decode()
        file = {"table": table.value, "format": "xlsx"}
        assert teacher_client.get(f"/classes/{empty.pk}/statistics/", file).status_code == 200


def test_too_many_boards_leave_the_latest_assignments(classroom, year, monkeypatch):
    monkeypatch.setattr("puzzleclass.stats.class_statistics.MAX_CELLS", 3 * 4)
    statistics = statistics_of(classroom, None, None)
    assert [each.title for each in statistics.assignments] == ["Each", "Winter"]
    assert statistics.sheet(StatisticsTable.GRADES).is_cut
    assert len(statistics.terms) == 3


def test_every_day_belongs_to_one_term():
    day, terms = date(2026, 4, 1), []
    while day < date(2027, 4, 1):
        term = term_of(day)
        assert term.first_day <= day <= term.last_day
        terms.append(term)
        day += timedelta(days=1)
    assert list(dict.fromkeys(terms)) == [Term(2026, 1), Term(2026, 2), Term(2026, 3)]
