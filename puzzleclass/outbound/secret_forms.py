"""Forms with a secret that another server has given to the site."""

from typing import Any, ClassVar

from django import forms
from django.http import QueryDict
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy

from puzzleclass.outbound.sealed import is_openable, seal
from puzzleclass.outbound.sessions import origin_of


class SecretForm(forms.ModelForm):  # type: ignore[type-arg]
    """A form of a row with a client secret, which is stored encrypted and never shown.

    An empty field keeps the stored secret, but only for the servers that it was entered for.
    Otherwise, whoever may change an address could have the secret sent to a server of their own.
    """

    RECEIVERS: ClassVar[tuple[str, ...]]
    """The fields with the addresses of servers that receive the secret, or a token for it."""

    secret = forms.CharField(
        label=gettext_lazy("Client secret"),
        max_length=500,
        required=False,
        widget=forms.PasswordInput(attrs={"autocomplete": "off"}),
    )

    def __init__(self, instance: Any, data: QueryDict | None = None) -> None:
        super().__init__(data, instance=instance)
        if instance.sealed_secret:
            self.fields["secret"].help_text = _(
                "Leave it empty to keep the present one. For another server, enter it again."
            )

    def check_secret(self, fields: dict[str, Any]) -> None:
        """Add an error if the secret is missing, or would be sent to another server than before."""
        if fields.get("secret"):
            return
        if not self.instance.sealed_secret:
            self.add_error("secret", _("Enter the client secret."))
        elif not is_openable(self.instance.sealed_secret):
            self.add_error(
                "secret", _("The site's secret key was replaced. Enter the client secret again.")
            )
        else:
            for name in self.RECEIVERS:
                receiver = origin_of(fields.get(name) or "")
                if name in fields and receiver != origin_of(self.initial[name]):
                    self.add_error(
                        "secret",
                        _(
                            "The secret was entered for another server. To send it to {server}, "
                            "enter it again."
                        ).format(server=receiver),
                    )
                    return

    def save(self, commit: bool = True) -> Any:
        if secret := self.cleaned_data["secret"]:
            self.instance.sealed_secret = seal(secret)
        return super().save(commit)
