from collections.abc import Callable
from time import monotonic

import pytest
from kombu.exceptions import OperationalError

import puzzleclass.urls  # noqa: F401  (some views know their kind: load them before the fake)
from puzzleclass.accounts.models import User
from puzzleclass.jobs import delivery, runner, services, transitions
from puzzleclass.jobs.models import Job
from solvers import registry
from tests.broker import Broker, living_workers
from tests.jobs import fake


@pytest.fixture(autouse=True)
def fake_kind(monkeypatch):
    """Install the fake kind as the only one, let workers report every progress, and let the broker
    be up."""
    monkeypatch.setattr(registry, "kinds", lambda: {"fake": fake.Fake()})
    monkeypatch.setattr(runner, "REPORT_SECONDS", 0)
    monkeypatch.setattr(delivery, "_failed_at", -delivery.AWAY_SECONDS)
    registry.style_sheets.cache_clear()
    yield
    registry.style_sheets.cache_clear()


@pytest.fixture(autouse=True)
def broker(monkeypatch) -> Broker:
    """Return a broker in memory to which all workers and the sweeper have just reported."""
    return living_workers(monkeypatch)


@pytest.fixture
def solver(monkeypatch) -> Callable:
    """Return a function that sets what the solver does."""
    return lambda behaviour: monkeypatch.setattr(fake, "behaviour", behaviour)


@pytest.fixture
def sent(monkeypatch) -> list[int]:
    """Return the list of the jobs that are sent to Celery, which is replaced."""
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
    """Return the list of the jobs that delivery attempts to send while the broker is away."""
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
    """Return a waiting job."""
    return services.ask(asker, "fake", "count", "3")


@pytest.fixture
def running(job) -> Job:
    """Return a running job as its worker sees it."""
    return transitions.claim(job.pk)


@pytest.fixture
def pause(monkeypatch) -> Callable[[], None]:
    """Return a function after which the sweeper has looked and a worker's whole silence has
    passed."""
    passed = 0

    def pause() -> None:
        nonlocal passed
        transitions.close_stale()
        passed += transitions.STALE_SECONDS + 1
        monkeypatch.setattr(transitions, "monotonic", lambda: monotonic() + passed)

    return pause


@pytest.fixture
def dies(pause) -> Callable[[Job], None]:
    """Return a function that lets the worker of a job fall silent."""
    return lambda job: pause()


@pytest.fixture
def another_takes(dies) -> Callable[[Job], Job]:
    """Return a function that lets the job's worker fall silent and another one take the job.

    The function returns the job as the other worker sees it.
    """

    def another_takes(job: Job) -> Job:
        dies(job)
        assert transitions.requeue_stale() == 1
        return transitions.claim(job.pk)

    return another_takes


@pytest.fixture
def again() -> Callable[[Job], Job]:
    """Return a function that reads the job's row again."""
    return lambda job: Job.objects.get(pk=job.pk)
