"""Hints: how many a student may take, what they say, and the way back they offer."""

from datetime import timedelta

import pytest
from django.utils import timezone

from puzzleclass.jobs import transitions
from puzzleclass.jobs.models import Job
from puzzleclass.play.attempts import StepRefused, current_attempt, restart, take_step
from puzzleclass.play.hints import HintCard, ask_hint, back_to_live, help_for
from puzzleclass.play.models import Attempt, HintUse
from puzzleclass.puzzles.models import Puzzle
from solvers.picture import Picture

ALIVE, REGION, NEXT = HintUse.Level
HTMX = {"HX-Request": "true"}
CHANGED = "The board has changed meanwhile. Ask for a hint again if you need one."


@pytest.fixture
def attempt(student, assigned) -> Attempt:
    return current_attempt(student, assigned)


@pytest.fixture
def hinted(done):
    """Takes a hint at the board as it stands, lets a worker answer it, and returns the card."""

    def hinted(attempt: Attempt, level: HintUse.Level):
        ask_hint(attempt, attempt.next_step, level)
        done(hint_card(attempt).job)
        return hint_card(attempt)

    return hinted


def refused(attempt: Attempt, level: HintUse.Level = ALIVE, step: int | None = None) -> str:
    """Return why the hint is refused; nothing must be left of it."""
    before = HintUse.objects.count(), Job.objects.filter(question="hint").count()
    with pytest.raises(StepRefused) as caught:
        ask_hint(attempt, attempt.next_step if step is None else step, level)
    assert before == (HintUse.objects.count(), Job.objects.filter(question="hint").count())
    assert caught.value.status == 409
    return str(caught.value.message)


def hint_card(attempt: Attempt) -> HintCard | None:
    return help_for(attempt)[1]


def styles(card: HintCard, picture: Picture) -> set[str]:
    """Return the styles of the shapes on the board that the hint is drawn on."""
    return {shape.style for shape in card.drawn_on(picture).all_shapes}


def allow(attempt: Attempt, hints: int) -> None:
    attempt.puzzle.assignment.hints = hints
    attempt.puzzle.assignment.save()


def step(attempt: Attempt, move: str) -> Attempt:
    return take_step(attempt, attempt.next_step, "move", move)


# The budget


def test_each_hint_is_written_down_and_counts(attempt):
    assert hint_card(attempt).left == 3
    attempt = step(attempt, "1,1")
    use = ask_hint(attempt, 1, REGION)
    assert (use.attempt, use.step, use.line, use.level) == (attempt, 1, "1,1", REGION)
    assert use.moves == 1
    assert hint_card(attempt).left == 2


def test_the_worker_is_asked_in_the_teachers_name(attempt, teacher):
    ask_hint(attempt, 0, ALIVE)
    job = Job.objects.get()
    assert (job.question, job.queue, job.askers.get()) == ("hint", "hint", teacher)


def test_each_student_has_a_turn_of_their_own(student, classmate, assigned, lines, tried):
    """Hints and reviews are asked in the teacher's name, but for a student."""
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


def test_a_hint_for_the_same_board_is_free(attempt):
    ask_hint(attempt, 0, REGION)
    assert ask_hint(attempt, 0, REGION) is None
    assert ask_hint(attempt, 0, ALIVE) is None
    attempt = step(attempt, "1,1")
    assert hint_card(attempt).level == 0
    attempt = take_step(attempt, 1, "undo")
    assert hint_card(attempt).level == REGION
    assert ask_hint(attempt, 2, REGION) is None
    assert ask_hint(attempt, 2, NEXT) is not None
    assert hint_card(attempt).left == 1


def test_the_budget_is_of_the_puzzle_not_of_the_try(attempt):
    for move in ("1,1", "2,1"):
        ask_hint(attempt, attempt.next_step, ALIVE)
        attempt = step(attempt, move)
    ask_hint(attempt, 2, ALIVE)
    attempt = step(attempt, "2,2")
    assert refused(attempt) == "You have no hint left for this puzzle."
    attempt = restart(attempt)
    assert hint_card(attempt).left == 0
    assert ask_hint(attempt, 0, ALIVE) is None
    assert "no hint left" in refused(attempt, NEXT)


