"""Find whether each part of the installation works.

A part has a fault in words for people and a name for machines.
"""

import shutil
from collections.abc import Callable
from dataclasses import dataclass
from functools import cache
from pathlib import Path
from time import monotonic

import redis
from django.conf import settings
from django.db import DatabaseError, connection, transaction
from django.db.migrations.loader import MigrationLoader
from django.db.migrations.recorder import MigrationRecorder

from puzzleclass.jobs import workers
from puzzleclass.launcher.kernels import is_compiling
from solvers.message import Message

LEAST_FREE = 0.05
"""The least share of free space on each disk that the site writes to."""
LEAST_FREE_MB = 200

RECENT_SECONDS = 2.0


TITLES = {
    "schema": Message("Tables of the database"),
    "database": Message("Writing to the database"),
    "broker": Message("Redis, the message broker"),
    "workers": Message("Workers for all queues"),
    "sweeper": Message("The sweeper, which restarts interrupted jobs"),
    "disk": Message("Free disk space"),
}
"""A part's name for machines -> its name for people."""


@dataclass(frozen=True, slots=True)
class InstallationPart:
    """A part of the installation, with its fault, if there is one, and how to fix it."""

    name: str
    fault: Message | None = None
    remedy: Message | None = None

    @property
    def is_ok(self) -> bool:
        return self.fault is None

    @property
    def title(self) -> Message:
        """The part's name for people."""
        return TITLES[self.name]


def parts() -> list[InstallationPart]:
    """Return every part that must work so that the site can do its work. Uses some queries."""
    looks: dict[str, Callable[[], InstallationPart | None]] = {
        "schema": _schema,
        "database": _database,
        "broker": _broker,
        "workers": _workers,
        "sweeper": _sweeper,
        "disk": _disk,
    }
    return [look() or InstallationPart(name) for name, look in looks.items()]


_recent: tuple[float, list[InstallationPart]] = float("-inf"), []


def recent_parts() -> list[InstallationPart]:
    """Return the parts as of at most `RECENT_SECONDS` ago, so that frequent requests cost
    nothing."""
    global _recent
    if monotonic() - _recent[0] > RECENT_SECONDS:
        _recent = monotonic(), parts()
    return _recent[1]


def _schema() -> InstallationPart | None:
    try:
        missing = _latest_migrations() - set(MigrationRecorder(connection).applied_migrations())
    except DatabaseError:
        return None  # the part "database" reports it
    if not missing:
        return None
    names = ", ".join(sorted(f"{app}.{name}" for app, name in missing))
    return InstallationPart(
        "schema",
        Message("The database lacks migrations: {names}", {"names": names}),
        Message("Make a backup, then run: manage.py migrate"),
    )


@cache
def _latest_migrations() -> set[tuple[str, str]]:
    return set(MigrationLoader(None).graph.leaf_nodes())


def _database() -> InstallationPart | None:
    try:
        with transaction.atomic(), connection.cursor() as cursor:
            if MigrationRecorder(connection).has_table():
                # This changes nothing, but needs the right to write.
                cursor.execute("UPDATE django_migrations SET app = app WHERE 1 = 0")
    except DatabaseError as error:
        return InstallationPart(
            "database",
            Message("The database can't be written: {error}", {"error": str(error).strip()}),
            Message(
                "Check that the database server is running and that DATABASE_URL is right. "
                "With SQLite, check that the file and its folder belong to the user who runs "
                "the site."
            ),
        )
    return None


def _broker() -> InstallationPart | None:
    try:
        with workers.broker() as client:
            client.ping()
    except redis.RedisError:
        return InstallationPart(
            "broker",
            Message("Redis can't be reached. Jobs wait until it is back, and none is lost."),
            Message("Start Redis (manage.py run starts it automatically), or correct REDIS_URL."),
        )
    return None


def _workers() -> InstallationPart | None:
    silent = workers.silent_queues()
    missing = [name for name in workers.QUEUES if name in silent]
    if not missing:
        return None
    if is_compiling():
        return InstallationPart(
            "workers",
            Message("The solvers are being compiled. Calculations wait until that is done."),
            Message("Wait a minute or two."),
        )
    return InstallationPart(
        "workers",
        Message("No worker is running for: {queues}", {"queues": ", ".join(missing)}),
        Message(
            "Start one: celery --app puzzleclass worker --queues {queue} (manage.py run and "
            "docker compose start it automatically). Its log says why it stopped.",
            {"queue": missing[0]},
        ),
    )


def _sweeper() -> InstallationPart | None:
    try:
        ago = workers.seconds_since_sweep()
    except redis.RedisError:
        ago = None
    if ago is not None and ago < workers.SILENT_SECONDS:
        return None
    return InstallationPart(
        "sweeper",
        Message(
            "The sweeper has not run for {seconds} seconds, so interrupted jobs are not started "
            "again.",
            {"seconds": workers.SILENT_SECONDS},
        ),
        Message("Start exactly one worker for the queue “sweep”, with --beat."),
    )


def _disk() -> InstallationPart | None:
    for folder in _written_folders():
        disk = shutil.disk_usage(folder)
        if disk.free > LEAST_FREE_MB * 2**20 and disk.free > LEAST_FREE * disk.total:
            continue
        return InstallationPart(
            "disk",
            Message(
                "The disk is nearly full: only {free} MB of {total} MB are free in {folder}",
                {"free": disk.free // 2**20, "total": disk.total // 2**20, "folder": str(folder)},
            ),
            Message("Delete what is not needed, old backups first (VAR_DIR/backups)."),
        )
    return None


def _written_folders() -> list[Path]:
    """Return the folders in which the site stores its data."""
    folders = [Path(settings.VAR_DIR)]
    if connection.vendor == "sqlite":
        database = Path(connection.settings_dict["NAME"]).parent
        folders += [database] if database.is_dir() else []
    return folders
