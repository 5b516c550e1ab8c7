import sys
from socket import gethostname
from subprocess import run

import pytest
from celery import Celery
from kombu.exceptions import OperationalError

from puzzleclass.jobs import delivery, runner, services, transitions, workers
from puzzleclass.jobs.models import Job
from tests.jobs.fake import answered

State = Job.State

SAY_TASKS = """
from puzzleclass.celery import app
app.loader.import_default_modules()
print(*app.tasks)
"""


def test_the_schedule_names_tasks_that_exist(settings):
    # Use a new process, because other tests have imported modules that a worker may not import.
    said = run(
        [sys.executable, "-c", SAY_TASKS], cwd=settings.BASE_DIR, capture_output=True, check=True
    )
    names = {entry["task"] for entry in settings.CELERY_BEAT_SCHEDULE.values()}
    assert names <= set(said.stdout.decode().split())


def test_a_dead_workers_job_is_sent_again(running, dies, sent, again):
    dies(running)
    delivery.sweep()
    assert sent == [running.pk]
    assert again(running).state == State.WAITING


def test_a_job_that_kills_its_workers_fails_with_a_message(running, dies, sent, again):
    for _ in range(2):
        dies(running)
        delivery.sweep()
        transitions.claim(running.pk)
    assert sent == [running.pk]
    assert again(running).state == State.FAILED
    assert again(running).fault_message == delivery.WORKERS_DIED


def test_a_dead_stopping_job_is_closed(running, dies, sent, again):
    transitions.stop(running)
    dies(running)
    delivery.sweep()
    assert again(running).state == State.STOPPED
    assert sent == []


def test_unsent_jobs_are_sent_oldest_first(job, asker, sent, again):
    other = services.ask(asker, "fake", "count", "4")
    delivery.sweep()
    assert sent == [job.pk, other.pk]
    assert again(job).sent_at


def test_a_job_just_sent_is_not_sent_again(job, sent):
    delivery.sweep()
    delivery.sweep()
    assert sent == [job.pk]


def test_a_lost_message_is_sent_again(job, sent):
    delivery.sweep()
    sent.clear()
    delivery.sweep()
    assert sent == [job.pk]


def test_waiting_for_an_hour_makes_no_more_messages(asker, sent):
    for board in range(50):
        services.ask(asker, "fake", "count", str(board))
    for _ in range(100):
        delivery.sweep()
    assert len(sent) == len(set(sent)) == 50


def test_the_messages_in_redis_are_counted(monkeypatch):
    broker = Celery(broker="memory://")
    monkeypatch.setattr(delivery, "app", broker)
    assert delivery.messages_in("solve") == 0
    for _ in range(3):
        broker.send_task("any", queue="solve")
    assert delivery.messages_in("solve") == 3


def test_a_message_starts_the_job_whose_turn_it_is(job, asker, colleague, again):
    mine = services.ask(asker, "fake", "count", "4")
    theirs = services.ask(colleague, "fake", "count", "5")
    for _ in range(2):
        delivery.run.apply([mine.pk])
    assert [again(row).state for row in (job, mine, theirs)] == [
        State.DONE,
        State.WAITING,
        State.DONE,
    ]


def test_running_and_ended_jobs_are_left_alone(running, sent):
    delivery.sweep()
    transitions.stop(running)
    transitions.close(running)
    delivery.sweep()
    assert sent == []


def test_a_message_without_a_job_to_do_does_nothing(running, asker):
    """The job was deleted, or it is done already, or another worker has just taken the last one."""
    delivery.run(running.pk)
    delivery.run(running.pk + 1)
    runner.run_next("solve", "hare@here")
    assert list(Job.objects.values_list("state", "tries")) == [(State.RUNNING, 1)]


def test_a_sweep_without_a_broker_ends_and_is_not_recorded(job, broker, sent, monkeypatch):
    def away(queue: str) -> int:
        raise OperationalError("away")

    monkeypatch.setattr(delivery, "messages_in", away)
    broker.kept.clear()
    delivery.sweep()
    assert sent == [] and workers.seconds_since_sweep() is None


def test_a_sign_of_life_without_a_broker_is_lost_and_no_fault(broker):
    broker.kept.clear()
    broker.is_away = True
    broker.finds("solve")
    workers.record_sweep()
    assert broker.kept == {}


def test_while_the_broker_is_away_it_is_tried_once_a_sweep(job, asker, away, monkeypatch):
    services.ask(asker, "fake", "count", "4")
    monkeypatch.setattr(delivery, "messages_in", lambda queue: 0)
    delivery.sweep()
    assert away == [job.pk]


@pytest.fixture
def at_work(job, monkeypatch):
    """Return a function that calls another one while the worker `hare@here` works on the job."""

    def at_work(during) -> None:
        monkeypatch.setattr(runner, "_work", lambda *args: during() or answered(1))
        runner.run_next("solve", "hare@here")

    monkeypatch.setattr(delivery.connection, "close", lambda: None)
    return at_work


def test_a_worker_that_ends_hands_its_job_back(job, at_work, again):
    seen = []

    def ends():
        delivery.hand_back("hare@here")
        seen.append(again(job).state)

    at_work(ends)
    assert seen == [State.WAITING]
    assert again(job).state == State.WAITING  # the answer arrived too late


def test_the_task_names_its_worker(job, again):
    delivery.run.apply([job.pk])
    assert again(job).worker == gethostname()
