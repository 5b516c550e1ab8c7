"""Every page of a student is led, wherever the student is."""

import re
from datetime import timedelta

import pytest
from django.urls import reverse
from django.utils import timezone

from puzzleclass.assignments.dealing import deal
from puzzleclass.assignments.lesson_models import Attendance, Pace
from puzzleclass.assignments.services import set_puzzles
from puzzleclass.lessons.models import Question
from puzzleclass.lessons.tiles import WallState, wall_of
from puzzleclass.play.models import Attempt, HintUse, Step
from puzzleclass.puzzles.worlds import worlds
from solvers.question import finish
from solvers.registry import get_kind

HTMX = {"HX-Request": "true"}


@pytest.fixture
def lead(teacher_client):
    """Return a function that presses a button of the lesson page."""

    def lead(assignment, do: str, **fields: object):
        return teacher_client.post(reverse("lead", args=[assignment.pk]), {"do": do, **fields})

    return lead


def news(client, **fields: object) -> str:
    return client.get(reverse("lesson_now"), fields, headers=HTMX).content.decode()


@pytest.fixture
def pages(student, assigned, tried, classroom, assign, make_puzzle):
    """Return the addresses of a student's pages, of which one is in another assignment."""
    tried(student, assigned, "1,1")
    other = assign(classroom, make_puzzle("goishi", "ooo")).puzzles.get()
    return [
        "/",
        reverse("play", args=[assigned.pk]),
        reverse("play", args=[other.pk]),
        reverse("own_attempts", args=[assigned.pk]),
        reverse("own_records"),
        reverse("help"),
        reverse("practice"),
        reverse("introduction", args=["goishi"]),
        reverse("gallery"),
    ]


def test_every_page_of_a_student_asks_for_the_lesson(pages, student_client):
    for path in pages:
        answer = student_client.get(path, follow=True)
        page = answer.content.decode()
        assert answer.status_code == 200, path
        assert page.count('id="lesson"') == 1 and "lesson.js" in page, path
        assert re.search(r'hx-get="/lesson/now/\?have=', page), path


def test_no_page_of_others_asks_for_it(pages, teacher_client, client_of):
    for client in (teacher_client, client_of(None)):
        assert 'id="lesson"' not in client.get(reverse("help")).content.decode()


def test_home_begins_with_the_lesson_while_there_is_one(lead, student_client, assignment):
    assert "come in" not in student_client.get("/").content.decode()
    lead(assignment, "begin")
    page = student_client.get("/").content.decode()
    assert "Lesson now: come in" in page and f'href="{reverse("lesson_enter")}"' in page
    lead(assignment, "end")
    assert "come in" not in student_client.get("/").content.decode()


def test_a_late_comer_lands_where_the_class_is(lead, student_client, assignment, assigned):
    enter = reverse("lesson_enter")
    assert student_client.get(enter).url == "/"
    lead(assignment, "begin")
    assert student_client.get(enter).url == f"/play/{assigned.pk}/"
    lead(assignment, "ask:move", board=assigned.pk)
    assert student_client.get(enter).url.startswith("/questions/")


def test_a_board_reaches_a_student_in_another_assignment(
    lead, student_client, assignment, assigned, classroom, assign, make_puzzle
):
    other = assign(classroom, make_puzzle("goishi", "ooo"))
    lead(assignment, f"send:{assigned.pk}")
    page = news(student_client, at=other.pk)
    assert f'data-go="/play/{assigned.pk}/"' in page
    opened = student_client.get(reverse("play", args=[other.puzzles.get().pk]))
    assert opened.url == f"/play/{assigned.pk}/"


def test_a_pause_holds_another_assignment_and_practice_in_the_frame(
    lead, student_client, student, assignment, classroom, assign, make_puzzle
):
    other = assign(classroom, make_puzzle("goishi", "ooo"))
    lead(assignment, "pause")
    for at in ("", other.pk):
        assert "data-paused" in news(student_client, at=at)


