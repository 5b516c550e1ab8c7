"""What `manage.py doctor` finds wrong with an installation, in plain words, and how to mend it."""

import stat
from collections.abc import Iterator
from dataclasses import dataclass
from datetime import UTC, datetime, timedelta
from pathlib import Path
from typing import cast

import redis
from django.conf import settings
from django.core.checks import ERROR, CheckMessage
from django.db import DEFAULT_DB_ALIAS, DatabaseError, connection
from django.db.models import Max
from django.utils import timezone

from puzzleclass.checks import LIST_NAMES, check_settings, check_tables, debug_is_on
from puzzleclass.jobs import workers
from puzzleclass.jobs.models import Job
from puzzleclass.monitoring import state
from puzzleclass.play.models import Step
from solvers.message import Message
from solvers.registry import folder, kinds

MOST_CLOCKS_DIFFER = timedelta(seconds=10)
LONGEST_WAIT = timedelta(minutes=10)
CATALOGUE = Path("locale", "ja", "LC_MESSAGES", "django.po")


@dataclass(frozen=True, slots=True)
class Finding:
    """Something that is wrong, and how to mend it."""

    fault: Message
    mend: Message
    is_serious: bool = True
    """Something does not work, or is unsafe; else it is no more than a warning."""


def findings() -> Iterator[Finding]:
    """Yield what is wrong, the settings first."""
    yield from _settings()
    for part in state.parts():
        if part.fault and part.mend:
            yield Finding(part.fault, part.mend)
    yield from map(_of_check, check_tables(None, [DEFAULT_DB_ALIAS]))
    yield from _waiting()
    yield from _clocks()
    yield from _files()
    yield from _built()


def _settings() -> Iterator[Finding]:
    if not settings.ALLOWED_HOSTS:
        yield Finding(Message("ALLOWED_HOSTS is empty: nobody can open the site."), LIST_NAMES)
    found = check_settings(None)
    if settings.DEBUG and debug_is_on() not in found:
        found.append(debug_is_on())
    yield from map(_of_check, found)


def _of_check(found: CheckMessage) -> Finding:
    """Return what a check found. Its words are Messages: see `checks._complaint`."""
    fault, mend = cast(tuple[Message, Message], (found.msg, found.hint))
    return Finding(fault, mend, is_serious=found.level >= ERROR)


def _waiting() -> Iterator[Finding]:
    """Questions that a living worker should have taken up long ago."""
    try:
        queues = [each for each in workers.queues() if each.name != "solve" and each.oldest]
    except DatabaseError:
        return
    late = [q.name for q in queues if q.oldest and timezone.now() - q.oldest > LONGEST_WAIT]
    if late:
        yield Finding(
            Message(
                "Short questions have waited for more than ten minutes: {queues}",
                {"queues": ", ".join(late)},
            ),
            Message("Start more workers for the queue, or find in their log what keeps them."),
            is_serious=False,
        )


def _clocks() -> Iterator[Finding]:
    """Clocks that differ from each other, or that were set back since something was stored."""
    now = timezone.now()
    mend = Message("Set the clock, and keep it right with a time service (NTP).")
    try:
        with workers.broker() as client:
            seconds, micros = client.time()
        there = datetime.fromtimestamp(seconds + micros / 1e6, UTC)
        if abs(there - now) > MOST_CLOCKS_DIFFER:
            yield Finding(
                Message(
                    "The clocks of this machine and of Redis differ by {seconds} seconds.",
                    {"seconds": round(abs((there - now).total_seconds()))},
                ),
                mend,
                is_serious=False,
            )
    except redis.RedisError:
        pass  # said already
    try:
        latest = [
            Job.objects.order_by().aggregate(at=Max("asked_at"))["at"],
            Step.objects.order_by("-pk").values_list("at", flat=True).first(),
        ]
    except DatabaseError:
        return
    ahead = max((at - now for at in latest if at), default=timedelta(0))
    if ahead > MOST_CLOCKS_DIFFER:
        yield Finding(
            Message(
                "The clock has been set back: the database holds times that are {seconds} seconds "
                "ahead.",
                {"seconds": round(ahead.total_seconds())},
            ),
            mend,
            is_serious=False,
        )


def _files() -> Iterator[Finding]:
    """What of ours somebody else may read or we may not write."""
    var = Path(settings.VAR_DIR)
    probe = var / ".doctor"
    try:
        probe.write_text("")
        probe.unlink()
    except OSError as error:
        yield Finding(
            Message(
                "Nothing can be written in {folder}: {error}",
                {"folder": str(var), "error": error.strerror or ""},
            ),
            Message("Give the folder to the user who runs the site (chown)."),
        )
    private = [var / "secret-key", *(var / "backups").glob("*.gz")]
    if connection.vendor == "sqlite":
        private.append(Path(connection.settings_dict["NAME"]))
    for path in private:
        if path.is_file() and stat.S_IMODE(path.stat().st_mode) & 0o077:
            yield Finding(
                Message("Others on this machine can read {file}.", {"file": str(path)}),
                Message("chmod 600 {file}", {"file": str(path)}),
            )


def _built() -> Iterator[Finding]:
    """What is made from the sources and is older than these, or missing."""
    homes = [Path(settings.BASE_DIR) / "puzzleclass", *map(folder, kinds().values())]
    stale = [
        str(home.name)
        for home in homes
        if (source := home / CATALOGUE).exists() and _is_older(source.with_suffix(".mo"), source)
    ]
    if stale:
        yield Finding(
            Message(
                "The Japanese texts are older than their sources: {names}",
                {"names": ", ".join(stale)},
            ),
            Message("Run: manage.py messages --compile"),
            is_serious=False,
        )
    manifest = Path(settings.STATIC_ROOT) / "staticfiles.json"
    if not settings.DEBUG and not manifest.exists():
        yield Finding(
            Message("The style sheets and scripts have not been collected."),
            Message("Run: manage.py collectstatic (manage.py run does it by itself)."),
        )


def _is_older(made: Path, source: Path) -> bool:
    return not made.exists() or made.stat().st_mtime < source.stat().st_mtime
