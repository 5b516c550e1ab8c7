"""Hints: the number that a student may take, their content, and the way back that they offer."""

import re
from copy import copy
from datetime import timedelta

import pytest
from django.utils import timezone

from puzzleclass.jobs import transitions
from puzzleclass.jobs.models import Job
from puzzleclass.play.attempts import current_attempt, restart, take_step
from puzzleclass.play.hint_card import HintCard, Offer
from puzzleclass.play.hints import ask_hint, back_to_live, help_for, take_answer
from puzzleclass.play.models import Attempt, HintUse
from puzzleclass.play.refusals import StepRefused
from puzzleclass.puzzles.models import Puzzle
from solvers.picture import Picture

ALIVE, REGION, NEXT = HintUse.Level
HTMX = {"HX-Request": "true"}
CHANGED = "The board has changed in the meantime. Ask for a hint again if you need one."


@pytest.fixture
def attempt(student, assigned) -> Attempt:
    return current_attempt(student, assigned)


@pytest.fixture
def hinted(done):
    """Return a function that takes a hint, lets a worker answer it, and returns the card."""

    def hinted(attempt: Attempt, level: HintUse.Level):
        if ask_hint(attempt, attempt.next_step, level) is None:
            done(hint_card(attempt).job)
            take_answer(attempt, attempt.next_step)
        return hint_card(attempt)

    return hinted


def refused(attempt: Attempt, level: HintUse.Level = ALIVE, step: int | None = None) -> str:
    """Return the reason why the hint is refused. The refusal must leave nothing behind."""
    before = HintUse.objects.count(), Job.objects.filter(question="hint").count()
    with pytest.raises(StepRefused) as caught:
        ask_hint(attempt, attempt.next_step if step is None else step, level)
    assert before == (HintUse.objects.count(), Job.objects.filter(question="hint").count())
    assert caught.value.status == 409
    return str(caught.value.message)


def hint_card(attempt: Attempt) -> HintCard | None:
    return help_for(attempt)[1]


def styles(card: HintCard, picture: Picture) -> set[str]:
    """Return the styles of the shapes that draw the hint on the board."""
    return {shape.style for shape in card.drawn_on(picture).all_shapes}


def allow(attempt: Attempt, hints: int) -> None:
    attempt.puzzle.assignment.hints = hints
    attempt.puzzle.assignment.save()


def step(attempt: Attempt, move: str) -> Attempt:
    return take_step(attempt, attempt.next_step, "move", move)


# The number of hints


def test_each_hint_is_written_down_and_counts_once_its_answer_is_there(attempt, done):
    assert hint_card(attempt).left == 3
    attempt = step(attempt, "1,1")
    assert ask_hint(attempt, 1, REGION) is None
    assert take_answer(attempt, 1) is None
    card = hint_card(attempt)
    assert (card.left, card.is_pending, HintUse.objects.count()) == (3, True, 0)
    done(card.job)
    # The answer is there, but nobody has seen it.
    card = hint_card(attempt)
    assert (card.left, card.is_pending, card.note, card.region) == (3, True, None, ())
    use = take_answer(attempt, 1)
    assert (use.attempt, use.step, use.line, use.level) == (attempt, 1, "1,1", REGION)
    assert use.moves == 1
    card = hint_card(attempt)
    assert (card.left, card.is_pending, bool(card.region)) == (2, False, True)
    assert take_answer(attempt, 1) is None


def test_a_hint_that_comes_too_late_costs_nothing(attempt, done):
    ask_hint(attempt, 0, NEXT)
    job = hint_card(attempt).job
    there = step(attempt, "1,1")
    done(job)
    assert take_answer(there, 0) is None
    back = take_step(there, 1, "undo")
    assert take_answer(back, 2) is None
    card = hint_card(back)
    assert (card.left, card.level, card.described) == (3, 0, None)
    # A hint that is taken again is answered at once, and counts.
    assert ask_hint(back, 2, NEXT)
    assert hint_card(back).left == 2


def test_a_plainer_hint_asked_for_while_one_waits_takes_its_place(attempt, done):
    allow(attempt, 1)
    ask_hint(attempt, 0, ALIVE)
    ask_hint(attempt, 0, NEXT)
    assert [offer.level for offer in hint_card(attempt).offers if offer.is_awaited] == [NEXT]
    done(hint_card(attempt).job)
    assert take_answer(attempt, 0).level == NEXT
    assert HintUse.objects.count() == 1


