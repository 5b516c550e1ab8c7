"""Views for administrators of a school or a board: setting up the provider, and testing it."""

from django.contrib import messages
from django.http import HttpResponse
from django.shortcuts import get_object_or_404, redirect
from django.utils.translation import gettext as _

from puzzleclass.accounts.sign_in import RECENTLY, SignedInRequest, for_teachers, record
from puzzleclass.classes.access import get_owner_for_administrator
from puzzleclass.classes.owners import OwnerKey
from puzzleclass.classes.school_models import Owner, owned_by
from puzzleclass.forms.once import once
from puzzleclass.http import form_page
from puzzleclass.school_accounts.arrival import TEST
from puzzleclass.school_accounts.departure import begin
from puzzleclass.school_accounts.forms import ProviderForm
from puzzleclass.school_accounts.models import SignInProvider, depend_on
from puzzleclass.school_accounts.openid import callback_address


@for_teachers("GET", "POST", within=RECENTLY)
@once()
def school_provider(request: SignedInRequest, owner: OwnerKey) -> HttpResponse:
    """Set up the provider at which the people of a school or a board sign in, or remove it."""
    own = get_owner_for_administrator(request.user, owner)
    stored = SignInProvider.objects.filter(**owned_by(own)).first()
    if request.POST.get("do") == "remove":
        if stored and depend_on(own):
            messages.warning(request, _("The students have no other way to sign in."))
            return redirect("school_provider", own)
        if stored:
            record(request, "school provider removed", **own.facts)
            stored.delete()
        return redirect(own)
    # The form changes a copy, so that the page shows what is stored while the form is refused.
    edited = SignInProvider.objects.filter(**owned_by(own)).first() or SignInProvider(
        **owned_by(own)
    )
    form = ProviderForm(edited, request.POST or None)
    if form.is_valid():
        return _save(request, own, stored, form)
    context: dict[str, object] = {
        "owner": own,
        "provider": stored,
        "form": form,
        "links": stored.accounts.count() if stored else 0,
        "callback": callback_address(request, stored.app_id) if stored else "",
    }
    return form_page(request, "school_accounts/provider.html", context)


def _save(
    request: SignedInRequest, owner: Owner, stored: SignInProvider | None, form: ProviderForm
) -> HttpResponse:
    saved = form.save()
    record(request, "school provider changed", provider=saved.pk, **owner.facts)
    if stored and (stored.issuer, stored.client_id) != (saved.issuer, saved.client_id):
        # The same `sub` may be somebody else there.
        number, _rows = saved.accounts.delete()
        if number:
            messages.warning(
                request, _("The provider has changed, so all accounts are disconnected.")
            )
    messages.success(request, _("Saved."))
    return redirect("school_provider", owner)


@for_teachers("POST")
def school_provider_test(request: SignedInRequest, owner: OwnerKey) -> HttpResponse:
    """Send an administrator to the provider, to see what it sends."""
    own = get_owner_for_administrator(request.user, owner)
    provider = get_object_or_404(SignInProvider, **owned_by(own))
    return begin(request, provider, TEST)
