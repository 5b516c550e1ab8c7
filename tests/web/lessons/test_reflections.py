"""“I don't understand”, and the end of a lesson."""

from datetime import timedelta

import pytest
from django.core import signing
from django.urls import reverse
from django.utils import timezone

from puzzleclass.assignments.lesson_models import Attendance, Pace
from puzzleclass.assignments.models import Assignment
from puzzleclass.assignments.pace import running_pace
from puzzleclass.assignments.reflections import Reflection
from puzzleclass.classes.models import Classroom
from puzzleclass.classes.personal_data import rows_under, student_roots
from puzzleclass.lessons.models import Question
from puzzleclass.lessons.reflections import SALT
from puzzleclass.lessons.tiles import wall_of
from puzzleclass.play.models import Attempt, Feedback
from puzzleclass.play.needs import Reason

pytestmark = pytest.mark.django_db


def press(client, assignment: Assignment, do: str, **fields):
    return client.post(reverse("lead", args=[assignment.pk]), {"do": do, **fields})


def fresh(assignment: Assignment) -> Assignment:
    return Assignment.objects.get(pk=assignment.pk)


def say(client, do: str):
    return client.post(reverse("lesson_message"), {"do": do}, headers={"HX-Request": "true"})


@pytest.fixture
def begun(teacher_client, assignment) -> Assignment:
    press(teacher_client, assignment, "begin")
    return fresh(assignment)


@pytest.fixture
def board(assignment):
    return assignment.puzzles.first()


def test_a_student_who_does_not_understand_comes_first(
    teacher_client, student_client, student, begun
):
    assert "I don't understand" in say(student_client, "back").content.decode().replace(
        "&#x27;", "'"
    )
    answer = say(student_client, "ask").content.decode()
    assert "Your teacher knows" in answer
    [first, *_] = wall_of(fresh(begun)).in_need
    assert (first.student, first.need.reason, first.has_asked) == (student.pk, Reason.ASKED, True)
    said = Reflection.objects.get()
    assert len(said.asked) == 1 and said.student == student
    # A second press changes nothing.
    say(student_client, "ask")
    assert len(Reflection.objects.get().asked) == 1
    say(student_client, "unask")
    assert not wall_of(fresh(begun)).in_need


@pytest.mark.parametrize("answer", ["seen", "write", "stamp:flower", "here"])
def test_what_the_teacher_does_answers_the_call(
    teacher_client, student_client, student, begun, answer
):
    say(student_client, "ask")
    press(teacher_client, begun, answer, student=student.pk, message="Look at the corner")
    if answer != "stamp:flower":
        assert not wall_of(fresh(begun)).in_need
        assert "Your teacher knows" not in say(student_client, "back").content.decode()
    assert Reflection.objects.get().asked


def test_asking_ends_with_the_lesson_and_undoes_absence(
    teacher_client, student_client, student, begun
):
    press(teacher_client, begun, "absent", student=student.pk)
    say(student_client, "ask")
    assert Attendance.objects.get().absent_at is None
    press(teacher_client, begun, "end")
    assert Attendance.objects.get().asked_at is None
    assert say(student_client, "ask").status_code == 200
    assert Attendance.objects.get().asked_at is None


def test_a_class_looks_back_and_plays_a_board_at_the_end(
    teacher_client, student_client, student, begun, board
):
    press(teacher_client, begun, "look-back:exit", board=board.pk, message="What was hard?")
    page = reverse("look_back")
    frame = student_client.get(reverse("lesson_now")).content.decode()
    assert f'data-go="{page}"' in frame
    assert student_client.get(reverse("lesson_enter")).url == page
    shown = student_client.get(page)
    at_the_end = f'href="{reverse("play", args=[board.pk])}"'
    assert "What was hard?" in shown.content.decode()
    assert at_the_end not in shown.content.decode()
    fields = {"lesson": shown.context["ticket"]}
    answer = student_client.post(page, fields | {"face": "hard", "sentence": " The  corner "})
    assert "Sent to your teacher" in answer.content.decode()
    assert "What was hard?" in answer.content.decode()
    assert at_the_end in answer.content.decode()
    said = Reflection.objects.get()
    assert (said.face, said.sentence, said.puzzle) == ("hard", "The corner", board)
    assert said.lesson_at == running_pace(fresh(begun)).begun_at
    # A face alone keeps the sentence.
    student_client.post(page, fields | {"face": "good", "sentence": ""})
    said = Reflection.objects.get()
    assert (said.face, said.sentence) == ("good", "The corner")
    assert f'data-go="{page}"' not in student_client.get(reverse("lesson_now")).content.decode()


