import pytest

from puzzleclass.jobs import services, transitions
from puzzleclass.jobs.models import Job
from solvers.kind import PuzzleError
from solvers.message import Message
from tests.jobs.fake import answered, boards

State = Job.State


def test_ask_makes_a_waiting_job(asker):
    job = services.ask(asker, "fake", "count", " 3 ")
    assert (job.state, job.position, job.queue) == (State.WAITING, "3", "solve")
    assert list(job.askers.all()) == [asker]


def test_a_short_question_goes_to_its_own_queue(asker):
    assert services.ask(asker, "fake", "review", "3 | 1,1").queue == "review"


def test_asked_twice_is_one_job(asker, colleague, sent, django_capture_on_commit_callbacks):
    with django_capture_on_commit_callbacks(execute=True):
        first = services.ask(asker, "fake", "count", "3")
        second = services.ask(colleague, "fake", "count", "３")
        third = services.ask(asker, "fake", "count", "3")
    assert first == second == third
    assert set(first.askers.all()) == {asker, colleague}
    assert sent == [first.pk]


@pytest.mark.parametrize(
    "other",
    [("solve", "3", {}), ("count", "4", {}), ("count", "3 | 1,1", {}), ("count", "3", {"a": 1})],
)
def test_another_question_is_another_job(job, asker, other):
    assert services.ask(asker, "fake", *other) != job


def test_a_better_solver_answers_anew(job, asker, monkeypatch):
    from tests.jobs.fake import Fake

    monkeypatch.setattr(Fake, "version", 2)
    assert services.ask(asker, "fake", "count", "3") != job


def test_an_answer_is_never_computed_twice(running, asker):
    transitions.finish(running, answered(1))
    job = services.ask(asker, "fake", "count", "3")
    assert (job.pk, job.state) == (running.pk, State.DONE)


def stored(value="1", moves=(), **details) -> dict:
    return {"value": value, "proven": True, "moves": list(moves), "details": details}


UNFIT = [
    {},
    {"value": "1"},
    [],
    stored("one"),
    stored(1.5),
    stored(moves=[1]),
    stored(boards="o"),
    stored(unheard_of=1),
    stored(note="words"),
]


@pytest.mark.parametrize("answer", UNFIT)
def test_an_answer_that_does_not_fit_its_type_is_asked_anew(
    running, asker, again, sent, django_capture_on_commit_callbacks, answer
):
    transitions.finish(running, answered(1))
    Job.objects.update(answer=answer)
    job = again(running)
    assert (job.result, job.value, job.remark, job.can_be_asked_again) == (None, None, None, True)
    assert services.find("fake", "count", "3") is None
    assert services.find_all([job.key]) == {}
    with django_capture_on_commit_callbacks(execute=True):
        assert services.ask(asker, "fake", "count", "3").state == State.WAITING
    assert sent == [running.pk]


def test_two_who_ask_again_restart_the_job_once(running, asker, colleague, again):
    transitions.finish(running, answered(1))
    Job.objects.update(answer={})
    seen = again(running)
    services.ask(asker, "fake", "count", "3")
    transitions.finish(transitions.claim(seen.pk), answered(1))
    assert not transitions.restart(seen, done=True)
    assert services.ask(colleague, "fake", "count", "3").value == 1


def test_an_answer_of_an_earlier_version_is_read(running, again):
    answer = stored("2", ["1,1"], boards=[{"position": "o"}], seconds=0.5, at_most="12")
    Job.objects.update(state=State.DONE, answer=answer)
    job = again(running)
    assert (job.value, job.at_most, job.result.moves, job.result.seconds) == (2, 12, ("1,1",), 0.5)
    assert boards(job) == ["o"]


@pytest.mark.parametrize("found", [stored(boards="o"), stored(unheard_of=1), {"boards": []}, ["o"]])
def test_findings_of_the_wrong_type_are_ignored(running, again, found):
    Job.objects.update(state=State.STOPPED, stored_found=found)
    assert (again(running).found, boards(again(running))) == (None, [])


def test_unreadable_messages_are_ignored(running, again):
    Job.objects.update(note={"words": 1}, fault=["no"])
    assert (again(running).note_message, again(running).fault_message) == (None, None)


def test_an_answer_is_decoded_once(running, again):
    transitions.finish(running, answered(1))
    job = again(running)
    assert job.result is job.result
    Job.objects.update(answer=None)
    job.refresh_from_db()
    assert job.result is None


