import stat
from pathlib import Path

from django.apps import AppConfig
from django.db.backends.base.base import BaseDatabaseWrapper
from django.db.backends.signals import connection_created


class PuzzleClassConfig(AppConfig):
    name = "puzzleclass"

    def ready(self) -> None:
        from puzzleclass import checks, pruning  # noqa: F401  (registers checks and tasks)

        connection_created.connect(keep_private)


def keep_private(connection: BaseDatabaseWrapper, **kwargs: object) -> None:
    """Take SQLite's file from everybody but its owner: it holds a school's names.

    SQLite makes it readable as the umask says, and gives the same rights to the `-wal` and `-shm`
    that come later.
    """
    if connection.vendor != "sqlite":
        return
    for ending in ("", "-wal", "-shm"):
        path = Path(f"{connection.settings_dict['NAME']}{ending}")
        try:
            if path.is_file() and stat.S_IMODE(path.stat().st_mode) & 0o077:
                path.chmod(0o600)
        except OSError:
            continue  # somebody else's, who lets us use it; or just gone
