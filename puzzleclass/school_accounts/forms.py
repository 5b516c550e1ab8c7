import re
from typing import Any

from django import forms
from django.core.exceptions import ValidationError
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy

from puzzleclass.forms.merging import MergingForm
from puzzleclass.language.reader import say
from puzzleclass.outbound.secret_forms import SecretForm
from puzzleclass.outbound.sessions import fault_of_address
from puzzleclass.rosters.identifiers import RosterIdentifierForm
from puzzleclass.school_accounts.models import (
    GOOGLE_ISSUER,
    MICROSOFT_ISSUER,
    SignInProvider,
    depend_on,
)

UNSTEADY_CLAIMS = {
    *("email", "preferred_username", "upn", "unique_name", "nickname", "phone_number"),
    *("name", "given_name", "family_name", "middle_name"),
}
"""Claims that can change, or can be given to somebody else later."""

DOMAIN = re.compile(r"[a-z0-9-]+(\.[a-z0-9-]+)+")
TENANT = re.compile(r"[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}")
CLAIM = re.compile(r"[\w.:/-]+")


class ProviderForm(MergingForm, RosterIdentifierForm, SecretForm):
    """The provider of a school, its application there, and what the school allows."""

    RECEIVERS = ("issuer",)

    class Meta:
        model = SignInProvider
        fields = [
            *("kind", "tenant", "tenant_claim", "issuer", "client_id", "secret"),
            *("roster_claim", "roster_identifier", "adds_students", "is_on"),
        ]
        help_texts = {
            "tenant": gettext_lazy(
                "Google: your domain, such as midori.example. Microsoft: the tenant ID. Accounts "
                "of others are refused."
            ),
            "tenant_claim": gettext_lazy("Only for another provider that several schools share."),
            "issuer": gettext_lazy("Only for another provider: its address, with https://."),
            "roster_claim": gettext_lazy(
                "Students are found by it at their first sign-in. Fill it in only if you know that "
                "the provider takes it from your roster and that nobody can change their own. "
                "Without it, they sign in with card or PIN once."
            ),
        }
        widgets = {
            name: forms.TextInput(
                attrs={"autocomplete": "off", "autocapitalize": "none", "spellcheck": "false"}
            )
            for name in ("tenant", "tenant_claim", "issuer", "client_id", "roster_claim")
        }

    def clean_roster_claim(self) -> str:
        claim = _clean_claim(self.cleaned_data["roster_claim"])
        if claim in UNSTEADY_CLAIMS:
            raise ValidationError(
                _("“{claim}” can change or pass to somebody else. Choose an identifier.").format(
                    claim=claim
                )
            )
        return claim

    def clean_tenant_claim(self) -> str:
        return _clean_claim(self.cleaned_data["tenant_claim"])

    def clean(self) -> dict[str, Any]:
        fields = super().clean() or {}
        kind, tenant = fields.get("kind"), str(fields.get("tenant") or "").strip()
        if kind == SignInProvider.Kind.GOOGLE:
            tenant, fields["tenant_claim"], fields["issuer"] = tenant.lower(), "hd", GOOGLE_ISSUER
            if not DOMAIN.fullmatch(tenant):
                self.add_error("tenant", _("Enter your domain, such as midori.example."))
        elif kind == SignInProvider.Kind.MICROSOFT:
            tenant, fields["tenant_claim"] = tenant.lower(), "tid"
            fields["issuer"] = MICROSOFT_ISSUER.format(tenant=tenant)
            if not TENANT.fullmatch(tenant):
                self.add_error(
                    "tenant", _("Enter the tenant ID, a UUID, from the overview of Entra ID.")
                )
        else:
            if fault := fault_of_address(fields.get("issuer") or ""):
                self.add_error("issuer", say(fault))
            if bool(tenant) != bool(fields.get("tenant_claim")):
                self.add_error(
                    "tenant_claim", _("A claim and its value belong together. Fill in both.")
                )
        fields["tenant"] = tenant
        if fields.get("adds_students") and not tenant:
            self.add_error(
                "adds_students",
                _(
                    "First enter the claim and the value by which the school's own people are "
                    "recognised."
                ),
            )
        if not fields.get("is_on") and depend_on(self.instance.owner):
            self.add_error("is_on", _("The students have no other way to sign in."))
        self.check_secret(fields)
        return fields


def _clean_claim(text: str) -> str:
    claim = text.strip()
    if claim and not CLAIM.fullmatch(claim):
        raise ValidationError(_("A claim is one word, such as employee_id."))
    return claim
