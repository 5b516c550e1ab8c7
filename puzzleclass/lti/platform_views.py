"""Views of the learning platforms of a school or a board for its administrators."""

from django import forms
from django.contrib import messages
from django.core.exceptions import ValidationError
from django.db import transaction
from django.http import HttpRequest, HttpResponse, QueryDict
from django.shortcuts import get_object_or_404, redirect, render
from django.urls import reverse
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy
from django.views.decorators.csrf import csrf_exempt
from django.views.decorators.http import require_http_methods

from puzzleclass.accounts.sign_in import SignedInRequest, for_teachers, record
from puzzleclass.address import absolute
from puzzleclass.classes.access import get_owner_for_administrator
from puzzleclass.classes.owners import OwnerKey
from puzzleclass.classes.school_models import Owner, owned_by
from puzzleclass.forms.merging import MergingForm
from puzzleclass.forms.once import once
from puzzleclass.http import form_page
from puzzleclass.language.reader import say
from puzzleclass.lti import registration
from puzzleclass.lti.access import for_platforms
from puzzleclass.lti.keys import renew_keys
from puzzleclass.lti.models import ID_LENGTH, Deployment, Platform
from puzzleclass.outbound.sessions import fault_of_address
from puzzleclass.rosters.identifiers import RosterIdentifierForm

ADDRESSES = {
    gettext_lazy("Tool URL, target link URI"): "lti_launch",
    gettext_lazy("Initiate login URL, OpenID Connect initiation URL"): "lti_login",
    gettext_lazy("Redirection URI(s), redirect URIs"): "lti_launch",
    gettext_lazy("Public keyset, public JWK URL"): "lti_jwks",
}
"""The addresses that a platform asks for, by the names that platforms give them."""


class PlatformForm(MergingForm, RosterIdentifierForm, forms.ModelForm):  # type: ignore[type-arg]
    """A platform with the identifiers of its deployments, one in each line."""

    deployments = forms.CharField(
        label=gettext_lazy("Deployment IDs, one in each line"),
        widget=forms.Textarea(attrs={"rows": 2}),
        required=False,
        help_text=gettext_lazy(
            "You may leave this empty, open PuzzleClass in the platform once, and allow the "
            "deployment here afterwards."
        ),
    )

    class Meta:
        model = Platform
        fields = [
            *("name", "issuer", "client_id", "auth_url", "token_url", "key_set_url"),
            *("deployments", "roster_claim", "roster_identifier"),
            *("makes_students", "makes_teachers"),
        ]

        help_texts = {
            "roster_claim": gettext_lazy(
                "“lis.person_sourcedid”, or the name of a custom parameter. Students of the roster "
                "are found by it instead of getting a second account. Fill it in only if you know "
                "that the platform takes it from your roster and that nobody can change their own."
            )
        }
        widgets = {
            "roster_claim": forms.TextInput(
                attrs={"autocomplete": "off", "autocapitalize": "none", "spellcheck": "false"}
            )
        }

    def __init__(self, owner: Owner, data: QueryDict | None, platform: Platform | None) -> None:
        super().__init__(data, instance=platform or Platform(**owned_by(owner)))
        if platform:
            allowed = platform.deployments.filter(is_allowed=True)
            self.initial["deployments"] = "\n".join(each.deployment_id for each in allowed)

    def clean(self) -> dict[str, object]:
        super().clean()
        for name in ("auth_url", "token_url", "key_set_url"):
            if (url := self.cleaned_data.get(name)) and (fault := fault_of_address(url)):
                self.add_error(name, say(fault))
        return self.cleaned_data

    def clean_deployments(self) -> list[str]:
        lines = [line.strip() for line in self.cleaned_data["deployments"].splitlines()]
        ids = list(dict.fromkeys(filter(None, lines)))
        if len(ids) > Deployment.MAX_COUNT or any(len(each) > ID_LENGTH for each in ids):
            most = _("A platform has at most {most} deployments, of {length} characters each.")
            raise ValidationError(most.format(most=Deployment.MAX_COUNT, length=ID_LENGTH))
        return ids

    @transaction.atomic
    def save(self, commit: bool = True) -> Platform:
        """Store the platform, and allow exactly the deployments that are named."""
        if {"key_set_url", "issuer", "client_id"} & set(self.changed_data):
            self.instance.key_set, self.instance.keys_read_at = [], None
        platform: Platform = super().save(commit)
        wanted = self.cleaned_data["deployments"]
        platform.deployments.filter(is_allowed=True).exclude(deployment_id__in=wanted).delete()
        for each in wanted:
            platform.deployments.update_or_create(deployment_id=each, defaults={"is_allowed": True})
        renew_keys()
        return platform