def test_a_pause_holds_the_moves_of_practice(lead, student_client, student, assignment):
    board = worlds(get_kind("goishi"))[1][0]
    answer = finish(board.kind.questions["count"].ask(board.kind, board.kind.read(board.position)))
    page = student_client.post(board.url, follow=True).content.decode()
    url = re.search(r'hx-post="([^"]*/steps/)"', page)[1]
    fields = {"action": "move", "move": answer.moves[0], "step": 0}
    lead(assignment, "pause")
    assert student_client.post(url, fields, headers=HTMX).headers["Refused"] == "423"
    lead(assignment, "resume")
    assert "Refused" not in student_client.post(url, fields, headers=HTMX).headers


def test_the_clock_of_a_board_that_is_solved_together_does_not_run_in_a_pause(
    lead, assignment, assigned
):
    lead(assignment, "ask:solve", board=assigned.pk)
    begun = timezone.now() - timedelta(seconds=100)
    Pace.objects.update(starts_at=begun)
    Question.objects.update(starts_at=begun)
    lead(assignment, "pause")
    Pace.objects.update(paused_at=timezone.now() - timedelta(seconds=30))
    lead(assignment, "resume")
    [(at, length)] = Question.objects.get().pauses
    assert abs(at - 70) <= 1 and abs(length - 30) <= 1


def test_the_clock_of_the_lesson_does_not_run_in_a_pause(lead, assignment):
    lead(assignment, "clock:5")
    lead(assignment, "pause")
    held = Pace.objects.get().seconds_left
    Pace.objects.update(
        paused_at=timezone.now() - timedelta(seconds=60),
        clock_ends_at=Pace.objects.get().clock_ends_at - timedelta(seconds=60),
    )
    assert abs(Pace.objects.get().seconds_left - held) <= 1
    lead(assignment, "resume")
    assert abs(Pace.objects.get().seconds_left - held) <= 1


def test_of_two_lessons_that_of_the_class_which_began_last_counts(
    lead, student_client, student, assignment, teacher, make_class, assign, puzzle
):
    club = make_class(teacher, "Club", "Endo Mio")
    club.enrolments.create(student=student, number=9)
    other = assign(club, puzzle)
    lead(assignment, "say", message="Of the class")
    lead(other, "say", message="Of the club")
    page = news(student_client)
    assert "Of the club" in page and "Of the class" not in page


def test_a_lesson_ends_the_other_one_of_the_class(
    lead, student_client, assignment, classroom, assign, make_puzzle
):
    other = assign(classroom, make_puzzle("goishi", "ooo"))
    lead(assignment, "pause")
    lead(other, "begin")
    assert "data-paused" not in news(student_client)


def test_only_students_who_have_the_assignment_are_led(
    lead, student_client, client_of, classmate, assignment
):
    deal(assignment, [classmate.pk])
    lead(assignment, "pause")
    assert "data-paused" in news(client_of(classmate))
    assert "data-paused" not in news(student_client)


# Messages


def test_a_student_puts_a_message_away_and_reads_it_again(lead, student_client, assignment):
    lead(assignment, "say", message="Five more minutes")
    url = reverse("lesson_message")
    assert "Five more minutes" in news(student_client)
    away = student_client.post(url, {"do": "away"}, headers=HTMX).content.decode()
    assert "Five more minutes" not in away and 'value="back"' in away
    assert "Five more minutes" not in news(student_client)
    back = student_client.post(url, {"do": "back"}, headers=HTMX).content.decode()
    assert "Five more minutes" in back
    assert student_client.post(url, {"do": "dance"}).status_code == 400


def test_a_new_message_is_shown_although_the_last_one_was_put_away(
    lead, student_client, assignment
):
    lead(assignment, "say", message="One")
    student_client.post(reverse("lesson_message"), {"do": "away"}, headers=HTMX)
    lead(assignment, "say", message="Two")
    assert "Two" in news(student_client)


