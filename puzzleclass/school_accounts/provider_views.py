"""Views for a school's administrators: setting up the provider, and testing it."""

from django.contrib import messages
from django.http import HttpResponse
from django.shortcuts import get_object_or_404, redirect
from django.utils.translation import gettext as _

from puzzleclass.accounts.sign_in import RECENTLY, SignedInRequest, for_teachers, record
from puzzleclass.classes.access import get_school_for_administrator
from puzzleclass.classes.models import School
from puzzleclass.forms.once import once
from puzzleclass.http import form_page
from puzzleclass.school_accounts.arrival import TEST
from puzzleclass.school_accounts.departure import begin
from puzzleclass.school_accounts.forms import ProviderForm
from puzzleclass.school_accounts.models import SignInProvider
from puzzleclass.school_accounts.openid import callback_address


@for_teachers("GET", "POST", within=RECENTLY)
@once()
def school_provider(request: SignedInRequest, pk: int) -> HttpResponse:
    """Set up the provider at which the people of a school sign in, or remove it."""
    school = get_school_for_administrator(request.user, pk)
    stored = SignInProvider.objects.filter(school=school).first()
    if request.POST.get("do") == "remove":
        if not (school.takes_pins or school.takes_cards):
            messages.warning(request, _("The students have no other way to sign in."))
            return redirect("school_provider", pk)
        if stored:
            stored.delete()
            record(request, "school provider removed", school=pk)
        return redirect("school", pk)
    # The form changes a copy, so that the page shows what is stored while the form is refused.
    edited = SignInProvider.objects.filter(school=school).first() or SignInProvider(school=school)
    form = ProviderForm(edited, request.POST or None)
    if form.is_valid():
        return _save(request, school, stored, form)
    context: dict[str, object] = {
        "school": school,
        "provider": stored,
        "form": form,
        "links": stored.accounts.count() if stored else 0,
        "callback": callback_address(request, stored.app_id) if stored else "",
    }
    return form_page(request, "school_accounts/provider.html", context)


def _save(
    request: SignedInRequest, school: School, stored: SignInProvider | None, form: ProviderForm
) -> HttpResponse:
    saved = form.save()
    record(request, "school provider changed", school=school.pk, provider=saved.pk)
    if stored and (stored.issuer, stored.client_id) != (saved.issuer, saved.client_id):
        # The same `sub` may be somebody else there.
        number, _rows = saved.accounts.delete()
        if number:
            messages.warning(
                request, _("The provider has changed, so all accounts are disconnected.")
            )
    messages.success(request, _("Saved."))
    return redirect("school_provider", school.pk)


@for_teachers("POST")
def school_provider_test(request: SignedInRequest, pk: int) -> HttpResponse:
    """Send an administrator to the provider, to see what it sends."""
    school = get_school_for_administrator(request.user, pk)
    provider = get_object_or_404(SignInProvider, school=school)
    return begin(request, provider, TEST)
