import itertools
import logging
import time

import pytest

from puzzleclass.jobs import runner, services, transitions
from puzzleclass.jobs.models import Job
from solvers.answers import Answer, Exact
from solvers.kind import PuzzleError
from solvers.question import Progress
from tests.jobs import fake
from tests.jobs.fake import answered

State = Job.State


def test_a_job_is_done(job, again):
    runner.run(job.pk)
    done = again(job)
    assert (done.state, done.value, done.tries) == (State.DONE, 1, 1)
    assert done.result.moves == ("1,1",) * 3


def test_a_job_in_mid_game_is_replayed_from_there(asker, again):
    job = services.ask(asker, "fake", "solve", "3 | 1,1")
    runner.run(job.pk)
    assert (again(job).state, again(job).result.moves) == (State.DONE, ("1,1", "1,1"))


def test_a_job_that_is_not_to_be_had_is_left_alone(running, again):
    runner.run(running.pk)
    assert (again(running).state, again(running).tries) == (State.RUNNING, 1)


def test_a_doubled_message_does_no_work(job, solver, again):
    runner.run(job.pk)
    solver(lambda position: pytest.fail("computed twice"))
    runner.run(job.pk)
    assert again(job).state == State.DONE


def test_progress_is_visible_while_it_runs(job, solver, again):
    seen = []

    def work(position):
        yield Progress(1, 4, at_least=10)
        seen.append(again(job))
        return answered(0)

    solver(work)
    runner.run(job.pk)
    assert [(row.state, row.done, row.total, row.at_least) for row in seen] == [
        (State.RUNNING, 1, 4, "10")
    ]


def test_reports_come_once_a_second_at_most(job, solver, monkeypatch):
    clock = itertools.count()
    monkeypatch.setattr(runner, "REPORT_SECONDS", 1.0)
    monkeypatch.setattr(runner, "monotonic", lambda: next(clock) / 10)
    reports = []
    monkeypatch.setattr(transitions, "report", lambda job, progress: reports.append(1) or True)

    def work(position):
        for step in range(31):
            yield Progress(step, 31)
        return answered(0)

    solver(work)
    runner.run(job.pk)
    assert len(reports) == 3


def test_stop_ends_the_solver(job, asker, solver, again):
    closed = []

    def work(position):
        try:
            services.withdraw(asker, job)
            while True:
                yield Progress(1, 4, at_least=10)
        finally:
            closed.append(True)

    solver(work)
    runner.run(job.pk)
    assert closed
    assert again(job).state == State.STOPPED


def test_a_worker_that_lost_its_job_leaves_it_to_the_other(job, solver, dies, again):
    def work(position):
        dies(job)
        transitions.requeue_stale()
        transitions.claim(job.pk)
        while True:
            yield Progress(1, 4)

    solver(work)
    runner.run(job.pk)
    assert (again(job).state, again(job).tries) == (State.RUNNING, 2)


def test_an_answer_that_comes_after_the_job_was_lost_is_dropped(job, solver, another_takes, again):
    def work(position):
        another_takes(job)
        return answered(0)
        yield

    solver(work)
    runner.run(job.pk)
    assert (again(job).state, again(job).answer) == (State.RUNNING, None)


def test_the_deadline_leaves_a_lower_bound(job, solver, settings, again):
    settings.JOB_DEADLINE_SECONDS = 0.05
    closed = []

    def work(position):
        try:
            while True:
                yield Progress(1, 4, at_least=2**70, found=answered(None, "o"))
        finally:
            closed.append(True)

    solver(work)
    runner.run(job.pk)
    done = again(job)
    assert closed
    assert (done.state, done.value, done.result.proven) == (State.DONE, 2**70, False)
    assert (fake.boards(done), done.result.limit) == (["o"], "time")


