"""Whether each part of the installation works, in words for people and in one for machines."""

import shutil
from collections.abc import Callable
from dataclasses import dataclass
from functools import cache
from time import monotonic

import redis
from django.conf import settings
from django.db import DatabaseError, connection, transaction
from django.db.migrations.loader import MigrationLoader
from django.db.migrations.recorder import MigrationRecorder

from puzzleclass.jobs import workers
from solvers.message import Message

LEAST_FREE = 0.05
"""Of the disk that holds what the site writes."""
LEAST_FREE_MB = 200

RECENT_SECONDS = 2.0


TITLES = {
    "schema": Message("Tables of the database"),
    "database": Message("Writing to the database"),
    "broker": Message("Redis, which carries the messages"),
    "workers": Message("Workers for all queues"),
    "sweeper": Message("The sweeper, which looks after lost jobs"),
    "disk": Message("Room on the disk"),
}
"""A part's name for machines -> for people."""


@dataclass(frozen=True, slots=True)
class Part:
    """A part of the installation: what is wrong with it, and how to mend it."""

    name: str
    fault: Message | None = None
    mend: Message | None = None

    @property
    def is_ok(self) -> bool:
        return self.fault is None

    @property
    def title(self) -> Message:
        """The part's name for people."""
        return TITLES[self.name]


def parts() -> list[Part]:
    """Return every part that must work before the site can do its work. Some queries."""
    looks: dict[str, Callable[[], Part | None]] = {
        "schema": _schema,
        "database": _database,
        "broker": _broker,
        "workers": _workers,
        "sweeper": _sweeper,
        "disk": _disk,
    }
    return [look() or Part(name) for name, look in looks.items()]


_recent: tuple[float, list[Part]] = float("-inf"), []


def recent_parts() -> list[Part]:
    """Return the same, at most `RECENT_SECONDS` old: whoever asks often costs nothing."""
    global _recent
    if monotonic() - _recent[0] > RECENT_SECONDS:
        _recent = monotonic(), parts()
    return _recent[1]


def _schema() -> Part | None:
    try:
        missing = _latest_migrations() - set(MigrationRecorder(connection).applied_migrations())
    except DatabaseError:
        return None  # the next part says so
    if not missing:
        return None
    names = ", ".join(sorted(f"{app}.{name}" for app, name in missing))
    return Part(
        "schema",
        Message("The database lacks migrations: {names}", {"names": names}),
        Message("Make a backup, then run: manage.py migrate"),
    )


@cache
def _latest_migrations() -> set[tuple[str, str]]:
    return set(MigrationLoader(None).graph.leaf_nodes())


def _database() -> Part | None:
    try:
        with transaction.atomic(), connection.cursor() as cursor:
            if MigrationRecorder(connection).has_table():
                # Changes nothing, but wants the right to.
                cursor.execute("UPDATE django_migrations SET app = app WHERE 1 = 0")
    except DatabaseError as error:
        return Part(
            "database",
            Message("The database can't be written: {error}", {"error": str(error).strip()}),
            Message(
                "See that the database server runs and that DATABASE_URL is right; with SQLite, "
                "that the file and its folder belong to the user who runs the site."
            ),
        )
    return None


def _broker() -> Part | None:
    try:
        with workers.broker() as client:
            client.ping()
    except redis.RedisError:
        return Part(
            "broker",
            Message("Redis can't be reached. Questions wait until it is back; none is lost."),
            Message("Start Redis (manage.py run does it by itself), or set REDIS_URL right."),
        )
    return None


def _workers() -> Part | None:
    try:
        alive = {name for each in workers.workers() if each.is_alive for name in each.queues}
    except redis.RedisError:
        alive = set()
    missing = [name for name in workers.QUEUES if name not in alive]
    if not missing:
        return None
    return Part(
        "workers",
        Message("No worker is alive for: {queues}", {"queues": ", ".join(missing)}),
        Message(
            "Start one: celery --app puzzleclass worker --queues {queue} (manage.py run and "
            "docker compose do it by themselves). Its log says why it ended.",
            {"queue": missing[0]},
        ),
    )


def _sweeper() -> Part | None:
    try:
        ago = workers.swept_ago()
    except redis.RedisError:
        ago = None
    if ago is not None and ago < workers.SILENT_SECONDS:
        return None
    return Part(
        "sweeper",
        Message("The sweeper has not been round for half a minute: lost jobs stay lost."),
        Message("Start the worker for the queue “sweep”, with --beat, and only one of it."),
    )


def _disk() -> Part | None:
    disk = shutil.disk_usage(settings.VAR_DIR)
    if disk.free > LEAST_FREE_MB * 2**20 and disk.free > LEAST_FREE * disk.total:
        return None
    return Part(
        "disk",
        Message(
            "The disk is nearly full: {free} MB of {total} MB are free in {folder}",
            {
                "free": disk.free // 2**20,
                "total": disk.total // 2**20,
                "folder": str(settings.VAR_DIR),
            },
        ),
        Message("Delete what is not needed, old backups first (VAR_DIR/backups)."),
    )
