"""The files of an assignment; feedback on an attempt."""

import io
import re
from datetime import timedelta

import pytest
from django.db.models import F
from openpyxl import load_workbook

from puzzleclass.classes.models import DataRecord
from puzzleclass.play.first_attempts import MEASURED_AFTER
from puzzleclass.play.models import Attempt, Feedback
from puzzleclass.play.restarts import restart
from puzzleclass.stats.assignment_ledger import assignment_ledger
from puzzleclass.stats.attempt_sheet import attempt_sheet
from puzzleclass.stats.ledger_file import sheet_of
from puzzleclass.stats.ledger_table import read_shown, table_of_assignment
from puzzleclass.stats.sheets import Value
from tests.web.sheets import shown_everywhere


@pytest.fixture
def url(assignment) -> str:
    return f"/assignments/{assignment.pk}/"


@pytest.fixture
def lesson(student, classmate, assigned, lines, tried, reviewed):
    """Create two attempts of one student, the first of them lost, and one solution of another
    student.

    The times are set, because a busy machine may play a move in a second.
    """
    reviewed(tried(student, assigned, lines.jam), 2)
    restart(tried(student, assigned))
    tried(student, assigned, "1,1")
    tried(classmate, assigned, lines.solution)
    Attempt.objects.filter(student=student).update(seconds=0)
    Attempt.objects.filter(student=classmate).update(seconds=75)


def test_attempts_agree_on_the_screen_and_in_files(teacher_client, url, lesson, assignment):
    on_screen, as_csv, in_excel = shown_everywhere(teacher_client, url, {"rows": "attempts"})
    assert len(on_screen) == len(as_csv) == len(in_excel) == 4
    for rows in zip(on_screen, as_csv, in_excel):
        assert len({(*row[:6], *row[7:]) for row in rows}) == 1
    assert [table[3][6] for table in (on_screen, as_csv, in_excel)] == ["1:15", *["0:01:15"] * 2]
    exported = DataRecord.objects.filter(action="exported", classroom=assignment.classroom)
    assert [record.rows for record in exported] == [{"play.Attempt": 3}] * 2


def test_the_file_of_an_assignment(teacher_client, url, lesson, assignment):
    _page, as_csv, in_excel = shown_everywhere(teacher_client, url, {"show": "all"})
    assert as_csv == in_excel and len(as_csv) == 2 + 3 + 7
    exported = DataRecord.objects.filter(action="exported", classroom=assignment.classroom)
    assert [record.rows for record in exported] == [{"classes.Enrolment": 3}] * 2


@pytest.mark.parametrize("rows", ["", "attempts"])
def test_each_name_leads_to_the_student(teacher_client, url, lesson, student, rows):
    page = teacher_client.get(url, {"rows": rows}).content.decode()
    assert re.search(f'href="/students/{student.pk}/"[^>]*>{student.name}</a>', page)


def test_contents_of_the_files(assignment, lesson):
    sheet = sheet_of(table_of_assignment(assignment_ledger(assignment)), read_shown("all"))
    assert sheet.head[7:] == [
        *("Status", "Time", "Attempts", "Hints", "Solutions found", "Score"),
        *("First attempt", "Was stuck", "Stamps and comments", "Due dates and late work"),
    ]
    zero, time = timedelta(), timedelta(seconds=75)
    assert [[*row[:5], *row[7:]] for row in sheet.rows[:3]] == [
        [1, "Abe Haruto", 0, 1, 0, "In progress", zero, 2, 0, 0, None, None, 1, "", 0],
        [2, "Ito Yui", 1, 1, 100, "Solved", time, 1, 0, 1, None, None, None, "", 0],
        [3, "Kato Ren", 0, 1, 0, "Not started", zero, 0, 0, 0, None, None, 0, "", 0],
    ]
    by_attempt = [row[:9] for row in attempt_sheet(assignment).rows]
    assert by_attempt == [
        [1, "Abe Haruto", 1, "Five stones", 1, "Started again", zero, 2, 2],
        [1, "Abe Haruto", 1, "Five stones", 2, "In progress", zero, 1, None],
        [2, "Ito Yui", 1, "Five stones", 1, "Solved", time, 5, None],
    ]


