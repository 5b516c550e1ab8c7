"""Hints on the page of a board, and what a teacher sees of them."""

import re

import pytest

from puzzleclass.jobs.models import Job
from puzzleclass.play.hints import ask_hint, take_answer
from puzzleclass.play.models import Attempt, HintUse
from puzzleclass.play.restarts import restart
from tests.web.play.hints import ALIVE, NEXT, REGION, allow, attempt, hint_card, hinted, step

__all__ = ["attempt", "hinted"]

HTMX = {"HX-Request": "true"}


@pytest.mark.parametrize(
    ("language", "words"), [("en", "This hint does not count."), ("ja", "数えません")]
)
def test_the_card_says_that_it_is_free(attempt, client_of, student, answered, language, words):
    ask_hint(attempt, 0, ALIVE)
    note = {"text": "It could not be found out.", "values": {}}
    answered(hint_card(attempt).job, None, proven=False, note=note)
    take_answer(attempt, 0)
    page = client_of(student, language).get(f"/play/{attempt.puzzle_id}/").content.decode()
    assert words in page and "3" in page.split("hint-title")[2].split("</span>")[0]


def test_a_hint_is_offered_after_three_failures(client_of, student, attempt, hinted):
    page = f"/play/{attempt.puzzle_id}/"
    english, japanese = client_of(student, "en"), client_of(student, "ja")
    for _ in range(3):
        assert "A hint may help you." not in english.get(page).content.decode()
        attempt = restart(step(attempt, "1,1"))
    assert "A hint may help you." in english.get(page).content.decode()
    assert "ヒントを使ってみませんか" in japanese.get(page).content.decode()
    hinted(attempt, ALIVE)
    assert "A hint may help you." not in english.get(page).content.decode()


def test_the_card_says_that_the_hints_are_used_up(student_client, attempt, hinted):
    allow(attempt, 1)
    hinted(attempt, ALIVE)
    page = student_client.get(f"/play/{attempt.puzzle_id}/").content.decode()
    assert "You have used all the hints for this puzzle." in page
    assert "Each new hint uses up one." not in page


def address(attempt: Attempt) -> str:
    return f"/attempts/{attempt.key}/hint/"


def press(client, attempt: Attempt, level: int, **headers: str):
    sent = {"step": attempt.next_step, "level": level}
    return client.post(address(attempt), sent, headers=headers, follow=True)


def fetch(client, attempt: Attempt, **fields: str):
    """Ask for the answer as the page does every second."""
    sent = {"step": attempt.next_step, **fields}
    return client.post(f"{address(attempt)}answer/", sent, headers=HTMX)


SAID = {
    "en": ("This board can be solved.", "Look at the marked part", "A good next move: "),
    "ja": ("この盤は解けます", "盤の色のついたところ", "次のよい手："),
}


@pytest.mark.parametrize("language", SAID)
def test_every_level_in_words(client_of, student, attempt, done, language):
    client = client_of(student, language)
    for level, said in zip(HintUse.Level, SAID[language], strict=True):
        press(client, attempt, level)
        if job := Job.objects.exclude(state=Job.State.DONE).first():
            done(job)
        fetch(client, attempt)
        page = client.get(f"/play/{attempt.puzzle_id}/").content.decode()
        assert said in page
    left = {"en": "Hints left: 0", "ja": "残りのヒント：0"}[language]
    assert left in page


@pytest.mark.parametrize(
    ("language", "words"),
    [
        ("en", ("any more. Undo some moves.", "Go back to the last position that can be solved")),
        ("ja", ("もう解けません", "まだ解けるところまでもどす")),
    ],
)
def test_a_lost_board_in_words_and_the_button_back(
    client_of, student, assigned, hinted, language, words, tried, lines
):
    attempt = tried(student, assigned, lines.jam)
    keep = hinted(attempt, ALIVE).keep
    client = client_of(student, language)
    page = client.get(f"/play/{assigned.pk}/").content.decode()
    for said in words:
        assert said in page
    answer = client.post(f"/attempts/{attempt.key}/back/", {"step": 2})
    assert answer.url == f"/play/{assigned.pk}/"
    attempt.refresh_from_db()
    assert len(attempt.line.split()) == keep


def test_asking_ends_with_the_answer(student_client, attempt, done):
    page = press(student_client, attempt, ALIVE, **HTMX).content.decode()
    assert "The computer is thinking" in page
    assert 'hx-trigger="every 1s"' in page
    assert fetch(student_client, attempt).status_code == 204
    poll = f"{address(attempt)}answer/"
    assert student_client.get(poll).url == f"/play/{attempt.puzzle_id}/"
    assert student_client.post(poll, {"step": 0}).url == f"/play/{attempt.puzzle_id}/"
    done(Job.objects.get())
    page = fetch(student_client, attempt).content.decode()
    assert "This board can be solved." in page
    assert "every 1s" not in page


def test_looking_at_the_page_takes_no_hint(student_client, attempt, done):
    press(student_client, attempt, ALIVE)
    done(Job.objects.get())
    page = student_client.get(f"/play/{attempt.puzzle_id}/").content.decode()
    assert 'hx-trigger="every 1s"' in page
    assert not HintUse.objects.exists()


def test_pressed_hint_buttons_are_not_ticked(student_client, attempt, done):
    def states(page: str) -> list[str]:
        buttons = re.findall(r'<button[^>]*id="hint-\d"[^>]*>', page)
        return [" ".join(re.findall(r"aria-\w+", button)) for button in buttons]

    page = press(student_client, attempt, NEXT, **HTMX).content.decode()
    assert states(page) == ["", "", "aria-busy"]
    assert "✓" not in page.partition('id="hint"')[2].partition("</section>")[0]
    done(Job.objects.get())
    page = fetch(student_client, attempt).content.decode()
    assert states(page) == ["aria-disabled", "aria-disabled", "aria-current"]


