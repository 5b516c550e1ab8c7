"""What every test that needs Django shares: a database of its own, no costly hashes."""

import gc
from itertools import groupby, zip_longest

import pytest
from django.test.utils import override_settings

WAITING = {"browser", "integration"}
"""Folders whose tests wait for other processes most of the time."""


def pytest_collection_modifyitems(items: list[pytest.Item]) -> None:
    """Set after each file that waits two that calculate: whoever runs files side by side, in this
    order, has both at work until only short ones are left."""
    waits: list[list[pytest.Item]] = []
    works: list[list[pytest.Item]] = []
    for path, tests in groupby(items, key=lambda item: item.path):
        (waits if path.parent.name in WAITING else works).append(list(tests))
    mixed = zip_longest(waits, works[::2], works[1::2], fillvalue=[])
    items[:] = [test for group in mixed for tests in group for test in tests]


def pytest_collection_finish() -> None:
    """Let the garbage collector pass over what is loaded by now, and come less often: to look
    through all of Django and numba again and again took a sixth of the time."""
    gc.collect()
    gc.freeze()
    gc.set_threshold(20_000, 50, 100)


@pytest.fixture(scope="session")
def django_db_modify_db_settings(django_db_modify_db_settings, tmp_path_factory):
    """Keep SQLite's test database in a file.

    Threads of a test then meet the locks of the real thing: a database in memory has others.
    """
    from django.conf import settings

    database = settings.DATABASES["default"]
    if database["ENGINE"].endswith("sqlite3"):
        path = tmp_path_factory.mktemp("database") / "test.sqlite3"
        database.setdefault("TEST", {})["NAME"] = str(path)


@pytest.fixture(scope="session", autouse=True)
def quick_settings(tmp_path_factory):
    """Hash passwords and PINs fast, and serve static files by their plain names."""
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
