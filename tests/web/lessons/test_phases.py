"""A lesson that follows the phases of a plan."""

import re
from concurrent.futures import ThreadPoolExecutor
from datetime import timedelta

import pytest
from django.db import connection
from django.urls import reverse
from django.utils import timezone
from django.utils.html import escape

from puzzleclass.assignments.lesson_models import Pace
from puzzleclass.assignments.models import Assignment
from puzzleclass.assignments.pace import running_pace
from puzzleclass.jobs.models import Job, job_key
from puzzleclass.lessons.models import Question
from puzzleclass.lessons.phases import presses_of
from puzzleclass.lessons.questions import give
from puzzleclass.sharing.phases import Phase, phases_of, stored
from puzzleclass.sharing.plans import plans
from puzzleclass.sharing.starting import find_start, start_lesson

pytestmark = pytest.mark.django_db


@pytest.fixture
def lesson(teacher, classroom) -> Assignment:
    return start_lesson(classroom, teacher, find_start("plan:counting-cases"))


def press(client, lesson: Assignment, do: str):
    return client.post(reverse("lead", args=[lesson.pk]), {"do": do})


def pace_of(lesson: Assignment) -> Pace:
    return running_pace(Assignment.objects.get(pk=lesson.pk))


def asked(lesson: Assignment) -> Question | None:
    return Question.objects.exclude(stage="over").first()


def test_six_presses_play_the_plan(teacher_client, lesson):
    boards = {board.number: board for board in lesson.puzzles.all()}
    course = phases_of(lesson.pace.phases)
    assert (pace_of(lesson).phase, pace_of(lesson).shown) == (0, "wait")
    press(teacher_client, lesson, "phase:1")
    question = asked(lesson)
    assert (question.sort, question.form, question.right) == ("free", "number", "6")
    assert question.words == course[0].question and not question.twice
    assert (pace_of(lesson).phase, pace_of(lesson).shown) == (1, f"question {question.pk}")
    press(teacher_client, lesson, "phase:2")
    question = asked(lesson)
    assert (question.puzzle, question.sort, question.twice) == (boards[2], "move", True)
    press(teacher_client, lesson, "phase:3")
    question = asked(lesson)
    assert (question.puzzle, question.sort, question.twice) == (boards[2], "count", False)
    press(teacher_client, lesson, "phase:4")
    pace = pace_of(lesson)
    assert pace.board is None and 890 < pace.seconds_left <= 900 and not asked(lesson)
    press(teacher_client, lesson, "phase:5")
    assert pace_of(lesson).shown == f"tree {boards[2].pk}"
    assert pace_of(lesson).clock_ends_at is None
    press(teacher_client, lesson, "phase:6")
    pace = pace_of(lesson)
    assert (pace.phase, pace.looks_back, pace.exit_board) == (6, True, boards[3])
    assert (pace.message, pace.shown) == (course[5].question, "message")
    press(teacher_client, lesson, "phase:7")
    assert pace_of(lesson).phase == 6


def test_what_a_phase_shows_is_found_out_in_the_phase_before(teacher_client, lesson):
    board = lesson.puzzles.get(number=2)
    Pace.objects.update(
        phases=stored([Phase(5, "Play", do="free"), Phase(5, "See", do="show found 2 groups")])
    )
    key = job_key(board.kind_slug, "groups", board.position)
    assert not Job.objects.filter(key=key).exists()
    press(teacher_client, lesson, "phase:1")
    assert Job.objects.filter(key=key).exists()


@pytest.mark.parametrize("value", ["2", "0", "99", "x", ""])
def test_only_the_next_phase_can_be_begun(teacher_client, lesson, value):
    press(teacher_client, lesson, f"phase:{value}")
    assert pace_of(lesson).phase == 0 and not Question.objects.exists()


def test_two_presses_of_one_button_make_one_step(teacher_client, lesson):
    for _press in range(2):
        press(teacher_client, lesson, "phase:1")
        press(teacher_client, lesson, "phase:2")
    assert pace_of(lesson).phase == 2 and Question.objects.count() == 2