def test_the_attempts_say_when_steps_without_a_network_arrived(
    teacher_client, url, lesson, assignment, student
):
    arrived = Attempt.objects.latest("last_at").last_at + timedelta(hours=2)
    Attempt.objects.filter(student=student, number=2).update(arrived_at=arrived)
    sheet = attempt_sheet(assignment)
    at = sheet.head.index("Arrived later")
    assert [row[at] for row in sheet.rows] == [None, arrived, None]
    for table in shown_everywhere(teacher_client, url, {"rows": "attempts"}):
        assert [bool(row[at]) for row in table[1:]] == [False, True, False]


def test_numbers_are_numbers_and_no_text_is_a_formula(teacher_client, url, lesson, student):
    student.name = "=HYPERLINK(1)"
    student.save()
    read = teacher_client.get(url, {"format": "csv"}).content.decode("utf-8-sig")
    assert "'=HYPERLINK(1)" in read
    page = load_workbook(io.BytesIO(teacher_client.get(url, {"format": "xlsx"}).content)).active
    assert (page["A3"].data_type, page["E3"].data_type) == ("n", "n")
    assert (page["B3"].data_type, page["B3"].value) == ("s", "=HYPERLINK(1)")


def test_signs_that_no_workbook_takes_are_left_out(teacher_client, url, lesson, student):
    student.name = "Abe\x0b Haruto"
    student.save()
    for ending in ("csv", "xlsx"):
        assert teacher_client.get(url, {"format": ending}).status_code == 200
    page = load_workbook(io.BytesIO(teacher_client.get(url, {"format": "xlsx"}).content)).active
    assert page["B3"].value == "Abe Haruto"


def test_file_names_say_class_and_day(client_of, teacher, url, lesson):
    answer = client_of(teacher, "ja").get(url, {"rows": "attempts", "format": "xlsx"})
    name = answer["Content-Disposition"]
    assert "4-2_Homework_" in name and ".xlsx" in name
    assert re.search(r"20\d\d-\d\d-\d\d", name)


def test_bad_words_in_the_address_show_the_page(teacher_client, url):
    for query in ("?rows=x", "?format=exe", "?page=x", "?page=999"):
        assert teacher_client.get(url + query).status_code == 200


# Feedback


def test_the_student_sees_a_stamp_and_a_comment(
    client_of, teacher_client, student, classmate, assigned, tried
):
    attempt = tried(student, assigned, "1,1")
    wish = f"/attempts/{attempt.key}/feedback/"
    said = {"stamp": "good idea", "comment": "Which stone has one way out? <b>"}
    page = teacher_client.post(wish, said, follow=True).content.decode()
    assert "The student sees it on the puzzle&#x27;s page." in page and "Which stone" in page
    for language, stamp in (("en", "Good idea"), ("ja", "いい考えです")):
        shown = client_of(student, language).get(f"/play/{assigned.pk}/").content.decode()
        assert stamp in shown and "one way out? &lt;b&gt;" in shown
        home = client_of(student, language).get("/").content.decode()
        assert {"en": "From your teacher", "ja": "先生から"}[language] in home
    assert "From your teacher" not in client_of(classmate).get("/").content.decode()
    assert "Good idea" not in client_of(classmate).get(f"/play/{assigned.pk}/").content.decode()
    assert [row[-1] for row in attempt_sheet(assigned.assignment).rows] == [
        "Good idea Which stone has one way out? <b>"
    ]
    teacher_client.post(wish, {"stamp": "nearly", "comment": ""})
    assert Feedback.objects.get().said == "Nearly there"
    teacher_client.post(wish, {"stamp": "", "comment": " "})
    assert not Feedback.objects.exists()


@pytest.mark.parametrize("sent", [{"stamp": "gold"}, {"comment": "x" * 301}, {"comment": "a\0b"}])
def test_invalid_feedback_is_refused_in_words(teacher_client, student, assigned, tried, sent):
    attempt = tried(student, assigned, "1,1")
    page = teacher_client.post(f"/attempts/{attempt.key}/feedback/", sent)
    text = page.content.decode()
    assert page.status_code == 422 and ("notice bad" in text or "errorlist" in text)
    assert not Feedback.objects.exists()


