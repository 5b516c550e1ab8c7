"""E-mails to teachers, and notices of changes to their accounts."""

import logging
from threading import Thread

from django.core.mail import EmailMessage, get_connection
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
    send_all([EmailMessage(subject, body, to=[to])])


def send_all(messages: list[EmailMessage]) -> None:
    """Send these e-mails by one connection in a thread of its own, without waiting for it."""
    Thread(target=_deliver, args=(messages,), name="mail").start()


def deliver(to: str, subject: str, body: str) -> None:
    """Send an e-mail, and log the fault if the server does not take it."""
    _deliver([EmailMessage(subject, body, to=[to])])


def _deliver(messages: list[EmailMessage]) -> None:
    # smtplib's own errors are OSErrors, too. An address that is refused does not stop the others,
    # and is not logged.
    try:
        with get_connection() as connection:
            for message in messages:
                message.connection = connection
                try:
                    message.send()
                except OSError:
                    logger.exception("An e-mail could not be sent")
    except OSError:
        logger.exception("No e-mail could be sent")


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
