"""`manage.py demo`: make the demo school in an empty database."""

from argparse import ArgumentParser

from django.core.management.base import BaseCommand, CommandError

from puzzleclass.accounts.models import User
from puzzleclass.demo.school import is_local, make_demo, sign_ins


class Command(BaseCommand):
    help = "Make a teacher, two classes, puzzles and past lessons to look around in."

    def add_arguments(self, parser: ArgumentParser) -> None:
        parser.add_argument("--language", choices=["ja", "en"], default="ja", help="of the names")

    def handle(self, *, language: str, **options: object) -> None:
        if not is_local():
            raise CommandError(
                "Others reach this site (ALLOWED_HOSTS, HTTPS), and everybody knows the demo's "
                "password: no demo here."
            )
        if User.objects.exists():
            raise CommandError("The database has users already; the demo needs an empty one.")
        make_demo(language=language)
        for line in sign_ins():
            self.stdout.write(line)
