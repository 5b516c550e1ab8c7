"""A deleted name remains in none of SQLite's files."""

import sqlite3
from contextlib import closing
from pathlib import Path

import pytest
from django.db import connection, connections

from puzzleclass.accounts.models import User
from puzzleclass.classes.personal_data import delete_all
from puzzleclass.database.journal import clear_journal

NAME = "Ogawa Yukimitsu"


def found() -> list[str]:
    """Return the suffixes of the database's files that contain the name."""
    path = connection.settings_dict["NAME"]
    files = [Path(f"{path}{ending}") for ending in ("", "-wal")]
    return [file.name for file in files if file.exists() and NAME.encode() in file.read_bytes()]


@pytest.fixture
def stored(transactional_db) -> User:
    if connection.vendor != "sqlite":
        pytest.skip("the journal is SQLite's")
    student = User.objects.create_student(NAME, "1234")
    assert found()
    return student


def test_a_deleted_name_is_gone_at_once(stored):
    delete_all(None, User.objects.filter(pk=stored.pk))
    assert found() == []


def test_deleting_never_waits_for_readers_and_is_finished_at_the_next_attempt(stored):
    with closing(sqlite3.connect(connection.settings_dict["NAME"])) as reader:
        reader.execute("BEGIN")
        reader.execute("SELECT count(*) FROM accounts_user").fetchone()
        delete_all(None, User.objects.filter(pk=stored.pk))
        assert not clear_journal()
        assert found()
    assert clear_journal()
    assert found() == []
    with connection.cursor() as cursor:
        cursor.execute("PRAGMA busy_timeout")
        assert cursor.fetchone() == (10_000,)
    connections.close_all()
