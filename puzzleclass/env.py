"""Typed readers of environment variables.

Each returns the default when the variable is missing or empty, and raises
ImproperlyConfigured, naming the variable, when it can't be read.
"""

import os
from pathlib import Path
from typing import Any

import dj_database_url
from django.core.exceptions import ImproperlyConfigured
from django.core.management.utils import get_random_secret_key


def env_str(name: str, default: str = "") -> str:
    """Return the variable as it is."""
    return os.environ.get(name) or default


def env_int(name: str, default: int) -> int:
    """Return the variable as a whole number."""
    text = env_str(name)
    if not text:
        return default
    try:
        return int(text)
    except ValueError:
        raise ImproperlyConfigured(f"{name} must be a whole number, not {text!r}.") from None


def env_bool(name: str, default: bool) -> bool:
    """Return the variable as true (1, true, yes, on) or false (0, false, no, off)."""
    text = env_str(name).lower()
    if not text:
        return default
    if text in {"1", "true", "yes", "on"}:
        return True
    if text in {"0", "false", "no", "off"}:
        return False
    raise ImproperlyConfigured(f"{name} must be 1 or 0, not {text!r}.")


def env_list(name: str, default: list[str]) -> list[str]:
    """Return the comma-separated variable as a list."""
    text = env_str(name)
    return [item.strip() for item in text.split(",") if item.strip()] if text else default


def env_database(name: str, default: str) -> dict[str, Any]:
    """Return the database that the variable's URL names, as Django's settings want it."""
    try:
        return dict(
            dj_database_url.parse(env_str(name, default), conn_max_age=60, conn_health_checks=True)
        )
    except ValueError as error:
        raise ImproperlyConfigured(f"{name} is no database's address: {error}") from None


def env_secret(name: str, kept_in: Path) -> str:
    """Return the secret from NAME, or from the file that NAME_FILE names.

    With neither, a random one is made once and kept in `kept_in`, so that an
    installation without any setting is safe all the same.
    """
    if secret := env_str(name):
        return secret
    if path := env_str(f"{name}_FILE"):
        try:
            return Path(path).read_text().strip()
        except OSError as error:
            raise ImproperlyConfigured(f"{name}_FILE can't be read: {error}.") from None
    return _kept_secret(kept_in)


def _kept_secret(path: Path) -> str:
    try:
        path.parent.mkdir(parents=True, exist_ok=True)
        # Web server and worker may start at the same moment: the first one to make
        # the file wins, and a name that appears whole can't be read half.
        fresh = path.with_name(f"{path.name}.{os.getpid()}")
        fresh.touch(mode=0o600)
        fresh.write_text(get_random_secret_key())
        try:
            os.link(fresh, path)
        except FileExistsError:
            pass
        finally:
            fresh.unlink()
    except OSError as error:
        if not path.exists():
            raise ImproperlyConfigured(f"No secret can be kept in {path}: {error}.") from None
    return path.read_text().strip()
