"""`manage.py messages`: collect the texts for translation; `--compile` only compiles."""

from argparse import ArgumentParser

from django.core.management.base import BaseCommand

from puzzleclass import catalogue


class Command(BaseCommand):
    help = "Bring the Japanese catalogue up to date with the sources, or compile it."
    requires_system_checks = ()

    def add_arguments(self, parser: ArgumentParser) -> None:
        parser.add_argument("--compile", action="store_true", help="only compile")

    def handle(self, *args: object, **options: object) -> None:
        if not options["compile"]:
            catalogue.merge()
            for text in catalogue.untranslated():
                self.stdout.write(f"not translated: {text}")
        catalogue.compile_catalogue()
