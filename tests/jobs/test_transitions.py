"""Every transition from one state to another, and the transitions that must be impossible."""

import sqlite3
from datetime import timedelta

import pytest
from django.db import OperationalError, connection
from django.utils import timezone

from puzzleclass.accounts.models import User
from puzzleclass.jobs import services, transitions
from puzzleclass.jobs.models import MAX_ATTEMPTS, Job
from solvers.message import Message
from solvers.question import Progress
from tests.jobs.fake import answered, boards

State = Job.State
FAULT = Message("No.")


def test_claim_takes_a_waiting_job(job):
    taken = transitions.claim(job.pk)
    assert (taken.state, taken.tries) == (State.RUNNING, 1)
    assert taken.beat_at and taken.started_at


def test_only_one_claims(job):
    assert transitions.claim(job.pk)
    assert transitions.claim(job.pk) is None


def test_claiming_a_dead_workers_job_counts_as_another_attempt(running, another_takes):
    assert transitions.claim(running.pk) is None
    assert another_takes(running).tries == 2


def test_no_claim_goes_beyond_the_last_attempt(running, dies, another_takes):
    second = another_takes(running)
    dies(second)
    assert transitions.requeue_stale() == 0
    assert transitions.claim(running.pk) is None


def test_a_sweeper_that_has_just_begun_to_look_takes_nothing(running):
    long_ago = timezone.now() - timedelta(days=1)
    Job.objects.filter(pk=running.pk).update(beat_at=long_ago)
    assert transitions.requeue_stale() == 0


@pytest.mark.parametrize("jump", [timedelta(seconds=30), -timedelta(days=1)])
def test_a_clock_that_jumps_takes_no_job_from_a_living_worker(running, pause, again, jump):
    pause()
    Job.objects.filter(pk=running.pk).update(beat_at=timezone.now() - jump)
    assert transitions.requeue_stale() == 0
    assert again(running).state == State.RUNNING


def test_the_worker_whose_turn_it_is(asker, colleague):
    for board in "123":
        services.ask(asker, "fake", "count", board)
    services.ask(colleague, "fake", "count", "4")
    services.ask(colleague, "fake", "solve", "5", priority=0)
    services.ask(asker, "fake", "review", "6 | 1,1")
    taken = [transitions.claim_next("solve") for _ in range(6)]
    assert [job and job.position for job in taken] == ["5", "1", "4", "2", "3", None]


def test_a_late_asker_is_served_in_the_current_round(asker, colleague):
    for board in range(10):
        services.ask(asker, "fake", "count", str(board))
    for _ in range(5):
        transitions.claim_next("solve")
    services.ask(colleague, "fake", "count", "20")
    services.ask(colleague, "fake", "count", "21")
    taken = [transitions.claim_next("solve").position for _ in range(4)]
    assert taken == ["5", "20", "6", "21"]


def test_a_joining_asker_does_not_wait_for_other_askers_jobs(asker, colleague):
    for board in range(10):
        services.ask(asker, "fake", "count", str(board))
    services.ask(colleague, "fake", "count", "9")
    taken = [transitions.claim_next("solve").position for _ in range(2)]
    assert taken == ["0", "9"]


def test_students_are_served_in_turn(asker, colleague, student):
    """A student for whom nine boards are asked keeps neither a classmate nor another class
    waiting."""
    eager = User.objects.create_student("Eager", "1234")
    for board in range(9):
        services.ask(asker, "fake", "count", str(board), served=eager.pk)
    services.ask(asker, "fake", "count", "20", served=student.pk)
    services.ask(colleague, "fake", "count", "30", served=colleague.pk)
    services.ask(asker, "fake", "count", "40")
    taken = [transitions.claim_next("solve").position for _ in range(6)]
    assert taken == ["0", "20", "30", "40", "1", "2"]


def test_a_joined_job_takes_the_turn_of_the_new_asker(asker, colleague):
    for board in range(5):
        services.ask(asker, "fake", "count", str(board))
    services.ask(colleague, "fake", "count", "4")
    services.ask(asker, "fake", "count", "5")
    services.ask(colleague, "fake", "count", "6")
    taken = [transitions.claim_next("solve").position for _ in range(7)]
    assert taken == ["0", "4", "1", "6", "2", "3", "5"]


def test_a_worker_that_loses_a_race_takes_the_next_job(asker, monkeypatch):
    _, second = (services.ask(asker, "fake", "count", board) for board in "12")
    claim = transitions.claim

    def beaten(pk, worker):
        monkeypatch.setattr(transitions, "claim", claim)
        claim(pk)
        return claim(pk)

    monkeypatch.setattr(transitions, "claim", beaten)
    assert transitions.claim_next("solve") == second


