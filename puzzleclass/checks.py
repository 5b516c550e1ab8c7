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

SHORTEST_SECRET = 32
QUOTAS = ("MOST_JOBS", "MOST_SIGN_UPS_A_DAY", "MOST_TRIES_A_DAY", "MOST_STEPS_A_DAY")
LOCAL_HOSTS = {"localhost", "127.0.0.1", "[::1]", "::1"}


@register
def check_settings(app_configs: object, **kwargs: object) -> list[CheckMessage]:
    """Return everything that is wrong with the settings taken together."""
    parts = (_secret, _debug, _hosts, _database, _deadline, _keeping, _quotas, _mail, _solvers)
    return [message for part in parts for message in part()]


def _secret() -> Iterator[CheckMessage]:
    if len(settings.SECRET_KEY) < SHORTEST_SECRET or len(set(settings.SECRET_KEY)) < 5:
        yield Error(
            f"SECRET_KEY is guessable: it needs {SHORTEST_SECRET} random characters or more.",
            hint="Make one with: python -c 'import secrets; print(secrets.token_urlsafe(50))'",
            id="puzzleclass.E001",
        )
    is_given = os.environ.get("SECRET_KEY") or os.environ.get("SECRET_KEY_FILE")
    if _has_database_server() and not is_given:
        yield Warning(
            "SECRET_KEY is kept in this machine's own folder, but the database is shared.",
            hint="Give every machine the same SECRET_KEY or SECRET_KEY_FILE; "
            "otherwise each one signs the others' visitors out.",
            id="puzzleclass.W001",
        )


def _debug() -> Iterator[CheckMessage]:
    if settings.DEBUG and (_has_database_server() or _outside_hosts()):
        yield Warning(
            "DEBUG is on, and others can reach this site: errors show its settings to them.",
            hint="Set DEBUG=0.",
            id="puzzleclass.W002",
        )


def _hosts() -> Iterator[CheckMessage]:
    if "*" in settings.ALLOWED_HOSTS:
        yield Warning(
            "ALLOWED_HOSTS allows every name, so a forged one gets into links.",
            hint="List the names people use, like ALLOWED_HOSTS=puzzles.school.example.",
            id="puzzleclass.W003",
        )
    if (outside := _outside_hosts()) and not settings.HTTPS:
        yield Warning(
            f"HTTPS is off, but people come from elsewhere ({', '.join(outside)}): "
            "passwords and PINs cross the network readable.",
            hint="Put a proxy with HTTPS before the site and set HTTPS=1.",
            id="puzzleclass.W004",
        )


def _database() -> Iterator[CheckMessage]:
    if not _has_database_server() and _redis_host() not in LOCAL_HOSTS | {None}:
        yield Error(
            f"Redis is on another machine ({_redis_host()}), but the database is a file on this "
            "one: workers elsewhere can't see it.",
            hint="Set DATABASE_URL to a PostgreSQL server that all machines reach.",
            id="puzzleclass.E002",
        )


def _deadline() -> Iterator[CheckMessage]:
    if settings.JOB_DEADLINE_SECONDS < 1:
        yield Error(
            "JOB_DEADLINE_SECONDS leaves jobs no time.",
            hint="Give it a number of seconds, like 600.",
            id="puzzleclass.E003",
        )


def _keeping() -> Iterator[CheckMessage]:
    if settings.JOBS_KEPT_DAYS < 1:
        yield Error(
            "JOBS_KEPT_DAYS deletes answers while people look at them.",
            hint="Give it a number of days, like 90.",
            id="puzzleclass.E007",
        )


def _quotas() -> Iterator[CheckMessage]:
    for name in QUOTAS:
        if getattr(settings, name) < 1:
            yield Error(
                f"{name} allows nothing.", hint="Give it a number over 0.", id="puzzleclass.E008"
            )


def _mail() -> Iterator[CheckMessage]:
    if settings.EMAIL_HOST and settings.EMAIL_USE_TLS and settings.EMAIL_USE_SSL:
        yield Error(
            "EMAIL_USE_TLS and EMAIL_USE_SSL exclude each other.",
            hint="Port 587: EMAIL_USE_TLS=1. Port 465: EMAIL_USE_SSL=1 and EMAIL_USE_TLS=0.",
            id="puzzleclass.E009",
        )


def _solvers() -> Iterator[CheckMessage]:
    """What the solvers read from the environment themselves."""
    hints = {
        "solvers.memory": "Give it a number, like 2048: so much may each process that counts take.",
        "solvers.threads": "Give it a number, like 2; without one a count uses all cores.",
    }
    for number, (module, hint) in enumerate(hints.items(), 4):
        try:
            import_module(module).setting()
        except PuzzleError as error:
            yield Error(str(error), hint=hint, id=f"puzzleclass.E{number:03}")


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
        yield Error(
            "The database was made by another version, whose tables differ from those its "
            f"migrations make now: {'; '.join(differing)}.",
            hint="Releases from 0.1 on can be brought up to date; this is from before 0.1, or from "
            "a later release than this one. Run the version that made it, or set the database "
            "aside (with SQLite: move var/puzzleclass.sqlite3* away) and begin with an empty one.",
            id="puzzleclass.E006",
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
