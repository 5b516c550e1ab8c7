import stat
from pathlib import Path

from django.apps import AppConfig
from django.db.backends.base.base import BaseDatabaseWrapper
from django.db.backends.signals import connection_created

from puzzleclass.storage.texts import refuse_unstorable_texts


class OperationsConfig(AppConfig):
    name = "puzzleclass.operations"

    def ready(self) -> None:
        # The checks and the task register themselves when they are imported.
        from puzzleclass.operations import checks, pruning  # noqa: F401

        connection_created.connect(keep_private)
        connection_created.connect(refuse_unstorable_texts)


def keep_private(connection: BaseDatabaseWrapper, **kwargs: object) -> None:
    """Take the permissions for SQLite's files from everybody but their owner: they hold a school's
    names.

    SQLite creates its file with the permissions that the umask leaves, and the later files `-wal`
    and `-shm` with the same permissions.
    """
    if connection.vendor != "sqlite":
        return
    for ending in ("", "-wal", "-shm"):
        path = Path(f"{connection.settings_dict['NAME']}{ending}")
        try:
            if path.is_file() and stat.S_IMODE(path.stat().st_mode) & 0o077:
                path.chmod(0o600)
        except OSError:
            continue  # the file belongs to another user, or has just been deleted
