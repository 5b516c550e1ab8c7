"""The grade book is the same on the screen and in files; feedback on an attempt."""

import io
import re

import pytest
from openpyxl import load_workbook

from puzzleclass.classes.models import DataRecord
from puzzleclass.play.attempts import restart
from puzzleclass.play.models import Attempt, Feedback
from puzzleclass.stats.grade_book import grade_book
from tests.web.sheets import shown_everywhere


@pytest.fixture
def url(assignment) -> str:
    return f"/assignments/{assignment.pk}/grades/"


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


@pytest.mark.parametrize("rows", ["students", "tries"])
def test_screen_csv_and_excel_agree(teacher_client, url, lesson, assignment, rows):
    on_screen, as_csv, in_excel = shown_everywhere(teacher_client, url, {"rows": rows})
    assert on_screen == as_csv == in_excel
    assert len(as_csv) == {"students": 5, "tries": 4}[rows]
    table = {"students": "classes.Enrolment", "tries": "play.Attempt"}[rows]
    exported = DataRecord.objects.filter(action="exported", classroom=assignment.classroom)
    assert [record.rows for record in exported] == [{table: 3}] * 2


@pytest.mark.parametrize("rows", ["students", "tries"])
def test_each_name_leads_to_the_student(teacher_client, url, lesson, student, rows):
    page = teacher_client.get(url, {"rows": rows}).content.decode()
    assert f'<th scope="row"><a href="/students/{student.pk}/">{student.name}</a></th>' in page


def test_contents_of_the_grade_book(assignment, lesson):
    by_student = grade_book(assignment, "students").rows
    assert by_student[0] == [1, "Abe Haruto", 0, "In progress", 0, 2, 0, 0]
    assert by_student[1] == [2, "Ito Yui", 1, "Solved", 75, 1, 1, 0]
    assert by_student[2] == [3, "Kato Ren", 0, "Not started", 0, 0, 0, 0]
    by_attempt = [row[:9] for row in grade_book(assignment, "tries").rows]
    assert by_attempt == [
        [1, "Abe Haruto", 1, "Five stones", 1, "Started again", 0, 2, 2],
        [1, "Abe Haruto", 1, "Five stones", 2, "In progress", 0, 1, None],
        [2, "Ito Yui", 1, "Five stones", 1, "Solved", 75, 5, None],
    ]


def test_numbers_are_numbers_and_no_text_is_a_formula(teacher_client, url, lesson, student):
    student.name = "=HYPERLINK(1)"
    student.save()
    read = teacher_client.get(url, {"format": "csv"}).content.decode("utf-8-sig")
    assert "'=HYPERLINK(1)" in read
    page = load_workbook(io.BytesIO(teacher_client.get(url, {"format": "xlsx"}).content)).active
    assert (page["A3"].data_type, page["F3"].data_type) == ("n", "n")
    assert (page["B3"].data_type, page["B3"].value) == ("s", "=HYPERLINK(1)")


def test_signs_that_no_workbook_takes_are_left_out(teacher_client, url, lesson, student):
    student.name = "Abe\x0b Haruto"
    student.save()
    for ending in ("csv", "xlsx"):
        assert teacher_client.get(url, {"format": ending}).status_code == 200
    page = load_workbook(io.BytesIO(teacher_client.get(url, {"format": "xlsx"}).content)).active
    assert page["B3"].value == "Abe Haruto"


def test_file_names_say_class_and_day(client_of, teacher, url, lesson):
    answer = client_of(teacher, "ja").get(url, {"rows": "tries", "format": "xlsx"})
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
    assert [row[-1] for row in grade_book(assigned.assignment, "tries").rows] == [
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


def test_one_stamp_goes_to_several_students(
    teacher_client, client_of, student, classmate, assigned, tried, lines, queries_of
):
    solved, begun = tried(student, assigned, lines.solution), tried(classmate, assigned, "1,1")
    page = f"/assigned/{assigned.pk}/feedback/"
    # Session, user, board with the role, latest attempts, attempts, students, boards.
    assert queries_of(teacher_client, page) == 7
    keys = [each.enrolment.pk for each in teacher_client.get(page).context["candidates"]]
    sent = {"student": keys, "stamp": "flower", "comment": "Well thought."}
    assert teacher_client.post(page, sent).status_code == 302
    assert {each.attempt for each in Feedback.objects.all()} == {solved, begun}
    for language, words in (("en", "A flower for you"), ("ja", "はなまる")):
        shown = client_of(classmate, language).get(f"/play/{assigned.pk}/").content.decode()
        assert words in shown and 'class="stamp"' in shown
    teacher_client.post(page, {"student": keys[:1], "stamp": "kept on", "comment": ""})
    assert sorted(each.stamp for each in Feedback.objects.all()) == ["flower", "kept on"]


@pytest.mark.parametrize(
    ("is_chosen", "stamp", "words"),
    [
        (False, "flower", "Choose at least one student."),
        (True, "", "Choose a stamp or write a comment."),
        (True, "gold", "notice bad"),
    ],
)
def test_an_incomplete_stamp_for_many_is_reported(
    teacher_client, student, assigned, tried, is_chosen, stamp, words
):
    tried(student, assigned, "1,1")
    page = f"/assigned/{assigned.pk}/feedback/"
    (each,) = teacher_client.get(page).context["candidates"]
    sent = {"stamp": stamp, "student": each.enrolment.pk if is_chosen else ""}
    answer = teacher_client.post(page, sent)
    assert answer.status_code == 422 and words in answer.content.decode()
    assert not Feedback.objects.exists()
