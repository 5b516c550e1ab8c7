from collections.abc import Callable
from time import monotonic

import pytest
from kombu.exceptions import OperationalError

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
    monkeypatch.setattr(delivery, "messages_in", lambda queue: len(pks))
    return pks


@pytest.fixture
def away(monkeypatch) -> list[int]:
    """The jobs that were tried to be sent while the broker is away."""
    tried: list[int] = []

    class Away:
        @staticmethod
        def send_task(name, args, queue):
            tried.append(args[0])
            raise OperationalError("away")

    monkeypatch.setattr(delivery, "app", Away)
    return tried


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
def pause(monkeypatch) -> Callable[[], None]:
    """Lets the sweeper look and a worker's whole silence pass after it."""
    passed = 0

    def pause() -> None:
        nonlocal passed
        transitions.close_stale()
        passed += transitions.STALE_SECONDS + 1
        monkeypatch.setattr(transitions, "monotonic", lambda: monotonic() + passed)

    return pause


@pytest.fixture
def dies(pause) -> Callable[[Job], None]:
    """Lets the worker that has the job fall silent."""
    return lambda job: pause()


@pytest.fixture
def another_takes(dies) -> Callable[[Job], Job]:
    """Lets the worker that has the job fall silent and another one take it; returns its job."""

    def another_takes(job: Job) -> Job:
        dies(job)
        assert transitions.requeue_stale() == 1
        return transitions.claim(job.pk)

    return another_takes


@pytest.fixture
def again() -> Callable[[Job], Job]:
    """Reads the job's row anew."""
    return lambda job: Job.objects.get(pk=job.pk)
