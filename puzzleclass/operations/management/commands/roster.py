"""`manage.py roster FILE`: import a school's class lists from a OneRoster ZIP."""

import json
import sys
from argparse import ArgumentParser
from pathlib import Path
from typing import Any

from django.conf import settings
from django.core.management.base import BaseCommand, CommandError
from django.utils import translation

from puzzleclass.language.reader import say
from puzzleclass.operations.management.commands.doctor import terminal_language
from puzzleclass.rosters.imports import Import, import_roster
from puzzleclass.rosters.plan import Change


class Command(BaseCommand):
    help = (
        "Import schools, classes, students and teachers from a OneRoster ZIP, and print what "
        "changes as JSON. Exit code 1: the file has errors, and nothing was stored."
    )

    def add_arguments(self, parser: ArgumentParser) -> None:
        parser.add_argument("file", type=Path)
        parser.add_argument("--school", default="", help="import only the school of this name")
        parser.add_argument("--dry-run", action="store_true", help="store nothing")
        parser.add_argument(
            "--link",
            action="store_true",
            help="confirm that teachers with the same username or e-mail address, and students "
            "entered by hand with the same number and name, are the same persons",
        )
        parser.add_argument(
            "--many-leave",
            action="store_true",
            help="confirm that the file is complete although it leaves out more than half of the "
            "people",
        )
        parser.add_argument(
            "--language", choices=dict(settings.LANGUAGES), help="else that of the terminal"
        )

    def handle(self, *args: Any, **options: Any) -> None:
        with translation.override(options["language"] or terminal_language()):
            try:
                with options["file"].open("rb") as file:
                    done = import_roster(
                        file,
                        school=options["school"],
                        link=options["link"],
                        dry_run=options["dry_run"],
                        many_leave=options["many_leave"],
                    )
            except OSError as error:
                raise CommandError(f"The file can't be read. {error}") from error
            self.stdout.write(json.dumps(report(done), ensure_ascii=False, indent=2))
        if done.faults.count:
            sys.exit(1)


def report(done: Import) -> dict[str, object]:
    """Return the JSON that describes an import, in the active language."""
    return {
        "source": done.plan.roster.source,
        "stored": done.is_stored,
        **{
            table: {change.value: counts[change] for change in Change}
            for table, counts in done.plan.changes.items()
        },
        "not_linked": [
            {
                "line": each.line,
                "sourcedId": each.sourced_id,
                "name": each.name,
                "account": each.account.username if each.account else None,
            }
            for each in done.plan.unlinked
        ],
        "error_count": done.faults.count,
        "errors": [
            {
                "file": fault.file,
                "line": fault.line,
                "column": fault.column,
                "message": say(fault.message),
            }
            for fault in done.faults.first
        ],
    }
