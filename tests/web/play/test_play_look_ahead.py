"""The look-ahead on a student's board appears by itself after every step and costs nothing."""

from datetime import timedelta

import pytest
from django.utils import timezone

from puzzleclass.jobs.models import Job
from puzzleclass.play.attempts import current_attempt, take_step
from puzzleclass.play.hints import back_to_live
from puzzleclass.play.models import Attempt, HintUse
from puzzleclass.play.refusals import StepRefused
from puzzleclass.play.restarts import restart
from puzzleclass.puzzles.lookahead import ask_lookahead
from puzzleclass.puzzles.models import Puzzle
from solvers.kind import split_moves
from solvers.registry import get_kind

HTMX = {"HX-Request": "true"}
ASKS = "Looking ahead …"


@pytest.fixture
def told(classroom, teacher, assign):
    """Return a function that assigns a board with the look-ahead to the class."""

    def told(kind: str = "goishi", position: str = "o./oo/../oo", **fields: object):
        position = get_kind(kind).write(get_kind(kind).read(position))
        puzzle = Puzzle.objects.create(owner=teacher, kind_slug=kind, position=position, title=kind)
        return assign(classroom, puzzle, **({"warns": True} | fields)).puzzles.get()

    return told


def address(attempt: Attempt) -> str:
    return f"/attempts/{attempt.key}/look-ahead/"


def ask(client, attempt: Attempt, step: int | None = None):
    """Ask for the look-ahead, as a board does when it has rested for a moment."""
    step = attempt.next_step if step is None else step
    return client.post(address(attempt), {"step": step}, headers=HTMX)


def said(response) -> str:
    return " ".join(response.content.decode().split())


def page_of(client, attempt: Attempt) -> str:
    return said(client.get(f"/play/{attempt.puzzle_id}/"))


# Asking


def test_a_board_that_rests_asks_and_is_answered_in_its_own_place(
    student, student_client, told, done
):
    attempt = current_attempt(student, told())
    page = page_of(student_client, attempt)
    assert ASKS in page
    assert f'hx-post="{address(attempt)}" hx-trigger="load delay:400ms, every 1s"' in page
    assert not Job.objects.exists()
    assert ask(student_client, attempt).status_code == 204
    job = Job.objects.get()
    assert (job.question, job.queue, job.options) == ("hint", "review", {"level": "alive"})
    assert list(job.askers.all()) == [student]
    assert ask(student_client, attempt).status_code == 204
    done(job)
    answer = said(ask(student_client, attempt))
    assert '<div id="lookahead-0" class="lookahead live">' in answer
    assert "This board can be solved." in answer
    assert "Solutions left: 5" in answer
    assert 'id="board"' not in answer and ASKS not in answer
    assert Job.objects.count() == 1


def test_an_answer_that_is_there_comes_with_the_step(student, student_client, told, done, tried):
    assigned = told()
    ask(student_client, tried(student, assigned, "1,1"))
    done(Job.objects.get())
    attempt = take_step(Attempt.objects.get(), 1, "undo")
    fields = {"action": "move", "step": 2, "move": "1,1"}
    page = said(student_client.post(f"/attempts/{attempt.key}/steps/", fields, headers=HTMX))
    assert '<div id="lookahead-3" class="lookahead live">' in page
    assert "This can still be solved." in page and "Solutions left: 2" in page
    assert ASKS not in page


def test_the_class_shares_one_answer(client_of, student, classmate, told, done):
    assigned = told()
    mine, theirs = current_attempt(student, assigned), current_attempt(classmate, assigned)
    ask(client_of(student), mine)
    ask(client_of(classmate), theirs)
    done(Job.objects.get())
    for user, attempt in ((student, mine), (classmate, theirs)):
        assert "can be solved" in said(ask(client_of(user), attempt))


def test_boards_left_behind_are_taken_back(student, student_client, told, tried, lines):
    assigned = told()
    for number, move in enumerate(lines.solution.split()[:3]):
        attempt = tried(student, assigned, move)
        ask(student_client, attempt)
        assert attempt.next_step == number + 1
    waiting = Job.objects.filter(state=Job.State.WAITING)
    assert [job.position for job in waiting] == [attempt.position_text]
    # When the student returns to a board, the question is asked again.
    attempt = take_step(attempt, attempt.next_step, "undo")
    ask(student_client, attempt)
    assert [job.position for job in waiting.all()] == [attempt.position_text]