@pytest.mark.django_db(transaction=True)
def test_two_teachers_at_once_make_one_step(client_of, teacher, lesson):
    clients = [client_of(teacher), client_of(teacher)]
    press(clients[0], lesson, "phase:1")

    def go(client):
        try:
            return press(client, lesson, "phase:2").status_code
        finally:
            connection.close()

    with ThreadPoolExecutor(2) as pool:
        assert list(pool.map(go, clients)) == [302, 302]
    assert pace_of(lesson).phase == 2 and Question.objects.count() == 2


def test_a_pause_ends_with_a_new_activity_but_not_when_something_is_shown(teacher_client, lesson):
    Pace.objects.update(phase=3)
    press(teacher_client, lesson, "pause")
    press(teacher_client, lesson, "phase:4")
    assert not pace_of(lesson).is_paused
    press(teacher_client, lesson, "pause")
    press(teacher_client, lesson, "phase:5")
    assert pace_of(lesson).is_paused


def test_the_page_shows_the_phases_their_time_and_one_button(teacher_client, lesson):
    page = reverse("lesson", args=[lesson.pk])
    shown = teacher_client.get(page).content.decode()
    assert "The plan: 45 min" in shown and 'value="phase:1"' in shown
    press(teacher_client, lesson, "phase:1")
    Pace.objects.update(phase_at=timezone.now() - timedelta(minutes=2))
    answer = teacher_client.get(page)
    shown = answer.content.decode()
    assert "Phase 1 of 6" in shown and 235 < answer.context["course"].seconds_left <= 240
    assert 'value="phase:2"' in shown and "Ask: which move next?" in shown
    have = list(answer.context["versions"].values())
    press(teacher_client, lesson, "phase:2")
    update = teacher_client.get(page, {"have": have}, headers={"HX-Request": "true"})
    assert "Phase 2 of 6" in update.content.decode()


def test_a_lesson_ends_with_its_phases_and_can_be_held_again(teacher_client, lesson):
    press(teacher_client, lesson, "phase:1")
    press(teacher_client, lesson, "end")
    assert running_pace(Assignment.objects.get()) is None
    press(teacher_client, lesson, "phase:1")
    assert pace_of(lesson).phase == 1 and len(pace_of(lesson).phases) == 6


def test_a_lesson_goes_on_the_next_day_at_any_phase(teacher_client, lesson):
    press(teacher_client, lesson, "phase:1")
    press(teacher_client, lesson, "end")
    page = reverse("lesson", args=[lesson.pk])
    shown = teacher_client.get(page).content.decode()
    assert 'value="at-phase:4"' in shown
    press(teacher_client, lesson, "at-phase:4")
    pace = pace_of(lesson)
    assert (pace.phase, pace.clock_ends_at, pace.shown) == (4, None, "") and not asked(lesson)
    shown = teacher_client.get(page).content.decode()
    assert "Phase 4 of 6" in shown and 'value="do-phase:4"' in shown
    # What the phase does is one press, and goes on from there.
    press(teacher_client, lesson, "do-phase:4")
    assert 890 < pace_of(lesson).seconds_left <= 900
    press(teacher_client, lesson, "phase:5")
    assert pace_of(lesson).phase == 5


def test_going_back_and_skipping_do_not_touch_the_class(teacher_client, lesson):
    press(teacher_client, lesson, "phase:1")
    question, before = asked(lesson), pace_of(lesson)
    for number in (3, 2):
        press(teacher_client, lesson, f"at-phase:{number}")
        pace = pace_of(lesson)
        assert pace.phase == number and (pace.shown, pace.board) == (before.shown, before.board)
        assert asked(lesson) == question and Question.objects.count() == 1
    press(teacher_client, lesson, "do-phase:3")
    assert Question.objects.count() == 1
    press(teacher_client, lesson, "do-phase:2")
    assert asked(lesson).sort == "move"


@pytest.mark.parametrize("value", ["0", "7", "x", ""])
def test_there_is_no_other_phase_to_go_to(teacher_client, lesson, assignment, value):
    for each in (lesson, assignment):
        press(teacher_client, each, f"at-phase:{value}")
    assert pace_of(lesson).phase == 0 and running_pace(assignment) is None


