"""Databases in files of their own, beside the one that pytest-django creates."""

from collections.abc import Callable, Iterator
from contextlib import AbstractContextManager, contextmanager
from pathlib import Path

import pytest
from django.db import connection

from tests import prepared

RELEASED = sorted(Path(__file__).parent.glob("*.sqlite3.gz"))


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


@pytest.fixture(scope="session", params=RELEASED, ids=lambda path: path.name)
def upgraded(request, tmp_path_factory) -> Path:
    """Return a release's database, migrated to today's tables. Tests only read it; `released` is a
    copy."""
    path = tmp_path_factory.mktemp("released") / "puzzleclass.sqlite3"
    prepared.copy_upgraded_to(path, request.param)
    return path


@pytest.fixture
def released(upgraded, tmp_path_factory) -> Path:
    """Return a copy of a release's migrated database that belongs to the test."""
    path = tmp_path_factory.mktemp("released") / "puzzleclass.sqlite3"
    path.write_bytes(upgraded.read_bytes())
    return path


@pytest.fixture
def empty(tmp_path) -> Path:
    """Return a database as `migrate` leaves it that belongs to the test."""
    path = tmp_path / "empty.sqlite3"
    prepared.copy_database_to(path)
    return path
