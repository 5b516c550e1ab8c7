import os
import stat
import subprocess
import sys
from pathlib import Path

import pytest
from django.core.exceptions import ImproperlyConfigured

from puzzleclass import env, sockets


@pytest.mark.parametrize(
    ("reader", "text", "value"),
    [
        (env.env_int, "12", 12),
        (env.env_int, "", 7),
        (env.env_bool, "Yes", True),
        (env.env_bool, "off", False),
        (env.env_bool, "", 7),
        (env.env_list, "a, b ,,c", ["a", "b", "c"]),
        (env.env_list, "", 7),
        (env.env_str, "", 7),
    ],
)
def test_typed(monkeypatch, reader, text, value):
    monkeypatch.setenv("X", text)
    assert reader("X", 7) == value


@pytest.mark.parametrize(
    ("reader", "text"),
    [(env.env_int, "1.5"), (env.env_bool, "maybe"), (env.env_database, "nowhere://x")],
)
def test_what_cannot_be_read_is_named(monkeypatch, reader, text):
    monkeypatch.setenv("SOME_NAME", text)
    with pytest.raises(ImproperlyConfigured, match="SOME_NAME"):
        reader("SOME_NAME", "")


def test_a_secret_comes_from_the_variable_or_its_file(monkeypatch, tmp_path):
    (tmp_path / "file").write_text("from the file\n")
    monkeypatch.setenv("X_FILE", str(tmp_path / "file"))
    assert env.env_secret("X", tmp_path / "kept") == "from the file"
    monkeypatch.setenv("X", "from the variable")
    assert env.env_secret("X", tmp_path / "kept") == "from the variable"
    assert not (tmp_path / "kept").exists()


def test_a_secret_is_made_once_and_kept_private(tmp_path):
    kept = tmp_path / "deep" / "kept"
    secret = env.env_secret("NOT_SET", kept)
    assert len(secret) >= 50
    assert env.env_secret("NOT_SET", kept) == secret
    assert stat.S_IMODE(kept.stat().st_mode) == 0o600
    assert list(kept.parent.iterdir()) == [kept]


def test_a_missing_secret_file_is_named(monkeypatch, tmp_path):
    monkeypatch.setenv("X_FILE", str(tmp_path / "none"))
    with pytest.raises(ImproperlyConfigured, match="X_FILE"):
        env.env_secret("X", tmp_path / "kept")


def test_a_bad_setting_is_one_line():
    done = subprocess.run(
        (sys.executable, "manage.py", "check"),
        cwd=Path(__file__).resolve().parents[2],
        env=os.environ | {"JOB_DEADLINE_SECONDS": "soon"},
        capture_output=True,
        text=True,
    )
    assert done.returncode == 1
    assert len(done.stderr.splitlines()) == 1 and "JOB_DEADLINE_SECONDS" in done.stderr


def test_a_short_socket_path_stays(tmp_path):
    assert sockets.socket_path(Path("/var/x/redis.sock")) == Path("/var/x/redis.sock")


def test_a_long_socket_path_gets_a_short_stand_in():
    long = Path("/") / ("長い" * 20) / "redis.sock"
    short = sockets.socket_path(long)
    assert len(os.fsencode(short)) <= sockets.LONGEST
    assert short == sockets.socket_path(long)
    assert short != sockets.socket_path(long.with_name("other"))
