"""Hints: the number that a student may take, their content, and the way back that they offer."""

from copy import copy
from datetime import timedelta

import pytest
from django.utils import timezone

from puzzleclass.jobs import transitions
from puzzleclass.jobs.models import Job
from puzzleclass.play.attempts import current_attempt, take_step
from puzzleclass.play.hint_card import HintCard, Offer
from puzzleclass.play.hints import ask_hint, back_to_live, take_answer
from puzzleclass.play.models import Attempt, HintUse
from puzzleclass.play.refusals import StepRefused
from puzzleclass.play.restarts import restart
from puzzleclass.puzzles.models import Puzzle
from solvers.picture import Picture
from tests.web.play.hints import ALIVE, NEXT, REGION, allow, attempt, hint_card, hinted, step

__all__ = ["attempt", "hinted"]

CHANGED = "The board has changed in the meantime. Ask for a hint again if you need one."


def refused(attempt: Attempt, level: HintUse.Level = ALIVE, step: int | None = None) -> str:
    """Return the reason why the hint is refused. The refusal must leave nothing behind."""
    before = HintUse.objects.count(), Job.objects.filter(question="hint").count()
    with pytest.raises(StepRefused) as caught:
        ask_hint(attempt, attempt.next_step if step is None else step, level)
    assert before == (HintUse.objects.count(), Job.objects.filter(question="hint").count())
    assert caught.value.status == 409
    return str(caught.value.message)


def styles(card: HintCard, picture: Picture) -> set[str]:
    """Return the styles of the shapes that draw the hint on the board."""
    return {shape.style for shape in card.drawn_on(picture).all_shapes}


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
    again = current_attempt(attempt.student, attempt.puzzle)
    assert hint_card(again).left == 2 - HintUse.objects.count()


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
    assert card.why and "doomed" in styles(card, attempt.puzzle.kind.draw(attempt.position))


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