@pytest.mark.parametrize(
    ("second", "kept"),
    [
        (answered(11, proven=False), 11),
        (answered(3, proven=False), 10),
        (answered(3, moves=("1,1",) * 3), 3),
    ],
)
def test_an_unproven_answer_stays_until_a_better_one_is_there(
    job, colleague, solver, again, second, kept
):
    def work(position):
        return answer
        yield

    solver(work)
    answer = answered(10, proven=False)
    runner.run(job.pk)
    services.ask(colleague, "fake", "count", "3", again=True)
    assert (again(job).state, again(job).value) == (State.WAITING, 10)
    held = transitions.claim(job.pk)
    assert transitions.stop(held) and transitions.close(held)
    assert again(job).value == 10
    services.ask(colleague, "fake", "count", "3", again=True)
    answer = second
    runner.run(job.pk)
    assert (again(job).state, again(job).value) == (State.DONE, kept)


def test_an_answer_says_how_long_it_took(job, solver, again):
    def work(position):
        time.sleep(0.02)
        return answered(0, "o")
        yield

    solver(work)
    runner.run(job.pk)
    assert fake.boards(again(job)) == ["o"]
    assert 0.02 <= again(job).result.seconds < 5


def test_a_solver_that_measured_itself_is_believed(job, solver, again):
    def work(position):
        return answered(0, seconds=2593202)
        yield

    solver(work)
    runner.run(job.pk)
    assert again(job).result.seconds == 2593202


def test_a_solver_may_know_its_own_limit(job, solver, again):
    def work(position):
        return answered(12, proven=False)
        yield

    solver(work)
    runner.run(job.pk)
    assert (again(job).state, again(job).result.proven) == (State.DONE, False)


@pytest.mark.parametrize(
    ("question", "answer"),
    [
        ("count", answered(1, moves=("1,1", "1,1"))),  # ends before it is solved
        ("count", answered(1)),  # the line is missing
        ("count", answered(5, moves=("1,1",), proven=False)),
        ("solve", answered(1, moves=("1,1",) * 4)),  # one move too many
        ("solve", answered(1, moves=("x", "1,1", "1,1"))),
        ("review", answered(2, moves=("2,2",))),  # every line is replayed
    ],
)
def test_a_wrong_line_is_never_shown(asker, solver, caplog, again, question, answer):
    def work(position):
        return answer
        yield

    solver(work)
    job = services.ask(asker, "fake", question, "3")
    with caplog.at_level(logging.ERROR):
        runner.run(job.pk)
    assert (again(job).state, again(job).answer) == (State.FAILED, None)
    assert again(job).fault_message == runner.BROKEN
    assert "WrongAnswer" in caplog.text


@pytest.mark.parametrize(
    ("question", "answer"),
    [("count", answered(0)), ("solve", answered(None)), ("review", answered(2))],
)
def test_some_answers_need_no_line(asker, solver, again, question, answer):
    def work(position):
        return answer
        yield

    solver(work)
    job = services.ask(asker, "fake", question, "3")
    runner.run(job.pk)
    assert again(job).state == State.DONE


@pytest.mark.parametrize(
    ("error", "text"),
    [
        (PuzzleError("Too many stones: {n}.", n=99), "Too many stones: 99."),
        (MemoryError(), str(runner.NO_MEMORY)),
        (ZeroDivisionError("x"), str(runner.BROKEN)),
    ],
)
def test_an_error_is_told_without_its_traceback(job, solver, again, error, text):
    def work(position):
        yield Progress(0, 1)
        raise error

    solver(work)
    runner.run(job.pk)
    assert (again(job).state, str(again(job).fault_message)) == (State.FAILED, text)


def test_an_unknown_question_fails(job, again):
    Job.objects.filter(pk=job.pk).update(question="riddle")
    runner.run(job.pk)
    assert again(job).state == State.FAILED


def test_an_answer_of_the_wrong_type_is_never_shown(job, solver, caplog, again):
    def work(position):
        return Answer(Exact(1), moves=("1,1",) * 3)
        yield

    solver(work)
    with caplog.at_level(logging.ERROR):
        runner.run(job.pk)
    assert again(job).fault_message == runner.BROKEN
    assert "Answer in place of ShownAnswer" in caplog.text


def test_a_missed_heartbeat_is_no_fault(job, monkeypatch, again):
    from django.db import OperationalError

    def busy(job, progress):
        raise OperationalError("database is locked")

    monkeypatch.setattr(transitions, "report", busy)
    monkeypatch.setattr(runner.connection, "close", lambda: None)
    runner.run(job.pk)
    assert again(job).state == State.DONE