def test_an_answer_that_is_there_already_is_taken_at_once(attempt, classmate, hinted):
    hinted(attempt, NEXT)
    other = current_attempt(classmate, attempt.puzzle)
    assert ask_hint(other, 0, REGION).level == REGION
    assert (hint_card(other).left, hint_card(other).described) == (2, None)


def test_the_worker_is_asked_in_the_teachers_name(attempt, teacher):
    ask_hint(attempt, 0, ALIVE)
    job = Job.objects.get()
    assert (job.question, job.queue, job.askers.get()) == ("hint", "hint", teacher)


def test_each_student_has_a_turn_of_their_own(student, classmate, assigned, lines, tried):
    """Hints and reviews are asked for in the teacher's name, but on behalf of a student."""
    restart(tried(student, assigned, lines.jam))
    restart(tried(student, assigned, lines.lost))
    for move in ("1,1", "2,1"):
        attempt = tried(student, assigned, move)
        ask_hint(attempt, attempt.next_step, ALIVE)
        take_step(attempt, attempt.next_step, "undo")
    ask_hint(current_attempt(classmate, assigned), 0, ALIVE)
    restart(tried(classmate, assigned, "4,1"))
    hints = [transitions.claim_next("hint").position for _ in range(3)]
    assert hints == [f"{assigned.position} | 1,1", assigned.position, f"{assigned.position} | 2,1"]
    served = Job.objects.filter(question="review").values_list("served", "turn")
    assert set(served) == {(student.pk, 0), (classmate.pk, 0)}


def test_a_hint_for_the_same_board_is_free(attempt, hinted):
    hinted(attempt, REGION)
    assert ask_hint(attempt, 0, REGION) is None
    assert ask_hint(attempt, 0, ALIVE) is None
    attempt = step(attempt, "1,1")
    assert hint_card(attempt).level == 0
    attempt = take_step(attempt, 1, "undo")
    assert hint_card(attempt).level == REGION
    assert ask_hint(attempt, 2, REGION) is None
    assert ask_hint(attempt, 2, NEXT) is not None
    assert hint_card(attempt).left == 1


def test_the_number_of_hints_is_for_the_puzzle_not_the_attempt(attempt, hinted):
    for move in ("1,1", "2,1"):
        hinted(attempt, ALIVE)
        attempt = step(attempt, move)
    hinted(attempt, ALIVE)
    attempt = step(attempt, "2,2")
    assert refused(attempt) == "You have no hint left for this puzzle."
    attempt = restart(attempt)
    assert hint_card(attempt).left == 0
    assert ask_hint(attempt, 0, ALIVE) is None
    assert "no hint left" in refused(attempt, NEXT)


@pytest.mark.parametrize(("answer", "left"), [(None, 1), ("1", 0), ("0", 0)])
def test_a_hint_without_an_answer_is_given_back(attempt, answered, hinted, answer, left):
    allow(attempt, 1)
    attempt = step(attempt, "1,1")
    ask_hint(attempt, 1, REGION)
    note = {"text": "It could not be found out.", "values": {}}
    answered(hint_card(attempt).job, answer, proven=answer is not None, note=note)
    assert take_answer(attempt, 1)
    card = hint_card(attempt)
    assert (card.left, card.is_free) == (left, answer is None)
    attempt = step(attempt, "2,1")
    if left:
        hinted(attempt, NEXT)
        assert hint_card(attempt).left == 0
        assert "no hint left" in refused(step(attempt, "2,2"))
    else:
        assert "no hint left" in refused(attempt)
    assert HintUse.objects.count() == 1 + left


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


def test_a_classmate_has_hints_of_their_own(attempt, classmate, hinted):
    hinted(attempt, NEXT)
    other = hint_card(current_attempt(classmate, attempt.puzzle))
    assert (other.left, other.level) == (3, 0)


def test_a_teacher_who_takes_hints_away_leaves_none(attempt, hinted):
    hinted(attempt, ALIVE)
    hinted(attempt, REGION)
    allow(attempt, 1)
    assert hint_card(attempt).left == 0
    allow(attempt, 0)
    assert hint_card(attempt) is None
    assert refused(attempt, NEXT) == "There are no hints for this puzzle."


def test_past_due_there_are_no_hints(attempt):
    late = timezone.now() + timedelta(days=2)
    with pytest.raises(StepRefused, match="There are no more hints"):
        ask_hint(attempt, 0, ALIVE, at=late)


