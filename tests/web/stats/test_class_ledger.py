"""The grade book of a class over all its assignments, on the screen and in files."""

import io
from collections import Counter
from datetime import date, datetime, timedelta

import pytest
from django.urls import reverse
from django.utils import timezone
from openpyxl import load_workbook

from puzzleclass.assignments.reflections import Reflection
from puzzleclass.charts import round_half_up
from puzzleclass.classes.models import DataRecord
from puzzleclass.classes.terms import Term, term_of
from puzzleclass.jobs import services as jobs
from puzzleclass.play.models import Attempt
from puzzleclass.play.result_models import FoundSolution
from puzzleclass.stats.assignment_ledger import assignment_ledger
from puzzleclass.stats.class_ledger import class_ledger
from puzzleclass.stats.class_sheets import course_sheet, kinds_sheet
from puzzleclass.stats.ledger_file import sheet_of
from puzzleclass.stats.ledger_screen import screen_rows
from puzzleclass.stats.ledger_table import read_shown, table_of_assignment, table_of_class
from tests.web.sheets import shown_everywhere

HEAD = ["Number", "Name", "Solved", "Given", "Solved, % of given"]


@pytest.fixture
def url(classroom) -> str:
    return f"/classes/{classroom.pk}/grades/"


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
    Attempt.objects.filter(has_solved=False).update(seconds=0)
    days = (due(2026, 5, 1), due(2026, 9, 9), due(2026, 12, 1), due(2027, 2, 2))
    for each, each.due_at in zip(assignments, days):
        each.save()
    return assignments


@pytest.mark.parametrize("language", ["en", "ja"])
@pytest.mark.parametrize("table", ["course", "kinds"])
def test_screen_and_files_have_the_same_rows(client_of, teacher, url, year, table, language):
    client = client_of(teacher, language)
    on_screen, as_csv, in_excel = shown_everywhere(client, url, {"table": table})
    assert len(on_screen) == len(as_csv) == len(in_excel) > 1
    for rows in zip(on_screen, as_csv, in_excel):
        assert len({tuple(row[:3]) for row in rows}) == 1


def test_assignments_by_students(classroom, year):
    sheet = sheet_of(table_of_class(class_ledger(classroom), ()), read_shown("status"))
    assert [group.label for group in sheet.groups[2:]] == [
        *("1 May Spring <1>", "9 Sep Autumn", "1 Dec Each", "2 Feb Winter")
    ]
    assert sheet.head == [
        "Number",
        "Name",
        "Solved",
        "Given",
        "Solved, % of given",
        *["Solved", "Given"] * 4,
    ]
    assert sheet.rows[:3] == [
        [1, "Abe Haruto", 1, 6, 17, *(1, 1), *(0, 2), *(0, 1), *(0, 2)],
        [2, "Ito Yui", 1, 6, 17, *(0, 1), *(0, 2), *(0, 1), *(1, 2)],
        [3, "Kato Ren", 0, 6, 0, *(0, 1), *(0, 2), *(0, 1), *(0, 2)],
    ]
    foot = {row[1]: (row[2], row[5]) for row in sheet.rows[3:]}
    assert (
        foot["Given"] == (18, 3)
        and foot["Solved"] == (2, 1)
        and foot["Solved, % of given"] == (11, 33)
    )
    assert foot["Median time"] == (timedelta(seconds=100), timedelta(seconds=100))


def test_an_open_assignment_shows_its_puzzles(classroom, year):
    keys = [each.pk for each in year]
    table = table_of_class(class_ledger(classroom), keys)
    rows = screen_rows(table, read_shown("status"))
    signs = [[cell.sign for cell in row.cells] for row in rows]
    assert signs[0][:5] == ["1/1", "✓", "0/2", "…", "–"] and signs[0][-3:] == ["0/2", "–", "–"]
    assert signs[1][:5] == ["0/1", "!", "0/2", "–", "–"] and signs[1][-3:] == ["1/2", "✓", "–"]
    for row in signs:
        assert sorted(row[6:8]) == ["·", "–"]