def test_questions_of_classmates_and_running_questions_go_on(
    client_of, student, classmate, told, tried
):
    assigned = told()
    ask(client_of(student), current_attempt(student, assigned))
    ask_lookahead(classmate, "goishi", assigned.position)
    start = Job.objects.get()
    # The classmate relied on the student's question. When that is withdrawn, they ask themselves.
    ask(client_of(student), tried(student, assigned, "1,1"))
    start.refresh_from_db()
    assert start.state == Job.State.STOPPED
    ask(client_of(classmate), current_attempt(classmate, assigned))
    start.refresh_from_db()
    assert start.state == Job.State.WAITING
    Job.objects.filter(pk=start.pk).update(state=Job.State.RUNNING)
    ask(client_of(classmate), tried(classmate, assigned, "2,1"))
    start.refresh_from_db()
    assert start.state == Job.State.RUNNING


def test_hints_asked_meanwhile_are_not_taken_back(student, student_client, told, tried):
    attempt = current_attempt(student, told())
    student_client.post(f"/attempts/{attempt.key}/hint/", {"step": 0, "level": 3})
    ask(student_client, attempt)
    ask(student_client, tried(student, attempt.puzzle, "1,1"))
    assert Job.objects.get(options={}).state == Job.State.WAITING


@pytest.mark.parametrize("step", ["0", "2", "", "x", "-1"])
def test_a_late_board_is_not_told_anything(student, student_client, told, done, step, tried):
    attempt = tried(student, told(), "1,1")
    ask(student_client, attempt)
    done(Job.objects.get())
    answer = student_client.post(address(attempt), {"step": step}, headers=HTMX)
    assert answer.status_code == 204
    assert Job.objects.count() == 1


def test_where_the_teacher_does_not_allow_it_nothing_is_asked(student, student_client, told):
    attempt = current_attempt(student, told(warns=False))
    page = page_of(student_client, attempt)
    assert ASKS not in page and "lookahead" not in page
    assert "Can it still be solved?" in page
    assert ask(student_client, attempt).status_code == 204
    assert not Job.objects.exists()


def test_a_finished_or_overdue_board_is_not_asked_about(
    student, student_client, told, tried, lines
):
    solved = tried(student, told(), lines.solution)
    assert "lookahead" not in page_of(student_client, solved)
    assert ask(student_client, solved).status_code == 204
    overdue = told(due_at=timezone.now() - timedelta(minutes=1))
    late = Attempt.objects.create(student=student, puzzle=overdue, number=1)
    assert "lookahead" not in page_of(student_client, late)
    assert ask(student_client, late).status_code == 204
    assert not Job.objects.exists()


def test_without_scripts_it_is_a_button(student, student_client, told, done):
    attempt = current_attempt(student, told())
    answer = student_client.post(address(attempt), {"step": 0})
    assert answer.url == f"/play/{attempt.puzzle_id}/"
    assert student_client.get(address(attempt)).url == answer.url
    done(Job.objects.get())
    assert "This board can be solved." in page_of(student_client, attempt)


# The answers


@pytest.mark.parametrize(
    ("kind", "position", "moves", "words"),
    [
        ("goishi", "o./oo/../oo", "1,1", ["✓", "This can still be solved.", "Solutions left: 2"]),
        (
            "goishi",
            "o./oo/../oo",
            "4,2",
            ["✗", "Undo some moves.", "Go back to the last", "Back to the start of the board"],
        ),
        ("tonari", "4x4 11", "2,2 3,3", ["✓", "Solutions left: "]),
        (
            "tonari",
            "4x4 11",
            "1,2 2,2",
            ["✗", "wrong colour.", "Go back to the last", "back to move 1"],
        ),
        ("maxstrings", "5x5", "x 2,2", ["✓", "can still reach 18 of 18"]),
        (
            "maxstrings",
            "5x5",
            "x 1,1 x 1,2",
            ["✗", "any more.", "reach 17 of 18", "back to move 1"],
        ),
        ("maxstrings", "19x19", "x 2,2", ["?", "too large to look ahead"]),
        ("kikazu", "S2/3/3 RGP", "", ["✓", "All the pieces can be placed.", "Solutions left: "]),
        (
            "kikazu",
            "S2/3/3 RGP",
            "P 2,2",
            ["✗", "a piece attacks another", "Back to the start of the board"],
        ),
    ],
)
def test_every_state_in_words(student, student_client, told, done, kind, position, moves, words):
    attempt = current_attempt(student, told(kind, position))
    for move in split_moves(moves):
        attempt = take_step(attempt, attempt.next_step, "move", move)
    ask(student_client, attempt)
    done(Job.objects.get())
    for page in (said(ask(student_client, attempt)), page_of(student_client, attempt)):
        for word in words:
            assert word in page


