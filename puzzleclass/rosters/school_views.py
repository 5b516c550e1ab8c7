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
from puzzleclass.classes.access import get_school_for_administrator
from puzzleclass.classes.joining import A_DAY
from puzzleclass.classes.kind_choice import KindsField
from puzzleclass.classes.models import Enrolment, School, SchoolAdministrator
from puzzleclass.forms.merging import MergingForm
from puzzleclass.forms.once import once
from puzzleclass.http import form_page, read_key
from puzzleclass.rosters.models import RosterImport
from puzzleclass.rosters.retention import NOTICE
from puzzleclass.rosters.undo import forget_special_needs

NAMES_PER_DAY = 50
"""The most usernames that an administrator can enter in a day."""
MAX_IMPORTS_SHOWN = 50


@for_teachers("GET")
def school_list(request: SignedInRequest) -> HttpResponse:
    """List the schools that the teacher administers."""
    return render(request, "rosters/school_list.html", {"schools": request.user.schools.all()})


@for_teachers("GET")
def school(request: SignedInRequest, pk: int) -> HttpResponse:
    """Show a school: its size, the upload of a roster, and the imports of the last 30 days."""
    own_school = get_school_for_administrator(request.user, pk)
    classes = own_school.classrooms.filter(archived_at=None)
    enrolments = Enrolment.objects.filter(classroom__in=classes)
    imports = RosterImport.objects.filter(schools=own_school).select_related("made_by")
    context = {
        "school": own_school,
        "classes": classes.count(),
        "students": enrolments.values("student").distinct().count(),
        "years": own_school.kept_years or settings.KEPT_YEARS,
        "administrators": own_school.administrators.order_by("name"),
        "imports": [(each, _change_count(each)) for each in imports[:MAX_IMPORTS_SHOWN]],
        "uploads": own_school.uploads.defer("content", "report").exclude(state="done"),
    }
    return render(request, "rosters/school.html", context)


def _change_count(record: RosterImport) -> int:
    """Return the number of rows that the import has changed in any way."""
    return sum(
        number
        for counts in record.counts.values()
        for change, number in counts.items()
        if change in ("new", "changed", "moved", "left")
    )


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
        provider = getattr(self.instance, "provider", None)
        if not (fields.get("takes_pins") or fields.get("takes_cards")) and not (
            provider and provider.is_on
        ):
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
    """The username of a teacher who will administer the school, too."""

    username = forms.CharField(
        label=gettext_lazy("Username of your colleague"),
        max_length=150,
        widget=forms.TextInput(attrs={"autocomplete": "off", "autocapitalize": "none"}),
    )
    teacher: User

    def __init__(self, school: School, data: QueryDict | None = None) -> None:
        self.school = school
        super().__init__(data)

    def clean_username(self) -> str:
        name: str = self.cleaned_data["username"].strip()
        teacher = User.objects.filter(username=name, role=User.Role.TEACHER, is_active=True).first()
        if teacher is None:
            raise ValidationError(_("No teacher has this username. Ask your colleague for it."))
        if self.school.administrators.filter(pk=teacher.pk).exists():
            raise ValidationError(_("This teacher already administers the school."))
        if self.school.administrators.count() >= SchoolAdministrator.MAX_COUNT:
            most = _("A school has at most {most} administrators.")
            raise ValidationError(most.format(most=SchoolAdministrator.MAX_COUNT))
        self.teacher = teacher
        return name


@for_teachers("GET", "POST")
@once()
def administrator_list(request: SignedInRequest, pk: int) -> HttpResponse:
    """List the administrators of the school; add one, or remove one."""
    school = get_school_for_administrator(request.user, pk)
    form = AdministratorForm(school, request.POST if "username" in request.POST else None)
    if form.is_bound:
        if not spend(f"administrators by {request.user.pk}", NAMES_PER_DAY, A_DAY):
            form.add_error("username", _("That is enough for today. Continue tomorrow."))
        elif form.is_valid():
            school.administrators.add(form.teacher)
            record(request, "school administrator added", school=pk, teacher=form.teacher.pk)
            return redirect("administrator_list", pk)
    elif request.method == "POST":
        return _remove(request, school)
    administrations = school.administrations.select_related("teacher").order_by("teacher__name")
    context = {"school": school, "administrations": administrations, "form": form}
    return form_page(request, "rosters/administrator_list.html", context)


@transaction.atomic
def _remove(request: SignedInRequest, school: School) -> HttpResponse:
    School.objects.select_for_update().get(pk=school.pk)
    key = read_key(request.POST.get("administration", ""))
    removed = get_object_or_404(school.administrations, pk=key)
    if school.administrations.count() == 1:
        messages.warning(
            request, _("A school needs an administrator. Add another one before you leave.")
        )
        return redirect("administrator_list", school.pk)
    removed.delete()
    record(request, "school administrator removed", school=school.pk, teacher=removed.teacher_id)
    if removed.teacher_id == request.user.pk:
        return redirect("school_list")
    return redirect("administrator_list", school.pk)
