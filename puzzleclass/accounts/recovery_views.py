"""The way to a new password for teachers who have forgotten theirs: a link by e-mail."""

import hashlib
from collections.abc import Iterator
from datetime import timedelta
from typing import Any

from django.conf import settings
from django.contrib import messages
from django.contrib.auth.forms import PasswordResetForm
from django.contrib.auth.views import PasswordResetConfirmView, PasswordResetView
from django.http import HttpResponse
from django.urls import reverse, reverse_lazy
from django.utils.translation import gettext as _

from puzzleclass.accounts.forms import NewPasswordForm
from puzzleclass.accounts.locks import Lock, spend
from puzzleclass.accounts.mail import notify, send
from puzzleclass.accounts.models import User
from puzzleclass.accounts.sign_in import record
from puzzleclass.accounts.visitors import address_of

MAX_FROM_AN_ADDRESS = 20
"""The most links requested from one address in an hour; a whole staff room may share it."""
MAX_TO_AN_ADDRESS = 3
"""The most links sent to one e-mail address in an hour."""
AN_HOUR = timedelta(hours=1)


class RecoveryForm(PasswordResetForm):
    """An e-mail address. Teachers who have an account with it get a link."""

    def __init__(self, *args: Any, **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        self.fields["email"].label = _("E-mail address of your account")

    def get_users(self, email: str) -> Iterator[User]:
        """Yield the teachers who have the address; none if it has had its links for this hour."""
        digest = hashlib.sha256(email.casefold().encode()).hexdigest()
        if spend(f"links to {digest}", MAX_TO_AN_ADDRESS, AN_HOUR):
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
        """Send the e-mail with the link."""
        here = f"{context['protocol']}://{context['domain']}"
        path = reverse("password_reset_confirm", args=[context["uid"], context["token"]])
        text = _(
            "Somebody, probably you, has asked for a new password for {name} (username: "
            "{username}). Use this link to set one. It works once, within {hours} hours:\n\n"
            "{link}\n\nIf it was not you, ignore this message. The old password stays valid."
        ).format(
            name=context["user"].name,
            username=context["user"].username,
            hours=settings.PASSWORD_RESET_TIMEOUT // 3600,
            link=f"{settings.PUBLIC_URL or here}{path}",
        )
        send(to_email, _("A new password for PuzzleClass"), text)


class ForgottenPassword(PasswordResetView):
    """Asks for the e-mail address, and gives the same answer whether or not it has an account."""

    form_class = RecoveryForm
    template_name = "accounts/forgotten.html"
    success_url = reverse_lazy("sign_in")
    extra_context = {"sends": bool(settings.EMAIL_HOST)}

    def form_valid(self, form: Any) -> HttpResponse:
        here = f"links from {address_of(self.request)}"
        if not spend(here, MAX_FROM_AN_ADDRESS, AN_HOUR):
            form.add_error(None, _("Too many requests have come from here. Try again in an hour."))
            return self.render_to_response(self.get_context_data(form=form), status=429)
        record(self.request, "new password asked for")
        text = _(
            "If an account has this address, we have sent it an e-mail with a link. Please "
            "check your spam folder, too."
        )
        messages.success(self.request, text)
        return super().form_valid(form)


class RecoveredPassword(PasswordResetConfirmView):
    """Sets the new password for whoever has the link. The second factor is still asked for."""

    form_class = NewPasswordForm  # type: ignore[assignment]
    template_name = "accounts/recovered.html"
    success_url = reverse_lazy("sign_in")

    def form_valid(self, form: Any) -> HttpResponse:
        response = super().form_valid(form)
        teacher = self.user
        assert teacher is not None  # the link is a teacher's
        Lock.objects.filter(key__startswith=f"password {teacher.username} ").delete()
        record(self.request, "password recovered", who=teacher.pk)
        notify(self.request, teacher.email, _("A new password was set by e-mail."))
        text = _("Your new password is set. Sign in with it.")
        messages.success(self.request, text)
        return response
