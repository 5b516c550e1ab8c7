"""`manage.py backup [FILE]`: write the whole database into one file while the site runs."""

import sys
from argparse import ArgumentParser
from pathlib import Path
from typing import Any

from django.conf import settings
from django.core.management.base import BaseCommand, CommandError
from django.utils import timezone

from puzzleclass.operations import backup


class Command(BaseCommand):
    help = "Write the database into one file; the site may run. Sessions are left out."

    def add_arguments(self, parser: ArgumentParser) -> None:
        parser.add_argument(
            "file", nargs="?", help="- is standard output; else a new one in VAR_DIR/backups"
        )

    def handle(self, *args: Any, **options: Any) -> None:
        name = f"puzzleclass-{timezone.now():%Y%m%d-%H%M%S}.jsonl.gz"
        path = Path(options["file"] or settings.VAR_DIR / "backups" / name)
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
