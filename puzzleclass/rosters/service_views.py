"""View for administrators of a school or a board: the service from which the roster is fetched."""

from typing import Any

from django.contrib import messages
from django.core.exceptions import ValidationError
from django.http import HttpResponse
from django.shortcuts import redirect
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy
from kombu.exceptions import OperationalError

from puzzleclass.accounts.sign_in import RECENTLY, SignedInRequest, for_teachers, record
from puzzleclass.classes.access import get_owner_for_administrator
from puzzleclass.classes.owners import OwnerKey
from puzzleclass.classes.school_models import owned_by
from puzzleclass.forms.merging import MergingForm
from puzzleclass.forms.once import once
from puzzleclass.http import form_page
from puzzleclass.language.reader import say
from puzzleclass.outbound.secret_forms import SecretForm
from puzzleclass.outbound.sessions import fault_of_address
from puzzleclass.outbound.tasks import QUEUE
from puzzleclass.rosters.models import RosterService
from puzzleclass.rosters.rest import version_of
from puzzleclass.rosters.uploads import fetch
from solvers.message import Message


class ServiceForm(MergingForm, SecretForm):
    """The addresses of the service, our client there, and whether it is asked every night."""

    RECEIVERS = ("token_address", "address")

    class Meta:
        model = RosterService
        fields = [*("address", "token_address", "client_id", "secret", "source", "is_nightly")]
        help_texts = {
            "address": gettext_lazy("It ends in /v1p2 or /v1p1."),
            "source": gettext_lazy(
                "The identifiers belong to this name. If you have imported files of the same "
                "system, enter the name that is shown beside these imports."
            ),
        }

    def clean_address(self) -> str:
        address = _clean_address(self.cleaned_data["address"])
        if not version_of(address):
            raise ValidationError(_("The address of the service must end in /v1p2 or /v1p1."))
        return address

    def clean_token_address(self) -> str:
        return _clean_address(self.cleaned_data["token_address"])

    def clean(self) -> dict[str, Any]:
        fields = super().clean() or {}
        self.check_secret(fields)
        return fields


def _clean_address(text: str) -> str:
    address = text.strip().rstrip("/")
    if fault := fault_of_address(address):
        raise ValidationError(say(fault))
    return address


@for_teachers("GET", "POST", within=RECENTLY)
@once()
def roster_service(request: SignedInRequest, owner: OwnerKey) -> HttpResponse:
    """Set up the service from which a school or a board gets its roster, fetch it, or remove it."""
    own = get_owner_for_administrator(request.user, owner)
    stored = RosterService.objects.filter(**owned_by(own)).first()
    do = request.POST.get("do", "")
    if do == "remove" and stored:
        stored.delete()
        record(request, "roster service removed", **own.facts)
        return redirect(own)
    if do == "fetch" and stored:
        return _fetch(request, stored)
    edited = RosterService.objects.filter(**owned_by(own)).first()
    edited = edited or RosterService(**owned_by(own), teacher=request.user)
    form = ServiceForm(edited, request.POST or None)
    if form.is_valid():
        service = form.save(commit=False)
        service.teacher = request.user
        service.save()
        record(request, "roster service changed", **own.facts)
        messages.success(request, _("Saved."))
        return redirect("roster_service", own)
    context: dict[str, object] = {
        "owner": own,
        "service": stored,
        "form": form,
        "fault": say(Message.from_json(stored.fault)) if stored and stored.fault else "",
    }
    return form_page(request, "rosters/roster_service.html", context)


def _fetch(request: SignedInRequest, service: RosterService) -> HttpResponse:
    try:
        fetch.apply_async((service.pk,), queue=QUEUE)
    except (OperationalError, OSError):
        messages.warning(request, _("No worker can be reached now. Try again later."))
        return redirect("roster_service", service.owner)
    record(request, "roster fetched", **service.owner.facts)
    messages.success(
        request, _("The roster is being fetched. It appears here in a moment: load the page again.")
    )
    return redirect(service.owner)
