"""An update makes a backup of the data before it changes them, which leads back."""

import gzip
import json
from pathlib import Path

import pytest
from django.core.management import CommandError, call_command
from django.db import connection
from django.db.migrations.loader import MigrationLoader

from puzzleclass import __version__
from puzzleclass.accounts.models import User
from puzzleclass.operations import backup
from puzzleclass.operations.schema import has_pending_migrations
from tests import prepared
from tests.releases.test_backup import tables


@pytest.fixture
def old(settings, tmp_path) -> Path:
    """Return the database of a school, as it is before an update."""
    settings.VAR_DIR = tmp_path
    path = tmp_path / "old.sqlite3"
    prepared.copy_not_up_to_date_to(path)
    return path


def backups(folder: Path) -> list[Path]:
    return sorted((folder / "backups").glob("*"))


def test_an_update_makes_one_backup_and_says_how_to_go_back(using, old, tmp_path, capsys):
    with using(old):
        call_command("migrate", verbosity=0)
        [path] = backups(tmp_path)
        assert path.name.startswith(f"before-{__version__}-")
        assert path.stat().st_mode & 0o777 == 0o600
        said = capsys.readouterr().err
        assert str(path) in said and "To go back" in said
        # The database is up to date now, so the next start has nothing to do.
        call_command("migrate", verbosity=0)
    assert backups(tmp_path) == [path] and capsys.readouterr().err == ""


def test_the_backup_leads_back_to_the_data_of_the_earlier_release(using, old, tmp_path):
    before = tables(old)
    with using(old):
        call_command("migrate", verbosity=0)
    [path] = backups(tmp_path)
    earlier = tmp_path / "earlier.sqlite3"
    with using(earlier):
        for app, name in last_migrations(path).items():
            call_command("migrate", app, name, verbosity=0)
        assert has_pending_migrations(MigrationLoader(connection))
        call_command("restore", str(path), verbosity=0)
    back = tables(earlier)
    assert before.keys() == back.keys() and sum(map(len, before.values())) > 500
    for name in before:
        assert before[name] == back[name], name


def last_migrations(path: Path) -> dict[str, str]:
    """Return the last migration of each app that the backup names."""
    with gzip.open(path) as file:
        header = json.loads(next(file))
    assert header["release"] == f"before {__version__}"
    return dict(sorted(header["migrations"]))


def test_a_new_database_is_not_backed_up(using, settings, tmp_path):
    settings.VAR_DIR = tmp_path
    with using(tmp_path / "new.sqlite3"):
        call_command("migrate", "accounts", verbosity=0)
        call_command("migrate", verbosity=0)
    assert backups(tmp_path) == []


def test_without_a_backup_nothing_is_changed(using, old, tmp_path, monkeypatch):
    def fails(file):
        raise OSError("No space left on device")

    before = tables(old)
    monkeypatch.setattr(backup, "write", fails)
    with using(old), pytest.raises(CommandError, match=r"nothing was changed\. No space left"):
        call_command("migrate", verbosity=0)
    assert tables(old) == before and backups(tmp_path) == []
    with using(old):
        call_command("migrate", no_backup=True, verbosity=0)
        assert User.objects.exists()


def test_a_repeated_update_keeps_one_backup_of_the_same_data(using, old, tmp_path):
    folder = tmp_path / "backups"
    with using(old):
        first, again = backup.save_before_update(folder), backup.save_before_update(folder)
    assert first == again and backups(tmp_path) == [first.path]


def test_the_newest_backups_are_kept(using, old, tmp_path, monkeypatch):
    saved = []
    for number in range(backup.MAX_UPDATE_BACKUPS + 2):
        monkeypatch.setattr(backup, "__version__", f"1.{number}")
        with using(old):
            saved.append(backup.save_before_update(tmp_path / "backups").path)
    assert backups(tmp_path) == saved[2:]


def test_an_update_that_only_shows_its_plan_makes_no_backup(using, old, tmp_path, capsys):
    with using(old):
        call_command("migrate", plan=True, verbosity=0)
    assert backups(tmp_path) == []
