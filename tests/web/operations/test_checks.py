import os
import subprocess
import sys

import pytest
from django.conf import settings

from puzzleclass.operations.checks import check_settings


@pytest.fixture
def safe(settings, monkeypatch):
    """Use the settings of a public site without faults."""
    monkeypatch.setenv("SECRET_KEY", "given")
    settings.SECRET_KEY = "k3J-9fQz_0Lm2Xv8Tq7Rw4Yb6Nc1Hd5Sg"
    settings.DEBUG = False
    settings.HTTPS = True
    settings.TRUSTED_PROXIES = 1
    settings.ALLOWED_HOSTS = ["puzzles.school.example"]
    settings.PUBLIC_URL = "https://puzzles.school.example"
    settings.REDIS_URL = "redis://redis:6379/0"
    settings.JOB_DEADLINE_SECONDS = 600
    # Replace only what the checks read, and keep the test's own connection.
    monkeypatch.setattr("puzzleclass.operations.checks._has_database_server", lambda: True)
    return settings


def ids() -> list[str]:
    return [message.id for message in check_settings(None)]


def test_a_sound_site_has_no_complaint(safe):
    assert ids() == []


def test_no_environment_at_all_has_no_complaint(settings, monkeypatch):
    for name in ("SECRET_KEY", "SECRET_KEY_FILE"):
        monkeypatch.delenv(name, raising=False)
    settings.ALLOWED_HOSTS = ["localhost", "127.0.0.1", "[::1]"]
    settings.REDIS_URL = "redis+socket:///somewhere/redis.sock"
    monkeypatch.setattr("puzzleclass.operations.checks._has_database_server", lambda: False)
    assert ids() == []


@pytest.mark.parametrize("secret", ["short", "x" * 60])
def test_a_guessable_secret(safe, secret):
    safe.SECRET_KEY = secret
    assert ids() == ["puzzleclass.E001"]


@pytest.mark.parametrize(
    ("host", "found"),
    [
        ("database", ["puzzleclass.W001"]),
        ("", []),
        ("/run/postgresql", []),
        ("localhost", []),
        ("127.0.0.1", []),
    ],
)
def test_a_secret_of_this_machine_for_a_database_of_several(safe, monkeypatch, host, found):
    monkeypatch.delenv("SECRET_KEY")
    monkeypatch.delenv("SECRET_KEY_FILE", raising=False)
    monkeypatch.setitem(safe.DATABASES["default"], "HOST", host)
    assert ids() == found


def test_a_secret_file_is_a_given_secret(safe, monkeypatch):
    monkeypatch.delenv("SECRET_KEY")
    monkeypatch.setenv("SECRET_KEY_FILE", "/run/secrets/key")
    assert ids() == []


def test_proxies_that_are_not_counted(safe):
    safe.TRUSTED_PROXIES = 0
    assert ids() == ["puzzleclass.W005"]
    safe.TRUSTED_PROXIES = -1
    assert ids() == ["puzzleclass.E010"]


def test_debug_in_public(safe):
    safe.DEBUG = True
    assert ids() == ["puzzleclass.W002"]


def test_any_host(safe):
    safe.ALLOWED_HOSTS = ["*"]
    assert ids() == ["puzzleclass.W003"]


def test_no_https_for_others(safe):
    safe.HTTPS = False
    assert ids() == ["puzzleclass.W004"]


@pytest.mark.parametrize("url", ["", "http://127.0.0.1:8000", "http://localhost"])
def test_no_public_address_for_others(safe, url):
    safe.PUBLIC_URL = url
    assert ids() == ["puzzleclass.W006"]


def test_no_https_is_fine_at_home(safe):
    safe.HTTPS, safe.ALLOWED_HOSTS = False, ["localhost"]
    assert ids() == []


@pytest.mark.parametrize(
    ("url", "expected"),
    [
        ("redis://redis.school.example:6379/0", ["puzzleclass.E002"]),
        ("redis://127.0.0.1:6379/0", []),
        ("redis+socket:///run/redis.sock", []),
    ],
)
def test_a_file_cannot_be_shared_between_machines(safe, monkeypatch, url, expected):
    monkeypatch.setattr("puzzleclass.operations.checks._has_database_server", lambda: False)
    safe.REDIS_URL = url
    assert ids() == expected


def test_answers_that_are_not_kept(safe):
    safe.JOBS_KEPT_DAYS = 0
    assert ids() == ["puzzleclass.E007"]


def test_no_time_for_jobs(safe):
    safe.JOB_DEADLINE_SECONDS = 0
    assert ids() == ["puzzleclass.E003"]


def test_mail_by_two_ways_at_once(safe):
    safe.EMAIL_HOST, safe.EMAIL_USE_TLS = "mail.school.example", True
    assert ids() == []
    safe.EMAIL_USE_SSL = True
    assert ids() == ["puzzleclass.E009"]


def test_every_complaint_has_a_hint(safe):
    safe.SECRET_KEY, safe.DEBUG, safe.HTTPS, safe.ALLOWED_HOSTS = "x", True, False, ["*"]
    assert all(message.hint for message in check_settings(None))


@pytest.mark.parametrize(
    ("name", "text", "number"),
    [("SOLVER_MEMORY_MB", "much", "E004"), ("SOLVER_THREADS", "all", "E005")],
)
def test_settings_that_the_solvers_cannot_read(name, text, number):
    done = subprocess.run(
        (sys.executable, "manage.py", "check"),
        cwd=settings.BASE_DIR,
        env=os.environ | {name: text},
        capture_output=True,
        text=True,
    )
    assert done.returncode == 1
    assert f"puzzleclass.{number}" in done.stderr and name in done.stderr
    assert "Traceback" not in done.stderr


def test_a_limit_under_its_former_name_is_pointed_out(safe, monkeypatch):
    monkeypatch.setenv("MOST_TRIES_A_DAY", "9")
    (warning,) = check_settings(None)
    assert warning.id == "puzzleclass.W008"
    assert "MAX_ATTEMPTS_PER_DAY" in str(warning.hint)
