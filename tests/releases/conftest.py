"""Databases in files of their own, beside the one that pytest-django creates."""

from collections.abc import Callable, Iterator
from contextlib import AbstractContextManager, contextmanager
from pathlib import Path

import pytest
from django.db import connection

from tests import prepared


@pytest.fixture(scope="session")
def using(django_db_setup, django_db_blocker) -> Callable[[Path], AbstractContextManager[None]]:
    """Return a context manager in which Django uses the SQLite database at a path."""
    if connection.vendor != "sqlite":
        pytest.skip("the stored databases are SQLite's")

    @contextmanager
    def using(path: Path) -> Iterator[None]:
        before = connection.settings_dict["NAME"]
        with django_db_blocker.unblock():
            connection.close()
            connection.settings_dict["NAME"] = str(path)
            try:
                yield
            finally:
                connection.close()
                connection.settings_dict["NAME"] = before

    return using


@pytest.fixture(scope="session")
def upgraded(tmp_path_factory) -> Path:
    """Return the database of an earlier version's school, with today's tables. Tests only read it;
    `released` is a copy."""
    path = tmp_path_factory.mktemp("released") / "puzzleclass.sqlite3"
    prepared.copy_school_to(path)
    return path


@pytest.fixture
def released(upgraded, tmp_path_factory) -> Path:
    """Return a copy of the school's database that belongs to the test."""
    path = tmp_path_factory.mktemp("released") / "puzzleclass.sqlite3"
    path.write_bytes(upgraded.read_bytes())
    return path


@pytest.fixture
def empty(tmp_path) -> Path:
    """Return a database as `migrate` leaves it that belongs to the test."""
    path = tmp_path / "empty.sqlite3"
    prepared.copy_database_to(path)
    return path