def test_a_sentence_that_was_typed_when_the_lesson_ended_is_kept(
    teacher_client, student_client, begun
):
    press(teacher_client, begun, "look-back")
    page = reverse("look_back")
    fields = {"lesson": student_client.get(page).context["ticket"], "sentence": "Late"}
    press(teacher_client, begun, "end")
    assert student_client.get(page).url == reverse("home")
    assert student_client.post(page, fields).status_code == 200
    assert Reflection.objects.get().sentence == "Late"


def test_a_lesson_that_is_not_the_students_is_refused(student_client, other_student, assign, begun):
    page = reverse("look_back")
    foreign = assign(Classroom.objects.get(students=other_student))
    made_up = signing.dumps([foreign.pk, timezone.now().isoformat(), None], salt=SALT)
    for ticket in ("", "x", made_up, signing.dumps([begun.pk, "", None], salt="other")):
        answer = student_client.post(page, {"lesson": ticket, "face": "good"})
        assert answer.status_code == 400
    assert not Reflection.objects.exists()


def test_another_activity_ends_looking_back(teacher_client, begun, board):
    press(teacher_client, begun, "look-back")
    press(teacher_client, begun, f"send:{board.pk}")
    pace = running_pace(fresh(begun))
    assert not pace.looks_back and pace.board == board


def test_the_end_of_a_lesson_leads_to_what_was_said(teacher_client, student_client, student, begun):
    lesson, page = reverse("lesson", args=[begun.pk]), reverse("reflections", args=[begun.pk])
    say(student_client, "ask")
    press(teacher_client, begun, "look-back")
    ticket = student_client.get(reverse("look_back")).context["ticket"]
    student_client.post(reverse("look_back"), {"lesson": ticket, "face": "good", "sentence": "Yes"})
    assert press(teacher_client, begun, "end").url == page
    assert teacher_client.get(lesson).url == page
    assert teacher_client.get(lesson, {"view": "tiles"}).status_code == 200
    answer = teacher_client.get(page)
    shown = answer.context["lesson"]
    assert [n for _face, n in shown.faces] == [1, 0, 0]
    assert "Yes" in answer.content.decode()
    own = next(each for each in shown.students if each.enrolment.student_id == student.pk)
    assert len(own.asked) == 1 and own.enrolment not in shown.silent


def test_a_lesson_ends_while_students_are_stuck_on_other_boards(
    teacher_client, student_client, classmate, classroom, assign, make_puzzle, tried
):
    """The page of what was said reads the board at the end alone."""
    exit_board, other = assign(
        classroom, *(make_puzzle("goishi", rows, rows) for rows in ("ooo", "oo/oo"))
    ).puzzles.all()
    stuck = tried(classmate, other, "1,1")
    Attempt.objects.filter(pk=stuck.pk).update(is_jammed=True)
    lesson = exit_board.assignment
    press(teacher_client, lesson, "look-back:exit", board=exit_board.pk)
    ticket = student_client.get(reverse("look_back")).context["ticket"]
    student_client.post(reverse("look_back"), {"lesson": ticket, "face": "good"})
    page = press(teacher_client, lesson, "end").url
    assert page == reverse("reflections", args=[lesson.pk])
    assert "1: Not started" in teacher_client.get(page).content.decode()


@pytest.mark.parametrize("is_about_a_board", [True, False])
def test_a_student_with_a_question_reads_that_the_lesson_is_over(
    teacher_client, student_client, begun, board, is_about_a_board
):
    if is_about_a_board:
        press(teacher_client, begun, "ask:move", board=board.pk)
    else:
        press(teacher_client, begun, "ask:free", words="Why?", answer_form="sentence")
    page = reverse("question", args=[Question.objects.get().pk])
    press(teacher_client, begun, "end")
    shown = student_client.get(page)
    assert shown.status_code == 200 and "The lesson is over." in shown.content.decode()
    assert (f'href="{reverse("play", args=[board.pk])}"' in shown.content.decode()) == (
        is_about_a_board
    )


def test_a_stamp_for_everybody_is_one_press(teacher_client, student, classmate, begun, board):
    old = timezone.now() - timedelta(hours=1)
    first, latest, other = (
        Attempt.objects.create(
            student=who, puzzle=board, next_step=1, last_at=at, number=number, state=state
        )
        for who, at, number, state in (
            (student, old, 1, "given up"),
            (student, timezone.now(), 2, "open"),
            (classmate, old, 1, "open"),
        )
    )
    Feedback.objects.create(attempt=latest, teacher=begun.teacher, comment="Nice")
    page = reverse("reflections", args=[begun.pk])
    teacher_client.post(page, {"stamp": "flower"})
    given = dict(Feedback.objects.values_list("attempt", "stamp"))
    assert given == {latest.pk: "flower", other.pk: "flower"} and first.pk not in given
    assert Feedback.objects.get(attempt=latest).comment == "Nice"
    assert teacher_client.post(page, {"stamp": "gold"}).status_code == 400


