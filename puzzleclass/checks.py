"""System checks: what would fail, or be unsafe, only once people use the site.

The ids are stable. `manage.py check` shows what it finds in the settings, and so does every start.
The database is looked at by `manage.py run`, `manage.py migrate`, and
`manage.py check --database default`.
"""

import os
from collections.abc import Iterator, Sequence
from importlib import import_module
from urllib.parse import urlsplit

from django.conf import settings
from django.core.checks import CheckMessage, Error, Tags, Warning, register
from django.db import DatabaseError, connections
from django.db.backends.base.base import BaseDatabaseWrapper
from django.db.migrations.loader import MigrationLoader

from solvers.kind import PuzzleError
from solvers.message import Message

SHORTEST_SECRET = 32
QUOTAS = ("MOST_JOBS", "MOST_SIGN_UPS_A_DAY", "MOST_TRIES_A_DAY", "MOST_STEPS_A_DAY")
LIST_NAMES = Message("List the names that people type: ALLOWED_HOSTS=puzzles.school.example")
LOCAL_HOSTS = {"localhost", "127.0.0.1", "[::1]", "::1"}


@register
def check_settings(app_configs: object, **kwargs: object) -> list[CheckMessage]:
    """Return everything that is wrong with the settings taken together."""
    parts = (_secret, _debug, _hosts, _database, _numbers, _mail, _solvers)
    return [message for part in parts for message in part()]


def _complaint(name: str, fault: Message, mend: Message) -> CheckMessage:
    """Return what Django shows in English, and `manage.py doctor` in the reader's language."""
    kind = Error if name.startswith("E") else Warning
    return kind(fault, hint=mend, id=f"puzzleclass.{name}")  # type: ignore[arg-type]


def _secret() -> Iterator[CheckMessage]:
    if len(settings.SECRET_KEY) < SHORTEST_SECRET or len(set(settings.SECRET_KEY)) < 5:
        yield _complaint(
            "E001",
            Message("SECRET_KEY can be guessed: whoever does can sign in as anybody."),
            Message("Make one: python -c 'import secrets; print(secrets.token_urlsafe(50))'"),
        )
    is_given = os.environ.get("SECRET_KEY") or os.environ.get("SECRET_KEY_FILE")
    if _has_database_server() and not is_given:
        yield _complaint(
            "W001",
            Message("SECRET_KEY is this machine's own, but the database is shared with others."),
            Message("Give every machine the same SECRET_KEY."),
        )


def _debug() -> Iterator[CheckMessage]:
    if settings.DEBUG and (_has_database_server() or _outside_hosts()):
        yield debug_is_on()


def debug_is_on() -> CheckMessage:
    """Return what is said of DEBUG; while nobody else reaches the site, by the doctor alone."""
    return _complaint(
        "W002",
        Message("DEBUG is on, and others can reach the site: errors show its settings to them."),
        Message("Set DEBUG=0 and start the site again."),
    )


def _hosts() -> Iterator[CheckMessage]:
    if "*" in settings.ALLOWED_HOSTS:
        fault = "ALLOWED_HOSTS lets every name in, so a forged one gets into links."
        yield _complaint("W003", Message(fault), LIST_NAMES)
    if (outside := _outside_hosts()) and not settings.HTTPS:
        yield _complaint(
            "W004",
            Message(
                "HTTPS is off, but people come from elsewhere ({hosts}): passwords can be read on "
                "the way.",
                {"hosts": ", ".join(outside)},
            ),
            Message("Put a proxy with HTTPS before the site and set HTTPS=1 (docs/running.md)."),
        )


def _database() -> Iterator[CheckMessage]:
    if not _has_database_server() and _redis_host() not in LOCAL_HOSTS | {None}:
        yield _complaint(
            "E002",
            Message(
                "Redis is on another machine ({host}), but the database is a file on this one.",
                {"host": _redis_host()},
            ),
            Message("Set DATABASE_URL to a PostgreSQL server that all machines reach."),
        )