@pytest.mark.parametrize("state", [State.STOPPING, State.DONE, State.STOPPED, State.FAILED])
def test_claim_leaves_others_alone(job, state):
    Job.objects.filter(pk=job.pk).update(state=state)
    assert transitions.claim(job.pk) is None


def test_claim_of_nothing(db):
    assert transitions.claim(1) is None


def test_report_stores_progress(running, again):
    note = Message("Layer {layer}", {"layer": 3})
    assert transitions.report(running, Progress(3, 9, note, at_least=2**80))
    job = again(running)
    assert (job.done, job.total, job.at_least) == (3, 9, str(2**80))
    assert str(job.note_message) == "Layer 3"


def test_report_keeps_the_bound_when_it_brings_none(running, again):
    transitions.report(running, Progress(1, 9, at_least=5))
    transitions.report(running, Progress(2, 9))
    assert again(running).at_least == "5"


def test_report_keeps_what_has_been_found(running, again):
    transitions.report(running, Progress(1, 9, found=answered(None, "o")))
    transitions.report(running, Progress(2, 9))
    assert boards(again(running)) == ["o"]


def test_a_stopped_job_keeps_what_was_found_until_it_is_asked_again(running, again):
    transitions.report(running, Progress(1, 9, found=answered(None, "o")))
    transitions.stop(running)
    transitions.close(running)
    assert boards(again(running)) == ["o"]
    transitions.restart(running)
    assert boards(again(running)) == []


def test_the_answer_stands_for_what_was_found(running, again):
    transitions.report(running, Progress(1, 9, found=answered(None, "o")))
    transitions.finish(running, answered(2, "o", "oo"))
    assert boards(again(running)) == ["o", "oo"]


def test_report_is_refused_when_stopping(running):
    transitions.stop(running)
    assert not transitions.report(running, Progress(1, 9))


def test_report_of_a_worker_presumed_dead_is_refused(running, another_takes, again):
    another_takes(running)
    assert not transitions.report(running, Progress(1, 9))
    assert again(running).done == 0


def test_finish_stores_the_answer_exactly(running, again):
    assert transitions.finish(running, answered(2**200, moves=("1,1",)))
    job = again(running)
    assert (job.state, job.value, job.result.moves) == (State.DONE, 2**200, ("1,1",))
    assert job.ended_at


def test_finish_of_a_worker_presumed_dead_is_refused(running, another_takes, again):
    second = another_takes(running)
    assert not transitions.finish(running, answered(7))
    assert transitions.finish(second, answered(8))
    assert not transitions.finish(running, answered(7))
    assert again(running).value == 8


def test_finish_after_requeue_is_refused(running, dies):
    dies(running)
    transitions.requeue_stale()
    assert not transitions.finish(running, answered(7))


def test_an_answer_that_arrives_while_stopping_is_kept(running, again):
    transitions.stop(running)
    assert transitions.finish(running, answered(7))
    assert again(running).state == State.DONE


def test_fail_stores_the_fault(running, again):
    assert transitions.fail(running, FAULT)
    job = again(running)
    assert (job.state, str(job.fault_message)) == (State.FAILED, "No.")


def test_fail_of_a_worker_presumed_dead_is_refused(running, another_takes, again):
    another_takes(running)
    assert not transitions.fail(running, FAULT)
    assert again(running).state == State.RUNNING


def test_stop_ends_a_waiting_job_at_once(job, again):
    assert transitions.stop(job)
    assert again(job).state == State.STOPPED
    assert again(job).ended_at
    assert transitions.claim(job.pk) is None


def test_stop_asks_a_running_job(running, again):
    assert transitions.stop(running)
    assert again(running).state == State.STOPPING
    assert again(running).ended_at is None
    assert transitions.close(running)
    assert again(running).state == State.STOPPED


@pytest.mark.parametrize("state", [State.DONE, State.STOPPED, State.FAILED, State.STOPPING])
def test_stop_of_an_ended_job_changes_nothing(job, again, state):
    Job.objects.filter(pk=job.pk).update(state=state)
    assert not transitions.stop(job)
    assert again(job).state == state


def test_close_needs_a_stop(running):
    assert not transitions.close(running)


@pytest.mark.parametrize("state", [State.WAITING, State.RUNNING, State.DONE])
def test_restart_leaves_others_alone(job, again, state):
    Job.objects.filter(pk=job.pk).update(state=state)
    assert not transitions.restart(job)
    assert again(job).state == state


def test_restart_forgets_the_fault_and_allows_new_attempts(running, again):
    transitions.fail(running, FAULT)
    assert transitions.restart(running)
    job = again(running)
    assert (job.state, job.fault, job.ended_at, job.sent_at) == (State.WAITING, None, None, None)
    assert (job.tries, job.last_try) == (1, 1 + MAX_ATTEMPTS)


