"""The provider at which the people of a school sign in."""

from typing import ClassVar, Self

from allauth.socialaccount.models import SocialAccount
from django.db import models
from django.db.models import Q, QuerySet
from django.db.models.signals import post_delete
from django.dispatch import receiver
from django.utils.translation import gettext_lazy as _

from puzzleclass.classes.school_models import Board, OfOwner, Owner, School
from puzzleclass.database.bin import OutsideBin
from puzzleclass.rosters.identifiers import RosterIdentifier

GOOGLE_ISSUER = "https://accounts.google.com"
MICROSOFT_ISSUER = "https://login.microsoftonline.com/{tenant}/v2.0"


class SignInProvider(RosterIdentifier, OfOwner):
    """The OpenID provider of a school or a board: its own domain at Google or Microsoft, or another
    server.

    An account there is linked with one of ours by its `sub`, in a `SocialAccount` of allauth.
    """

    class Kind(models.TextChoices):
        GOOGLE = "google", "Google Workspace"
        MICROSOFT = "microsoft", "Microsoft Entra ID (Microsoft 365)"
        OPENID = "openid", _("Another OpenID Connect provider")

    school = models.OneToOneField(
        School, on_delete=models.CASCADE, null=True, related_name="provider"
    )
    board = models.OneToOneField(
        Board, on_delete=models.CASCADE, null=True, related_name="provider"
    )
    kind = models.CharField(_("Provider"), max_length=10, choices=Kind, default=Kind.GOOGLE)
    tenant = models.CharField(_("Domain or tenant"), max_length=200, blank=True)
    """The part of the provider that is the school's: the domain at Google, the identifier of the
    tenant at Microsoft, the value of `tenant_claim` elsewhere. Empty if the whole provider is."""
    tenant_claim = models.CharField(_("Claim that names the school"), max_length=60, blank=True)
    issuer = models.CharField(_("Issuer"), max_length=500, blank=True)
    client_id = models.CharField(_("Client ID"), max_length=191)
    sealed_secret = models.TextField()
    """The client secret, encrypted by `outbound.sealed`."""
    adds_students = models.BooleanField(
        _("Add students of the school's own domain to the class in which they sign in"),
        default=False,
    )
    is_on = models.BooleanField(_("Show the button on the sign-in pages"), default=False)

    objects: ClassVar[models.Manager[Self]] = OutsideBin("school")

    class Meta(OfOwner.Meta):
        pass

    def __str__(self) -> str:
        return f"{self.owner}: {self.get_kind_display()}"

    @property
    def app_id(self) -> str:
        """The name of the provider in allauth's tables and in the addresses."""
        return str(self.pk)

    @property
    def account_name(self) -> str:
        """How the school's people call their accounts, such as Google."""
        names = {self.Kind.GOOGLE: "Google", self.Kind.MICROSOFT: "Microsoft"}
        return names.get(self.Kind(self.kind), self.owner.name)

    @property
    def accounts(self) -> "QuerySet[SocialAccount]":
        """The links between accounts of the provider and accounts of ours."""
        rows: QuerySet[SocialAccount] = SocialAccount.objects.filter(provider=self.app_id)
        return rows

    def schools(self) -> "QuerySet[School]":
        """Return the schools whose people sign in here."""
        return self.owner.own_schools()

    def is_own(self, claims: dict[str, object]) -> bool:
        """Return whether the claims are about somebody of the school's own domain or tenant."""
        return not self.tenant or claims.get(self.tenant_claim) == self.tenant


def provider_of(school: School) -> SignInProvider | None:
    """Return the provider at which the people of the school sign in: its own one, or else that of
    its board. None if neither is switched on."""
    providers = SignInProvider.objects.filter(is_on=True).select_related("school", "board")
    own = providers.filter(school=school).first()
    return own or providers.filter(board__isnull=False, board=school.board_id).first()


def depend_on(owner: Owner) -> bool:
    """Return whether students of the owner's schools have no other way to sign in than the owner's
    provider."""
    schools = owner.own_schools().filter(takes_pins=False, takes_cards=False)
    other = Q(board__provider__is_on=True) if owner.FIELD == "school" else Q(provider__is_on=True)
    return schools.exclude(other).exists()


@receiver(post_delete, sender=SignInProvider)
def _disconnect_everybody(instance: SignInProvider, **kwargs: object) -> None:
    instance.accounts.delete()
