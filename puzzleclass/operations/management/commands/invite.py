"""`manage.py invite`: let one more teacher make an account where sign-up is closed."""

from django.core.management.base import BaseCommand
from django.urls import reverse

from puzzleclass.accounts.models import Invitation
from puzzleclass.address import absolute, is_loopback


class Command(BaseCommand):
    help = f"Print a link by which one teacher can make an account within {Invitation.DAYS} days."

    def handle(self, *args: object, **options: object) -> None:
        link = absolute(f"{reverse('sign_up')}?invitation={Invitation.make()}")
        self.stdout.write(link)
        if is_loopback(link):
            self.stderr.write(
                "Only this computer can open this address. Set PUBLIC_URL to the one that others "
                "type."
            )
