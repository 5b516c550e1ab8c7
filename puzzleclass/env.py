"""What `settings.py` and `manage.py run` read from the environment, with django-environ.

Every fault raises ImproperlyConfigured, which names the variable.
"""

import hashlib
import os
import tempfile
import warnings
from pathlib import Path
from typing import Any

import environ
from django.core.exceptions import ImproperlyConfigured
from django.core.management.utils import get_random_secret_key

ENGINES = ("django.db.backends.postgresql", "django.db.backends.sqlite3")
BOOLEANS = {
    **dict.fromkeys(("1", "true", "yes", "on"), True),
    **dict.fromkeys(("0", "false", "no", "off"), False),
}
EXPECTED = {int: "a whole number", bool: "1 or 0"}

LONGEST_SOCKET = 103
"""Bytes a socket's path may have: 107 on Linux, 103 on macOS."""


class Environment(environ.Env):
    """django-environ, but strict: what can't be read is an error and never the default.

    An empty variable counts as missing: compose passes on what `.env` leaves open. A `$` has no
    meaning of its own: a secret may begin with one.
    """

    def get_value(
        self, var: str, cast: Any = None, default: Any = None, parse_default: bool = False
    ) -> Any:
        """Return the variable as the type `cast`, or the default."""
        text = os.environ.get(var)
        if not text:
            return default
        try:
            return self.parse_value(text, cast)
        except (ValueError, KeyError):
            raise ImproperlyConfigured(f"{var} must be {EXPECTED[cast]}, not {text!r}.") from None

    @classmethod
    def parse_value(cls, value: str, cast: Any) -> Any:
        if cast is bool:
            return BOOLEANS[value.lower()]
        if cast is list:
            return [item.strip() for item in value.split(",") if item.strip()]
        return super().parse_value(value, cast)

    def database(self, name: str, default: str) -> dict[str, Any]:
        """Return the database that the variable's URL names, as Django's settings want it."""
        try:
            with warnings.catch_warnings(action="error"):
                database: dict[str, Any] = self.db_url(name, default)
        except (ValueError, UserWarning) as error:
            raise ImproperlyConfigured(f"{name} is no database's address: {error}.") from None
        if database["ENGINE"] not in ENGINES:
            raise ImproperlyConfigured(f"{name} must begin with postgres:// or sqlite:///.")
        return database

    def secret(self, name: str, kept_in: Path) -> str:
        """Return the secret from NAME, or from the file that NAME_FILE names.

        With neither, a random one is made once and kept in `kept_in`, so that an
        installation without any setting is safe all the same.
        """
        if secret := os.environ.get(name):
            return secret
        if path := os.environ.get(f"{name}_FILE"):
            try:
                return Path(path).read_text().strip()
            except OSError as error:
                raise ImproperlyConfigured(f"{name}_FILE can't be read: {error}.") from None
        return _kept_secret(kept_in)


env = Environment()


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


def socket_path(wanted: Path) -> Path:
    """Return `wanted`, or a stand-in when the kernel can't bind so long a path.

    The stand-in lies in a folder of its own under the temporary one; it is the same for
    every process of this user that wants the same path.
    """
    if len(os.fsencode(wanted)) <= LONGEST_SOCKET:
        return wanted
    digest = hashlib.sha256(f"{os.getuid()} {wanted}".encode()).hexdigest()[:16]
    return Path(tempfile.gettempdir()) / f"puzzleclass-{digest}" / wanted.name
