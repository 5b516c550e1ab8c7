"""Views of a school for its administrators: the imports, and the list of administrators."""

from typing import Any

from django import forms
from django.conf import settings
from django.contrib import messages
from django.core.exceptions import ValidationError
from django.db import transaction
from django.http import HttpResponse, QueryDict
from django.shortcuts import get_object_or_404, redirect, render
from django.utils import timezone
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy

from puzzleclass.accounts.locks import spend
from puzzleclass.accounts.models import User
from puzzleclass.accounts.sign_in import SignedInRequest, for_teachers, record
from puzzleclass.classes.access import (
    administered_schools,
    get_owner_for_administrator,
    get_school_for_administrator,
    schools_with_provider,
)
from puzzleclass.classes.joining import A_DAY
from puzzleclass.classes.kind_choice import KindsField
from puzzleclass.classes.models import Enrolment
from puzzleclass.classes.owners import OwnerKey
from puzzleclass.classes.school_models import Owner, School, SchoolAdministrator
from puzzleclass.forms.merging import MergingForm
from puzzleclass.forms.once import once
from puzzleclass.http import form_page, read_key
from puzzleclass.rosters.owner_page import imports_of
from puzzleclass.rosters.retention import NOTICE
from puzzleclass.rosters.undo import forget_special_needs

NAMES_PER_DAY = 50
"""The most usernames that an administrator can enter in a day."""


@for_teachers("GET")
def school_list(request: SignedInRequest) -> HttpResponse:
    """List the boards and the schools that the teacher administers."""
    schools = administered_schools(request.user).exclude(board__administrators=request.user)
    context = {"boards": request.user.boards.all(), "schools": schools}
    return render(request, "rosters/school_list.html", context)


@for_teachers("GET")
def school(request: SignedInRequest, pk: int) -> HttpResponse:
    """Show a school: its size, the upload of a roster, and the imports of the last 30 days."""
    own_school = get_school_for_administrator(request.user, pk)
    classes = own_school.classrooms.filter(archived_at=None)
    enrolments = Enrolment.objects.filter(classroom__in=classes)
    context = {
        "school": own_school,
        **imports_of(own_school),
        "classes": classes.count(),
        "students": enrolments.values("student").distinct().count(),
        "years": own_school.kept_years or settings.KEPT_YEARS,
    }
    return render(request, "rosters/school.html", context)


class SchoolForm(MergingForm, forms.ModelForm):  # type: ignore[type-arg]
    """How the students of a school sign in, how long their data is kept, and which kinds of puzzles
    its classes see."""

    class Meta:
        model = School
        fields = [
            *("takes_pins", "takes_cards", "second_step_from", "kept_years", "deletes_classes"),
            *("leavers_kept_months", "log_months", "keeps_special_needs", "kinds"),
        ]
        widgets = {"second_step_from": forms.DateInput(attrs={"type": "date"}, format="%Y-%m-%d")}
        help_texts = {
            "second_step_from": gettext_lazy(
                "Empty: it is left to each teacher. From this day on, teachers and administrators "
                "of the school who sign in with a password alone can do nothing until they have "
                "set up an app or a passkey; before it they are reminded. Give them two weeks. "
                "When they sign in with school accounts or a learning platform, a second step is "
                "what the school has chosen there."
            ),
            "kept_years": gettext_lazy("Teachers are then reminded to delete a class."),
            "deletes_classes": gettext_lazy(
                "Such a class goes to the bin, and 30 days later it is deleted. Its teachers and "
                "the administrators are told 30 days before."
            ),
            "leavers_kept_months": gettext_lazy(
                "Students whom the roster no longer names. Empty: they are kept with their class."
            ),
            "log_months": gettext_lazy("Who has viewed, changed, exported and imported what."),
            "keeps_special_needs": gettext_lazy(
                "Only the export writes it again; no page shows it. Switching this off deletes it."
            ),
        }

    def __init__(self, *args: Any, **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        self.fields["kinds"] = KindsField(self.instance.kinds)
        self.initial["kinds"] = self.fields["kinds"].initial

    def clean(self) -> dict[str, object]:
        fields = super().clean() or {}
        has_other = fields.get("takes_pins") or fields.get("takes_cards")
        if not (has_other or schools_with_provider().filter(pk=self.instance.pk).exists()):
            raise ValidationError(
                _("Leave the students one way to sign in, or switch the school accounts on first.")
            )
        return fields


@for_teachers("GET", "POST")
@once()
def school_edit(request: SignedInRequest, pk: int) -> HttpResponse:
    """Choose how the students of the school sign in, and how long their data is kept."""
    school = get_school_for_administrator(request.user, pk)
    form = SchoolForm(request.POST or None, instance=School.objects.get(pk=pk))
    form.fields["kept_years"].widget.attrs["placeholder"] = settings.KEPT_YEARS
    form.fields["log_months"].widget.attrs["placeholder"] = settings.LOG_MONTHS
    if form.is_valid():
        if not {"kept_years", "deletes_classes", "leavers_kept_months"}.isdisjoint(
            form.changed_data
        ):
            form.instance.deletes_from = timezone.now() + NOTICE
        form.save()
        forget_special_needs()
        record(request, "school changed", school=pk, fields=form.changed_data)
        messages.success(request, _("Saved."))
        return redirect("school", pk)
    return form_page(request, "rosters/school_edit.html", {"school": school, "form": form})


class AdministratorForm(forms.Form):
    """The username of a teacher who will be an administrator, too."""

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
        if self.owner.administrators.count() >= SchoolAdministrator.MAX_COUNT:
            most = _("There are at most {most} administrators.")
            raise ValidationError(most.format(most=SchoolAdministrator.MAX_COUNT))
        self.teacher = teacher
        return name


@for_teachers("GET", "POST")
@once()
def administrator_list(request: SignedInRequest, owner: OwnerKey) -> HttpResponse:
    """List the administrators of the school or the board; add one, or remove one."""
    own = get_owner_for_administrator(request.user, owner)
    form = AdministratorForm(own, request.POST if "username" in request.POST else None)
    if form.is_bound:
        if not spend(f"administrators by {request.user.pk}", NAMES_PER_DAY, A_DAY):
            form.add_error("username", _("That is enough for today. Continue tomorrow."))
        elif form.is_valid():
            own.administrators.add(form.teacher)
            named = {"teacher": form.teacher.pk, **own.facts}
            record(request, f"{own.FIELD} administrator added", **named)
            return redirect("administrator_list", own)
    elif request.method == "POST":
        return _remove(request, own)
    administrations = own.administrations.select_related("teacher").order_by("teacher__name")
    context: dict[str, object] = {"owner": own, "administrations": administrations, "form": form}
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
