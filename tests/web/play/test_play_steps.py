"""The steps that are possible, and how they are stored: `take_step` and `restart`."""

from datetime import timedelta

import pytest
from django.utils import timezone

from puzzleclass.jobs.models import Job
from puzzleclass.play import attempts, restarts
from puzzleclass.play.attempts import current_attempt, take_step, take_steps
from puzzleclass.play.models import Attempt
from puzzleclass.play.refusals import StepRefused
from puzzleclass.play.restarts import begin_anew, restart
from puzzleclass.play.result_models import FoundSolution
from puzzleclass.play.steps import LONGEST_PAUSE, TimedStep, outcome_of


@pytest.fixture
def attempt(student, assigned, begun) -> Attempt:
    return begun(student, assigned)


def undo(attempt: Attempt) -> Attempt:
    return take_step(attempt, attempt.next_step, "undo")


def refusal(attempt: Attempt, number: int, action: str, move: str = "") -> tuple[int, str]:
    """Return the status and the message of a step that must be refused and leave nothing behind."""
    before = Attempt.objects.values().get(pk=attempt.pk), attempt.steps.count()
    with pytest.raises(StepRefused) as caught:
        take_step(attempt, number, action, move)
    assert (Attempt.objects.values().get(pk=attempt.pk), attempt.steps.count()) == before
    return caught.value.status, str(caught.value.message)


def test_every_step_is_stored_with_the_board(attempt, play):
    attempt = undo(play(attempt, "1,1", "2,1", "2,2"))
    assert attempt.line == "1,1 2,1"
    assert attempt.next_step == 4
    assert list(attempt.steps.values_list("number", "action", "move")) == [
        (0, "move", "1,1"),
        (1, "move", "2,1"),
        (2, "move", "2,2"),
        (3, "undo", ""),
    ]


def test_a_move_is_stored_in_its_canonical_form(attempt, play):
    attempt = play(attempt, "１，１")
    assert attempt.line == attempt.steps.get().move == "1,1"


@pytest.mark.parametrize(
    ("moves", "bad", "reason"),
    [
        ((), "1,2", "There is no stone at row 1, column 2."),
        ((), "99,99", "There is no stone at row 99, column 99."),
        (("1,1",), "1,1", "has already been picked up"),
        (("1,1",), "2,2", "is not in line with the last one"),
        (("2,1", "4,1"), "1,1", "You may not turn straight back."),
        (("1,1",), "4,1", "Another stone lies on the way, at row 2, column 1."),
    ],
)
def test_an_illegal_move_says_why(attempt, moves, bad, reason, play):
    attempt = play(attempt, *moves)
    status, text = refusal(attempt, attempt.next_step, "move", bad)
    assert status == 422
    assert reason in text


@pytest.mark.parametrize("text", ["", "x", "1", "0,1", "-1,2", "1,2,3", "9" * 30 + ",1", "1;1"])
def test_an_unreadable_move_says_so(attempt, text):
    status, message = refusal(attempt, 0, "move", text)
    assert status == 400
    assert "row,column" in message


def test_there_must_be_a_move_to_take_back(attempt):
    assert refusal(attempt, 0, "undo") == (422, "There is no move to take back.")


def test_a_step_sent_twice_counts_once(attempt):
    first = take_step(attempt, 0, "move", "1,1")
    second = take_step(attempt, 0, "move", "１,1")
    assert (first.line, second.line, second.next_step) == ("1,1", "1,1", 1)
    undo(second)
    assert take_step(attempt, 1, "undo").next_step == 2


def test_an_old_step_sent_again_changes_nothing(attempt, play):
    attempt = play(attempt, "1,1", "2,1", "2,2")
    assert take_step(attempt, 0, "move", "1,1").line == "1,1 2,1 2,2"


@pytest.mark.parametrize(
    ("number", "action", "move"),
    [(0, "move", "2,1"), (0, "undo", ""), (2, "move", "2,1"), (999_999, "move", "2,1")],
)
def test_a_step_out_of_order_is_refused(attempt, number, action, move, play):
    status, text = refusal(play(attempt, "1,1"), number, action, move)
    assert status == 409
    assert "another window" in text


