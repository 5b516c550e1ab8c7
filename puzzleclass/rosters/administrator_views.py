"""Views of the administrators of a school or a board, and of the teachers who are invited."""

from typing import Any

from django import forms
from django.contrib import messages
from django.core.exceptions import ValidationError
from django.db import transaction
from django.db.models import QuerySet
from django.http import Http404, HttpResponse, QueryDict
from django.shortcuts import get_object_or_404, redirect, render
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy

from puzzleclass.accounts.locks import spend
from puzzleclass.accounts.models import User
from puzzleclass.accounts.sign_in import SignedInRequest, for_teachers, record
from puzzleclass.classes.access import get_owner_for_administrator
from puzzleclass.classes.invitation_page import is_declined
from puzzleclass.classes.invitations import AdministratorInvitation
from puzzleclass.classes.joining import A_DAY
from puzzleclass.classes.owners import OwnerKey
from puzzleclass.classes.school_models import Owner, School, SchoolAdministrator, owned_by
from puzzleclass.forms.once import once
from puzzleclass.http import form_page, read_key

NAMES_PER_DAY = 50
"""The most usernames that an administrator can enter in a day."""


class AdministratorForm(forms.Form):
    """The username of a teacher who is asked to be an administrator, too."""

    username = forms.CharField(
        label=gettext_lazy("Username of your colleague"),
        max_length=150,
        widget=forms.TextInput(attrs={"autocomplete": "off", "autocapitalize": "none"}),
    )
    teacher: User

    def __init__(self, owner: Owner, data: QueryDict | None = None) -> None:
        self.owner = owner
        super().__init__(data)

    def clean_username(self) -> str:
        name: str = self.cleaned_data["username"].strip()
        teacher = User.objects.filter(username=name, role=User.Role.TEACHER, is_active=True).first()
        if teacher is None:
            raise ValidationError(_("No teacher has this username. Ask your colleague for it."))
        if self.owner.administrators.filter(pk=teacher.pk).exists():
            raise ValidationError(_("This teacher is an administrator already."))
        if _listed(self.owner).filter(teacher=teacher).exists():
            raise ValidationError(_("This teacher is invited already."))
        if _is_full(self.owner):
            most = _("There are at most {most} administrators.")
            raise ValidationError(most.format(most=SchoolAdministrator.MAX_COUNT))
        self.teacher = teacher
        return name


@for_teachers("GET", "POST")
@once()
def administrator_list(request: SignedInRequest, owner: OwnerKey) -> HttpResponse:
    """List the administrators of the school or the board, and who is asked to be one; ask
    somebody, withdraw the question, or remove an administrator."""
    own = get_owner_for_administrator(request.user, owner)
    form = AdministratorForm(own, request.POST if "username" in request.POST else None)
    if form.is_bound:
        if not spend(f"administrators by {request.user.pk}", NAMES_PER_DAY, A_DAY):
            form.add_error("username", _("That is enough for today. Continue tomorrow."))
        elif form.is_valid():
            AdministratorInvitation.put(form.teacher, request.user, owned_by(own))
            named = {"teacher": form.teacher.pk, **own.facts}
            record(request, f"{own.FIELD} administrator invited", **named)
            return redirect("administrator_list", own)
    elif "invitation" in request.POST:
        key = read_key(request.POST["invitation"])
        get_object_or_404(_listed(own), pk=key).withdraw()
        record(request, "invitation withdrawn", **own.facts)
        return redirect("administrator_list", own)
    elif request.method == "POST":
        return _remove(request, own)
    administrations = own.administrations.select_related("teacher").order_by("teacher__name")
    context: dict[str, object] = {
        "owner": own,
        "administrations": administrations,
        "invited": _listed(own).select_related("teacher"),
        "form": form,
    }
    return form_page(request, "rosters/administrator_list.html", context)


@transaction.atomic
def _remove(request: SignedInRequest, owner: Owner) -> HttpResponse:
    type(owner)._default_manager.select_for_update().get(pk=owner.pk)
    key = read_key(request.POST.get("administration", ""))
    removed: Any = get_object_or_404(owner.administrations.all(), pk=key)
    has_board = isinstance(owner, School) and owner.board_id is not None
    if owner.administrations.count() == 1 and not has_board:
        if isinstance(owner, School):
            said = _("A school needs an administrator. Add another one before you leave.")
        else:
            said = _("A board needs an administrator. Add another one before you leave.")
        messages.warning(request, said)
        return redirect("administrator_list", owner)
    removed.delete()
    named = {"teacher": removed.teacher_id, **owner.facts}
    record(request, f"{owner.FIELD} administrator removed", **named)
    if removed.teacher_id == request.user.pk:
        return redirect("school_list")
    return redirect("administrator_list", owner)


@for_teachers("GET", "POST")
def administrator_invitation(request: SignedInRequest, pk: int) -> HttpResponse:
    """Ask the teacher whether he or she will administer a school or a board. POST accepts or
    declines (`do`)."""
    asked = get_object_or_404(AdministratorInvitation.open_for(request.user), pk=pk)
    owner = asked.owner
    if request.method == "GET":
        context = {"asked": asked, "owner": owner}
        return render(request, "rosters/administrator_invitation.html", context)
    if is_declined(request, asked):
        return redirect("home")
    with transaction.atomic():
        type(owner)._default_manager.select_for_update().get(pk=owner.pk)
        # The invitation may have been withdrawn in the meantime.
        if not AdministratorInvitation.open_for(request.user).filter(pk=pk).delete()[0]:
            raise Http404
        owner.administrators.add(request.user)
    named = {"teacher": request.user.pk, "invited_by": asked.invited_by_id, **owner.facts}
    record(request, f"{owner.FIELD} administrator added", **named)
    messages.success(request, _("You administer {name} now.").format(name=owner.name))
    return redirect(owner)


def _listed(owner: Owner) -> QuerySet[AdministratorInvitation]:
    """Return the questions that the administrators see."""
    return AdministratorInvitation.listed(**owned_by(owner))


def _is_full(owner: Owner) -> bool:
    """Return whether the school or the board has as many administrators as it may, with those who
    are asked."""
    number = owner.administrators.count() + _listed(owner).count()
    return number >= SchoolAdministrator.MAX_COUNT
