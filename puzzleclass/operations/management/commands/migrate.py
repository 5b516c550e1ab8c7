"""`manage.py migrate`: Django's own command, after a backup of the data that it will change."""

from typing import Any

from django.conf import settings
from django.core.management import CommandError, CommandParser
from django.core.management.commands import migrate
from django.db import DEFAULT_DB_ALIAS

from puzzleclass.operations import backup


class Command(migrate.Command):
    """Make a backup before an update, and say how to go back."""

    def add_arguments(self, parser: CommandParser) -> None:
        super().add_arguments(parser)
        parser.add_argument(
            "--no-backup",
            action="store_true",
            help="change the database without a backup of its data",
        )

    def handle(self, *args: Any, **options: Any) -> None:
        only_shows = options["plan"] or options["check_unapplied"]
        is_ours = options["database"] == DEFAULT_DB_ALIAS
        if is_ours and not options["no_backup"] and not only_shows:
            self.back_up()
        super().handle(*args, **options)

    def back_up(self) -> None:
        """Write the backup to VAR_DIR/backups if the database has data and is not up to date."""
        try:
            saved = backup.save_before_update(settings.VAR_DIR / "backups")
        except (backup.BackupError, OSError) as error:
            raise CommandError(
                f"No backup could be made, so nothing was changed. {error} "
                "(manage.py migrate --no-backup updates without one.)"
            ) from error
        if saved:
            self.stderr.write(
                f"The data from before this update are in {saved.path} ({saved.rows} rows). To go "
                "back, stop the site, install the release that ran before, and restore this file "
                "into an empty database (docs/running.md, “Going back”)."
            )