def test_the_solving_step_sent_twice_is_still_a_success(attempt, lines, play):
    attempt = play(attempt, lines.solution)
    assert take_step(attempt, 4, "move", "4,1").state == Attempt.State.SOLVED
    assert FoundSolution.objects.count() == 1


def test_a_finished_attempt_takes_no_more_steps(attempt, lines, play):
    solved = play(attempt, lines.solution)
    status, text = refusal(solved, solved.next_step, "undo")
    assert (status, text) == (409, "This attempt is finished. No more moves are possible.")


def test_an_abandoned_attempt_takes_no_more_steps(attempt, play):
    given_up = play(attempt, "1,1")
    restart(given_up)
    assert refusal(given_up, 1, "move", "2,1")[0] == 409


def test_after_the_due_date_nothing_moves(attempt, assignment, play):
    attempt = play(attempt, "1,1")
    assignment.due_at = timezone.now()
    assignment.save()
    status, text = refusal(attempt, 1, "move", "2,1")
    assert (status, text) == (409, "The due date has passed. Moves no longer count.")
    with pytest.raises(StepRefused):
        restart(attempt)
    # A step that was stored in time may be sent again, because only its answer was lost.
    assert take_step(attempt, 0, "move", "1,1").line == "1,1"


def test_a_puzzle_never_begun_is_not_begun_after_the_due_date(student, assigned, overdue):
    assert current_attempt(student, assigned) is None


def test_a_jam_is_noticed_and_undone(attempt, lines, play):
    attempt = play(attempt, lines.jam)
    assert attempt.is_jammed
    assert attempt.state == Attempt.State.OPEN
    assert not undo(attempt).is_jammed


def test_a_solution_counts_once_for_each_student(attempt, classmate, assigned, lines, play):
    attempt = play(attempt, lines.solution)
    assert attempt.state == Attempt.State.SOLVED
    assert not attempt.is_jammed
    attempt = play(restart(attempt), lines.other_solution)
    attempt = play(restart(attempt), lines.solution)
    play(current_attempt(classmate, assigned), lines.solution)
    assert attempt.number == 3
    found = FoundSolution.objects.values_list("student", "line")
    assert list(found) == [
        (attempt.student_id, lines.solution),
        (attempt.student_id, lines.other_solution),
        (classmate.pk, lines.solution),
    ]


def test_a_long_pause_counts_as_a_short_one(student, assigned):
    start = timezone.now() - timedelta(hours=5)
    attempt = current_attempt(student, assigned, start)
    attempt = take_step(attempt, 0, "move", "1,1", start + timedelta(seconds=10))
    attempt = take_step(attempt, 1, "move", "2,1", start + timedelta(hours=2))
    assert attempt.seconds == 10 + LONGEST_PAUSE
    # A clock that is set back takes no seconds away.
    assert undo_at(attempt, start).seconds == 10 + LONGEST_PAUSE


def undo_at(attempt: Attempt, at) -> Attempt:
    return take_step(attempt, attempt.next_step, "undo", at=at)


def test_quick_steps_add_up(student, assigned):
    start = timezone.now().replace(microsecond=0)
    attempt = current_attempt(student, assigned, start)
    for number in range(20):
        at = start + timedelta(milliseconds=400 * (number + 1))
        action = ("undo", "") if number % 2 else ("move", "1,1")
        attempt = take_step(attempt, number, *action, at=at)
    assert attempt.seconds == 8


def test_restart_opens_the_next_attempt_and_asks_for_a_review(
    attempt, assigned, teacher, lines, play
):
    old = play(attempt, lines.jam)
    new = restart(old)
    old.refresh_from_db()
    assert (old.state, old.line) == (Attempt.State.GIVEN_UP, "2,1 1,1")
    assert (new.state, new.number, new.line) == (Attempt.State.OPEN, 2, "")
    job = Job.objects.get()
    assert (job.question, job.position) == ("review", "o./oo/../oo | 2,1 1,1")
    assert list(job.askers.all()) == [teacher]