def test_a_board_that_went_on_in_another_window_costs_nothing(attempt):
    step(attempt, "1,1")
    assert refused(attempt, step=0) == CHANGED


def test_a_finished_attempt_takes_no_hint(student, assigned, tried, lines):
    solved = tried(student, assigned, lines.solution)
    assert refused(solved) == CHANGED
    left = tried(student, assigned)
    again = step(restart(left), "1,1")
    restart(again)
    assert refused(again) == CHANGED


@pytest.mark.django_db(transaction=True)
def test_several_windows_cannot_overdraw(attempt, at_once, hinted, classmate):
    allow(attempt, 2)
    hinted(current_attempt(classmate, attempt.puzzle), NEXT)  # The answer is there.
    HintUse.objects.all().delete()
    results = at_once(lambda level: ask_hint(copy(attempt), 0, level), *HintUse.Level, ALIVE)
    assert HintUse.objects.count() <= 2, results
    assert all(use is None or isinstance(use, HintUse | StepRefused) for use in results), results
    assert hint_card(attempt).left == 2 - HintUse.objects.count()


@pytest.mark.django_db(transaction=True)
def test_the_same_hint_from_several_windows_counts_once(attempt, at_once, hinted, classmate):
    hinted(current_attempt(classmate, attempt.puzzle), NEXT)  # The answer is there.
    HintUse.objects.all().delete()
    results = at_once(lambda _: ask_hint(copy(attempt), 0, NEXT), *range(4))
    assert HintUse.objects.count() == 1
    assert sum(use is not None for use in results) == 1, results


@pytest.mark.django_db(transaction=True)
def test_an_answer_that_several_windows_wait_for_counts_once(attempt, at_once, done):
    ask_hint(attempt, 0, NEXT)
    done(hint_card(attempt).job)
    same = [Attempt.objects.get(pk=attempt.pk) for _ in range(4)]
    results = at_once(lambda window: take_answer(window, 0), *same)
    assert HintUse.objects.count() == 1
    assert sum(use is not None for use in results) == 1, results


# The content of a hint


def test_only_what_was_taken_is_shown(attempt, hinted):
    mild = hinted(attempt, ALIVE)
    assert str(mild.note) == "This board can be solved."
    assert (mild.region, mild.described) == ((), None)
    shown = Offer(ALIVE, is_taken=True, is_shown=True)
    assert mild.offers == [shown, Offer(REGION), Offer(NEXT)]
    where = hinted(attempt, REGION)
    assert where.region and where.described is None
    plain = hinted(attempt, NEXT)
    assert plain.described and all(offer.is_taken for offer in plain.offers)
    assert [offer.level for offer in plain.offers if offer.is_shown] == [NEXT]
    assert "hinted-move" in styles(plain, attempt.puzzle.picture)
    assert "hinted-region" not in styles(mild, attempt.puzzle.picture)


def test_next_moves_lead_to_the_solution(attempt, hinted):
    allow(attempt, 5)
    while attempt.state == Attempt.State.OPEN:
        move = hinted(attempt, NEXT).job.answer["moves"][0]
        attempt = step(attempt, move)
    assert attempt.state == Attempt.State.SOLVED


@pytest.mark.parametrize(("line", "keep"), [("lost", 0), ("jam", 1)])
def test_a_lost_board_says_so_whatever_was_taken(
    student, assigned, hinted, line, keep, tried, lines
):
    attempt = tried(student, assigned, getattr(lines, line))
    card = hinted(attempt, ALIVE)
    assert (card.is_lost, card.keep, card.offers) == (True, keep, [])
    assert str(card.note) == "This can't be solved any more. Undo some moves."


def test_the_way_back_is_made_of_undo_steps(student, assigned, hinted, tried, lines):
    attempt = tried(student, assigned, "1,1", "undo", lines.jam)
    keep = hinted(attempt, ALIVE).keep
    back = back_to_live(attempt, 4)
    assert back.line == " ".join(lines.jam.split()[:keep])
    assert back.next_step == 4 + 2 - keep
    assert set(back.steps.filter(number__gte=4).values_list("action", flat=True)) == {"undo"}
    assert hinted(back, ALIVE).note.text == "This can still be solved."


