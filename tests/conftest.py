"""Fixtures for every test that needs Django: a database of its own, and cheap password hashes."""

import gc
import os
from collections.abc import Iterator
from itertools import zip_longest
from pathlib import Path

import pytest
from django.db import connection
from django.test.utils import override_settings
from django.utils import translation

from solvers.registry import ready_kinds
from tests import prepared

WAITING = {"browser", "integration"}
"""Folders whose tests wait for other processes most of the time. `make test` runs those that are
marked as journeys."""
TABLES = {"battleships", "heyawake", "light_up", "masyu", "queens", "tents"}
"""The ready tables that are enough for `make test`: on squares and on the lines between them, with
rooms, fleets, loops, sights and diagonals. Tests of random tables contain every word of rules."""
LONG = {
    "test_contract",
    "test_contract_questions",
    "test_contract_rules",
    "test_http",
    "test_kikazu_count",
    "test_studies_results",
    "test_maxstrings_count",
    "test_random_table_kinds",
    "test_releases",
    "test_rule_tables",
    "test_study",
    "test_table_kinds",
    "test_tonari_targets",
}
"""The longest of the other files."""


def pytest_sessionstart(session: pytest.Session) -> None:
    """Print the seed of the random order, which pytest's quiet mode leaves out of its header."""
    seed = session.config.getoption("randomly_seed", None)
    reporter = session.config.pluginmanager.get_plugin("terminalreporter")
    if seed is not None and reporter and not reporter.showheader:
        reporter.write_line(f"Tests run in random order; repeat it with --randomly-seed={seed}")


def pytest_itemcollected(item: pytest.Item) -> None:
    """Mark what only `make test-all` runs, and let a test that waits for other processes run up to
    three times if it fails.

    On a busy machine an answer may come too late. The summary names the tests that ran again, and
    each of them is worth a look: it may also have found a race in the product.
    """
    if item.path.parent.name in WAITING:
        item.add_marker(pytest.mark.flaky(reruns=2))
        if item.get_closest_marker("journey") is None:
            item.add_marker(pytest.mark.thorough)
    _name, _bracket, case = item.name.partition("[")
    if (ready_kinds().keys() - TABLES).intersection(case.rstrip("]").split("-")):
        item.add_marker(pytest.mark.thorough)


def pytest_collection_modifyitems(items: list[pytest.Item]) -> None:
    """Mix the files that wait with the others, which pytest-randomly has shuffled.

    Thus some workers of pytest-xdist keep the processors busy while others wait. The files that
    take minutes come first, so that none of them keeps one worker busy when the others have ended.
    """
    files: dict[Path, list[pytest.Item]] = {}
    for item in items:
        files.setdefault(item.path, []).append(item)
    waits = [tests for path, tests in files.items() if path.parent.name in WAITING]
    waits.sort(key=lambda tests: tests[0].path.parent.name != "integration")
    works = [tests for path, tests in files.items() if path.parent.name not in WAITING]
    works.sort(key=lambda tests: tests[0].path.stem not in LONG)
    mixed = zip_longest(waits, works[::2], works[1::2], fillvalue=[])
    items[:] = [test for group in mixed for tests in group for test in tests]


def pytest_collection_finish() -> None:
    """Let the garbage collector ignore what is loaded by now, and let it run less often.

    Repeated collections of all of Django and numba took a sixth of the time.
    """
    gc.collect()
    gc.freeze()
    gc.set_threshold(20_000, 50, 100)


@pytest.fixture(scope="session")
def django_db_modify_db_settings(django_db_modify_db_settings, tmp_path_factory):
    """Begin with a database that has been migrated, and keep SQLite's in a file.

    The threads of a test then meet the locks of production; a database in memory has other locks.
    PostgreSQL copies the database that `TEST_TEMPLATE` names, if it is set.
    """
    from django.conf import settings

    database = settings.DATABASES["default"]
    if database["ENGINE"].endswith("sqlite3"):
        path = tmp_path_factory.mktemp("database") / "test.sqlite3"
        prepared.copy_database_to(path)
        database.setdefault("TEST", {})["NAME"] = str(path)
    elif template := os.environ.get("TEST_TEMPLATE"):
        database.setdefault("TEST", {})["TEMPLATE"] = template


@pytest.fixture(scope="session")
def django_db_keepdb(django_db_keepdb) -> bool:
    """Let pytest-django begin with the database that is there."""
    return django_db_keepdb or connection.vendor == "sqlite"


@pytest.fixture(scope="session", autouse=True)
def quick_settings(tmp_path_factory):
    """Make the hashes of passwords and PINs cheap, and serve static files by their plain names."""
    from puzzleclass.accounts.models import PinHasher

    with (
        pytest.MonkeyPatch.context() as patch,
        override_settings(
            STATIC_ROOT=str(tmp_path_factory.mktemp("static")),
            PASSWORD_HASHERS=[
                "django.contrib.auth.hashers.MD5PasswordHasher",
                "puzzleclass.accounts.models.PinHasher",
            ],
            STORAGES={
                "default": {"BACKEND": "django.core.files.storage.FileSystemStorage"},
                "staticfiles": {"BACKEND": "django.contrib.staticfiles.storage.StaticFilesStorage"},
            },
        ),
    ):
        patch.setattr(PinHasher, "iterations", 1)
        yield


@pytest.fixture(autouse=True)
def english() -> Iterator[None]:
    """Activate English in each test until a request or the test chooses another language.

    A request of the test client leaves its language active in the thread. Without this fixture it
    would be the language of the next test.
    """
    with translation.override("en"):
        yield