def test_a_solved_attempt_or_one_without_moves_is_not_reviewed(attempt, lines, play):
    restart(restart(play(attempt, lines.solution)))
    undone = undo(play(current_attempt(attempt.student, attempt.puzzle), "1,1"))
    assert restart(undone).number == 3
    assert not Job.objects.exists()


@pytest.mark.parametrize("anew", [False, True])
def test_an_attempt_knows_the_failures_before_it(attempt, lines, play, anew):
    def again(before: Attempt) -> Attempt:
        if not anew:
            return restart(before)
        begin_anew(before.puzzle, timezone.now())
        return current_attempt(before.student, before.puzzle)

    first = play(attempt, "1,1")
    second = again(first)
    assert (second.failures, second.failed_before) == (1, first.key)
    # An attempt whose moves were all taken back is no failure, and neither is a solved one.
    third = again(undo(play(second, "1,1")))
    assert (third.number, third.failures, third.failed_before) == (3, 1, None)
    fourth = again(play(third, "1,1"))
    assert (fourth.failures, fourth.failed_before) == (2, third.key)
    fifth = again(play(fourth, lines.solution))
    assert (fifth.failures, fifth.failed_before) == (2, None)


def test_restart_pressed_twice_opens_one_attempt(attempt, play):
    attempt = play(attempt, "1,1")
    assert restart(attempt) == restart(attempt)
    assert Attempt.objects.count() == 2


def test_restart_of_an_untouched_attempt_keeps_it(attempt):
    assert restart(attempt) == attempt


def test_the_outcome_of_a_step_leaves_the_attempt_as_it_is(attempt):
    before = dict(vars(attempt))
    outcome = outcome_of(attempt, TimedStep("move", "1,1", timezone.now()))
    assert (outcome.number, outcome.line, outcome.undone) == (0, "1,1", "")
    assert outcome.position != outcome.before == attempt.position
    assert {name: vars(attempt)[name] for name in before} == before
    assert not Attempt.objects.filter(next_step__gt=0).exists()


@pytest.fixture
def in_between(attempt, monkeypatch):
    """Return a function that lets another window move after a step is checked and before it is
    stored.

    Databases that let two transactions read at once leave the decision to the UPDATE.
    """
    quick = attempts.outcome_of

    def in_between(move: str) -> None:
        def slow(attempt: Attempt, step: TimedStep):
            after = quick(attempt, step)
            monkeypatch.setattr(attempts, "outcome_of", quick)
            take_step(attempt, 0, "move", move)
            return after

        monkeypatch.setattr(attempts, "outcome_of", slow)

    return in_between


def test_a_step_that_comes_in_between_wins(attempt, in_between):
    in_between("2,1")
    with pytest.raises(StepRefused) as caught:
        take_step(attempt, 0, "move", "1,1")
    assert caught.value.status == 409


def test_the_same_step_that_comes_in_between_is_no_fault(attempt, in_between):
    in_between("1,1")
    assert take_step(attempt, 0, "move", "1,1").next_step == 1
    assert attempt.steps.get().move == "1,1"


def test_of_several_steps_all_are_taken_or_none(attempt, in_between, lines):
    now = timezone.now()
    in_between("2,1")
    with pytest.raises(StepRefused, match="changed in another window"):
        take_steps(attempt, [TimedStep("move", "1,1", now), TimedStep("undo", "", now)])
    assert [step.move for step in attempt.steps.all()] == ["2,1"]


def test_no_step_follows_the_solving_one(attempt, lines):
    now = timezone.now()
    steps = [TimedStep("move", move, now) for move in lines.solution.split()]
    with pytest.raises(StepRefused, match="finished"):
        take_steps(attempt, [*steps, TimedStep("undo", "", now)])
    assert not attempt.steps.exists()


def test_an_attempt_closed_in_between_is_not_closed_again(attempt, play, monkeypatch):
    """Another window restarts after this one has read the attempt and before it closes it."""
    play(attempt, "1,1")
    check = restarts.refuse_too_many_attempts

    def slow(*arguments: object) -> None:
        monkeypatch.setattr(restarts, "refuse_too_many_attempts", check)
        restart(attempt)

    monkeypatch.setattr(restarts, "refuse_too_many_attempts", slow)
    assert restart(attempt).number == 2
    assert Attempt.objects.count() == 2