def test_there_is_no_way_back_unasked_or_from_another_board(
    student, assigned, hinted, tried, lines
):
    attempt = tried(student, assigned, lines.jam)
    with pytest.raises(StepRefused):
        back_to_live(attempt, 2)
    hinted(attempt, ALIVE)
    take_step(attempt, 2, "undo")
    attempt.refresh_from_db()
    with pytest.raises(StepRefused):
        back_to_live(attempt, 2)


def test_a_board_without_solution_says_so_and_offers_no_way(
    classroom, teacher, student, hinted, assign
):
    never = Puzzle.objects.create(owner=teacher, kind_slug="goishi", position="o./.o", title="No")
    attempt = current_attempt(student, assign(classroom, never).puzzles.get())
    card = hinted(attempt, NEXT)
    assert (card.is_lost, card.keep, card.described) == (True, None, None)
    assert str(card.note) == "This board has no solution."


def test_wrong_pieces_are_named_and_marked(
    classroom, student, student_client, hinted, assign, make_puzzle
):
    pieces = make_puzzle("kikazu", "S2/3/3 RGP", "Pieces")
    attempt = current_attempt(student, assign(classroom, pieces).puzzles.get())
    attempt = step(attempt, "P 2,2")
    card = hinted(attempt, ALIVE)
    assert card.is_lost and card.wrong and card.keep == 0
    assert "fault" in styles(card, pieces.picture)
    page = student_client.get(f"/play/{attempt.puzzle_id}/").content.decode()
    assert "row 2, column 2" in page and "2,2</" not in page


# The page


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
    assert "The worker is thinking" in page
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
    gone = "The worker is not running just now. Your hint will come when it is back"
    page = press(student_client, attempt, ALIVE, **HTMX).content.decode()
    assert gone not in page
    broker.loses("hint")
    page = fetch(student_client, attempt).content.decode()
    assert gone in page and "Hints left: 3" in page and 'name="away"' in page
    # An answer that has been announced is not announced again every second.
    assert fetch(student_client, attempt, away="1").status_code == 204
    broker.finds("hint")
    page = fetch(student_client, attempt, away="1").content.decode()
    assert gone not in page and "The worker is thinking" in page
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


# The teacher


def test_the_teacher_sees_what_was_taken(teacher_client, student, assigned, tried, hinted):
    attempt = tried(student, assigned, "1,1")
    hinted(attempt, REGION)
    attempt = step(attempt, "2,1")
    hinted(attempt, NEXT)
    Attempt.objects.update(seconds=0)
    table = teacher_client.get(f"/assignments/{assigned.assignment_id}/").content.decode()
    assert "?2 0:00 ×1" in table
    assert "Solutions: 0. Hints: 2" in table
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
    assert "Not started. Time: 0:00. Attempts: 0. Solutions: 0. Hints: 1" in table
    assert "×0" not in table


def test_no_hints_leave_no_trace(teacher_client, student, assigned, tried):
    attempt = tried(student, assigned, "1,1")
    for page in (
        f"/assigned/{assigned.pk}/students/{student.pk}/",
        f"/attempts/{attempt.key}/replay/",
    ):
        assert "Hints taken" not in teacher_client.get(page).content.decode()


def test_where_no_move_is_left_a_hint_costs_nothing(student, assigned, hinted, tried, lines):
    attempt = tried(student, assigned, lines.jam)
    allow(attempt, 1)
    card = hint_card(attempt)
    assert (card.left, card.offers) == (1, [Offer(ALIVE)])
    card = hinted(attempt, ALIVE)
    assert (card.left, card.keep, card.is_free) == (1, 1, True)
    # After a more valuable hint, a hint on such a board still costs nothing.
    with_none_left = back_to_live(attempt, 2)
    assert hinted(with_none_left, NEXT).left == 0
    jammed = tried(student, assigned, lines.jam.split()[1])
    assert hinted(jammed, ALIVE).left == 0


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


def test_the_status_counts_the_moves_that_were_taken_back(
    student_client, student, assigned, hinted, tried
):
    attempt = tried(student, assigned, "1,1 2,1 2,2")
    url = f"/attempts/{attempt.key}/moves/"
    page = student_client.post(url, {"step": 3, "moves": 1}, headers=HTMX).content.decode()
    assert "2 moves undone. Moves so far: 1" in page
    again = student_client.get(f"/play/{assigned.pk}/").content.decode()
    assert "2 moves undone. Moves so far: 1" in again
