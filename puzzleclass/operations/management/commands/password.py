"""`manage.py password NAME`: set a teacher's password where no e-mail can be sent."""

import secrets
from argparse import ArgumentParser
from getpass import getpass
from typing import Any

from django.contrib.auth.password_validation import validate_password
from django.core.exceptions import ValidationError
from django.core.management.base import BaseCommand, CommandError

from puzzleclass.accounts import two_factor
from puzzleclass.accounts.locks import Lock
from puzzleclass.accounts.models import User


class Command(BaseCommand):
    help = "Give a teacher another password: a random one, which is printed, or one typed in."

    def add_arguments(self, parser: ArgumentParser) -> None:
        parser.add_argument("username")
        parser.add_argument("--type", action="store_true", help="type it instead")
        parser.add_argument(
            "--no-code",
            action="store_true",
            help="let the sign-in ask for no code: app and recovery codes are lost",
        )

    def handle(self, *args: Any, **options: Any) -> None:
        username = options["username"]
        teacher = User.objects.filter(username=username, role=User.Role.TEACHER).first()
        if teacher is None:
            raise CommandError(f"No teacher has the username “{username}”.")
        password = self.typed(teacher) if options["type"] else secrets.token_urlsafe(9)
        teacher.change_password(password)
        if options["no_code"]:
            two_factor.turn_off(teacher)
        Lock.objects.filter(key__startswith=f"password {username} ").delete()
        self.stdout.write("Changed." if options["type"] else f"New password: {password}")

    def typed(self, teacher: User) -> str:
        """Return the password that is typed twice. Raises CommandError when it is not accepted."""
        password = getpass("New password: ")
        if getpass("Once more: ") != password:
            raise CommandError("These were two different ones. Nothing was changed.")
        try:
            validate_password(password, teacher)
        except ValidationError as error:
            raise CommandError(" ".join(error.messages)) from None
        return password
