"""The check of the tables: a database from before the first release is reported at the start."""

import os
import sqlite3
import subprocess
import sys
from contextlib import closing
from pathlib import Path

import pytest
from django.conf import settings
from django.core.management import call_command
from django.db import connection

from puzzleclass.accounts.models import User
from puzzleclass.operations import state
from puzzleclass.operations.checks import check_tables
from puzzleclass.operations.probes import Installation
from puzzleclass.operations.schema import differences


def change(path, *statements: str) -> None:
    with closing(sqlite3.connect(path)) as database:
        for statement in statements:
            database.execute(statement)
        database.commit()


def test_a_release_and_an_empty_database_fit(using, released, empty, tmp_path):
    for path in (released, empty, tmp_path / "nothing.sqlite3"):
        with using(path):
            assert differences(connection) == []


@pytest.mark.parametrize(
    ("statement", "expected"),
    [
        ("ALTER TABLE play_attempt DROP COLUMN seconds", "play_attempt has no column seconds"),
        (
            "ALTER TABLE play_attempt ADD COLUMN place integer NOT NULL DEFAULT 0",
            "play_attempt has an unknown column place",
        ),
        ("ALTER TABLE play_step RENAME TO play_steps", "no table play_step"),
    ],
)
def test_differences_are_named(using, empty, statement, expected):
    change(empty, statement)
    with using(empty):
        assert differences(connection) == [expected]
        [error] = check_tables(None, databases=["default"])
        assert error.id == "puzzleclass.E006"
        assert expected in str(error.msg) and "move the database away" in str(error.hint)


def test_half_migrated_tables_are_compared_with_their_own_migrations(using, empty):
    with using(empty):
        call_command("migrate", "calendars", "zero", verbosity=0)
        assert differences(connection) == []
    change(empty, "ALTER TABLE stats_look DROP COLUMN since")
    with using(empty):
        assert differences(connection) == ["stats_look has no column since"]


def test_migrations_of_another_version_are_named(using, empty):
    """The version before 1.0.0 had other migrations, some of them with the names of today."""
    change(
        empty,
        "INSERT INTO django_migrations (app, name, applied) VALUES ('play', '0002_old', '2026')",
    )
    with using(empty):
        [text] = differences(connection)
        assert "play.0002_old" in text
        [error] = check_tables(None, databases=["default"])
        assert "manage.py restore" in str(error.hint)


@pytest.mark.parametrize("command", ["run", "migrate"])
def test_no_start_with_tables_that_differ(empty, tmp_path, command):
    change(empty, "ALTER TABLE classes_classroom DROP COLUMN created_at")
    (tmp_path / "puzzleclass.sqlite3").write_bytes(empty.read_bytes())
    options = ("--port", "28571") if command == "run" else ()
    done = subprocess.run(
        (sys.executable, "manage.py", command, *options),
        cwd=settings.BASE_DIR,
        env={key: os.environ[key] for key in os.environ if key != "DATABASE_URL"}
        | {"VAR_DIR": str(tmp_path)},
        capture_output=True,
        text=True,
        timeout=120,
    )
    assert done.returncode == 1
    assert "puzzleclass.E006" in done.stderr and "no column created_at" in done.stderr
    assert "Traceback" not in done.stderr


def test_the_file_is_its_owners_alone(using, tmp_path):
    path = tmp_path / "new.sqlite3"
    with using(path):
        call_command("migrate", "contenttypes", verbosity=0)
        files = [path, *(path.with_name(path.name + ending) for ending in ("-wal", "-shm"))]
        assert [file.stat().st_mode & 0o777 for file in files] == [0o600] * 3
    path.chmod(0o644)  # earlier releases left this mode
    with using(path):
        connection.ensure_connection()
        assert path.stat().st_mode & 0o777 == 0o600


@pytest.fixture(params=["a folder", "an empty file"])
def away(request, using, tmp_path):
    """Use a database that can't be opened, and one without tables."""
    path = tmp_path / "puzzleclass.sqlite3"
    path.mkdir() if request.param == "a folder" else path.touch()
    with using(path):
        yield


def test_without_a_database_the_doctor_and_the_probes_say_so_in_words(
    away, capsys, monkeypatch, settings, tmp_path
):
    settings.VAR_DIR = tmp_path
    assert check_tables(None, databases=["default"]) == []
    with pytest.raises(SystemExit):
        call_command("doctor", language="en")
    said = capsys.readouterr().out
    assert "The database can't be written" in said or "The database lacks migrations" in said
    monkeypatch.setattr(state, "_recent", (float("-inf"), []))
    figures = {family.name for family in Installation().collect()}
    assert figures >= {"puzzleclass_part_up", "puzzleclass_disk_free_bytes"}
    assert "puzzleclass_jobs" not in figures


def test_a_file_of_another_user_is_used_as_it_is(using, empty, monkeypatch):
    def refuse(self: Path, mode: int) -> None:
        raise PermissionError(1, "Operation not permitted")

    empty.chmod(0o644)
    with using(empty), monkeypatch.context() as patch:
        patch.setattr(Path, "chmod", refuse)
        assert not User.objects.exists()
    assert empty.stat().st_mode & 0o777 == 0o644
