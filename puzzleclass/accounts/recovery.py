"""E-mail to teachers: a link to a new password, and word of what was changed in the account."""

import hashlib
import logging
from collections.abc import Iterator
from datetime import timedelta
from threading import Thread
from typing import Any

from django.conf import settings
from django.contrib import messages
from django.contrib.auth.forms import PasswordResetForm
from django.contrib.auth.views import PasswordResetConfirmView, PasswordResetView
from django.core.mail import EmailMessage
from django.http import HttpRequest, HttpResponse
from django.urls import reverse, reverse_lazy
from django.utils import timezone
from django.utils.formats import date_format
from django.utils.translation import gettext as _

from puzzleclass.accounts.forms import NewPasswordForm
from puzzleclass.accounts.models import Lock, User, spend
from puzzleclass.accounts.sign_in import address_of, record

logger = logging.getLogger(__name__)

MOST_FROM_AN_ADDRESS = 20
"""Links asked for at one address within an hour: a whole staff room sits behind one."""
MOST_TO_AN_ADDRESS = 3
"""Links sent to one e-mail address within an hour."""
AN_HOUR = timedelta(hours=1)


def send(to: str, subject: str, body: str) -> None:
    """Send an e-mail without being waited for: how long it takes tells nobody whether there is
    such an account."""
    Thread(target=_send, args=(EmailMessage(subject, body, to=[to]),), name="mail").start()


def _send(message: EmailMessage) -> None:
    try:
        message.send()
    except OSError:
        # smtplib's own errors are OSErrors, too. The address is not written down.
        logger.exception("An e-mail could not be sent")


def tell(request: HttpRequest, to: str, what: str) -> None:
    """Tell a teacher by e-mail, where there is an address, what was changed in the account."""
    if not to:
        return
    said = _(
        "{what}\nWhen: {when}\n\nIf that was not you, set a new password at once: {link}\n"
        "and tell whoever looks after the site."
    ).format(
        what=what,
        when=date_format(timezone.localtime(), "SHORT_DATETIME_FORMAT"),
        link=request.build_absolute_uri(reverse("password_reset")),
    )
    send(to, _("Your account at PuzzleClass was changed"), said)


class RecoveryForm(PasswordResetForm):
    """An e-mail address; whoever has an account with it gets a link."""

    def __init__(self, *args: Any, **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        self.fields["email"].label = _("E-mail address of your account")

    def get_users(self, email: str) -> Iterator[User]:
        """Yield the teachers who have the address: none when it had its links for this hour."""
        digest = hashlib.sha256(email.casefold().encode()).hexdigest()
        if spend(f"links to {digest}", MOST_TO_AN_ADDRESS, AN_HOUR):
            yield from (user for user in super().get_users(email) if user.is_teacher)

    def send_mail(
        self,
        subject_template_name: str,
        email_template_name: str,
        context: dict[str, Any],
        from_email: str | None,
        to_email: str,
        html_email_template_name: str | None = None,
    ) -> None:
        """Send the link."""
        way = reverse("password_reset_confirm", args=[context["uid"], context["token"]])
        said = _(
            "Somebody, probably you, has asked for a new password for {name} (username: "
            "{username}). With this link you set one; it is good once, for {hours} hours:\n\n"
            "{link}\n\nIf it was not you, there is nothing to do: the old password stays."
        ).format(
            name=context["user"].name,
            username=context["user"].username,
            hours=settings.PASSWORD_RESET_TIMEOUT // 3600,
            link=f"{context['protocol']}://{context['domain']}{way}",
        )
        send(to_email, _("A new password for PuzzleClass"), said)


class Forgotten(PasswordResetView):
    """Asks for the e-mail address, and says the same whether or not it is anybody's."""

    form_class = RecoveryForm
    template_name = "accounts/forgotten.html"
    success_url = reverse_lazy("sign_in")
    extra_context = {"sends": bool(settings.EMAIL_HOST)}

    def form_valid(self, form: Any) -> HttpResponse:
        here = f"links from {address_of(self.request)}"
        if not spend(here, MOST_FROM_AN_ADDRESS, AN_HOUR):
            form.add_error(None, _("Too many have asked from here. Try again in an hour."))
            return self.render_to_response(self.get_context_data(form=form), status=429)
        record(self.request, "new password asked for")
        said = _(
            "If an account has this address, an e-mail with a link is on its way. Look into the "
            "folder for spam, too."
        )
        messages.success(self.request, said)
        return super().form_valid(form)


class Recovered(PasswordResetConfirmView):
    """Sets the new password for whoever has the link. A second factor is still asked for."""

    form_class = NewPasswordForm  # type: ignore[assignment]
    template_name = "accounts/recovered.html"
    success_url = reverse_lazy("sign_in")

    def form_valid(self, form: Any) -> HttpResponse:
        answer = super().form_valid(form)
        teacher = self.user
        assert teacher is not None  # the link was theirs
        Lock.objects.filter(key__startswith=f"password {teacher.username} ").delete()
        record(self.request, "password recovered", who=teacher.pk)
        tell(self.request, teacher.email, _("A new password was set by e-mail."))
        said = _("Your new password is set. Sign in with it.")
        messages.success(self.request, said)
        return answer
