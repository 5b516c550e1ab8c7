"""`manage.py backup [FILE | --nightly | --missed]`: write the database into
a file while the site runs."""

import sys
from argparse import ArgumentParser
from pathlib import Path
from typing import Any

from django.conf import settings
from django.core.management.base import BaseCommand, CommandError
from django.utils import timezone

from puzzleclass.operations import backup, nightly


class Command(BaseCommand):
    help = "Write the database into one file; the site may run. Sessions are left out."

    def add_arguments(self, parser: ArgumentParser) -> None:
        where = parser.add_mutually_exclusive_group()
        where.add_argument(
            "file", nargs="?", help="- is standard output; else a new one in VAR_DIR/backups"
        )
        where.add_argument(
            "--nightly",
            action="store_true",
            help="a new file in VAR_DIR/backups; of these, the newest of each of the last "
            f"{nightly.KEPT_DAYS} days and of {nightly.KEPT_WEEKS} weeks before this one are kept",
        )

        where.add_argument(
            "--missed",
            action="store_true",
            help="as --nightly, if there is no nightly backup of the last 24 hours",
        )

    def handle(self, *args: Any, **options: Any) -> None:
        folder = settings.VAR_DIR / "backups"
        if options["missed"] and not nightly.was_missed(folder):
            return
        is_nightly = options["nightly"] or options["missed"]
        path = folder / f"puzzleclass-{timezone.now():%Y%m%d-%H%M%S}.jsonl.gz"
        if is_nightly:
            path = nightly.new_path(folder)
        elif options["file"]:
            path = Path(options["file"])
        try:
            if str(path) == "-":
                rows = backup.write(sys.stdout.buffer)
                sys.stdout.buffer.flush()
            else:
                rows = backup.save(path)
        except (backup.BackupError, OSError) as error:
            raise CommandError(f"No backup was made. {error}") from error
        out = self.stderr if str(path) == "-" else self.stdout
        out.write(f"{path}: {rows} rows. Keep the SECRET_KEY too, at another place.")
        if is_nightly:
            try:
                nightly.delete_old(folder)
            except OSError as error:
                raise CommandError(f"An old backup can't be deleted. {error}") from error
