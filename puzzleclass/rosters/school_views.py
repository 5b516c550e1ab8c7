"""Views of a school for its administrators: the imports, and its settings."""

from typing import Any

from django import forms
from django.conf import settings
from django.contrib import messages
from django.core.exceptions import ValidationError
from django.http import HttpResponse
from django.shortcuts import redirect, render
from django.utils import timezone
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy

from puzzleclass.accounts.sign_in import SignedInRequest, for_teachers, record
from puzzleclass.classes.access import (
    administered_schools,
    get_school_for_administrator,
    schools_with_provider,
)
from puzzleclass.classes.kind_choice import KindsField
from puzzleclass.classes.models import Enrolment
from puzzleclass.classes.school_models import School
from puzzleclass.forms.merging import MergingForm
from puzzleclass.forms.once import once
from puzzleclass.http import form_page
from puzzleclass.rosters.owner_page import imports_of
from puzzleclass.rosters.retention import NOTICE
from puzzleclass.rosters.undo import forget_special_needs


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