def test_an_attempt_has_a_last_step_and_a_new_one_can_be_begun(attempt, play, monkeypatch):
    monkeypatch.setattr("puzzleclass.play.steps.MAX_STEPS", 3)
    attempt = play(undo(play(attempt, "1,1")), "1,1")
    status, reason = refusal(attempt, 3, "move", "2,1")
    assert (status, "too many moves" in reason) == (409, True)
    assert play(restart(attempt), "1,1").next_step == 1


def test_a_puzzle_has_a_last_attempt(attempt, play, monkeypatch):
    monkeypatch.setattr(restarts, "MAX_ATTEMPTS", 2)
    second = play(restart(play(attempt, "1,1")), "1,1")
    with pytest.raises(StepRefused, match="too many times"):
        restart(second)
    assert Attempt.objects.get(pk=second.pk).state == Attempt.State.OPEN
    assert play(second, "2,1").next_step == 2


# Undo, redo, and many moves at once


def test_undone_moves_can_be_redone(attempt, lines, play):
    first, second = lines.solution.split()[:2]
    after = play(attempt, f"{first} {second}")
    assert (after.undone, after.redo) == ("", "")
    after = take_step(after, 2, "undo")
    after = take_step(after, 3, "undo")
    assert (after.line, after.undone) == ("", f"{first} {second}")
    again = take_step(after, 4, "move", after.redo)
    assert (again.line, again.undone) == (first, second)
    again = take_step(again, 5, "move", again.redo)
    assert (again.line, again.undone) == (f"{first} {second}", "")


def test_another_move_leads_elsewhere(attempt, lines, play):
    first, *_ = lines.solution.split()
    after = take_step(play(attempt, first), 1, "undo")
    other = next(
        attempt.puzzle.kind.write_move(move)
        for move in attempt.puzzle.kind.moves(after.position)
        if attempt.puzzle.kind.write_move(move) != first
    )
    assert take_step(after, 2, "move", other).undone == ""


def go_to(client, attempt, step, moves):
    return client.post(
        f"/attempts/{attempt.key}/moves/",
        {"step": step, "moves": moves},
        headers={"HX-Request": "true"},
    )


def test_many_moves_at_once_are_steps_like_others(student_client, attempt, lines, play):
    line = lines.solution.split()[:3]
    play(attempt, " ".join(line))
    assert go_to(student_client, attempt, 3, 1).status_code == 200
    now = Attempt.objects.get()
    assert (now.line, now.undone) == (line[0], " ".join(line[1:]))
    assert now.next_step == now.steps.count() == 5
    assert go_to(student_client, attempt, 5, 3).status_code == 200
    now = Attempt.objects.get()
    assert (now.line, now.undone, now.next_step) == (" ".join(line), "", 7)


def test_moves_that_are_not_there_and_boards_that_went_on_are_refused(
    student_client, attempt, lines, play
):
    play(attempt, lines.solution.split()[0])
    for step, moves, status in ((1, 2, 422), (0, 0, 409), (1, "x", 400), (1, -1, 400)):
        answer = go_to(student_client, attempt, step, moves)
        assert int(answer.get("Refused", answer.status_code)) == status
    assert Attempt.objects.get().next_step == 1


def test_the_page_offers_the_move_that_comes_again(student_client, attempt, lines, play):
    first = lines.solution.split()[0]
    after = take_step(play(attempt, first), 1, "undo")
    page = student_client.get(f"/play/{attempt.puzzle_id}/").content.decode()
    assert f'value="{first}"' in page.split('name="redo"')[1].split(">")[0]
    answer = student_client.post(
        f"/attempts/{attempt.key}/steps/",
        {"step": after.next_step, "redo": first},
        headers={"HX-Request": "true"},
    )
    assert answer.status_code == 200
    assert Attempt.objects.get().line == first
