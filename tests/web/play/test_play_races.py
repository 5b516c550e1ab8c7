"""Two windows at the same moment, as threads with connections of their own."""

import pytest

from puzzleclass.play.attempts import current_attempt, take_step
from puzzleclass.play.hints import ask_hint
from puzzleclass.play.models import Attempt, HintUse, Step
from puzzleclass.play.refusals import StepRefused
from puzzleclass.play.restarts import restart
from puzzleclass.play.result_models import FoundSolution

pytestmark = pytest.mark.django_db(transaction=True)

WINDOWS = 4


@pytest.fixture
def attempt(student, assigned, begun) -> Attempt:
    return begun(student, assigned)


def test_one_of_several_different_moves_is_accepted(attempt, at_once):
    moves = ("1,1", "2,1", "2,2", "4,1")
    results = at_once(lambda move: take_step(attempt, 0, "move", move), *moves)
    taken = [result for result in results if isinstance(result, Attempt)]
    refused = [result for result in results if isinstance(result, StepRefused)]
    assert (len(taken), len(refused)) == (1, 3), results
    assert {error.status for error in refused} == {409}
    step = Step.objects.get()
    attempt.refresh_from_db()
    assert attempt.line == step.move == taken[0].line
    assert attempt.next_step == 1


def test_the_same_step_from_several_windows_counts_once(attempt, at_once):
    results = at_once(lambda _: take_step(attempt, 0, "move", "1,1"), *range(WINDOWS))
    assert [result.line for result in results] == ["1,1"] * WINDOWS
    assert Step.objects.count() == 1


def test_a_solution_sent_by_several_windows_is_found_once(attempt, at_once, lines, play):
    attempt = play(attempt, *lines.solution.split()[:-1])
    results = at_once(
        lambda _: take_step(attempt, 4, "move", lines.solution.split()[-1]), *range(WINDOWS)
    )
    assert {result.state for result in results} == {Attempt.State.SOLVED}
    assert FoundSolution.objects.count() == 1


def test_first_moves_in_several_windows_create_one_attempt(student, assigned, at_once):
    boards = [current_attempt(student, assigned) for _ in range(WINDOWS)]
    results = at_once(lambda board: take_step(board, 0, "move", "1,1"), *boards)
    assert [result.line for result in results] == ["1,1"] * WINDOWS
    assert len({result.pk for result in results}) == 1
    assert (Attempt.objects.get().next_step, Step.objects.count()) == (1, 1)


def test_one_of_several_different_first_moves_is_accepted(student, assigned, at_once):
    moves = ("1,1", "2,1", "2,2", "4,1")
    results = at_once(
        lambda move: take_step(current_attempt(student, assigned), 0, "move", move), *moves
    )
    refused = [result for result in results if isinstance(result, StepRefused)]
    assert len(refused) == len(moves) - 1, results
    assert {error.status for error in refused} == {409}
    assert Attempt.objects.get().line == Step.objects.get().move


def test_a_first_move_and_a_hint_at_once_create_one_attempt(student, assigned, at_once):
    board = current_attempt(student, assigned)
    moved, hinted = at_once(
        lambda action: action(),
        lambda: take_step(board, 0, "move", "1,1"),
        lambda: ask_hint(current_attempt(student, assigned), 0, HintUse.Level.ALIVE),
    )
    assert moved.line == "1,1"
    # The hint is either asked for before the move and not answered yet, or refused after it.
    assert hinted is None or isinstance(hinted, StepRefused), hinted
    assert Attempt.objects.get().next_step == 1
    assert not HintUse.objects.exists()


def test_a_restart_in_several_windows_opens_one_attempt(attempt, at_once, play):
    attempt = play(attempt, "1,1")
    results = at_once(lambda _: restart(attempt), *range(WINDOWS))
    assert {result.number for result in results} == {2}
    assert Attempt.objects.count() == 2


def test_a_move_and_a_restart_leave_a_whole_story(attempt, at_once, play):
    attempt = play(attempt, "1,1")
    at_once(
        lambda action: action(),
        lambda: take_step(attempt, 1, "move", "2,1"),
        lambda: restart(attempt),
    )
    old, new = Attempt.objects.order_by("number")
    assert (old.state, new.state) == (Attempt.State.GIVEN_UP, Attempt.State.OPEN)
    assert old.line == " ".join(old.steps.values_list("move", flat=True))
    assert old.next_step == old.steps.count()


def test_guesses_at_a_pin_at_the_same_moment_all_count(student, at_once):
    results = at_once(lambda pin: student.check_pin(pin), *["0000"] * 4)
    assert results == [False] * 4
    assert student.pin_lock().attempts_left == 1
