"""The page on which teachers create and delete the tokens of their scripts."""

from datetime import date

from django import forms
from django.contrib import messages
from django.core.exceptions import ValidationError
from django.db import transaction
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
from puzzleclass.forms.once import once
from puzzleclass.http import read_key


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
    teacher = request.user
    if "delete" in request.POST:
        key = read_key(request.POST["delete"])
        if teacher.api_tokens.filter(pk=key).delete()[0]:
            record(request, "api token deleted", token=key)
            messages.success(request, _("The token is deleted. It no longer opens anything."))
        return redirect("token_list")
    form = TokenForm(request.POST or None, instance=ApiToken(teacher=teacher))
    word = None
    if form.is_valid():
        word = _create(form)
        if word:
            record(request, "api token created", token=form.instance.pk)
            notify(request, teacher.email, _("A token for scripts was created."))
            form = TokenForm()
        else:
            most = _("You have {most} tokens, which is the maximum. Delete one first.")
            form.add_error(None, most.format(most=ApiToken.MAX_COUNT))
    tokens = teacher.api_tokens.all()
    page = connections_page(request, "api/_tokens.html", form=form, word=word, tokens=tokens)
    if word:
        # A form that is sent twice leads to this address, where the token is in the list.
        page.status_code, page["Location"] = 201, request.path
    return page


@transaction.atomic
def _create(form: TokenForm) -> str | None:
    """Store the token of the valid form and return its word; None if the teacher has too many."""
    teacher = User.objects.select_for_update().get(pk=form.instance.teacher_id)
    if teacher.api_tokens.count() >= ApiToken.MAX_COUNT:
        return None
    word: str = form.instance.make_word()
    form.save()
    return word
