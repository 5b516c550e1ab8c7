"""Find what is wrong with an installation and how to fix it, in plain words, for `manage.py
doctor`."""

import stat
from collections.abc import Iterator
from dataclasses import dataclass
from datetime import UTC, datetime, timedelta
from pathlib import Path
from typing import cast

import redis
from django.apps import apps
from django.conf import settings
from django.core.checks import ERROR, CheckMessage
from django.db import DEFAULT_DB_ALIAS, DatabaseError, connection
from django.db.models import Max
from django.utils import timezone

from puzzleclass.jobs import services as jobs
from puzzleclass.jobs import workers
from puzzleclass.jobs.models import Job
from puzzleclass.operations import state
from puzzleclass.operations.checks import (
    LIST_NAMES,
    check_secret_key,
    check_settings,
    check_tables,
    debug_is_on,
)
from puzzleclass.play.models import Step
from puzzleclass.puzzles.models import Board
from puzzleclass.rosters.models import RosterSource
from solvers.message import Message
from solvers.registry import faults, folder, is_known, kinds

MAX_CLOCKS_DIFFER = timedelta(seconds=10)
LONGEST_WAIT = timedelta(minutes=10)
CATALOGUES = "locale/*/LC_MESSAGES/django.po"


@dataclass(frozen=True, slots=True)
class Finding:
    """Something that is wrong, and how to fix it."""

    fault: Message
    remedy: Message
    is_serious: bool = True
    """Whether something does not work or is unsafe. Otherwise the finding is only a warning."""


def findings() -> Iterator[Finding]:
    """Yield what is wrong, beginning with the settings."""
    yield from _settings()
    for part in state.parts():
        if part.fault and part.remedy:
            yield Finding(part.fault, part.remedy)
    for check in (check_tables, check_secret_key):
        yield from map(_finding_of, check(None, [DEFAULT_DB_ALIAS]))
    yield from kind_findings()
    yield from _late_queues()
    yield from _clocks()
    yield from _named_like_platforms()
    yield from _files()
    yield from _generated_files()


def _settings() -> Iterator[Finding]:
    if not settings.ALLOWED_HOSTS:
        yield Finding(Message("ALLOWED_HOSTS is empty, so nobody can open the site."), LIST_NAMES)
    messages = check_settings(None)
    if settings.DEBUG and debug_is_on() not in messages:
        messages.append(debug_is_on())
    yield from map(_finding_of, messages)


def _finding_of(found: CheckMessage) -> Finding:
    """Return the finding of a system check, whose texts are Messages: see `checks._problem`."""
    fault, remedy = cast(tuple[Message, Message], (found.msg, found.hint))
    return Finding(fault, remedy, is_serious=found.level >= ERROR)


def kind_findings() -> Iterator[Finding]:
    """Yield the kinds that were left out and the kinds that stored puzzles need but that are not
    installed.

    Uses one query.
    """
    for fault in faults():
        yield Finding(
            Message("A kind of puzzle is left out: {fault}", {"fault": str(fault)}),
            Message("Repair or uninstall it, or take it out of PUZZLE_KINDS; then start again."),
            is_serious=False,
        )
    tables = [model for model in apps.get_models() if issubclass(model, Board)]
    first, *others = (
        model._base_manager.order_by().values_list("kind_slug", flat=True) for model in tables
    )
    try:
        slugs = set(first.union(*others))
    except DatabaseError:
        return
    for slug in sorted(slug for slug in slugs if not is_known(slug)):
        yield Finding(
            Message(
                "Puzzles of the kind “{name}” are stored, but it is not installed.", {"name": slug}
            ),
            Message(
                "Install the kind again, and restart the site and its workers. Until then its "
                "puzzles can be looked at, but not played."
            ),
            is_serious=False,
        )


def _late_queues() -> Iterator[Finding]:
    """Yield the queues with short jobs that a worker should have taken long ago."""
    try:
        queues = [each for each in jobs.queues() if each.name != "solve" and each.oldest]
    except DatabaseError:
        return
    late = [q.name for q in queues if q.oldest and timezone.now() - q.oldest > LONGEST_WAIT]
    if late:
        yield Finding(
            Message(
                "Short jobs have been waiting for more than ten minutes: {queues}",
                {"queues": ", ".join(late)},
            ),
            Message("Start more workers for the queue, or check their log for the reason."),
            is_serious=False,
        )


def _clocks() -> Iterator[Finding]:
    """Yield clocks that differ, or that have been set back since something was stored."""
    now = timezone.now()
    remedy = Message("Set the clock, and keep it right with a time service (NTP).")
    try:
        with workers.broker() as client:
            seconds, micros = client.time()
        there = datetime.fromtimestamp(seconds + micros / 1e6, UTC)
        if abs(there - now) > MAX_CLOCKS_DIFFER:
            yield Finding(
                Message(
                    "The clocks of this machine and of Redis differ by {seconds} seconds.",
                    {"seconds": round(abs((there - now).total_seconds()))},
                ),
                remedy,
                is_serious=False,
            )
    except redis.RedisError:
        pass  # `state.parts` reports it
    try:
        latest = [
            Job.objects.order_by().aggregate(at=Max("asked_at"))["at"],
            Step.objects.order_by("-pk").values_list("at", flat=True).first(),
        ]
    except DatabaseError:
        return
    ahead = max((at - now for at in latest if at), default=timedelta(0))
    if ahead > MAX_CLOCKS_DIFFER:
        yield Finding(
            Message(
                "The clock has been set back: the database holds times that are {seconds} seconds "
                "ahead.",
                {"seconds": round(ahead.total_seconds())},
            ),
            remedy,
            is_serious=False,
        )


def _named_like_platforms() -> Iterator[Finding]:
    """Yield the rosters whose source has the name that identifiers of a platform once had.

    Nobody signs in by them. Whoever imported them may have tried to.
    """
    rows = RosterSource.objects.filter(name__regex=r"^lti [1-9][0-9]*$")
    try:
        sources = list(rows.select_related("school"))
    except DatabaseError:
        return
    for source in sources:
        yield Finding(
            Message(
                "A roster of “{school}” has the name of a learning platform ({name}). By such a "
                "roster, others could once sign in as the people that it names.",
                {"school": source.school.name, "name": source.name},
            ),
            Message(
                "Look at the imports of this school, and ask its administrators. The people of the "
                "platform connect their accounts once more."
            ),
            is_serious=False,
        )


def _files() -> Iterator[Finding]:
    """Yield files of ours that other users can read and folders that we can't write."""
    var = Path(settings.VAR_DIR)
    probe = var / ".doctor"
    try:
        probe.write_text("")
        probe.unlink()
    except OSError as error:
        yield Finding(
            Message(
                "The folder {folder} can't be written to: {error}",
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


def _generated_files() -> Iterator[Finding]:
    """Yield generated files that are missing or, in a checkout, older than their sources.

    The files of a package have the times at which they were unpacked.
    """
    homes = [Path(settings.BASE_DIR) / "puzzleclass", *map(folder, kinds().values())]
    stale = [
        f"{home.name} ({source.parents[1].name})"
        for home in homes
        for source in sorted(home.glob(CATALOGUES))
        if _is_older(source.with_suffix(".mo"), source)
    ]
    if stale:
        yield Finding(
            Message(
                "The compiled translations are older than their sources: {names}",
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
    if not made.exists():
        return True
    return settings.IS_CHECKOUT and made.stat().st_mtime < source.stat().st_mtime
