"""What every test that needs Django shares: a database of its own, no costly hashes."""

import pytest
from django.test.utils import override_settings


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
    """Hash passwords fast, and serve static files by their plain names."""
    with override_settings(
        STATIC_ROOT=str(tmp_path_factory.mktemp("static")),
        PASSWORD_HASHERS=[
            "django.contrib.auth.hashers.MD5PasswordHasher",
            "puzzleclass.accounts.models.PinHasher",
        ],
        STORAGES={
            "default": {"BACKEND": "django.core.files.storage.FileSystemStorage"},
            "staticfiles": {"BACKEND": "django.contrib.staticfiles.storage.StaticFilesStorage"},
        },
    ):
        yield
