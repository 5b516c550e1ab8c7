"""Finding a student by an identifier of the roster that a platform or a provider sends.

Nobody is found unless an administrator of the school or the board has said that what this platform
or provider sends is the identifier of the roster.
"""

from typing import Any

from django import forms
from django.db import models
from django.utils.translation import gettext_lazy as _

from puzzleclass.accounts.models import User
from puzzleclass.classes.school_models import Board, Owner
from puzzleclass.rosters.models import UserId, named_by


class RosterIdentifier(models.Model):
    """What an administrator has said about the identifiers of a platform or a provider."""

    class Identifier(models.TextChoices):
        """The identifiers of a person on a OneRoster roster."""

        SOURCED = "sourced_id", _("The roster's own identifier (sourcedId)")
        MASTER = "master_id", _("The identifier that all systems share (userMasterIdentifier)")

    roster_claim = models.CharField(
        _("Claim with the identifier on the roster"), max_length=60, blank=True
    )
    """The claim by which a student who is not linked yet is found on the roster; empty if none
    is."""
    roster_identifier = models.CharField(
        _("What the claim holds"), max_length=10, choices=Identifier, default=Identifier.SOURCED
    )

    class Meta:
        abstract = True

    def find_student(self, owner: Owner, value: object) -> User | None:
        """Return the only student of the owner's roster with this value in the claim.

        A board's platform or provider finds those whom the rosters of the board, or of the site's
        operator, name. What a single school imports says nothing about the others of its board.
        """
        if not (self.roster_claim and isinstance(value, str) and value):
            return None
        named = UserId.objects.filter(
            source__school__in=owner.own_schools(),
            left_at=None,
            user__role=User.Role.STUDENT,
            **{self.roster_identifier: value},
        )
        if isinstance(owner, Board):
            named = named.filter(named_by(owner))
        students = list(User.objects.filter(pk__in=named.values("user"))[:2])
        return students[0] if len(students) == 1 else None


class RosterIdentifierForm(forms.BaseForm):
    """A form with the fields of `RosterIdentifier`."""

    def __init__(self, *args: Any, **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        self.fields["roster_identifier"].required = False

    def clean_roster_identifier(self) -> str:
        return self.cleaned_data["roster_identifier"] or RosterIdentifier.Identifier.SOURCED
