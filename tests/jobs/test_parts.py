"""A job that takes long is divided among the workers, and its parts are added up."""

import pytest

from puzzleclass.jobs import delivery, dividing, runner, services, transitions
from puzzleclass.jobs.models import Job
from solvers.message import Message
from solvers.question import Progress
from tests.jobs import fake
from tests.jobs.fake import answered

State = Job.State
FAULT = Message("No.")
LINE = ("1,1", "1,1", "1,1")


@pytest.fixture
def free(monkeypatch):
    """Sets how many processes have nothing to do."""
    return lambda number: monkeypatch.setattr(dividing, "free_processes", lambda queue: number)


@pytest.fixture
def long_job(asker, monkeypatch) -> Job:
    """A job that waits, of a question that can be split; every job takes long from now on."""
    monkeypatch.setattr(dividing, "WHOLE_SECONDS", 0)
    return services.ask(asker, "fake", "long", "3")


@pytest.fixture
def whole(long_job, free, sent) -> Job:
    """A job divided into two parts, which have been sent."""
    free(1)
    runner.run(long_job.pk)
    return Job.objects.get(pk=long_job.pk)


@pytest.fixture
def taken(whole) -> list[Job]:
    """Its parts, in two workers' hands."""
    return [transitions.claim(part.pk) for part in whole.parts.all()]


def never_called(position):
    pytest.fail("worked on")
    yield


def test_a_job_that_takes_long_is_divided_among_the_free(whole, sent):
    assert whole.state == State.SPLIT
    parts = list(whole.parts.all())
    assert [(part.state, part.options) for part in parts] == [
        (State.WAITING, {"part": 0}),
        (State.WAITING, {"part": 1}),
    ]
    assert [part.asked_at for part in parts] == [whole.asked_at] * 2
    assert sent == [part.pk for part in parts]


def test_the_parts_keep_the_options_of_the_whole(asker, monkeypatch, free, sent):
    monkeypatch.setattr(dividing, "WHOLE_SECONDS", 0)
    job = services.ask(asker, "fake", "long", "3", {"depth": 5})
    free(1)
    runner.run(job.pk)
    assert [part.options for part in job.parts.all()] == [
        {"depth": 5, "part": 0},
        {"depth": 5, "part": 1},
    ]


def test_a_short_job_stays_whole(long_job, free, monkeypatch, again):
    monkeypatch.setattr(dividing, "WHOLE_SECONDS", 60)
    free(7)
    runner.run(long_job.pk)
    assert (again(long_job).state, again(long_job).value) == (State.DONE, 1)


def test_without_a_free_worker_it_stays_whole(long_job, free, again):
    free(0)
    runner.run(long_job.pk)
    assert again(long_job).state == State.DONE


def test_what_has_one_part_only_stays_whole(asker, free, monkeypatch, again):
    monkeypatch.setattr(dividing, "WHOLE_SECONDS", 0)
    job = services.ask(asker, "fake", "long", "1")
    free(7)
    runner.run(job.pk)
    assert again(job).state == State.DONE


def test_a_question_that_does_not_split_stays_whole(job, free, monkeypatch, again):
    monkeypatch.setattr(dividing, "WHOLE_SECONDS", 0)
    free(7)
    runner.run(job.pk)
    assert again(job).state == State.DONE


def test_workers_are_asked_once(long_job, monkeypatch, solver):
    asked = []
    monkeypatch.setattr(dividing, "free_processes", lambda queue: asked.append(queue) or 0)

    def work(position):
        for step in range(5):
            yield Progress(step, 5)
        return answered(0)

    solver(work)
    runner.run(long_job.pk)
    assert asked == ["solve"]


def test_not_more_parts_than_sensible(asker, free, sent, monkeypatch):
    monkeypatch.setattr(dividing, "WHOLE_SECONDS", 0)
    job = services.ask(asker, "fake", "long", "99")
    free(60)
    runner.run(job.pk)
    assert job.parts.count() == dividing.MOST_PARTS


def test_a_part_is_not_divided_again(whole, free, again):
    free(7)
    part = whole.parts.first()
    runner.run(part.pk)
    assert again(part).state == State.DONE


def test_one_process_does_the_parts_one_after_another(whole, sent, again):
    for pk in sent:
        runner.run(pk)
    done = again(whole)
    assert (done.state, done.value, done.tries) == (State.DONE, 2, 1)
    assert done.result.moves == LINE
    assert done.result.seconds > 0
    assert done.ended_at and not Job.objects.exclude(pk=whole.pk).exists()