def test_the_teacher_sees_that_a_message_was_put_away(
    lead, teacher_client, student_client, student, assignment
):
    lead(assignment, "write", message="Try the corner", student=student.pk)
    url = reverse("lesson", args=[assignment.pk])
    page = teacher_client.get(url, {"student": student.pk}).content.decode()
    assert "Sent" in page and "Try the corner" in page and "put away" not in page
    student_client.post(reverse("lesson_message"), {"do": "away"}, headers=HTMX)
    assert "put away" in teacher_client.get(url, {"student": student.pk}).content.decode()


@pytest.mark.parametrize("do", ["send:{board}", "free", "ask:move", "ask:solve"])
def test_a_new_activity_clears_the_messages_of_the_last_one(
    do, lead, student_client, student, assignment, assigned
):
    lead(assignment, "say", message="To all of you")
    lead(assignment, "write", message="To you alone", student=student.pk)
    lead(assignment, do.format(board=assigned.pk), board=assigned.pk)
    page = news(student_client)
    assert "To all of you" not in page and "To you alone" not in page


def test_a_stamp_and_a_hint_reach_the_student_now(
    lead, student_client, student, assignment, assigned, tried, lines
):
    lead(assignment, "begin")
    tried(student, assigned, "1,1")
    lead(assignment, "stamp:well done", student=student.pk)
    assert "To you:" in news(student_client)
    assert student.attempts.get().feedback.stamp == "well done"
    lead(assignment, "hint", student=student.pk)
    assert student.attempts.get().awaited_hint == HintUse.Level.ALIVE
    assert "data-hinted" in news(student_client)
    assert lead(assignment, "stamp:gold", student=student.pk).status_code == 400


# Attendance


def test_an_absent_student_is_not_counted_and_needs_no_help(
    lead, teacher_client, student, assignment, assigned, tried
):
    attempt = tried(student, assigned, "1,1")
    Attempt.objects.filter(pk=attempt.pk).update(is_jammed=True)
    assert [tile.student for tile in wall_of(assignment).in_need] == [student.pk]
    lead(assignment, "absent", student=student.pk)
    assignment.refresh_from_db()
    shown = wall_of(assignment)
    assert shown.in_need == [] and shown.tiles[-1].student == student.pk
    assert shown.tiles[-1].state == WallState.ABSENT
    assert student.pk not in {tile.student for tile in shown.present}
    lead(assignment, "here", student=student.pk)
    assert wall_of(assignment).tiles[0].state != WallState.ABSENT


def test_a_student_who_makes_a_move_is_no_longer_absent(
    lead, student, student_client, assignment, assigned
):
    lead(assignment, "absent", student=student.pk)
    key = Attempt.first(student, assigned).key
    fields = {"action": "move", "move": "1,1", "step": 0}
    student_client.post(reverse("step", args=[key]), fields, headers=HTMX)
    assert Step.objects.count() == 1
    assert wall_of(assignment).tiles[0].state != WallState.ABSENT


def test_a_new_lesson_knows_no_absence(lead, student, assignment):
    lead(assignment, "absent", student=student.pk)
    lead(assignment, "end")
    lead(assignment, "begin")
    assert Attendance.objects.get(student=student).absent_at is None


def test_a_board_that_is_deleted_leads_nobody(lead, student_client, classroom, assign, make_puzzle):
    assignment = assign(classroom, *(make_puzzle("goishi", "ooo") for _ in range(2)))
    kept, other = assignment.puzzles.order_by("number")
    lead(assignment, f"send:{other.pk}")
    set_puzzles(assignment, [kept])
    assert "data-go" not in news(student_client)


# Old addresses


def test_the_addresses_of_the_wall_lead_to_the_lesson_page(
    teacher_client, other_client, assignment, student
):
    lesson = reverse("lesson", args=[assignment.pk])
    wall = f"/assignments/{assignment.pk}/wall/"
    assert teacher_client.get(wall).url == lesson
    assert teacher_client.get(f"{wall}{student.pk}/").url == f"{lesson}?student={student.pk}"
    assert other_client.get(wall).status_code == 404
