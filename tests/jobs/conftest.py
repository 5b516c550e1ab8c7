from collections.abc import Callable
from datetime import timedelta

import pytest
from django.utils import timezone

import puzzleclass.urls  # noqa: F401  (some views know their kind: load them before the fake)
from puzzleclass.accounts.models import User
from puzzleclass.jobs import delivery, runner, services, transitions
from puzzleclass.jobs.models import Job
from solvers import registry
from tests.jobs import fake


@pytest.fixture(autouse=True)
def fake_kind(monkeypatch):
    """The only puzzle kind, a worker that reports every progress, a broker not known to be away."""
    monkeypatch.setattr(registry, "kinds", lambda: {"fake": fake.Fake()})
    monkeypatch.setattr(runner, "REPORT_SECONDS", 0)
    monkeypatch.setattr(delivery, "_failed_at", -delivery.AWAY_SECONDS)


@pytest.fixture
def solver(monkeypatch) -> Callable:
    """Sets what the solver does."""
    return lambda behaviour: monkeypatch.setattr(fake, "behaviour", behaviour)


@pytest.fixture
def sent(monkeypatch) -> list[int]:
    """The jobs given to Celery, which is not there."""
    pks: list[int] = []

    class App:
        @staticmethod
        def send_task(name, args, queue):
            pks.append(args[0])

    monkeypatch.setattr(delivery, "app", App)
    return pks


@pytest.fixture
def asker(db) -> User:
    return User.objects.create_teacher("asker", "Asker", "a good password")


@pytest.fixture
def colleague(db) -> User:
    return User.objects.create_teacher("colleague", "Colleague", "a good password")


@pytest.fixture
def student(db) -> User:
    return User.objects.create_student("Student", "1234")


@pytest.fixture
def job(asker) -> Job:
    """A job that waits."""
    return services.ask(asker, "fake", "count", "3")


@pytest.fixture
def running(job) -> Job:
    """A job in a worker's hands, as that worker sees it."""
    return transitions.claim(job.pk)


@pytest.fixture
def dies() -> Callable[[Job], None]:
    """Lets the worker that has the job fall silent."""

    def fall_silent(job: Job) -> None:
        long_ago = timezone.now() - transitions.STALE - timedelta(seconds=1)
        Job.objects.filter(pk=job.pk).update(beat_at=long_ago)

    return fall_silent


@pytest.fixture
def again() -> Callable[[Job], Job]:
    """Reads the job's row anew."""
    return lambda job: Job.objects.get(pk=job.pk)
