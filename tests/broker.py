"""A message broker in memory, and workers that report to it that they are alive."""

import pytest
import redis
from django.utils import timezone

from puzzleclass.jobs import workers


class Broker:
    """A Redis in memory. Its keys expire only when a test says so."""

    def __init__(self) -> None:
        self.kept: dict[str, tuple[str, int]] = {}
        self.is_away = False
        self.seconds_ahead = 0

    def __enter__(self) -> "Broker":
        if self.is_away:
            raise redis.ConnectionError("away")
        return self

    def __exit__(self, *error: object) -> None:
        pass

    def ping(self) -> bool:
        return True

    def time(self) -> tuple[int, int]:
        return int(timezone.now().timestamp()) + self.seconds_ahead, 0

    def set(self, key: str, value: str, ex: int) -> None:
        self.kept[key] = (value, ex)

    def get(self, key: str) -> str | None:
        return self.kept.get(key, (None,))[0]

    def ttl(self, key: str) -> int:
        return self.kept[key][1] if key in self.kept else -2

    def scan_iter(self, pattern: str) -> list[str]:
        return [key for key in self.kept if key.startswith(pattern[:-1])]

    def loses(self, queue: str) -> None:
        """Make it look as if the worker of a queue has been silent for too long."""
        key = f"puzzleclass:worker:{queue}@here"
        self.kept[key] = (queue, workers.KEPT_SECONDS - workers.SILENT_SECONDS)

    def finds(self, queue: str) -> None:
        """Let the worker of a queue report that it is alive again."""
        workers.record_heartbeat(Heart(queue))

    def passes(self, seconds: int) -> None:
        self.kept = {key: (value, left - seconds) for key, (value, left) in self.kept.items()}


class Heart:
    """The object that Celery's signal passes for a worker's heart."""

    def __init__(self, queue: str) -> None:
        self.hostname = f"{queue}@here"
        self.eventer = self.app = self.amqp = self.queues = self
        self.consume_from = {queue: None}


def living_workers(monkeypatch: pytest.MonkeyPatch) -> Broker:
    """Replace Redis by a broker in memory to which all workers and the sweeper have just reported.

    Nothing that is read from it is cached, so the reports are never older than the test.
    """
    memory = Broker()
    monkeypatch.setattr(workers, "broker", lambda: memory)
    monkeypatch.setattr(workers, "LOOK_SECONDS", -1)
    for queue in workers.QUEUES:
        workers.record_heartbeat(Heart(queue))
    workers.record_sweep()
    return memory