@pytest.fixture
def hosted(monkeypatch, solver):
    """Return a function that runs a waiting job with guests from its own queue, and makes the work
    of boards of other sizes what is given."""

    def hosted(job, own, theirs):
        size = fake.Fake().read(job.position)
        solver(lambda position: own(position) if position == size else theirs(position))
        runner.run_next(job.queue, "hare@here", runner.Guests(job.queue, "hare@here", 0.0))

    return hosted


def test_a_short_count_does_not_wait_for_the_end_of_a_long_one(job, asker, hosted, again):
    other = services.ask(asker, "fake", "count", "4")
    seen = []

    def long(position):
        for step in range(3):
            seen.append(again(other).state)
            yield Progress(step, 3)
        return answered(0)

    hosted(job, long, fake.counted)
    assert seen == [State.WAITING, State.DONE, State.DONE]
    assert again(job).state == State.DONE and again(job).tries == 1


def test_two_long_counts_go_on_one_after_the_other(job, asker, hosted, again, monkeypatch):
    monkeypatch.setattr(runner, "GUEST_SECONDS", 0.0)
    other = services.ask(asker, "fake", "count", "4")
    begun = []

    def long(position):
        for step in range(3):
            yield Progress(step, 3)
        return answered(0)

    def theirs(position):
        begun.append(position)
        return (yield from long(position))

    hosted(job, long, theirs)
    # The guest begins once, goes back when its time is over, and has lost no attempt by that.
    assert len(begun) == 1
    assert (again(job).state, again(other).state) == (State.DONE, State.WAITING)
    for _ in range(2):
        transitions.claim(other.pk)
        assert again(other).tries < again(other).last_try
        transitions.give_way(again(other))
    runner.run_next("solve", "hare@here")
    assert again(other).state == State.DONE


def test_a_job_gives_signs_of_life_while_a_guest_runs(job, asker, hosted, again, pause):
    services.ask(asker, "fake", "count", "4")

    def own(position):
        yield Progress(0, 1)
        return answered(0)

    def theirs(position):
        for _ in range(2):
            pause()
            yield Progress(0, 1)
            assert transitions.requeue_stale() == 0
        return answered(0)

    hosted(job, own, theirs)
    assert again(job).state == State.DONE


def test_a_guest_that_fails_does_no_harm(job, asker, hosted, again):
    other = services.ask(asker, "fake", "count", "4")

    def own(position):
        yield Progress(0, 1)
        return answered(0)

    def theirs(position):
        yield Progress(0, 1)
        raise ValueError

    hosted(job, own, theirs)
    assert (again(job).state, again(other).state) == (State.DONE, State.FAILED)


def test_a_guest_without_memory_runs_by_itself_later(job, asker, hosted, again):
    """The long job beside it may have taken the memory."""
    other = services.ask(asker, "fake", "count", "4")
    begun = []

    def own(position):
        for _ in range(3):
            yield Progress(0, 1)
        return answered(0)

    def theirs(position):
        begun.append(position)
        yield Progress(0, 1)
        if len(begun) == 1:
            raise MemoryError
        return answered(0)

    hosted(job, own, theirs)
    assert (again(job).state, again(other).state) == (State.DONE, State.WAITING)
    runner.run_next("solve", "hare@here")
    assert again(other).state == State.DONE and len(begun) == 2


def test_a_live_answer_has_a_deadline_of_its_own(asker, solver, again, monkeypatch):
    monkeypatch.setattr(runner, "LIVE_SECONDS", 0.05)
    job = services.ask(asker, "fake", "count", "5", queue="live")

    def endless(position):
        while True:
            yield Progress(1, 4, at_least=7)

    solver(endless)
    runner.run(job.pk)
    assert (again(job).state, again(job).value, again(job).result.limit) == (State.DONE, 7, "time")


def test_a_live_answer_that_was_cut_short_is_counted_to_its_end_by_who_asks_for_that(asker, again):
    job = services.ask(asker, "fake", "count", "5", queue="live", priority=0)
    transitions.finish(transitions.claim(job.pk), answered(7, proven=False))
    services.ask(asker, "fake", "count", "5", again=True)
    assert (again(job).queue, again(job).priority) == ("solve", services.USUAL_PRIORITY)