def test_numbers_are_told_only_if_they_may_be(student, student_client, told, done):
    for kind, position in (("goishi", "o./oo/../oo"), ("maxstrings", "5x5")):
        attempt = current_attempt(student, told(kind, position, shows_total=False))
        ask(student_client, attempt)
        done(Job.objects.get(kind_slug=kind))
        page = said(ask(student_client, attempt))
        assert "✓" in page
        assert "Solutions left" not in page and "can still reach" not in page


def test_obvious_answers_are_shown_at_once(student, student_client, told, tried):
    attempt = tried(student, told("tonari", "Bbb/bbb/bbb"), "1,2", "2,3")
    page = page_of(student_client, attempt)
    assert "This can't be solved any more." in page and ASKS not in page
    assert 'class="doomed"' in page
    # The way back is not known yet.
    assert "every 1s" in page


def test_a_worker_that_fails_is_not_asked_for_ever(student, student_client, told):
    attempt = current_attempt(student, told())
    ask(student_client, attempt)
    Job.objects.update(state=Job.State.FAILED, fault={"text": "Broken", "values": {}})
    answer = said(ask(student_client, attempt))
    assert "The calculation could not determine" in answer and "every" not in answer
    assert Job.objects.get().state == Job.State.FAILED


# The way back, and hints


def test_the_way_back_costs_nothing(student, student_client, told, done, tried, lines):
    attempt = tried(student, told(hints=0), lines.jam)
    with pytest.raises(StepRefused):
        back_to_live(attempt, 2)
    ask(student_client, attempt)
    done(Job.objects.get())
    student_client.post(f"/attempts/{attempt.key}/back/", {"step": 2})
    attempt.refresh_from_db()
    assert (attempt.line, attempt.next_step) == ("2,1", 3)
    assert not HintUse.objects.exists()


def test_the_way_back_is_of_the_board_it_was_told_for(
    student, student_client, told, done, tried, lines
):
    attempt = tried(student, told(), lines.jam)
    ask(student_client, attempt)
    done(Job.objects.get())
    attempt = restart(attempt)
    with pytest.raises(StepRefused):
        back_to_live(attempt, attempt.next_step)


def test_hints_sell_nothing_that_is_told_anyway(student, student_client, told, done, tried, lines):
    attempt = tried(student, told(), "1,1")
    page = page_of(student_client, attempt)
    assert "Where should I look?" in page and 'id="hint-1"' not in page
    lost = take_step(take_step(attempt, 1, "undo"), 2, "move", lines.lost)
    ask(student_client, lost)
    done(Job.objects.latest("pk"))
    answer = said(ask(student_client, lost))
    assert 'hx-target="#hint"' in answer and "Where should I look?" not in answer
    refused = student_client.post(f"/attempts/{lost.key}/hint/", {"step": 3, "level": 3})
    assert refused.status_code == 409
    assert "no move helps" in refused.content.decode()
    assert not HintUse.objects.exists()
    assert Job.objects.filter(options={}).count() == 0


def test_a_step_asks_one_query_more(
    student, student_client, told, django_assert_max_num_queries, done
):
    plain = current_attempt(student, told(warns=False))
    lookahead = current_attempt(student, told())

    def queries(attempt: Attempt) -> int:
        with django_assert_max_num_queries(40) as seen:
            student_client.post(
                f"/attempts/{attempt.key}/steps/",
                {"action": "move", "step": 0, "move": "1,1"},
                headers=HTMX,
            )
        return len(seen)

    assert queries(lookahead) == queries(plain) + 1