@for_teachers("GET")
def platform_list(request: SignedInRequest, owner: OwnerKey) -> HttpResponse:
    """List the school's platforms, and the addresses that they ask for."""
    own = get_owner_for_administrator(request.user, owner)
    context = {"owner": own, "platforms": own.platforms.all(), **_addresses(request)}
    context["registration_link"] = registration.registration_link(request, own)
    return render(request, "lti/platform_list.html", context)


def _addresses(request: HttpRequest) -> dict[str, object]:
    addresses = [(title, absolute(reverse(name), request)) for title, name in ADDRESSES.items()]
    return {"addresses": addresses}


@for_teachers("GET", "POST")
@once()
def platform_new(request: SignedInRequest, owner: OwnerKey) -> HttpResponse:
    """Register a platform of the school."""
    return _edit(request, get_owner_for_administrator(request.user, owner), None)


@for_teachers("GET", "POST")
@once()
def platform_edit(request: SignedInRequest, owner: OwnerKey, platform: int) -> HttpResponse:
    """Change a platform, or allow one of the deployments from which launches were refused."""
    own = get_owner_for_administrator(request.user, owner)
    edited = get_object_or_404(own.platforms, pk=platform)
    if "allow" in request.POST:
        allowed = edited.deployments.filter(deployment_id=request.POST["allow"])
        if allowed.update(is_allowed=True):
            record(request, "deployment allowed", platform=platform, **own.facts)
        return redirect("platform_edit", own, platform)
    return _edit(request, own, edited)


def _edit(request: SignedInRequest, owner: Owner, platform: Platform | None) -> HttpResponse:
    form = PlatformForm(owner, request.POST or None, platform)
    if form.is_valid():
        if platform is None and owner.platforms.count() >= Platform.MAX_COUNT:
            most = _("At most {most} learning platforms can be registered.")
            form.add_error(None, most.format(most=Platform.MAX_COUNT))
        else:
            saved = form.save()
            record(request, "platform registered", platform=saved.pk, **owner.facts)
            messages.success(request, _("“{name}” is registered.").format(name=saved.name))
            return redirect("platform_list", owner)
    pending = platform.deployments.filter(is_allowed=False) if platform else []
    context: dict[str, object] = {"owner": owner, "platform": platform, "form": form}
    context["pending"] = pending
    return form_page(request, "lti/platform_edit.html", context)


@for_teachers("GET", "POST")
def platform_delete(request: SignedInRequest, owner: OwnerKey, platform: int) -> HttpResponse:
    """Ask before the registration of a platform is deleted, and delete it. Classes, students and
    their work stay."""
    own = get_owner_for_administrator(request.user, owner)
    deleted = get_object_or_404(own.platforms, pk=platform)
    if request.method == "GET":
        context = {"owner": own, "platform": deleted, "columns": deleted.columns.count()}
        context["people"] = deleted.users.count()
        return render(request, "lti/platform_delete.html", context)
    deleted.delete()
    record(request, "platform deleted", platform=platform, **own.facts)
    messages.success(request, _("“{name}” is no longer registered.").format(name=deleted.name))
    return redirect("platform_list", own)


@csrf_exempt
@require_http_methods(["GET", "POST"])
@for_platforms("frame-ancestors")
def lti_register(request: HttpRequest) -> HttpResponse:
    """Ask the administrator whether to register the platform that has opened the link; do so.

    The page stands in the platform's frame, without cookies. Its signed link is the permission.
    """
    word = request.GET.get("school", "")
    try:
        owner = registration.owner_of(word)
        platform = None
        if request.method == "POST":
            configuration = request.GET.get("openid_configuration", "")
            token = request.GET.get("registration_token", "")
            platform = registration.register(request, owner, configuration, token)
            record(request, "platform registered", platform=platform.pk, **owner.facts)
        return render(request, "lti/register.html", {"owner": owner, "platform": platform})
    except registration.NotRegistered as failed:
        record(request, "platform not registered")
        context = {"fault": failed.message}
        return render(request, "lti/register.html", context, status=403)