def test_the_tables_agree_with_the_rows_of_the_database(classroom, year):
    """A count of the rows themselves, without the statuses."""
    room = class_ledger(classroom)
    found = Counter(FoundSolution.objects.values_list("puzzle__assignment", "student", "puzzle"))
    solved = Counter(
        assignment
        for (assignment, _student, _puzzle), number in found.items()
        if number >= next(each.wanted for each in year if each.pk == assignment)
    )
    begun = Attempt.objects.filter(next_step__gt=0)
    places = set(begun.values_list("puzzle__assignment", "student", "puzzle"))
    for each in year:
        own = room.ledger.of_assignment(each)
        assert own.begun == sum(place[0] == each.pk for place in places)
        assert own.solved == solved[each.pk]
    [kind] = kinds_sheet(room).rows
    assert kind == [
        *("Goishi Hiroi", "hard", len(places), solved.total(), 50, timedelta(seconds=100))
    ]
    course = course_sheet(room).rows
    assert sum(row[1] for row in course) == begun.count()
    assert sum(row[2] for row in course) == begun.filter(has_solved=True).count()
    assert all(row[4] == round_half_up(100 * row[2], row[1]) for row in course if row[1])


def test_switches_stand_in_the_address_are_remembered_and_followed_by_files(
    teacher_client, teacher, url, year, assignment
):
    assert "1:40" not in teacher_client.get(url).content.decode().partition("<tfoot>")[0]
    answer = teacher_client.post(f"{url}?open={year[0].pk}", {"show": "status time"})
    assert answer.url == f"{url}?open={year[0].pk}&show=status+time"
    for address in (answer.url, url, f"{url}?show=time"):
        assert "1:40" in teacher_client.get(address).content.decode().partition("<tfoot>")[0]
    as_csv = teacher_client.get(url, {"format": "csv"}).content.decode("utf-8-sig")
    assert "Solved,Given,Time" in as_csv and "0:01:40" in as_csv
    book = load_workbook(io.BytesIO(teacher_client.get(url, {"format": "xlsx"}).content)).active
    cell = book["H3"]
    assert (cell.value, cell.number_format) == (timedelta(seconds=100), "[m]:ss")
    page = teacher_client.get(f"/assignments/{assignment.pk}/").context["switches"]
    assert [each.show.value for each in page if each.is_on] == ["status", "time"]
    everything = teacher_client.get(url, {"format": "csv", "show": "all"}).content.decode()
    assert "Solutions found,Score,First attempt,Was stuck" in everything
    teacher_client.post(url, {"show": "none"})
    teacher.refresh_from_db()
    assert teacher.ledger_shows == "none"
    assert teacher_client.post(url, {"show": "\0<x>"}).status_code == 302


def test_a_group_is_shown_alone(teacher_client, url, classroom, year, student):
    reds = classroom.groups.create(name="Reds")
    reds.members.add(student.enrolments.get())
    for address in (url, f"/assignments/{year[0].pk}/"):
        page = teacher_client.get(address, {"group": reds.pk}).content.decode()
        table = page.partition("<tbody>")[2].partition("</tbody>")[0]
        assert student.name in table and "Ito Yui" not in table
        assert "Ito Yui" in teacher_client.get(address, {"group": 99}).content.decode()
    as_csv = teacher_client.get(url, {"group": reds.pk, "format": "csv"}).content.decode()
    assert student.name in as_csv and "Ito Yui" not in as_csv


def test_a_term_shows_its_own_assignments(teacher_client, url, year):
    page = teacher_client.get(url, {"first": "2026-09-01", "last": "2026-12-31"})
    assert [each.title for each in page.context["room"].assignments] == ["Autumn", "Each"]
    assert "first=2027-01-01&amp;last=2027-03-31" in page.content.decode()


@pytest.mark.parametrize("asked", [{"first": "soon"}, {"last": "2026-13-01"}])
@pytest.mark.parametrize("ending", ["", "csv"])
def test_a_bad_day_is_reported_beside_its_field(teacher_client, url, year, asked, ending):
    page = teacher_client.get(url, asked | {"format": ending})
    assert page.status_code == 200 and "Enter a valid date." in page.content.decode()


def test_bad_words_in_the_address_show_the_page(teacher_client, url, year):
    for query in ("?table=x", "?format=exe", "?open=x", "?open=99", "?show=x", "?group=x"):
        assert "Abe Haruto" in teacher_client.get(url + query).content.decode()