@pytest.mark.parametrize(("answer", "left"), [(None, 1), ("1", 0), ("0", 0)])
def test_a_hint_without_an_answer_is_given_back(attempt, answered, answer, left):
    allow(attempt, 1)
    attempt = step(attempt, "1,1")
    ask_hint(attempt, 1, REGION)
    # While the worker thinks it counts: nobody asks for more than there are.
    assert hint_card(attempt).left == 0
    note = {"text": "It could not be found out.", "values": {}}
    answered(hint_card(attempt).job, answer, proven=answer is not None, note=note)
    card = hint_card(attempt)
    assert (card.left, card.is_free) == (left, answer is None)
    attempt = step(attempt, "2,1")
    if left:
        assert ask_hint(attempt, 2, NEXT)
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
    page = client_of(student, language).get(f"/play/{attempt.puzzle_id}/").content.decode()
    assert words in page and "3" in page.split("hint-title")[2].split("</span>")[0]


def test_a_classmate_has_hints_of_their_own(attempt, classmate):
    ask_hint(attempt, 0, NEXT)
    other = hint_card(current_attempt(classmate, attempt.puzzle))
    assert (other.left, other.level) == (3, 0)


def test_a_teacher_who_takes_hints_away_leaves_none(attempt):
    ask_hint(attempt, 0, ALIVE)
    ask_hint(attempt, 0, REGION)
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


def test_a_finished_try_takes_no_hint(student, assigned, tried, lines):
    solved = tried(student, assigned, lines.solution)
    assert refused(solved) == CHANGED
    left = tried(student, assigned)
    again = step(restart(left), "1,1")
    restart(again)
    assert refused(again) == CHANGED


@pytest.mark.django_db(transaction=True)
def test_several_windows_cannot_overdraw(attempt, at_once):
    allow(attempt, 2)
    results = at_once(lambda level: ask_hint(attempt, 0, level), *HintUse.Level, ALIVE)
    assert HintUse.objects.count() <= 2, results
    assert all(use is None or isinstance(use, HintUse | StepRefused) for use in results), results
    assert hint_card(attempt).left == 2 - HintUse.objects.count()


@pytest.mark.django_db(transaction=True)
def test_the_same_hint_from_several_windows_counts_once(attempt, at_once):
    results = at_once(lambda _: ask_hint(attempt, 0, NEXT), *range(4))
    assert HintUse.objects.count() == 1
    assert sum(use is not None for use in results) == 1, results


# What a hint says


def test_only_what_was_taken_is_shown(attempt, hinted):
    mild = hinted(attempt, ALIVE)
    assert str(mild.note) == "This board can be solved."
    assert (mild.region, mild.described) == ((), None)
    assert mild.offers == [(ALIVE, True), (REGION, False), (NEXT, False)]
    where = hinted(attempt, REGION)
    assert where.region and where.described is None
    plain = hinted(attempt, NEXT)
    assert plain.described and all(is_taken for _, is_taken in plain.offers)
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


def test_wrong_pieces_are_named_and_marked(classroom, student, hinted, assign, make_puzzle):
    pieces = make_puzzle("kikazu", "S2/3/3 RGP", "Pieces")
    attempt = current_attempt(student, assign(classroom, pieces).puzzles.get())
    attempt = step(attempt, "P 2,2")
    card = hinted(attempt, ALIVE)
    assert card.is_lost and card.wrong and card.keep == 0
    assert "fault" in styles(card, pieces.picture)


# The page


def address(attempt: Attempt) -> str:
    return f"/attempts/{attempt.key}/hint/"


def press(client, attempt: Attempt, level: int, **headers: str):
    sent = {"step": attempt.next_step, "level": level}
    return client.post(address(attempt), sent, headers=headers, follow=True)


SAID = {
    "en": ("This board can be solved.", "Look at the marked part", "A good next move: "),
    "ja": ("この盤は解けます", "盤の色のついたところ", "次のよい手："),
}


@pytest.mark.parametrize("language", SAID)
def test_every_level_in_words(client_of, student, attempt, done, language):
    client = client_of(student, language)
    for level, said in zip(HintUse.Level, SAID[language], strict=True):
        press(client, attempt, level)
        done(hint_card(attempt).job)
        page = client.get(f"/play/{attempt.puzzle_id}/").content.decode()
        assert said in page
    left = {"en": "Hints left: 0", "ja": "残りのヒント：0"}[language]
    assert left in page