def test_its_card_is_like_that_of_a_job_at_work(whole):
    assert (whole.is_at_work, whole.has_ended, whole.can_be_asked_again) == (True, False, False)
    assert whole.get_state_display() == State.RUNNING.label


def test_progress_and_bounds_add_up(taken, again):
    transitions.report(taken[0], Progress(1, 4, at_least=2**70))
    transitions.report(taken[1], Progress(1, 2, at_least=3))
    job = again(taken[0].whole)
    assert (job.done, job.total, job.at_least) == (750, 2000, str(2**70 + 3))
    assert str(job.note_message).endswith("Parts at work: 2. Finished: 0 of 2.")


def test_a_finished_part_counts_in_full(taken, again):
    transitions.finish(taken[0], answered(10))
    transitions.report(taken[1], Progress(1, 2, at_least=3))
    job = again(taken[0].whole)
    assert (job.done, job.total, job.at_least) == (1500, 2000, "13")


def test_what_the_whole_had_proven_stays(long_job, free, sent, solver, again):
    def work(position):
        yield Progress(1, 4, at_least=1000)

    solver(work)
    free(1)
    runner.run(long_job.pk)
    part = transitions.claim(sent[0])
    transitions.report(part, Progress(1, 4, at_least=3))
    assert again(long_job).at_least == "1000"


def test_the_parts_are_done_in_any_order(taken, again):
    for part in reversed(taken):
        transitions.finish(part, answered(2**80, moves=LINE))
        runner.gather(part.whole_id)
    assert again(taken[0].whole).value == 2**81


def test_nothing_is_added_up_before_the_last_part_is_done(taken, again):
    transitions.finish(taken[0], answered(5, moves=LINE))
    runner.gather(taken[0].whole_id)
    assert again(taken[0].whole).state == State.SPLIT


def test_two_who_end_at_once_add_up_once(taken, again):
    for part in taken:
        transitions.finish(part, answered(5, moves=LINE))
    runner.gather(taken[0].whole_id)
    runner.gather(taken[0].whole_id)
    assert (again(taken[0].whole).state, again(taken[0].whole).value) == (State.DONE, 10)


def test_a_worker_killed_before_it_added_up_loses_nothing(taken, again):
    for part in taken:
        transitions.finish(part, answered(5, moves=LINE))
    delivery.sweep()
    assert again(taken[0].whole).value == 10


def test_one_part_unproven_leaves_a_lower_bound(taken, again):
    transitions.finish(taken[0], answered(5, moves=LINE))
    transitions.finish(taken[1], answered(7, proven=False, limit="time"))
    runner.gather(taken[0].whole_id)
    job = again(taken[0].whole)
    assert (job.state, job.value, job.result.proven) == (State.DONE, 12, False)
    assert job.result.limit == "time"
    assert job.can_be_asked_again


def test_the_deadline_counts_for_each_part(whole, sent, settings, solver, again):
    settings.JOB_DEADLINE_SECONDS = 0.05

    def work(position):
        while True:
            yield Progress(1, 4, at_least=3)

    solver(work)
    for pk in sent:
        runner.run(pk)
    assert (again(whole).value, again(whole).result.proven) == (6, False)


def test_a_failed_part_fails_the_whole_and_ends_the_others(taken, again):
    transitions.fail(taken[0], FAULT)
    runner.gather(taken[0].whole_id)
    job = again(taken[0].whole)
    assert (job.state, str(job.fault_message)) == (State.FAILED, "No.")
    assert not transitions.report(taken[1], Progress(1, 2))
    assert not transitions.finish(taken[1], answered(5))


def test_an_error_in_a_part_is_told(whole, sent, solver, again):
    def work(position):
        yield Progress(0, 1)
        raise MemoryError

    solver(work)
    runner.run(sent[0])
    assert (again(whole).state, again(whole).fault_message) == (State.FAILED, runner.NO_MEMORY)
    solver(never_called)
    runner.run(sent[1])


def test_a_sum_that_breaks_the_rules_is_never_shown(taken, again, monkeypatch):
    monkeypatch.setattr(fake, "combine", lambda answers: answered(2, moves=("1,1",) * 4))
    for part in taken:
        transitions.finish(part, answered(1, moves=LINE))
    runner.gather(taken[0].whole_id)
    assert again(taken[0].whole).fault_message == runner.BROKEN


def test_a_killed_workers_part_goes_to_another(taken, dies, sent, again):
    dies(taken[0])
    sent.clear()
    delivery.sweep()
    assert sent == [taken[0].pk]
    assert again(taken[0].whole).state == State.SPLIT
    runner.run(taken[0].pk)
    transitions.finish(taken[0], answered(99))  # the first worker was not dead, but is too late
    transitions.finish(taken[1], answered(1, moves=LINE))
    runner.gather(taken[0].whole_id)
    assert again(taken[0].whole).value == 2


