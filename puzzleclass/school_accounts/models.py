"""The provider at which the people of a school sign in."""

from typing import ClassVar, Self

from allauth.socialaccount.models import SocialAccount
from django.db import models
from django.db.models import QuerySet
from django.db.models.signals import post_delete
from django.dispatch import receiver
from django.utils.translation import gettext_lazy as _

from puzzleclass.classes.models import School
from puzzleclass.database.bin import OutsideBin

GOOGLE_ISSUER = "https://accounts.google.com"
MICROSOFT_ISSUER = "https://login.microsoftonline.com/{tenant}/v2.0"


class SignInProvider(models.Model):
    """The OpenID provider of a school: its own domain at Google or Microsoft, or another server.

    An account there is linked with one of ours by its `sub`, in a `SocialAccount` of allauth.
    """

    class Kind(models.TextChoices):
        GOOGLE = "google", "Google Workspace"
        MICROSOFT = "microsoft", "Microsoft Entra ID (Microsoft 365)"
        OPENID = "openid", _("Another OpenID Connect provider")

    school = models.OneToOneField(School, on_delete=models.CASCADE, related_name="provider")
    kind = models.CharField(_("Provider"), max_length=10, choices=Kind, default=Kind.GOOGLE)
    tenant = models.CharField(_("Domain or tenant"), max_length=200, blank=True)
    """The part of the provider that is the school's: the domain at Google, the identifier of the
    tenant at Microsoft, the value of `tenant_claim` elsewhere. Empty if the whole provider is."""
    tenant_claim = models.CharField(_("Claim that names the school"), max_length=60, blank=True)
    issuer = models.CharField(_("Issuer"), max_length=500, blank=True)
    client_id = models.CharField(_("Client ID"), max_length=191)
    sealed_secret = models.TextField()
    """The client secret, encrypted by `outbound.sealed`."""
    roster_claim = models.CharField(
        _("Claim with the identifier on the roster"), max_length=60, blank=True
    )
    """The claim by which a student who is not linked yet is found on the roster."""
    adds_students = models.BooleanField(
        _("Add students of the school's own domain to the class in which they sign in"),
        default=False,
    )
    is_on = models.BooleanField(_("Show the button on the sign-in pages"), default=False)

    objects: ClassVar[models.Manager[Self]] = OutsideBin("school")

    def __str__(self) -> str:
        return f"{self.school}: {self.get_kind_display()}"

    @property
    def app_id(self) -> str:
        """The name of the provider in allauth's tables and in the addresses."""
        return str(self.pk)

    @property
    def account_name(self) -> str:
        """How the school's people call their accounts, such as Google."""
        names = {self.Kind.GOOGLE: "Google", self.Kind.MICROSOFT: "Microsoft"}
        return names.get(self.Kind(self.kind), self.school.name)

    @property
    def accounts(self) -> "QuerySet[SocialAccount]":
        """The links between accounts of the provider and accounts of ours."""
        rows: QuerySet[SocialAccount] = SocialAccount.objects.filter(provider=self.app_id)
        return rows

    def is_own(self, claims: dict[str, object]) -> bool:
        """Return whether the claims are about somebody of the school's own domain or tenant."""
        return not self.tenant or claims.get(self.tenant_claim) == self.tenant


@receiver(post_delete, sender=SignInProvider)
def _disconnect_everybody(instance: SignInProvider, **kwargs: object) -> None:
    instance.accounts.delete()
