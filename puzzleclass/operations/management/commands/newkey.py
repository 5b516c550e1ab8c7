"""`manage.py newkey`: go on with another SECRET_KEY, because the earlier one is lost."""

from typing import Any

from django.core.management.base import BaseCommand

from puzzleclass.operations.models import KeyProof


class Command(BaseCommand):
    help = "Take the present SECRET_KEY for the site's own, because the earlier one is lost."

    def handle(self, *args: Any, **options: Any) -> None:
        if KeyProof.fits():
            self.stdout.write("The SECRET_KEY is the one with which the data were made.")
            return
        KeyProof.make_new()
        self.stdout.write(
            "The present SECRET_KEY is the site's own from now on. Print the sign-in cards again; "
            "calendars need their new addresses; schools enter the client secrets of their sign-in "
            "and of their roster service again."
        )
