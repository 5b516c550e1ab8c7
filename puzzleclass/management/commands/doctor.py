"""`manage.py doctor`: what is wrong with this installation, and how to mend it."""

import os
import sys
from argparse import ArgumentParser
from typing import Any

from django.conf import settings
from django.core.management.base import BaseCommand
from django.utils import translation

from puzzleclass.language import say
from puzzleclass.monitoring.doctor import findings
from solvers.message import Message


class Command(BaseCommand):
    help = "Say in plain words what is wrong and how to mend it. Exit code 1: something is serious."
    # It tells what they find in words of its own.
    requires_system_checks = ()

    def add_arguments(self, parser: ArgumentParser) -> None:
        parser.add_argument(
            "--language", choices=dict(settings.LANGUAGES), help="else that of the terminal"
        )

    def handle(self, *args: Any, **options: Any) -> None:
        with translation.override(options["language"] or terminal_language()):
            found = list(findings())
            for finding in found:
                mark = "✗" if finding.is_serious else "!"
                self.stdout.write(f"{mark} {say(finding.fault)}\n  → {say(finding.mend)}")
            if not found:
                self.stdout.write(say(Message("Everything is in order.")))
        if any(finding.is_serious for finding in found):
            sys.exit(1)


def terminal_language() -> str:
    """Return the language that the environment asks for; the site's own for any other."""
    names = ("LC_ALL", "LC_MESSAGES", "LANG")
    wanted = next((value for name in names if (value := os.environ.get(name))), "")
    code = wanted.partition(".")[0].partition("_")[0]
    return code if code in dict(settings.LANGUAGES) else settings.LANGUAGE_CODE