def test_old_addresses_lead_to_the_ledgers(teacher_client, classroom, assignment, url):
    old = f"/classes/{classroom.pk}/statistics/"
    assert (
        teacher_client.get(f"{old}?table=boards&first=2026-04-01").url == f"{url}?first=2026-04-01"
    )
    assert teacher_client.get(f"{old}?table=kinds").url == f"{url}?table=kinds"
    page = f"/assignments/{assignment.pk}/"
    assert teacher_client.get(f"{page}grades/").url == page
    assert teacher_client.get(f"{page}grades/?rows=tries").url == f"{page}?rows=attempts"


def test_files_with_names_are_logged(teacher_client, url, year, classroom):
    for table in ("", "kinds", "course"):
        teacher_client.get(url, {"table": table, "format": "csv"})
    exported = DataRecord.objects.filter(action="exported", classroom=classroom)
    assert [record.rows for record in exported] == [{"classes.Enrolment": 3}]


def test_a_class_without_work_has_a_page(teacher_client, teacher, make_class):
    empty = make_class(teacher, "Empty")
    for table in ("", "course", "kinds"):
        url = f"/classes/{empty.pk}/grades/"
        page = teacher_client.get(url, {"table": table})
        assert 'class="empty' in page.content.decode()
        assert teacher_client.get(url, {"table": table, "format": "xlsx"}).status_code == 200


def test_too_many_boards_leave_the_latest_assignments(classroom, year, monkeypatch):
    monkeypatch.setattr("puzzleclass.stats.class_ledger.MAX_CELLS", 3 * 4)
    room = class_ledger(classroom)
    assert [each.title for each in room.assignments] == ["Each", "Winter"]
    assert table_of_class(room, ()).is_cut and len(room.terms) == 3


def test_every_day_belongs_to_one_term():
    day, terms = date(2026, 4, 1), []
    while day < date(2027, 4, 1):
        term = term_of(day)
        assert term.first_day <= day <= term.last_day
        terms.append(term)
        day += timedelta(days=1)
    assert list(dict.fromkeys(terms)) == [Term(2026, 1), Term(2026, 2), Term(2026, 3)]


def test_one_control_shows_what_students_say_at_the_end_of_a_lesson(
    teacher_client, classroom, student, classmate, url, year
):
    spring, autumn, *_rest = year

    def look_back(assignment, who, day: int, **said: object) -> None:
        at = due(2026, 4, day)
        Reflection.objects.create(assignment=assignment, student=who, lesson_at=at, **said)

    look_back(spring, student, 1, face="hard", sentence="Corners")
    look_back(spring, student, 2, face="good", sentence="Corners first")
    look_back(spring, classmate, 2, asked=["2026-04-02T09:00:00+09:00"])
    look_back(autumn, classmate, 3, sentence="Count twice")

    # The class: a sign at each assignment, and words in the files.
    table = table_of_class(class_ledger(classroom), ())
    lines = [[c.lines for c in r.cells] for r in screen_rows(table, read_shown("looking-back"))]
    assert lines[:2] == [["◎", "", "", ""], ["", "✎", "", ""]]
    sheet = sheet_of(table, read_shown("looking-back"))
    assert sheet.head == [
        "Number",
        "Name",
        "Solved",
        "Given",
        "Solved, % of given",
        *["Looking back"] * 4,
    ]
    assert sheet.rows[0][5:] == ["I understand it: Corners first", "", "", ""]
    assert sheet.rows[1][5:] == ["", "Count twice", "", ""]

    # The assignment: a column with the words.
    page = reverse("assignment", args=[spring.pk])
    shown = teacher_client.get(page, {"show": "status looking-back"}).content.decode()
    assert "◎" in shown and "Corners first" in shown and 'class="who-said"' in shown
    assert "Corners first" not in teacher_client.get(page, {"show": "status"}).content.decode()
    sheet = sheet_of(table_of_assignment(assignment_ledger(spring)), read_shown("looking-back"))
    assert sheet.head == [*HEAD, "Looking back"]
    assert [row[5] for row in sheet.rows[:3]] == ["I understand it: Corners first", "", ""]
    assert all(len(row) == 6 for row in sheet.rows)
