"""`manage.py restore FILE`: fill an empty database from a backup, wholly or not at all."""

import shutil
import sys
from argparse import ArgumentParser
from pathlib import Path
from tempfile import TemporaryFile
from typing import Any

from django.core.management.base import BaseCommand, CommandError

from puzzleclass.operations import backup


class Command(BaseCommand):
    help = "Fill the empty, migrated database from a backup. The site must not run meanwhile."

    def add_arguments(self, parser: ArgumentParser) -> None:
        parser.add_argument("file", help="what `manage.py backup` wrote; - is standard input")

    def handle(self, *args: Any, **options: Any) -> None:
        name = options["file"]
        try:
            with TemporaryFile() if name == "-" else Path(name).open("rb") as file:
                if name == "-":
                    shutil.copyfileobj(sys.stdin.buffer, file)
                    file.seek(0)
                restored = backup.restore(file)
        except (backup.BackupError, OSError) as error:
            raise CommandError(f"{name}: nothing was restored. {error}") from error
        self.stdout.write(f"{name}: {restored.rows} rows restored. Everybody signs in again.")
        if not restored.key_fits:
            self.stderr.write(
                "The backup was made with another SECRET_KEY. Before the site starts, put that key "
                "back (SECRET_KEY, or the file var/secret-key). Without it, sign-in cards and "
                "calendar addresses do not work, and the client secrets of schools can't be "
                "opened. If it is lost, run: manage.py newkey"
            )
        if restored.cleaned:
            self.stdout.write(
                f"{restored.cleaned} of them held characters that cannot be stored (U+0000, half "
                "of a surrogate pair). U+FFFD (\N{REPLACEMENT CHARACTER}) stands in their place."
            )