def test_one_stamp_goes_to_several_students_and_puzzles(
    teacher_client, client_of, student, classmate, classroom, puzzle, assign, tried, lines
):
    assignment = assign(classroom, *[puzzle] * 10)
    first, *others = assignment.puzzles.all()
    solved = [tried(student, each, lines.solution) for each in (first, *others)]
    begun = tried(classmate, first, "1,1")
    url = f"/assignments/{assignment.pk}/"
    sent = {"student": student.pk, "stamp": "flower"}
    assert teacher_client.post(f"{url}feedback/?show=time", sent).url == f"{url}?show=time"
    assert {each.attempt for each in Feedback.objects.all()} == set(solved)
    sent = {"puzzle": first.pk, "stamp": "kept on", "comment": "Well thought."}
    teacher_client.post(f"{url}feedback/", sent)
    assert {each.attempt for each in Feedback.objects.filter(stamp="kept on")} == {solved[0], begun}
    cell = {"cell": [f"{classmate.pk}-{first.pk}", "9-9", "x"], "stamp": "nearly", "comment": ""}
    teacher_client.post(f"{url}feedback/", cell)
    assert Feedback.objects.get(stamp="nearly").attempt == begun
    teacher_client.post(f"{url}feedback/", {"all": "on", "stamp": "good idea"})
    assert Feedback.objects.filter(stamp="good idea", teacher__isnull=False).count() == 11
    for language, words in (("en", "Good idea"), ("ja", "いい考えです")):
        shown = client_of(classmate, language).get(f"/play/{first.pk}/").content.decode()
        assert words in shown and 'class="stamp"' in shown
    assert "✿" in teacher_client.get(url, {"show": "feedback"}).content.decode()
    assert teacher_client.get(f"/assigned/{first.pk}/feedback/").url == url


@pytest.mark.parametrize(
    ("ticked", "stamp", "comment", "words"),
    [
        ("", "flower", "Kept", "Tick at least one puzzle"),
        ("all", "", "", "Choose a stamp or write a comment."),
        ("all", "gold", "Kept", "notice bad"),
        ("all", "flower", "x" * 301, "at most 300"),
    ],
)
def test_an_incomplete_stamp_for_many_is_reported(
    teacher_client, student, assigned, tried, ticked, stamp, comment, words
):
    tried(student, assigned, "1,1")
    page = f"/assignments/{assigned.assignment_id}/feedback/"
    answer = teacher_client.post(page, {ticked: "on", "stamp": stamp, "comment": comment})
    said = answer.content.decode()
    assert answer.status_code == 422 and words in said and comment in said
    assert ('name="all" value="on" checked' in said) is bool(ticked)
    assert not Feedback.objects.exists()


def test_the_teacher_sees_what_students_answer(
    teacher_client, client_of, student, classmate, assigned, tried
):
    attempt = tried(student, assigned, "1,1")
    Feedback.objects.create(attempt=attempt, stamp="nearly")
    url, sent = f"/play/{assigned.pk}/reaction/", {"attempt": attempt.pk, "reaction": "got it"}
    client = client_of(student)
    assert "I see!" in client.get(f"/play/{assigned.pk}/").content.decode()
    client_of(classmate).post(url, sent)
    client.post(url, sent | {"reaction": "gold"})
    assert Feedback.objects.get().reaction == ""
    client.post(url, sent)
    assert Feedback.objects.get().reaction == "got it"
    ledger = f"/assignments/{assigned.assignment_id}/"
    for page in (f"/students/{student.pk}/", f"/attempts/{attempt.key}/replay/"):
        assert "♥ I see!" in teacher_client.get(page).content.decode()
    assert "✿♥" in teacher_client.get(f"{ledger}?show=feedback").content.decode()
    file = teacher_client.get(f"{ledger}?show=feedback&format=csv").content.decode()
    assert "Nearly there ♥ I see!" in file
    teacher_client.post(f"{ledger}feedback/", {"all": "on", "stamp": "flower"})
    assert Feedback.objects.get().reaction == ""
    client.post(url, sent)
    client.post(url, sent)
    assert Feedback.objects.get().reaction == ""


def test_first_attempts_count_a_day_after_they_were_begun(
    url, assignment, assigned, student, classmate, tried, lines, teacher_client
):
    tried(student, assigned, lines.solution)
    restart(tried(classmate, assigned, "1,1"))
    tried(classmate, assigned, lines.solution)

    def shown() -> list[Value]:
        sheet = sheet_of(table_of_assignment(assignment_ledger(assignment)), read_shown("first"))
        return [row[5] for row in sheet.rows[:2]]

    assert shown() == [None, None] and "①</" not in teacher_client.get(url).content.decode()
    Attempt.objects.update(started_at=F("started_at") - MEASURED_AFTER)
    assert shown() == [1, 0]
    Attempt.objects.get(student=student).hints.create(level=1, step=1)
    assert shown() == [0, 0]
    page = teacher_client.get(url, {"show": "first"}).content.decode()
    assert "①: solved in the first attempt" in page
