"""The pages on which teachers, and administrators of a school, create and delete tokens."""

from collections.abc import Callable
from datetime import date
from functools import partial

from django import forms
from django.contrib import messages
from django.core.exceptions import ValidationError
from django.db import transaction
from django.db.models import QuerySet
from django.http import HttpResponse
from django.shortcuts import redirect
from django.utils import timezone
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy
from django.views.decorators.debug import sensitive_variables

from puzzleclass.accounts.account_page import connections_page
from puzzleclass.accounts.mail import notify
from puzzleclass.accounts.models import User
from puzzleclass.accounts.sign_in import RECENTLY, SignedInRequest, for_teachers, record
from puzzleclass.api.models import ApiToken
from puzzleclass.classes.access import get_school_for_administrator
from puzzleclass.classes.school_models import School
from puzzleclass.forms.once import once
from puzzleclass.http import form_page, read_key


class TokenForm(forms.ModelForm):  # type: ignore[type-arg]
    """The name and the last day of a new token."""

    class Meta:
        model = ApiToken
        fields = ["name", "last_day"]
        help_texts = {
            "last_day": gettext_lazy("If this is empty, it is valid until you delete it.")
        }
        widgets = {
            "name": forms.TextInput(attrs={"autocomplete": "off"}),
            "last_day": forms.DateInput(attrs={"type": "date"}, format="%Y-%m-%d"),
        }

    def clean_last_day(self) -> date | None:
        day: date | None = self.cleaned_data["last_day"]
        if day and day < timezone.localdate():
            raise ValidationError(_("This day has passed. Choose today or a later day."))
        return day


@sensitive_variables("word")
@for_teachers("GET", "POST", within=RECENTLY)
@once()
def token_list(request: SignedInRequest) -> HttpResponse:
    """List the teacher's tokens, create one and show it this once, or delete one."""
    tokens = request.user.api_tokens.filter(school=None)
    show = partial(connections_page, request, "api/_tokens.html")
    return _tokens_page(request, ApiToken(teacher=request.user), tokens, show)


@sensitive_variables("word")
@for_teachers("GET", "POST", within=RECENTLY)
@once()
def school_tokens(request: SignedInRequest, pk: int) -> HttpResponse:
    """List the tokens of the school, create one and show it this once, or delete one."""
    school = get_school_for_administrator(request.user, pk)
    own = ApiToken(teacher=request.user, school=school)

    def show(**context: object) -> HttpResponse:
        return form_page(request, "api/school_tokens.html", {"school": school, **context})

    return _tokens_page(request, own, school.api_tokens.select_related("teacher"), show)


def _tokens_page(
    request: SignedInRequest,
    own: ApiToken,
    tokens: QuerySet[ApiToken],
    show: Callable[..., HttpResponse],
) -> HttpResponse:
    """Show the tokens with a form for one more, which begins as `own`; create it, or delete one."""
    if "delete" in request.POST:
        key = read_key(request.POST["delete"])
        if tokens.filter(pk=key).delete()[0]:
            record(request, "api token deleted", token=key, **_of(own))
            messages.success(request, _("The token is deleted. It no longer opens anything."))
        return redirect(request.path)
    form = TokenForm(request.POST or None, instance=own)
    word = None
    if form.is_valid():
        word = _create(form, tokens)
        if word:
            record(request, "api token created", token=form.instance.pk, **_of(own))
            notify(request, request.user.email, _("A token for scripts was created."))
            form = TokenForm()
        else:
            most = _("There are {most} tokens, which is the maximum. Delete one first.")
            form.add_error(None, most.format(most=ApiToken.MAX_COUNT))
    page = show(form=form, word=word, tokens=tokens.all())
    if word:
        # A form that is sent twice leads to this address, where the token is in the list.
        page.status_code, page["Location"] = 201, request.path
    return page


def _of(own: ApiToken) -> dict[str, int]:
    """Return what the security log says of the school of the token, if it is a school's."""
    return {"school": own.school_id} if own.school_id else {}


@transaction.atomic
def _create(form: TokenForm, tokens: QuerySet[ApiToken]) -> str | None:
    """Store the token of the valid form and return its word; None if there are too many."""
    if school := form.instance.school:
        School.objects.select_for_update().get(pk=school.pk)
    else:
        User.objects.select_for_update().get(pk=form.instance.teacher_id)
    if tokens.count() >= ApiToken.MAX_COUNT:
        return None
    word: str = form.instance.make_word()
    form.save()
    return word
