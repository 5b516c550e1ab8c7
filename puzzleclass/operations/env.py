"""Read the environment for `settings.py` and `manage.py run`, with django-environ.

Every fault raises ImproperlyConfigured, which names the variable.
"""

import hashlib
import os
import stat
import tempfile
import warnings
from pathlib import Path
from typing import Any
from urllib.parse import urlsplit

import environ
from django.core.exceptions import ImproperlyConfigured
from django.core.management.utils import get_random_secret_key

ENGINES = ("django.db.backends.postgresql", "django.db.backends.sqlite3")
BOOLEANS = {
    **dict.fromkeys(("1", "true", "yes", "on"), True),
    **dict.fromkeys(("0", "false", "no", "off"), False),
}
EXPECTED = {int: "a whole number", bool: "1 or 0"}

LONGEST_SOCKET_BYTES = 103
"""The most bytes that the path of a socket may have: Linux allows 107, macOS 103."""


class Environment(environ.Env):
    """A strict version of django-environ: a value that can't be read is an error and never the
    default.

    An empty variable counts as missing, because Compose passes on the variables that `.env` leaves
    empty. A `$` has no special meaning, because a secret may begin with one.
    """

    def get_value(
        self, var: str, cast: Any = None, default: Any = None, parse_default: bool = False
    ) -> Any:
        """Return the variable as the type `cast`, or the default. Raises ImproperlyConfigured."""
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
        """Return the database that the variable's URL names, in the form of Django's settings."""
        try:
            with warnings.catch_warnings(action="error"):
                database: dict[str, Any] = self.db_url(name, default)
        except (ValueError, UserWarning) as error:
            raise ImproperlyConfigured(f"{name} is no database's address: {error}.") from None
        if database["ENGINE"] not in ENGINES:
            raise ImproperlyConfigured(f"{name} must begin with postgres:// or sqlite:///.")
        return database

    def address(self, name: str) -> str:
        """Return the variable as the address of a site, without a slash at its end; empty when the
        variable is missing."""
        text = str(self.str(name, "")).rstrip("/")
        try:
            parts = urlsplit(text)
            is_good = parts.scheme in ("http", "https") and bool(parts.hostname) and parts.port != 0
        except ValueError:
            is_good = False
        if text and not (is_good and text == f"{parts.scheme}://{parts.netloc}"):
            raise ImproperlyConfigured(
                f"{name} must be an address like https://puzzles.school.example, not {text!r}."
            )
        return text

    def secret(self, name: str, kept_in: Path) -> str:
        """Return the secret from NAME or from the file that NAME_FILE names.

        With neither, a random secret is made once and kept in `kept_in`, so that an installation
        without any setting is safe, too.
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


def private_folder(path: Path) -> Path:
    """Return the folder, created if necessary, and readable by its owner alone.

    Its content, a school's names and the secret, concerns nobody else on this machine. The
    permissions of a folder that belongs to another user stay as they are.
    """
    try:
        path.mkdir(mode=0o700, parents=True, exist_ok=True)
        status = path.stat()
        if status.st_uid == _user_id() and stat.S_IMODE(status.st_mode) & 0o077:
            path.chmod(0o700)
    except OSError as error:
        raise ImproperlyConfigured(f"No folder can be kept at {path}: {error}.") from None
    return path


def _kept_secret(path: Path) -> str:
    private_folder(path.parent)
    try:
        # A web process and a worker may start at the same moment. The first one to make the file
        # wins, and because its name appears when it is complete, nobody reads half of it.
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


def _user_id() -> int:
    """Return the number of this user; 0 on Windows, where a user's folders are private anyway."""
    return os.getuid() if hasattr(os, "getuid") else 0


def socket_path(wanted: Path) -> Path:
    """Return `wanted`, or another path when it is too long for the kernel to bind.

    The other path is in a folder of its own in the temporary folder. It is the same for every
    process of this user that wants the same path.
    """
    if len(os.fsencode(wanted)) <= LONGEST_SOCKET_BYTES:
        return wanted
    digest = hashlib.sha256(f"{_user_id()} {wanted}".encode()).hexdigest()[:16]
    return Path(tempfile.gettempdir()) / f"puzzleclass-{digest}" / wanted.name