def test_restart_takes_a_stopping_job_from_its_worker(running, again):
    transitions.stop(running)
    assert transitions.restart(running)
    assert not transitions.report(running, Progress(1, 9))
    assert not transitions.close(running)
    second = transitions.claim(running.pk)
    assert not transitions.finish(running, answered(7))
    assert transitions.finish(second, answered(7))


def test_requeue_takes_only_the_silent(running, again):
    assert transitions.requeue_stale() == 0
    assert again(running).state == State.RUNNING


def test_a_dead_workers_job_waits_again(running, dies, again):
    dies(running)
    assert transitions.requeue_stale() == 1
    job = again(running)
    assert (job.state, job.sent_at) == (State.WAITING, None)


def test_after_the_last_attempt_the_job_fails(running, dies, another_takes, again):
    second = another_takes(running)
    dies(second)
    assert transitions.requeue_stale() == 0
    assert transitions.fail_stale(FAULT) == 1
    assert (again(running).state, str(again(running).fault_message)) == (State.FAILED, "No.")


def test_a_dead_workers_stopping_job_is_closed(running, dies, again):
    transitions.stop(running)
    assert transitions.close_stale() == 0
    dies(running)
    assert transitions.close_stale() == 1
    assert again(running).state == State.STOPPED


@pytest.fixture
def held(job) -> Job:
    """Return a job that the worker `hare@here` holds."""
    return transitions.claim(job.pk, "hare@here")


def test_a_job_handed_back_loses_no_attempt(held, again):
    assert transitions.hand_back("hare@here") == 1
    job = again(held)
    assert (job.state, job.sent_at) == (State.WAITING, None)
    assert job.last_try - job.tries == MAX_ATTEMPTS
    assert not transitions.report(held, Progress(1, 9))


@pytest.mark.parametrize("state", [State.WAITING, State.STOPPING, State.DONE])
def test_only_a_running_job_is_handed_back(held, again, state):
    Job.objects.filter(pk=held.pk).update(state=state)
    assert transitions.hand_back("hare@here") == 0
    assert again(held).state == state


def test_a_job_that_another_worker_has_by_now_is_not_handed_back(held, another_takes, again):
    second = another_takes(held)
    assert transitions.hand_back("hare@here") == 0
    assert (again(held).state, again(held).tries) == (State.RUNNING, second.tries)
    assert transitions.finish(second, answered(7))


# The database is busy or away


@pytest.fixture
def busy(monkeypatch):
    """Return a function that lets the next attempts to change a row fail.

    The function returns the list of the pauses that are made.
    """

    def busy(times: int) -> list[float]:
        pauses, left = [], [OperationalError("database is locked")] * times
        changed = transitions._update

        def fails(*args, **kwargs):
            if left:
                raise left.pop()
            return changed(*args, **kwargs)

        monkeypatch.setattr(transitions, "_update", fails)
        monkeypatch.setattr(transitions, "sleep", pauses.append)
        monkeypatch.setattr(transitions.connection, "close", lambda: None)
        return pauses

    return busy


@pytest.mark.parametrize("times", [1, len(transitions.PAUSES)])
def test_an_answer_waits_for_a_busy_database(running, again, busy, times):
    pauses = busy(times)
    assert transitions.finish(running, answered(7))
    assert (again(running).state, again(running).value) == (State.DONE, 7)
    assert pauses == list(transitions.PAUSES[:times])


def test_a_fault_waits_for_a_busy_database(running, again, busy):
    busy(2)
    assert transitions.fail(running, FAULT)
    assert again(running).state == State.FAILED


def test_a_database_that_stays_away_is_an_error(running, busy):
    busy(len(transitions.PAUSES) + 1)
    with pytest.raises(OperationalError):
        transitions.finish(running, answered(7))


def test_an_answer_that_waited_too_long_is_not_stored_over_another(
    running, another_takes, again, busy
):
    second = another_takes(running)
    assert transitions.finish(second, answered(8))
    busy(1)
    assert not transitions.finish(running, answered(7))
    assert again(running).value == 8


@pytest.mark.django_db(transaction=True)
def test_a_real_lock_that_is_released_in_time(running, again, monkeypatch):
    """Another connection writes, and the answer is stored as soon as it has ended."""
    if connection.vendor != "sqlite":
        pytest.skip("PostgreSQL locks rows, not the file")
    other = sqlite3.connect(connection.settings_dict["NAME"], isolation_level=None)
    other.execute("BEGIN IMMEDIATE")
    with connection.cursor() as cursor:
        cursor.execute("PRAGMA busy_timeout = 1")
    monkeypatch.setattr(transitions, "sleep", lambda pause: other.execute("ROLLBACK"))
    assert transitions.finish(running, answered(7))
    assert again(running).value == 7
    other.close()
