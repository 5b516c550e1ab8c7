"""E-mails to teachers, and notices of changes to their accounts."""

import logging
from collections.abc import Callable
from threading import Thread

from django.core.mail import EmailMessage, get_connection
from django.db import connection
from django.http import HttpRequest
from django.urls import reverse
from django.utils import timezone
from django.utils.formats import date_format
from django.utils.translation import gettext as _

from puzzleclass.address import absolute

logger = logging.getLogger(__name__)


def send(to: str, subject: str, body: str) -> None:
    """Send an e-mail in a thread of its own, without waiting for it.

    So the time that an answer takes does not tell whether an account exists.
    """
    Thread(target=deliver, args=(to, subject, body), name="mail").start()


def send_all(letters: dict[int, EmailMessage], lost: Callable[[list[int]], object]) -> None:
    """Send these e-mails in a thread of its own, without waiting for it.

    If the server has not taken all of them, `lost` is called in that thread with the keys of the
    others.
    """

    def work() -> None:
        try:
            if keys := _deliver(letters):
                lost(keys)
        finally:
            connection.close()

    Thread(target=work, name="mail").start()


def deliver(to: str, subject: str, body: str) -> bool:
    """Send an e-mail, log the fault if the server does not take it, and return whether it has."""
    return not _deliver({0: EmailMessage(subject, body, to=[to])})


def _deliver(letters: dict[int, EmailMessage]) -> list[int]:
    """Send the e-mails over one connection, and return the keys of those that were not taken.

    Some servers end a connection after a few messages, so what was refused is sent once more over a
    new one. A server that cannot be reached is not asked again for the others.
    """
    lost: list[int] = []
    server = get_connection()
    left = list(letters)
    while left:
        key = left.pop(0)
        try:
            server.open()
        except OSError:
            logger.exception("No e-mail could be sent")
            lost += [key, *left]
            break
        letters[key].connection = server
        # smtplib's own errors are OSErrors, too. An address that can't be written is a ValueError.
        try:
            letters[key].send()
        except (OSError, ValueError):
            server.close()
            try:
                letters[key].send()
            except (OSError, ValueError):
                logger.exception("An e-mail could not be sent")
                lost.append(key)
                server.close()
    server.close()
    return lost


def notify(request: HttpRequest, to: str, what: str) -> None:
    """Tell a teacher by e-mail what was changed in the account, if there is an address."""
    if not to:
        return
    text = _(
        "{what}\nWhen: {when}\n\nIf this was not you, set a new password at once: {link}\nand "
        "tell the site's administrator."
    ).format(
        what=what,
        when=date_format(timezone.localtime(), "SHORT_DATETIME_FORMAT"),
        link=absolute(reverse("password_reset"), request),
    )
    send(to, _("Your account at PuzzleClass was changed"), text)
