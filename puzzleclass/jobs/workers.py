"""Which workers live, when the sweeper has been round, and how long the queues are.

A worker says in Redis every few seconds that it lives, under a key that fades by Redis's own
clock: no clocks of two machines are compared.
"""

from dataclasses import dataclass
from datetime import datetime
from time import monotonic

import redis
from celery.signals import heartbeat_sent
from celery.worker.heartbeat import Heart
from django.conf import settings
from django.db.models import Count, Min, Q

from puzzleclass.jobs.models import LONG, Job

QUEUES = (LONG, "hint", "review", "sweep")
"""Each needs a worker."""

BEAT_SECONDS = 5
KEPT_SECONDS = 3600
"""So long it is remembered that a worker lived, or that the sweeper was here."""
SILENT_SECONDS = 30
"""Who has said nothing for so long counts as dead; a round of the sweeper takes three seconds."""

_WORKER, _SWEPT = "puzzleclass:worker:", "puzzleclass:swept"
_last_beat = float("-inf")


@dataclass(frozen=True, slots=True)
class Worker:
    """A worker that was alive within the hour."""

    name: str
    queues: tuple[str, ...]
    silent: int
    """Seconds since it last said that it lives."""

    @property
    def is_alive(self) -> bool:
        return self.silent < SILENT_SECONDS


@dataclass(frozen=True, slots=True)
class Queue:
    """How much there is to do in a queue."""

    name: str
    waiting: int
    running: int
    oldest: datetime | None
    """When the job was asked that has waited longest."""


def broker() -> redis.Redis:
    """Return a client of the broker, which may be away: then its calls raise redis.RedisError."""
    # `redis+socket://` is Celery's word for `unix://`.
    url = settings.REDIS_URL.replace("redis+socket://", "unix://")
    return redis.Redis.from_url(
        url, decode_responses=True, socket_timeout=1, socket_connect_timeout=1
    )


@heartbeat_sent.connect
def say_alive(sender: Heart, **kwargs: object) -> None:
    """Write down that this worker lives; without a broker nobody can know it."""
    global _last_beat
    if monotonic() - _last_beat < BEAT_SECONDS:
        return
    _last_beat = monotonic()
    queues = ",".join(sorted(sender.eventer.app.amqp.queues.consume_from))
    _keep(f"{_WORKER}{sender.eventer.hostname}", queues)


def say_swept() -> None:
    """Write down that the sweeper has been round."""
    _keep(_SWEPT, "1")


def _keep(key: str, value: str) -> None:
    try:
        with broker() as client:
            client.set(key, value, ex=KEPT_SECONDS)
    except redis.RedisError:
        return


def workers() -> list[Worker]:
    """Return the workers of the last hour by name. Raises redis.RedisError."""
    with broker() as client:
        names = sorted(client.scan_iter(f"{_WORKER}*"))
        found = [(name, client.get(name), client.ttl(name)) for name in names]
    return [
        Worker(name.removeprefix(_WORKER), tuple(queues.split(",")), KEPT_SECONDS - ttl)
        for name, queues, ttl in found
        if queues
    ]


def swept_ago() -> int | None:
    """Return how many seconds ago the sweeper was round; None when it wasn't within the hour.

    Raises redis.RedisError.
    """
    with broker() as client:
        ttl = client.ttl(_SWEPT)
    return KEPT_SECONDS - ttl if ttl >= 0 else None


def queues() -> list[Queue]:
    """Return what is to be done in each queue that jobs wait in. One query."""
    states = Job.objects.filter(state__in=(Job.State.WAITING, Job.State.RUNNING)).order_by()
    waiting = Q(state=Job.State.WAITING)
    rows = states.values("queue").annotate(
        waiting=Count("pk", filter=waiting),
        running=Count("pk", filter=~waiting),
        oldest=Min("asked_at", filter=waiting),
    )
    known = {
        row["queue"]: Queue(row["queue"], row["waiting"], row["running"], row["oldest"])
        for row in rows
    }
    return [known.get(name) or Queue(name, 0, 0, None) for name in QUEUES if name != "sweep"]
