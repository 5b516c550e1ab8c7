"""A student's page and the sheets of a class: work, course over time, results, boards, notes."""

from datetime import timedelta

import pytest
from django.utils import timezone

from puzzleclass.classes.models import DataRecord, StudentNote
from puzzleclass.jobs import services as jobs
from puzzleclass.play.models import Feedback


@pytest.fixture
def url(student) -> str:
    return f"/students/{student.pk}/"


def test_the_page_sums_up_all_work(
    teacher_client, teacher, student, classroom, puzzle, assign, tried, lines, url, answered
):
    first, second = (assign(classroom, puzzle, title=title).puzzles.get() for title in "ab")
    tried(student, first, lines.solution)
    tried(student, second, "1,1")
    answered(jobs.ask(teacher, "goishi", "rate", puzzle.position), 1, band="hard")
    sheet = teacher_client.get(url).context["sheet"]
    assert [sheet.all.begun, sheet.all.solved, sheet.all.found] == [2, 1, 1]
    [strength] = sheet.strengths
    assert (strength.band, strength.begun, strength.solved) == ("hard", 2, 1)
    [(_kind, [cell])] = sheet.results.rows
    assert (sheet.results.bands, cell) == (["hard"], strength)


def test_weeks_without_work_stand_between_those_with(
    teacher_client, student, assigned, tried, lines, url
):
    attempt = tried(student, assigned, lines.solution)
    attempt.last_at = timezone.now() - timedelta(weeks=3)
    attempt.save()
    sheet = teacher_client.get(url).context["sheet"]
    assert [week.tries for week in sheet.course.periods] == [1, 0, 0, 0]
    assert [bar.value for bar in sheet.course.chart().bars] == [1, 0, 0, 0]


def test_the_first_days_with_attempts_are_shown_one_by_one(
    client_of, teacher, student, puzzle, classroom, assign, tried, lines, url
):
    assigned = assign(classroom, puzzle, puzzle).puzzles
    tried(student, assigned.first(), lines.solution)
    attempt = tried(student, assigned.last(), "1,1")
    for ago in (1, 9):
        attempt.last_at = timezone.now() - timedelta(days=ago)
        attempt.save()
        sheet = client_of(teacher).get(url).context["sheet"]
        assert [day.tries for day in sheet.course.periods] == [1, 1]
        first, last = (day.first_day for day in sheet.course.periods)
        assert (last - first).days == ago
        assert sheet.course.periods[-1].solved == 1
    assert "Attempts by day" in client_of(teacher).get(url).content.decode()
    assert "日ごとの挑戦の回数" in client_of(teacher, "ja").get(url).content.decode()


def test_the_sheet_shows_three_boards_the_solved_ones_first(
    teacher_client, student, classroom, puzzle, assign, tried, lines, url
):
    boards = assign(classroom, *[puzzle] * 5).puzzles.order_by("number")
    for board, line in zip(boards, ("1,1", lines.solution, "", "2,1", lines.solution)):
        tried(student, board, line) if line else None
    chosen = teacher_client.get(url).context["sheet"].boards
    assert [(each.work.puzzle.number, each.work.status.is_solved) for each in chosen] == [
        (5, True),
        (2, True),
        (4, False),
    ]


def test_the_sheet_has_comments_to_the_student_and_no_notes(
    teacher_client, teacher, student, assigned, tried, url, classroom
):
    attempt = tried(student, assigned, "1,1")
    Feedback.objects.create(attempt=attempt, teacher=teacher, comment="Look at the corners")
    student.notes.create(author=teacher, text="Only for us")
    sheets = teacher_client.get(f"/classes/{classroom.pk}/sheets/").content.decode()
    assert "Look at the corners" in sheets and "Only for us" not in sheets
    assert "Look at the corners" in teacher_client.get(url).content.decode()


def test_the_sheets_of_a_class_have_the_figures_of_the_students_pages(
    teacher_client, classroom, student, classmate, puzzle, assign, tried, lines
):
    dealt = {"dealing": "each"}
    for options in ({}, {"wanted": 2}, dealt):
        boards = assign(classroom, puzzle, puzzle, **options).puzzles
        tried(student, boards.first(), lines.solution)
        tried(classmate, boards.last(), lines.jam)

    def figures(sheet):
        return sheet.all, len(sheet.boards)

    page = teacher_client.get(f"/classes/{classroom.pk}/sheets/")
    for sheet in page.context["paper_sheets"]:
        own = teacher_client.get(f"/students/{sheet.enrolment.student_id}/").context["sheet"]
        assert figures(sheet) == figures(own)


def test_a_view_of_the_sheets_is_logged_once_a_day(teacher_client, classroom):
    for _ in range(2):
        teacher_client.get(f"/classes/{classroom.pk}/sheets/")
    record = DataRecord.objects.get(action=DataRecord.Action.LOOKED)
    assert (record.classroom, record.person_key) == (classroom, None)
    assert record.rows == {"classes.Enrolment": 3}


def test_work_of_a_colleagues_class_of_today_is_the_colleagues(
    teacher_client, other_teacher, student, make_class, puzzle, assign, tried, url
):
    other = make_class(other_teacher, "Club")
    enrolment = other.enrolments.create(student=student, number=1)
    tried(student, assign(other, puzzle).puzzles.get(), "1,1")
    assert teacher_client.get(url).context["sheet"].works == []
    enrolment.delete()
    [work] = teacher_client.get(url).context["sheet"].works
    assert not work.assignment.is_mine


def test_every_name_leads_to_the_page(
    teacher_client, classroom, assignment, assigned, tried, student, url
):
    attempt = tried(student, assigned, "1,1")
    for page in (
        f"/classes/{classroom.pk}/students/",
        f"/assignments/{assignment.pk}/",
        f"/assigned/{assigned.pk}/students/{student.pk}/",
        f"/attempts/{attempt.key}/replay/",
    ):
        assert f'href="{url}"' in teacher_client.get(page).content.decode(), page


def test_notes_are_written_and_deleted_by_their_author(
    teacher_client, colleague_client, student, url, client_of
):
    teacher_client.post(f"{url}notes/", {"text": "Looks ahead <b>well</b>\0"})
    note = StudentNote.objects.get()
    page = colleague_client.get(url).content.decode()
    assert "Looks ahead &lt;b&gt;well&lt;/b&gt;" in page
    assert colleague_client.post(f"{url}notes/", {"delete": note.pk}).status_code == 404
    teacher_client.post(f"{url}notes/", {"delete": note.pk})
    assert not StudentNote.objects.exists()
    assert "well" not in client_of(student).get("/").content.decode()


@pytest.mark.parametrize("text", ["", "  ", "x" * 2001])
def test_bad_notes_are_refused_in_words(teacher_client, url, text):
    answer = teacher_client.post(f"{url}notes/", {"text": text}, follow=True)
    assert "notice bad" in answer.content.decode()
    assert not StudentNote.objects.exists()


def test_notes_have_a_bound(teacher_client, student, url, monkeypatch):
    monkeypatch.setattr(StudentNote, "MAX_COUNT", 1)
    for _ in range(2):
        answer = teacher_client.post(f"{url}notes/", {"text": "x"}, follow=True)
    assert "There are 1 notes already." in answer.content.decode()