def test_find_all(job, asker):
    other = services.ask(asker, "fake", "count", "4")
    assert services.find_all([job.key, other.key, "none"]) == {job.key: job, other.key: other}


@pytest.mark.parametrize("state", [State.STOPPED, State.FAILED])
def test_asked_again_it_waits_again(job, asker, state, sent, django_capture_on_commit_callbacks):
    Job.objects.filter(pk=job.pk).update(state=state)
    with django_capture_on_commit_callbacks(execute=True):
        again = services.ask(asker, "fake", "count", "3")
    assert (again.pk, again.state) == (job.pk, State.WAITING)
    assert sent == [job.pk]


def test_asked_again_it_goes_to_the_end_of_the_queue(job, asker):
    other = services.ask(asker, "fake", "count", "4")
    transitions.stop(job)
    assert services.ask(asker, "fake", "count", "3").ahead == 1
    assert other.ahead == 0


def test_ask_refuses_what_is_no_position(asker):
    with pytest.raises(PuzzleError, match="not a number"):
        services.ask(asker, "fake", "count", "three")
    assert not Job.objects.exists()


def test_sent_at_is_set_when_the_broker_took_it(
    asker, sent, again, django_capture_on_commit_callbacks
):
    with django_capture_on_commit_callbacks(execute=True):
        job = services.ask(asker, "fake", "count", "3")
    assert again(job).sent_at


def test_a_broker_that_is_away_loses_nothing(
    asker, settings, tmp_path, again, monkeypatch, django_capture_on_commit_callbacks
):
    from celery import Celery

    from puzzleclass.jobs import delivery

    app = Celery(broker=f"redis+socket://{tmp_path}/nobody.sock", set_as_current=False)
    app.conf.broker_transport_options = settings.CELERY_BROKER_TRANSPORT_OPTIONS
    app.conf.task_publish_retry = False
    monkeypatch.setattr(delivery, "app", app)
    with django_capture_on_commit_callbacks(execute=True):
        job = services.ask(asker, "fake", "count", "3")
    assert (again(job).state, again(job).sent_at) == (State.WAITING, None)


def test_a_broker_that_is_away_is_not_tried_for_every_job(
    asker, away, django_capture_on_commit_callbacks
):
    with django_capture_on_commit_callbacks(execute=True):
        for board in "123":
            services.ask(asker, "fake", "count", board)
    assert len(away) == 1


def test_find(job):
    assert services.find("fake", "count", "3") == job
    assert services.find("fake", "count", "4") is None
    assert services.find("fake", "solve", "3") is None


def test_ahead_counts_the_waiting_before_it_in_its_queue(asker):
    first, second, third = (services.ask(asker, "fake", "count", n) for n in "123")
    review = services.ask(asker, "fake", "review", "3 | 1,1")
    assert [job.ahead for job in (first, second, third, review)] == [0, 1, 2, 0]
    transitions.claim(first.pk)
    assert third.ahead == 1


def test_jobs_of_the_same_moment_have_an_order(asker, job):
    other = services.ask(asker, "fake", "count", "4")
    Job.objects.update(asked_at=job.asked_at)
    other.refresh_from_db()
    assert (job.ahead, other.ahead) == (0, 1)


def test_the_only_asker_stops_the_job(running, asker, again):
    assert services.withdraw(asker, running).state == State.STOPPING
    assert again(running).state == State.STOPPING
    assert list(running.askers.all()) == [asker]


def test_the_job_goes_on_when_one_of_two_askers_withdraws(running, asker, colleague, again):
    running.askers.add(colleague)
    seen = services.withdraw(asker, running)
    assert (seen.state, seen.is_withdrawn) == (State.STOPPED, True)
    assert again(running).state == State.RUNNING
    assert list(running.askers.all()) == [colleague]
    assert services.withdraw(colleague, running).state == State.STOPPING


def test_nobody_can_withdraw_from_an_answer(running, asker, colleague):
    running.askers.add(colleague)
    transitions.finish(running, answered(1))
    assert services.withdraw(asker, running).state == State.DONE
    assert running.askers.count() == 2


def test_messages_keep_their_fields_through_the_database(running, again):
    inner = Message("layer {n}", {"n": 2})
    transitions.fail(running, Message("Lost in {where}.", {"where": inner}))
    assert str(again(running).fault_message) == "Lost in layer 2."
