import os
import stat
import subprocess
import sys
from pathlib import Path

import pytest
from django.core.exceptions import ImproperlyConfigured

from puzzleclass.operations.env import LONGEST_SOCKET_BYTES, env, private_folder, socket_path


@pytest.mark.parametrize(
    ("reader", "text", "value"),
    [
        (env.int, "12", 12),
        (env.int, "", 7),
        (env.bool, "Yes", True),
        (env.bool, "off", False),
        (env.bool, "", 7),
        (env.list, "a, b ,,c", ["a", "b", "c"]),
        (env.list, "", 7),
        (env.str, "", 7),
    ],
)
def test_typed(monkeypatch, reader, text, value):
    monkeypatch.setenv("X", text)
    assert reader("X", default=7) == value


@pytest.mark.parametrize(
    ("reader", "text"),
    [
        (env.int, "1.5"),
        (env.bool, "maybe"),
        (env.database, "nowhere://x"),
        (env.database, "postgres://host:port/name"),
        (env.database, "sqlite://two/slashes"),
    ],
)
def test_unreadable_values_are_named(monkeypatch, reader, text):
    monkeypatch.setenv("SOME_NAME", text)
    with pytest.raises(ImproperlyConfigured, match="SOME_NAME"):
        reader("SOME_NAME", "")


def test_a_database_is_read_with_its_options(monkeypatch):
    monkeypatch.setenv("X", "postgres://ono:p%40ss@db.example:5433/school?sslmode=require")
    assert env.database("X", "") == {
        "ENGINE": "django.db.backends.postgresql",
        "NAME": "school",
        "USER": "ono",
        "PASSWORD": "p@ss",
        "HOST": "db.example",
        "PORT": 5433,
        "OPTIONS": {"sslmode": "require"},
    }


@pytest.mark.parametrize(
    ("text", "value"),
    [
        ("", ""),
        ("https://school.example", "https://school.example"),
        ("http://192.168.1.20:8000/", "http://192.168.1.20:8000"),
    ],
)
def test_an_address(monkeypatch, text, value):
    monkeypatch.setenv("X", text)
    assert env.address("X") == value


@pytest.mark.parametrize(
    "text", ["school.example", "ftp://school.example", "https://a/b", "https://a:0", "https://a:x"]
)
def test_an_invalid_address_is_named(monkeypatch, text):
    monkeypatch.setenv("SOME_NAME", text)
    with pytest.raises(ImproperlyConfigured, match="SOME_NAME"):
        env.address("SOME_NAME")


def test_the_folder_is_its_owners_alone(tmp_path):
    folder = tmp_path / "new" / "var"
    assert stat.S_IMODE(private_folder(folder).stat().st_mode) == 0o700
    folder.chmod(0o755)
    assert stat.S_IMODE(private_folder(folder).stat().st_mode) == 0o700


def test_a_folder_that_cannot_be_is_named(tmp_path):
    (tmp_path / "file").touch()
    with pytest.raises(ImproperlyConfigured, match=str(tmp_path)):
        private_folder(tmp_path / "file" / "var")


def test_a_secret_may_begin_with_a_dollar(monkeypatch, tmp_path):
    monkeypatch.setenv("X", "$HOME")
    assert env.secret("X", tmp_path / "kept") == "$HOME"


def test_a_secret_comes_from_the_variable_or_its_file(monkeypatch, tmp_path):
    (tmp_path / "file").write_text("from the file\n")
    monkeypatch.setenv("X_FILE", str(tmp_path / "file"))
    assert env.secret("X", tmp_path / "kept") == "from the file"
    monkeypatch.setenv("X", "from the variable")
    assert env.secret("X", tmp_path / "kept") == "from the variable"
    assert not (tmp_path / "kept").exists()


def test_a_secret_is_made_once_and_kept_private(tmp_path):
    kept = tmp_path / "deep" / "kept"
    secret = env.secret("NOT_SET", kept)
    assert len(secret) >= 50
    assert env.secret("NOT_SET", kept) == secret
    assert stat.S_IMODE(kept.stat().st_mode) == 0o600
    assert list(kept.parent.iterdir()) == [kept]


def test_a_secret_that_cannot_be_kept_is_named(tmp_path, monkeypatch):
    def full(*args: object) -> None:
        raise OSError(28, "No space left on device")

    monkeypatch.setattr("os.link", full)
    kept = tmp_path / "kept"
    with pytest.raises(ImproperlyConfigured, match=f"No secret can be kept in {kept}.*No space"):
        env.secret("NOT_SET", kept)
    assert list(tmp_path.iterdir()) == []
    # Another process has kept one meanwhile.
    kept.write_text("theirs\n")
    assert env.secret("NOT_SET", kept) == "theirs"


def test_the_public_address_is_a_host_and_an_origin_of_the_site(tmp_path):
    code = (
        "from puzzleclass import settings as s\n"
        "print(s.ALLOWED_HOSTS[-1], s.CSRF_TRUSTED_ORIGINS, s.DATABASES['default']['HOST'])"
    )
    environment = os.environ | {
        "VAR_DIR": str(tmp_path),
        "PUBLIC_URL": "https://puzzles.school.example",
        "DATABASE_URL": "postgres://school@db/puzzles",
    }
    done = subprocess.run([sys.executable, "-c", code], env=environment, capture_output=True)
    assert done.stdout.decode().split("\n")[0] == (
        "puzzles.school.example ['https://puzzles.school.example'] db"
    ), done.stderr.decode()


def test_a_missing_secret_file_is_named(monkeypatch, tmp_path):
    monkeypatch.setenv("X_FILE", str(tmp_path / "none"))
    with pytest.raises(ImproperlyConfigured, match="X_FILE"):
        env.secret("X", tmp_path / "kept")


def test_a_bad_setting_is_one_line():
    done = subprocess.run(
        (sys.executable, "manage.py", "check"),
        cwd=Path(__file__).resolve().parents[3],
        env=os.environ | {"JOB_DEADLINE_SECONDS": "soon"},
        capture_output=True,
        text=True,
    )
    assert done.returncode == 1
    assert len(done.stderr.splitlines()) == 1 and "JOB_DEADLINE_SECONDS" in done.stderr


def test_a_short_socket_path_stays(tmp_path):
    assert socket_path(Path("/var/x/redis.sock")) == Path("/var/x/redis.sock")


def test_a_long_socket_path_gets_a_short_stand_in():
    long = Path("/") / ("長い" * 20) / "redis.sock"
    short = socket_path(long)
    assert len(os.fsencode(short)) <= LONGEST_SOCKET_BYTES
    assert short == socket_path(long)
    assert short != socket_path(long.with_name("other"))