def _numbers() -> Iterator[CheckMessage]:
    if settings.JOB_DEADLINE_SECONDS < 1:
        fault = Message("JOB_DEADLINE_SECONDS leaves the workers no time.")
        yield _complaint("E003", fault, Message("Give it a number of seconds, like 600."))
    if settings.JOBS_KEPT_DAYS < 1:
        fault = Message("JOBS_KEPT_DAYS deletes answers while people look at them.")
        yield _complaint("E007", fault, Message("Give it a number of days, like 90."))
    for name in QUOTAS:
        if getattr(settings, name) < 1:
            fault = Message("{name} allows nothing.", {"name": name})
            yield _complaint("E008", fault, Message("Give it a number over 0."))


def _mail() -> Iterator[CheckMessage]:
    if settings.EMAIL_HOST and settings.EMAIL_USE_TLS and settings.EMAIL_USE_SSL:
        yield _complaint(
            "E009",
            Message("EMAIL_USE_TLS and EMAIL_USE_SSL exclude each other."),
            Message("Port 587: EMAIL_USE_TLS=1. Port 465: EMAIL_USE_SSL=1 and EMAIL_USE_TLS=0."),
        )


def _solvers() -> Iterator[CheckMessage]:
    """What the solvers read from the environment themselves."""
    read = {
        "E004": (
            "solvers.memory",
            Message("Give it a number, like 2048: so much may each worker take."),
        ),
        "E005": (
            "solvers.threads",
            Message("Give it a number, like 2; without one a count uses all cores."),
        ),
    }
    for name, (module, mend) in read.items():
        try:
            import_module(module).setting()
        except PuzzleError as error:
            yield _complaint(name, error.message, mend)


@register(Tags.database)
def check_tables(
    app_configs: object, databases: Sequence[str] | None = None, **kwargs: object
) -> list[CheckMessage]:
    """Return whether the tables are those that the migrations applied to them make.

    Before the first release migrations were edited in place. A database made by one of those
    states counts as up to date, and fails only when a page asks for a column.
    """
    return [error for alias in databases or () for error in _tables(alias)]


def _tables(alias: str) -> Iterator[CheckMessage]:
    try:
        differing = differences(connections[alias])
    except DatabaseError:
        return  # away: whoever needs the database says so
    if differing:
        yield _complaint(
            "E006",
            Message(
                "The database was made by another version: {tables}",
                {"tables": "; ".join(differing)},
            ),
            Message(
                "Releases from 0.1 on can be brought up to date; this is from before 0.1, or from "
                "a later release than this one. Run the version that made it, or set the database "
                "aside (with SQLite: move var/puzzleclass.sqlite3* away) and begin with an empty "
                "one."
            ),
        )


def differences(connection: BaseDatabaseWrapper) -> list[str]:
    """Return where tables differ from what the applied migrations make, a line for each table.

    Only the names of tables and columns are compared, which takes some milliseconds. Raises
    DatabaseError.
    """
    loader = MigrationLoader(connection)
    applied = [node for node in loader.graph.nodes if node in loader.applied_migrations]
    models = loader.project_state(applied).apps.get_models(include_auto_created=True)
    found = []
    with connection.cursor() as cursor:
        there = set(connection.introspection.table_names(cursor))
        for meta in (model._meta for model in models if model._meta.managed):
            if meta.db_table not in there:
                found.append(f"no table {meta.db_table}")
                continue
            description = connection.introspection.get_table_description(cursor, meta.db_table)
            columns = {column.name for column in description}
            expected = {str(field.column) for field in meta.local_concrete_fields}
            if columns != expected:
                lacks = [f"no column {name}" for name in sorted(expected - columns)]
                more = [f"an unknown column {name}" for name in sorted(columns - expected)]
                found.append(f"{meta.db_table} has {' and '.join(lacks + more)}")
    return found


def _has_database_server() -> bool:
    return not settings.DATABASES["default"]["ENGINE"].endswith("sqlite3")


def _outside_hosts() -> list[str]:
    return [host for host in settings.ALLOWED_HOSTS if host not in LOCAL_HOSTS]


def _redis_host() -> str | None:
    """The machine Redis is on; None for a socket on this one."""
    url: str = settings.REDIS_URL
    return urlsplit(url).hostname