def test_a_worker_that_is_away_is_said_and_costs_nothing(student_client, attempt, broker, done):
    gone = "The computer is not running just now. Your hint will come by itself"
    page = press(student_client, attempt, ALIVE, **HTMX).content.decode()
    assert gone not in page
    broker.loses("hint")
    page = fetch(student_client, attempt).content.decode()
    assert gone in page and "Hints left: 3" in page and 'name="away"' in page
    # An answer that has been announced is not announced again every second.
    assert fetch(student_client, attempt, away="1").status_code == 204
    broker.finds("hint")
    page = fetch(student_client, attempt, away="1").content.decode()
    assert gone not in page and "The computer is thinking" in page
    done(Job.objects.get())
    page = fetch(student_client, attempt).content.decode()
    assert "This board can be solved." in page and "Hints left: 2" in page


def test_the_answer_goes_with_the_board_it_was_asked_for(student_client, attempt, done):
    press(student_client, attempt, NEXT)
    step(attempt, "1,1")
    done(Job.objects.get())
    assert fetch(student_client, attempt).status_code == 204
    page = student_client.get(f"/play/{attempt.puzzle_id}/").content.decode()
    assert "A good next move" not in page
    assert "hinted-move" not in page
    assert "every 1s" not in page


def test_a_worker_that_fails_can_be_asked_again_at_no_cost(student_client, attempt):
    press(student_client, attempt, ALIVE)
    Job.objects.update(state=Job.State.FAILED, fault={"text": "Broken", "values": {}})
    page = student_client.get(f"/play/{attempt.puzzle_id}/").content.decode()
    assert "Asking again uses up no hint" in page
    assert "every 1s" not in page
    press(student_client, attempt, ALIVE)
    assert Job.objects.get().state == Job.State.WAITING
    assert not HintUse.objects.exists()


def test_without_hints_there_is_no_button(student_client, attempt):
    allow(attempt, 0)
    page = student_client.get(f"/play/{attempt.puzzle_id}/").content.decode()
    assert address(attempt) not in page
    answer = press(student_client, attempt, ALIVE)
    assert answer.status_code == 409
    assert "There are no hints for this puzzle." in answer.content.decode()


def test_past_due_there_is_no_button(student_client, student, assigned, overdue):
    attempt = Attempt.objects.create(student=student, puzzle=assigned, number=1)
    page = student_client.get(f"/play/{assigned.pk}/").content.decode()
    assert address(attempt) not in page
    answer = press(student_client, attempt, ALIVE)
    assert answer.status_code == 409
    assert "There are no more hints" in answer.content.decode()


@pytest.mark.parametrize("sent", [{}, {"step": "0"}, {"step": "0", "level": "4"}, {"level": "x"}])
@pytest.mark.parametrize(
    ("language", "said"), [("en", "This could not be read."), ("ja", "読みとれませんでした。")]
)
def test_unreadable_requests_are_refused(client_of, student, attempt, sent, language, said):
    answer = client_of(student, language).post(address(attempt), sent)
    assert answer.status_code == 400
    assert said in answer.content.decode()
    assert not HintUse.objects.exists()


def test_the_teacher_sees_what_was_taken(teacher_client, student, assigned, tried, hinted):
    attempt = tried(student, assigned, "1,1")
    hinted(attempt, REGION)
    attempt = step(attempt, "2,1")
    hinted(attempt, NEXT)
    Attempt.objects.update(seconds=0)
    table = teacher_client.get(f"/assignments/{assigned.assignment_id}/").content.decode()
    assert "Solutions found: 0. Hints: 2" in table
    cell = teacher_client.get(f"/assigned/{assigned.pk}/students/{student.pk}/").content.decode()
    assert "Where should I look?" in cell
    assert "Attempt 1, moves on the board: 2" in cell
    page = teacher_client.get(f"/attempts/{attempt.key}/replay/")
    told = [(done.text, done.hint and done.hint.level) for done in page.context["page"]]
    assert told == [("1,1", None), ("", REGION), ("2,1", None), ("", NEXT)]
    assert "Moves on the board: 1" in page.content.decode()


def test_hints_before_the_first_move_are_seen(teacher_client, attempt, hinted):
    hinted(attempt, NEXT)
    table = teacher_client.get(f"/assignments/{attempt.puzzle.assignment_id}/").content.decode()
    assert "Not started. Time: 0:00. Attempts: 0. Solutions found: 0. Hints: 1" in table
    assert "×0" not in table


def test_no_hints_leave_no_trace(teacher_client, student, assigned, tried):
    attempt = tried(student, assigned, "1,1")
    for page in (
        f"/assigned/{assigned.pk}/students/{student.pk}/",
        f"/attempts/{attempt.key}/replay/",
    ):
        assert "Hints taken" not in teacher_client.get(page).content.decode()


@pytest.mark.parametrize(
    ("language", "words"), [("en", "You have used all the hints"), ("ja", "もう残っていません")]
)
def test_the_card_says_that_all_hints_are_used(
    client_of, student, attempt, hinted, play, language, words
):
    allow(attempt, 1)
    hinted(attempt, NEXT)
    play(attempt, "2,1")
    page = client_of(student, language).get(f"/play/{attempt.puzzle_id}/").content.decode()
    assert words in page
