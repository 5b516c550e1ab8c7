"""`manage.py doctor`: what is wrong with this installation, and how to fix it."""

import os
import sys
from argparse import ArgumentParser
from typing import Any

from django.conf import settings
from django.core.management.base import BaseCommand
from django.utils import translation

from puzzleclass.language.languages import best_of
from puzzleclass.language.reader import say
from puzzleclass.operations.doctor import findings
from solvers.message import Message, gettext_noop

SMALL = gettext_noop(
    "{megabytes} MB of memory: one web process, and one worker for all questions (MEMORY_MB)."
)
LARGE = gettext_noop(
    "{megabytes} MB of memory: a web process for each core, and four workers (MEMORY_MB)."
)
ALONE = gettext_noop(
    "{megabytes} MB of memory: one process does everything, without Redis (ONE_PROCESS)."
)


class Command(BaseCommand):
    help = "Say what is wrong with the installation and how to fix it. Exit code 1: it is serious."
    # The command itself shows what the checks find, in the reader's language.
    requires_system_checks = ()

    def add_arguments(self, parser: ArgumentParser) -> None:
        parser.add_argument(
            "--language", choices=dict(settings.LANGUAGES), help="else that of the terminal"
        )

    def handle(self, *args: Any, **options: Any) -> None:
        with translation.override(options["language"] or terminal_language()):
            size = SMALL if settings.IS_SMALL else LARGE
            if settings.ONE_PROCESS:
                size = ALONE
            self.stdout.write(say(Message(size, {"megabytes": settings.MEMORY_MB})))
            all_findings = list(findings())
            for finding in all_findings:
                mark = "✗" if finding.is_serious else "!"
                self.stdout.write(f"{mark} {say(finding.fault)}\n  → {say(finding.remedy)}")
            if not all_findings:
                self.stdout.write(say(Message("Everything is in order.")))
        if any(finding.is_serious for finding in all_findings):
            sys.exit(1)


def terminal_language() -> str:
    """Return the language that the environment asks for; the site's default for any other."""
    names = ("LC_ALL", "LC_MESSAGES", "LANG")
    wanted = next((value for name in names if (value := os.environ.get(name))), "")
    return best_of([translation.to_language(wanted.partition(".")[0])])
