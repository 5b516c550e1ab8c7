"""System checks for what would fail or be unsafe only once people use the site.

The ids are stable. `manage.py check` checks the settings, and so does every start. The database is
checked by `manage.py run`, `manage.py migrate` and `manage.py check --database default`.
"""

import os
from collections.abc import Iterator, Sequence
from importlib import import_module
from urllib.parse import urlsplit

from django.conf import settings
from django.core.checks import CheckMessage, Error, Tags, Warning, register
from django.db import DatabaseError, connections

from puzzleclass.address import is_loopback
from puzzleclass.operations.models import KeyProof
from puzzleclass.operations.schema import differences
from solvers.kind import PuzzleError
from solvers.message import Message

SHORTEST_SECRET = 32
QUOTAS = ("MAX_JOBS", "MAX_SIGN_UPS_PER_DAY", "MAX_ATTEMPTS_PER_DAY", "MAX_STEPS_PER_DAY")
RENAMED = {
    "MOST_JOBS": "MAX_JOBS",
    "MOST_PUZZLES": "MAX_PUZZLES",
    "MOST_SIGN_UPS_A_DAY": "MAX_SIGN_UPS_PER_DAY",
    "MOST_STEPS_A_DAY": "MAX_STEPS_PER_DAY",
    "MOST_TRIES_A_DAY": "MAX_ATTEMPTS_PER_DAY",
}
"""Former name of a variable of the environment -> its name now."""
LIST_NAMES = Message("List the names that people type: ALLOWED_HOSTS=puzzles.school.example")


@register
def check_settings(app_configs: object, **kwargs: object) -> list[CheckMessage]:
    """Return everything that is wrong with the settings taken together."""
    parts = (
        *(_secret, _debug, _hosts, _proxies, _public_url),
        *(_database, _numbers, _mail, _solvers),
    )
    return [message for part in parts for message in part()]


def _problem(name: str, fault: Message, remedy: Message) -> CheckMessage:
    """Return a message of the checks. Django shows it in English, and `manage.py doctor` in the
    reader's language."""
    kind = Error if name.startswith("E") else Warning
    return kind(fault, hint=remedy, id=f"puzzleclass.{name}")  # type: ignore[arg-type]


def _secret() -> Iterator[CheckMessage]:
    if len(settings.SECRET_KEY) < SHORTEST_SECRET or len(set(settings.SECRET_KEY)) < 5:
        yield _problem(
            "E001",
            Message(
                "SECRET_KEY can be guessed. Anybody who guesses it can sign in as anybody else."
            ),
            Message("Make one: python -c 'import secrets; print(secrets.token_urlsafe(50))'"),
        )
    is_given = os.environ.get("SECRET_KEY") or os.environ.get("SECRET_KEY_FILE")
    if _is_database_elsewhere() and not is_given:
        yield _problem(
            "W001",
            Message("SECRET_KEY is this machine's own, but the database is shared with others."),
            Message("Give every machine the same SECRET_KEY."),
        )


def _debug() -> Iterator[CheckMessage]:
    if settings.DEBUG and (_has_database_server() or _outside_hosts()):
        yield debug_is_on()


def debug_is_on() -> CheckMessage:
    """Return the warning about DEBUG. The doctor also gives it while nobody else can reach the
    site."""
    return _problem(
        "W002",
        Message("DEBUG is on, and others can reach the site. Errors show them its settings."),
        Message("Set DEBUG=0 and start the site again."),
    )


def _hosts() -> Iterator[CheckMessage]:
    if "*" in settings.ALLOWED_HOSTS:
        fault = "ALLOWED_HOSTS lets every name in, so a forged one gets into links."
        yield _problem("W003", Message(fault), LIST_NAMES)
    if (outside := _outside_hosts()) and not settings.HTTPS:
        yield _problem(
            "W004",
            Message(
                "HTTPS is off, but people use the site from other machines ({hosts}): passwords "
                "can be read on the way.",
                {"hosts": ", ".join(outside)},
            ),
            Message(
                "Put a proxy with HTTPS in front of the site, and set HTTPS=1 (docs/running.md)."
            ),
        )


def _proxies() -> Iterator[CheckMessage]:
    if settings.TRUSTED_PROXIES < 0:
        fault = Message("TRUSTED_PROXIES is not a number of proxies.")
        yield _problem("E010", fault, Message("Set it to the number of proxies, such as 1."))
    if settings.HTTPS and settings.TRUSTED_PROXIES == 0:
        yield _problem(
            "W005",
            Message(
                "There is a proxy in front of the site, but all visitors are counted by the "
                "proxy's address."
            ),
            Message(
                "Set TRUSTED_PROXIES to the number of proxies: wrong passwords, PINs and class "
                "codes are counted by the visitor's address."
            ),
        )


def _public_url() -> Iterator[CheckMessage]:
    remedy = Message("Set PUBLIC_URL to the address people type: PUBLIC_URL=https://school.example")
    if not _outside_hosts() and not settings.HTTPS:
        return
    if not settings.PUBLIC_URL:
        fault = Message(
            "PUBLIC_URL is not set: cards, QR codes and e-mails bear whatever name a visitor typed."
        )
        yield _problem("W006", fault, remedy)
    elif is_loopback(settings.PUBLIC_URL):
        fault = Message(
            "PUBLIC_URL is {url}, which only this computer can open: cards and QR codes with it "
            "lead nowhere.",
            {"url": settings.PUBLIC_URL},
        )
        yield _problem("W006", fault, remedy)