def test_the_words_stand_on_the_students_page_and_on_the_sheet_if_switched_on(
    teacher_client, student, classroom, begun
):
    Reflection.objects.create(
        assignment=begun, student=student, lesson_at=timezone.now(), face="good", sentence="Aha!"
    )
    page = reverse("student", args=[student.pk])
    assert teacher_client.get(page).content.decode().count("Aha!") == 1
    assert teacher_client.get(page, {"words": "on"}).content.decode().count("Aha!") == 2
    sheets = reverse("student_sheets", args=[classroom.pk])
    assert "Aha!" not in teacher_client.get(sheets).content.decode()
    assert "Aha!" in teacher_client.get(sheets, {"words": "on"}).content.decode()


def test_what_was_said_is_exported_and_deleted_with_the_student(student, begun):
    said = Reflection.objects.create(assignment=begun, student=student, lesson_at=timezone.now())
    assert said in rows_under(student_roots(student))[Reflection]
    student.delete()
    assert not Reflection.objects.exists()


def test_each_lesson_of_an_assignment_has_its_own(teacher_client, student_client, begun):
    for sentence in ("One", "Two"):
        press(teacher_client, begun, "look-back")
        ticket = student_client.get(reverse("look_back")).context["ticket"]
        student_client.post(reverse("look_back"), {"lesson": ticket, "sentence": sentence})
        press(teacher_client, begun, "end")
    assert Reflection.objects.count() == 2 and Pace.objects.get().begun_at is None
    page = reverse("reflections", args=[begun.pk])
    assert "Two" in teacher_client.get(page).content.decode()
    assert "One" in teacher_client.get(page, {"at": "1"}).content.decode()


def test_the_end_names_who_has_not_looked_back(
    teacher_client, student_client, student, classmate, begun
):
    lesson = reverse("lesson", args=[begun.pk])
    assert "Have not looked back yet" not in teacher_client.get(lesson).content.decode()
    press(teacher_client, begun, "look-back")
    for each in begun.classroom.students.all():
        Attendance.objects.create(assignment=begun, student=each, came_at=timezone.now())
    page = teacher_client.get(lesson)
    waiting = {tile.student for tile in page.context["waiting"]}
    assert waiting == set(begun.classroom.students.values_list("pk", flat=True))
    assert {student.pk, classmate.pk} < waiting
    have = list(page.context["versions"].values())
    have += [tile.version for tile in page.context["wall"].tiles]
    ticket = student_client.get(reverse("look_back")).context["ticket"]
    student_client.post(reverse("look_back"), {"lesson": ticket, "face": "good"})
    update = teacher_client.get(lesson, {"have": have}, headers={"HX-Request": "true"})
    text = update.content.decode()
    assert 'hx-target="#lesson-silent"' in text and "Have not looked back yet: 2" in text
    assert classmate.name in text and "lesson-bar" not in text
    assert text.count('aria-label="Answered"') == 1
    hidden = teacher_client.get(lesson, {"names": "none"}).content.decode()
    assert "Have not looked back yet: 2" in hidden and classmate.name not in hidden


def test_the_lesson_page_says_how_many_have_come(
    teacher_client, student_client, student, classmate, begun
):
    def present() -> int:
        return teacher_client.get(reverse("lesson", args=[begun.pk])).context["wall"].came

    def come() -> bool:
        frame = student_client.get(reverse("lesson_now")).content.decode()
        if is_new := 'value="come"' in frame:
            assert say(student_client, "come").status_code == 204
        return is_new

    press(teacher_client, begun, "absent", student=student.pk)
    assert present() == 0
    assert come() and not come()
    assert present() == 1
    shown = teacher_client.get(reverse("lesson", args=[begun.pk])).content.decode()
    assert "Present <b>1/3</b>" in " ".join(shown.split())
    # Who has gone home doesn't count.
    press(teacher_client, begun, "absent", student=student.pk)
    assert present() == 0
    # Another lesson begins with nobody.
    press(teacher_client, begun, "end")
    press(teacher_client, begun, "begin")
    assert present() == 0 and come() and present() == 1
