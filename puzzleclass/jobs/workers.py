"""Find which workers are alive, which queues nobody serves, and when the sweeper last ran.

Every few seconds, a worker writes to Redis that it is alive. Its key expires by Redis's own clock,
so the clocks of two machines are never compared.
"""

from dataclasses import dataclass
from time import monotonic

import redis
from celery.signals import heartbeat_sent
from celery.worker.heartbeat import Heart
from django.conf import settings

from puzzleclass.jobs.heartbeat_files import HeartbeatFiles
from puzzleclass.outbound.tasks import QUEUE as OUTBOUND

LONG_QUEUE = "solve"
"""The queue of the questions that may take minutes. A quota limits these questions."""

LIVE_QUEUE = "live"
"""The queue of the questions about a board that somebody is drawing. They have a deadline of
`LIVE_SECONDS`, and an author has those about one board at a time."""
LIVE_SECONDS = 2.0

QUEUES_OF_JOBS = (LONG_QUEUE, "hint", LIVE_QUEUE, "review")
QUEUES = (*QUEUES_OF_JOBS, "sweep", OUTBOUND)
"""The queues that need a worker."""

KEPT_SECONDS = 3600
"""Seconds for which it is remembered that a worker was alive or that the sweeper ran."""
SILENT_SECONDS = 20
"""Seconds of silence after which a worker counts as dead; the sweeper runs every three seconds.

Together with `launcher.programs.BEAT_SECONDS`, `LOOK_SECONDS` and the polling of the pages, this
lets a page say within 30 seconds that its worker is gone.
"""
LOOK_SECONDS = 2.0
"""Seconds for which a process trusts what it last read about the workers, because pages ask with
every poll."""

_WORKER, _SWEPT = "puzzleclass:worker:", "puzzleclass:swept"
_looked_at = float("-inf")
_silent: frozenset[str] = frozenset()


@dataclass(frozen=True, slots=True)
class Worker:
    """A worker that was alive within the last hour."""

    name: str
    queues: tuple[str, ...]
    silent: int
    """Seconds since its last sign of life."""

    @property
    def is_alive(self) -> bool:
        return self.silent < SILENT_SECONDS


def broker() -> redis.Redis | HeartbeatFiles:
    """Return a client of the broker. Its calls raise redis.RedisError when the broker does not
    answer."""
    if settings.ONE_PROCESS:
        return HeartbeatFiles(settings.HEARTBEATS_DIR)
    # `redis+socket://` is Celery's word for `unix://`.
    url = settings.REDIS_URL.replace("redis+socket://", "unix://")
    return redis.Redis.from_url(
        url, decode_responses=True, socket_timeout=1, socket_connect_timeout=1
    )


@heartbeat_sent.connect
def record_heartbeat(sender: Heart, **kwargs: object) -> None:
    """Record that this worker is alive. Without a broker, this can't be recorded."""
    queues = ",".join(sorted(sender.eventer.app.amqp.queues.consume_from))
    _store(f"{_WORKER}{sender.eventer.hostname}", queues)


def record_sweep() -> None:
    """Record that the sweeper has run."""
    _store(_SWEPT, "1")


def _store(key: str, value: str) -> None:
    try:
        with broker() as client:
            client.set(key, value, ex=KEPT_SECONDS)
    except redis.RedisError:
        return


def workers() -> list[Worker]:
    """Return the workers of the last hour, sorted by name. Raises redis.RedisError."""
    with broker() as client:
        names = sorted(client.scan_iter(f"{_WORKER}*"))
        rows = [(name, client.get(name), client.ttl(name)) for name in names]
    return [
        Worker(name.removeprefix(_WORKER), tuple(queues.split(",")), KEPT_SECONDS - ttl)
        for name, queues, ttl in rows
        if queues
    ]


def silent_queues() -> frozenset[str]:
    """Return the queues that no living worker serves: all of them when the broker does not answer.

    The result is at most `LOOK_SECONDS` old, except during the moment in which another thread reads
    it anew.
    """
    global _looked_at, _silent
    if monotonic() - _looked_at > LOOK_SECONDS:
        _looked_at = monotonic()  # The other threads use what is known.
        _silent = _find_silent_queues()
        _looked_at = monotonic()
    return _silent


def _find_silent_queues() -> frozenset[str]:
    try:
        served = {name for each in workers() if each.is_alive for name in each.queues}
    except redis.RedisError:
        served = set()
    return frozenset(QUEUES) - served


def seconds_since_sweep() -> int | None:
    """Return how many seconds ago the sweeper ran; None when it has not run within the last hour.

    Raises redis.RedisError.
    """
    with broker() as client:
        ttl = client.ttl(_SWEPT)
    return KEPT_SECONDS - ttl if ttl >= 0 else None