@pytest.mark.parametrize(
    ("language", "words"),
    [
        ("en", ("any more. Undo some moves.", "Back to the last position that can be solved")),
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
    poll = f"{address(attempt)}?step=0"
    assert student_client.get(poll, headers=HTMX).status_code == 204
    assert student_client.get(poll).url == f"/play/{attempt.puzzle_id}/"
    done(Job.objects.get())
    page = student_client.get(poll, headers=HTMX).content.decode()
    assert "This board can be solved." in page
    assert "every 1s" not in page


def test_the_answer_goes_with_the_board_it_was_asked_for(student_client, attempt, done):
    press(student_client, attempt, NEXT)
    step(attempt, "1,1")
    done(Job.objects.get())
    assert student_client.get(f"{address(attempt)}?step=0", headers=HTMX).status_code == 204
    page = student_client.get(f"/play/{attempt.puzzle_id}/").content.decode()
    assert "A good next move" not in page
    assert "hinted-move" not in page
    assert "every 1s" not in page


def test_a_worker_that_fails_can_be_asked_again_at_no_cost(student_client, attempt):
    press(student_client, attempt, ALIVE)
    Job.objects.update(state=Job.State.FAILED, fault={"text": "Broken", "values": {}})
    page = student_client.get(f"/play/{attempt.puzzle_id}/").content.decode()
    assert "Asking again costs nothing" in page
    assert "every 1s" not in page
    press(student_client, attempt, ALIVE)
    assert Job.objects.get().state == Job.State.WAITING
    assert HintUse.objects.count() == 1


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
    ("language", "said"), [("en", "This could not be read."), ("ja", "読み取れませんでした。")]
)
def test_what_cannot_be_read_is_refused(client_of, student, attempt, sent, language, said):
    answer = client_of(student, language).post(address(attempt), sent)
    assert answer.status_code == 400
    assert said in answer.content.decode()
    assert not HintUse.objects.exists()


# The teacher


def test_the_teacher_sees_what_was_taken(teacher_client, student, assigned, tried):
    attempt = tried(student, assigned, "1,1")
    ask_hint(attempt, 1, REGION)
    attempt = step(attempt, "2,1")
    ask_hint(attempt, 2, NEXT)
    table = teacher_client.get(f"/assignments/{assigned.assignment_id}/").content.decode()
    assert "?2 0:00 ×1" in table
    assert "Solutions: 0. Hints: 2" in table
    cell = teacher_client.get(f"/assigned/{assigned.pk}/students/{student.pk}/").content.decode()
    assert "Where should I look?" in cell
    assert "Try 1, moves on the board: 2" in cell
    page = teacher_client.get(f"/attempts/{attempt.key}/replay/")
    told = [(done.text, done.hint and done.hint.level) for done in page.context["page"]]
    assert told == [("1,1", None), ("", REGION), ("2,1", None), ("", NEXT)]
    assert "Moves on the board: 1" in page.content.decode()


def test_hints_before_the_first_move_are_seen(teacher_client, attempt):
    ask_hint(attempt, 0, NEXT)
    table = teacher_client.get(f"/assignments/{attempt.puzzle.assignment_id}/").content.decode()
    assert "Not started. Time: 0:00. Tries: 0. Solutions: 0. Hints: 1" in table
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
    assert (card.left, card.offers) == (1, [(ALIVE, False)])
    card = hinted(attempt, ALIVE)
    assert (card.left, card.keep, card.is_free) == (1, 1, True)
    # Nor does one that is worth more, asked for by hand.
    with_none_left = back_to_live(attempt, 2)
    assert hinted(with_none_left, NEXT).left == 0
    jammed = tried(student, assigned, lines.jam.split()[1])
    assert hinted(jammed, ALIVE).left == 0


def test_a_card_with_nothing_to_ask_and_to_say_is_not_shown(student_client, attempt, hinted, play):
    allow(attempt, 1)
    hinted(attempt, NEXT)
    play(attempt, "2,1")
    page = student_client.get(f"/play/{attempt.puzzle_id}/").content.decode()
    assert 'id="hint"' not in page


def test_the_status_counts_the_moves_that_were_taken_back(
    student_client, student, assigned, hinted, tried
):
    attempt = tried(student, assigned, "1,1 2,1 2,2")
    url = f"/attempts/{attempt.key}/moves/"
    page = student_client.post(url, {"step": 3, "moves": 1}, headers=HTMX).content.decode()
    assert "2 moves taken back. Moves so far: 1" in page
    again = student_client.get(f"/play/{assigned.pk}/").content.decode()
    assert "2 moves taken back. Moves so far: 1" in again