def test_a_part_that_kills_its_workers_fails_the_whole(taken, dies, sent, again):
    for _ in range(2):
        dies(taken[0])
        delivery.sweep()
        transitions.claim(taken[0].pk)
    job = again(taken[0].whole)
    assert (job.state, job.fault_message) == (State.FAILED, delivery.WORKERS_DIED)


def test_its_own_silence_is_no_death(whole, dies, sent, again):
    sent.clear()
    dies(whole)
    delivery.sweep()
    assert sent == []
    assert again(whole).state == State.SPLIT
    assert transitions.claim(whole.pk) is None


def test_a_lost_message_of_a_part_is_sent_again(whole, sent):
    whole.parts.update(sent_at=None)
    parts, sent[:] = list(sent), []
    delivery.sweep()
    assert sent == parts


def test_a_doubled_message_does_no_work(whole, sent, solver, again):
    runner.run(sent[0])
    solver(never_called)
    runner.run(sent[0])
    runner.run(whole.pk)
    assert again(whole).state == State.SPLIT


def test_asked_meanwhile_it_is_the_same_job(whole, colleague, sent):
    assert services.ask(colleague, "fake", "long", "3") == whole
    assert Job.objects.filter(whole=None).count() == 1
    assert len(sent) == 2


def test_stop_ends_it_at_once_and_its_workers_soon(taken, asker, again):
    transitions.report(taken[0], Progress(1, 4, at_least=7))
    job = services.withdraw(asker, again(taken[0].whole))
    assert (job.state, job.at_least) == (State.STOPPED, "7")
    assert job.ended_at
    assert not transitions.report(taken[0], Progress(2, 4, at_least=8))
    assert not transitions.finish(taken[1], answered(5))
    assert not transitions.close(taken[0])
    runner.gather(job.pk)
    assert (again(job).state, again(job).at_least) == (State.STOPPED, "7")


def test_stopped_and_asked_again_old_workers_say_nothing(taken, asker, sent, free, again):
    services.withdraw(asker, taken[0].whole)
    job = services.ask(asker, "fake", "long", "3")
    assert job.state == State.WAITING
    free(1)
    runner.run(job.pk)
    assert again(job).state == State.SPLIT
    assert not transitions.finish(taken[0], answered(99))
    transitions.fail(taken[1], FAULT)
    runner.gather(job.pk)
    for pk in sent[-2:]:
        runner.run(pk)
    assert again(job).value == 2


def test_a_stop_comes_before_the_division(long_job, asker, free, sent, solver, again):
    def work(position):
        services.withdraw(asker, long_job)
        while True:
            yield Progress(1, 4)

    solver(work)
    free(1)
    runner.run(long_job.pk)
    assert (again(long_job).state, sent) == (State.STOPPED, [])
    assert not Job.objects.filter(whole=long_job).exists()


def test_a_stop_in_the_middle_of_the_division(long_job, asker, sent, monkeypatch, again):
    def stopped_meanwhile(queue):
        services.withdraw(asker, long_job)
        return 1

    monkeypatch.setattr(dividing, "free_processes", stopped_meanwhile)
    runner.run(long_job.pk)
    assert (again(long_job).state, sent) == (State.DONE, [])  # it was there before the stop


def test_a_worker_that_lost_the_job_does_not_split_it(long_job, dies):
    first = transitions.claim(long_job.pk)
    dies(first)
    assert transitions.claim(first.pk)
    assert transitions.split(first, [{}, {}]) == []
    assert not Job.objects.filter(whole=long_job).exists()


@pytest.mark.parametrize("state", [State.WAITING, State.STOPPING, State.DONE, State.STOPPED])
def test_only_a_running_job_is_split(running, state):
    Job.objects.filter(pk=running.pk).update(state=state)
    assert transitions.split(running, [{}, {}]) == []


def test_a_part_handed_back_loses_no_try(taken, again):
    assert transitions.hand_back(taken[0].pk)
    part = again(taken[0])
    assert (part.state, part.last_try - part.tries) == (State.WAITING, 2)
    assert again(part.whole).state == State.SPLIT


def test_a_division_that_breaks_off_is_swept_up(whole, sent, again):
    """The worker is killed before it has sent the parts, and another time between two."""
    whole.parts.update(sent_at=None)
    sent.clear()
    delivery.sweep()
    for pk in sent:
        runner.run(pk)
    assert again(whole).state == State.DONE