def _database() -> Iterator[CheckMessage]:
    if not _has_database_server() and _redis_host() not in settings.LOCAL_HOSTS | {None}:
        yield _problem(
            "E002",
            Message(
                "Redis is on another machine ({host}), but the database is a file on this one.",
                {"host": _redis_host()},
            ),
            Message("Set DATABASE_URL to a PostgreSQL server that all machines reach."),
        )


def _numbers() -> Iterator[CheckMessage]:
    for old, new in RENAMED.items():
        if old in os.environ:
            fault = Message("{old} is no longer read.", {"old": old})
            yield _problem("W008", fault, Message("Call it {new}.", {"new": new}))
    if settings.JOB_DEADLINE_SECONDS < 1:
        fault = Message("JOB_DEADLINE_SECONDS is too short for the workers to calculate anything.")
        yield _problem("E003", fault, Message("Set it to a number of seconds, such as 600."))
    if settings.JOBS_KEPT_DAYS < 1:
        fault = Message(
            "JOBS_KEPT_DAYS is so short that answers are deleted while people look at them."
        )
        yield _problem("E007", fault, Message("Set it to a number of days, such as 90."))
    for name in QUOTAS:
        if getattr(settings, name) < 1:
            fault = Message("{name} is not above 0, so nothing is allowed.", {"name": name})
            yield _problem("E008", fault, Message("Set it to a number above 0."))


def _mail() -> Iterator[CheckMessage]:
    if settings.EMAIL_HOST and settings.EMAIL_USE_TLS and settings.EMAIL_USE_SSL:
        yield _problem(
            "E009",
            Message("EMAIL_USE_TLS and EMAIL_USE_SSL exclude each other."),
            Message("Port 587: EMAIL_USE_TLS=1. Port 465: EMAIL_USE_SSL=1 and EMAIL_USE_TLS=0."),
        )


def _solvers() -> Iterator[CheckMessage]:
    """Check the settings that the solvers read from the environment themselves."""
    read = {
        "E004": (
            "solvers.memory",
            Message("Set it to a number, such as 2048: the memory each worker may use."),
        ),
        "E005": (
            "solvers.threads",
            Message("Set it to a number, such as 2. Without it, a count uses all cores."),
        ),
    }
    for name, (module, remedy) in read.items():
        try:
            import_module(module).read_setting()
        except PuzzleError as error:
            yield _problem(name, error.message, remedy)


@register(Tags.database)
def check_tables(
    app_configs: object, databases: Sequence[str] | None = None, **kwargs: object
) -> list[CheckMessage]:
    """Return the differences between the tables and those that the applied migrations make.

    Before the first release, migrations were edited in place and written anew. A database made at
    such a state counts as up to date and fails only when a page asks for a column.
    """
    return [error for alias in databases or () for error in _tables(alias)]


def _tables(alias: str) -> Iterator[CheckMessage]:
    try:
        differing = differences(connections[alias])
    except DatabaseError:
        return  # no database answers, which is reported where it is needed
    if differing:
        yield _problem(
            "E006",
            Message(
                "The database was made by another version: {tables}",
                {"tables": "; ".join(differing)},
            ),
            Message(
                "Databases of release 1.0.0 and later can be upgraded. This database is older or "
                "newer than this version. Make a backup with the version that created it "
                "(manage.py backup), move the database away (with SQLite: "
                "var/puzzleclass.sqlite3*), and restore the backup into an empty one "
                "(manage.py restore)."
            ),
        )


@register(Tags.database)
def check_secret_key(
    app_configs: object, databases: Sequence[str] | None = None, **kwargs: object
) -> list[CheckMessage]:
    """Return a warning if the data were made with another `SECRET_KEY`, as after a restore."""
    try:
        if not databases or KeyProof.fits():
            return []
    except DatabaseError:
        return []  # The table is missing, or no database answers.
    return [
        _problem(
            "W007",
            Message(
                "The data were made with another SECRET_KEY: sign-in cards and calendar addresses "
                "do not work, and the client secrets of schools can't be opened."
            ),
            Message(
                "Put the earlier key back (SECRET_KEY, or the file var/secret-key) and start the "
                "site again. If it is lost, run: manage.py newkey (docs/running.md)."
            ),
        )
    ]


def _has_database_server() -> bool:
    return not settings.DATABASES["default"]["ENGINE"].endswith("sqlite3")


def _is_database_elsewhere() -> bool:
    """Return whether other machines may use the database: it is not a file, and it is not reached
    by a socket or by this machine's own address."""
    host = str(settings.DATABASES["default"].get("HOST") or "/")
    return _has_database_server() and not host.startswith("/") and not is_loopback(f"//{host}")


def _outside_hosts() -> list[str]:
    return [host for host in settings.ALLOWED_HOSTS if host not in settings.LOCAL_HOSTS]


def _redis_host() -> str | None:
    """Return the host that Redis runs on; None for a socket on this machine."""
    url: str = settings.REDIS_URL
    return urlsplit(url).hostname
