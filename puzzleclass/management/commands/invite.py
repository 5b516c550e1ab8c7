"""`manage.py invite`: let one more teacher make an account where sign-up is closed."""

from django.conf import settings
from django.core.management.base import BaseCommand
from django.urls import reverse

from puzzleclass.accounts.models import Invitation


class Command(BaseCommand):
    help = f"Print a link by which one teacher can make an account within {Invitation.DAYS} days."

    def handle(self, *args: object, **options: object) -> None:
        scheme = "https" if settings.HTTPS else "http"
        path = f"{reverse('sign_up')}?invitation={Invitation.make()}"
        self.stdout.write(f"{scheme}://{settings.ALLOWED_HOSTS[0]}{path}")
