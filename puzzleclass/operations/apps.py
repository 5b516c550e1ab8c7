import stat
from pathlib import Path

from django.apps import AppConfig
from django.apps import apps as site_apps
from django.apps.registry import Apps
from django.db.backends.base.base import BaseDatabaseWrapper
from django.db.backends.signals import connection_created
from django.db.models.signals import post_migrate
from django.utils.translation import gettext_lazy as _

from puzzleclass.database.texts import refuse_unstorable_texts
from puzzleclass.templating.crumbs import add_list_page


class OperationsConfig(AppConfig):
    name = "puzzleclass.operations"

    def ready(self) -> None:
        # The checks and the task register themselves when they are imported.
        from puzzleclass.operations import checks, pruning  # noqa: F401

        add_list_page("administration", _("Administration"))
        post_migrate.connect(note_secret_key, sender=self)
        connection_created.connect(keep_private)
        connection_created.connect(refuse_unstorable_texts)
        from puzzleclass.operations import slots  # noqa: F401  (fills the slots)


def note_secret_key(apps: Apps = site_apps, **kwargs: object) -> None:
    """Let the database name the key with which its data are made from now on.

    The command `flush`, with which tests empty their database, sends the signal without `apps`.
    """
    from puzzleclass.operations.models import KeyProof

    if KeyProof._meta.model_name in apps.all_models["operations"]:  # not yet in earlier tables
        KeyProof.make_if_missing()


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