@pytest.mark.parametrize("plan", plans().values(), ids=plans())
def test_every_phase_of_every_plan_can_be_pressed(teacher_client, teacher, classroom, plan):
    lesson = start_lesson(classroom, teacher, find_start(f"plan:{plan.slug}"))
    for number, phase in enumerate(plan.course, 1):
        assert bool(presses_of(phase, list(lesson.puzzles.all()))) is bool(phase.do)
        assert press(teacher_client, lesson, f"phase:{number}").status_code == 302
        assert pace_of(lesson).phase == number
    assert pace_of(lesson).message


TOTALS = re.compile(r"Solutions(?: from this board)?: [1-9]|At least \d+ solutions")
SOLUTIONS = ("One way to continue", "One solution")


@pytest.mark.parametrize("plan", plans().values(), ids=plans())
def test_no_plan_shows_what_a_later_phase_asks(
    teacher_client, student_client, student, teacher, classroom, done, plan
):
    """Play the plan with an answer to each question. Neither the student's page nor the projector
    says how many solutions there are, or shows one, as long as the class is still to find it."""
    lesson = start_lesson(classroom, teacher, find_start(f"plan:{plan.slug}"))
    for number, phase in enumerate(plan.course, 1):
        press(teacher_client, lesson, f"phase:{number}")
        question = asked(lesson)
        if question is None or phase.action.verb != "ask":
            continue
        # The class reads what the plan asks.
        assert question.title == " ".join(phase.question.split())
        page = reverse("question", args=[question.pk])
        assert escape(question.title) in student_client.get(page).content.decode()
        board = question.puzzle
        if question.asks_for == "move":
            moves = board.kind.moves(board.start)
            for who, move in zip(classroom.students.all(), moves, strict=False):
                give(question, who, board.kind.write_move(move))
        else:
            give(question, student, "1")
        press(teacher_client, lesson, "question:close")
        Question.objects.update(closes_at=timezone.now())
        press(teacher_client, lesson, "question:reveal")
        for job in Job.objects.filter(state=Job.State.WAITING):
            done(job)
        later = [each.action for each in plan.course[number:]]
        asks_total = question.sort == "count"
        plays_later = any(
            each.verb == "free"
            or (each.verb in ("lead", "look-back") and board and each.board == board.number)
            for each in later
        )
        for client, address in ((student_client, page), (teacher_client, "/screen/now/")):
            shown = client.get(address).content.decode()
            assert "asked-result" in shown
            if not asks_total and not plan.shows_total:
                assert not TOTALS.search(shown), phase.title
            if plays_later:
                assert not any(words in shown for words in SOLUTIONS), phase.title
            if question.sort == "move":
                assert "can still be solved" in shown or plan.shows_total


def test_an_own_tree_does_not_say_how_many_are_missing_if_the_total_is_hidden(
    student_client, lesson
):
    board = lesson.puzzles.get(number=1)
    page = reverse("own_found", args=[board.pk])
    Assignment.objects.update(shows_total=False)
    for query in ("?view=tree", "?view=tree&missing"):
        shown = student_client.get(page + query)
        assert not shown.context["can_show_missing"] and "Missing:" not in shown.content.decode()


def test_a_board_that_is_gone_is_not_asked_about(teacher_client, lesson):
    lesson.puzzles.filter(number=2).delete()
    Pace.objects.update(phase=1)
    press(teacher_client, lesson, "phase:2")
    assert pace_of(lesson).phase == 2 and not Question.objects.exists()


def test_a_lesson_without_a_plan_has_no_phases(teacher_client, assignment):
    press(teacher_client, assignment, "begin")
    press(teacher_client, assignment, "phase:1")
    assert pace_of(assignment).phase == 0
    page = teacher_client.get(reverse("lesson", args=[assignment.pk])).content.decode()
    assert 'id="phases"' not in page and "phase:" not in page
    assert stored(()) == []
