"""Views of the classes of a school for its administrators."""

from typing import Any

from django import forms
from django.contrib import messages
from django.core.paginator import Paginator
from django.db.models import Count, Q, QuerySet
from django.http import HttpResponse
from django.shortcuts import get_object_or_404, redirect, render
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy

from puzzleclass.accounts.models import User
from puzzleclass.accounts.sign_in import RECENTLY, SignedInRequest, for_teachers, record
from puzzleclass.classes.access import (
    administered_schools,
    get_school_for_administrator,
    teachers_of_school,
)
from puzzleclass.classes.data_export import export_class
from puzzleclass.classes.models import Classroom
from puzzleclass.classes.personal_data import log_view
from puzzleclass.classes.roster import NAME_LENGTH
from puzzleclass.classes.school_models import School
from puzzleclass.classes.services import delete_classroom, loss_of_classroom
from puzzleclass.forms.once import once
from puzzleclass.http import form_page
from puzzleclass.rosters.invitations import Invited, give_class, invite

CLASSES_PER_PAGE = 100


def classes_of(school: School) -> QuerySet[Classroom]:
    """Return the classes of the school with their teachers, the number of students, and whether a
    roster names them. Classes without a teacher come first, archived ones last."""
    named = Count("external_ids", filter=Q(external_ids__left_at=None), distinct=True)
    counted = school.classrooms.filter(deleted_at=None).annotate(
        teacher_count=Count("teachings", distinct=True),
        student_count=Count("enrolments", distinct=True),
        named_count=named,
    )
    in_order = counted.order_by("archived_at", "teacher_count", "name", "pk")
    return in_order.prefetch_related("teachings__teacher")


@for_teachers("GET")
def school_class_list(request: SignedInRequest, pk: int) -> HttpResponse:
    """List the classes of the school."""
    school = get_school_for_administrator(request.user, pk)
    page = Paginator(classes_of(school), CLASSES_PER_PAGE).get_page(request.GET.get("page"))
    return render(request, "rosters/school_class_list.html", {"school": school, "page": page})


def get_class_without_teacher(teacher: User, school: int, classroom: int) -> Classroom:
    """Return a class of a school that the teacher administers, in which nobody has a role.

    Raises Http404. The administrator answers for its data as long as nobody else does.
    """
    own_school = get_school_for_administrator(teacher, school)
    return get_object_or_404(classes_of(own_school), pk=classroom, teachings=None)


class OwnerForm(forms.Form):
    """The owner of a class that has no teacher: a teacher of the school, or one who is invited."""

    teacher = forms.ModelChoiceField(
        User.objects.none(),
        label=gettext_lazy("Teacher of the school"),
        required=False,
        empty_label=gettext_lazy("Somebody else"),
    )
    name = forms.CharField(
        label=gettext_lazy("Name of somebody else, who is invited"),
        max_length=NAME_LENGTH,
        required=False,
        widget=forms.TextInput(attrs={"autocomplete": "off"}),
    )

    def __init__(self, school: School, data: object = None) -> None:
        super().__init__(data)  # type: ignore[arg-type]
        self.fields["teacher"].queryset = teachers_of_school(school)  # type: ignore[attr-defined]

    def clean(self) -> None:
        if not self.errors and not any(self.cleaned_data.values()):
            self.add_error("teacher", _("Choose a teacher, or type the name of somebody else."))


class SchoolForm(forms.Form):
    """Another school for a class, one that the administrator looks after, or none."""

    school = forms.ModelChoiceField(
        School.objects.none(),
        label=gettext_lazy("School"),
        required=False,
        empty_label=gettext_lazy("No school"),
    )

    def __init__(self, schools: QuerySet[School], data: object, initial: School) -> None:
        super().__init__(data, initial={"school": initial})  # type: ignore[arg-type]
        self.fields["school"].queryset = schools  # type: ignore[attr-defined]


@for_teachers("GET", "POST")
@once()
def school_class(request: SignedInRequest, pk: int, classroom: int) -> HttpResponse:
    """Show a class to an administrator of its school, who can give it to another school or none.

    The roster decides about a class that it names.
    """
    school = get_school_for_administrator(request.user, pk)
    shown = get_object_or_404(classes_of(school), pk=classroom)
    if request.method == "GET":
        log_view(request.user, shown)
    is_about_owner = request.POST.get("do") == "owner"
    data = None if is_about_owner else request.POST or None
    form = SchoolForm(administered_schools(request.user), data, school)
    owner_form = OwnerForm(school, request.POST if is_about_owner else None)
    if owner_form.is_valid() and not shown.teachings.exists():
        _give(request, school, shown, owner_form.cleaned_data)
        return redirect("school_class", pk, classroom)
    if form.is_valid() and not shown.is_of_roster:
        chosen = form.cleaned_data["school"]
        Classroom.objects.filter(pk=classroom, school=school).update(school=chosen)
        chosen_key = chosen.pk if chosen else None
        record(request, "class of school", classroom=classroom, was=pk, school=chosen_key)
        messages.success(request, _("Saved."))
        return redirect("school_class_list", pk)
    context = {"school": school, "classroom": shown, "form": form, "owner_form": owner_form}
    return form_page(request, "rosters/school_class.html", context)


def _give(
    request: SignedInRequest, school: School, classroom: Classroom, fields: dict[str, Any]
) -> None:
    """Give the class to a teacher of the school, or invite its teacher."""
    if teacher := fields["teacher"]:
        if give_class(school, classroom, teacher):
            record(request, "class given", classroom=classroom.pk, teacher=teacher.pk)
            given = _("{name} is the owner of the class now.")
            messages.success(request, given.format(name=teacher.name))
        return
    invite(school, [Invited(fields["name"])], classroom=classroom)
    record(request, "teachers invited", school=school.pk, classroom=classroom.pk)
    messages.success(request, _("The invitation is on the page of the school's teachers."))


@for_teachers("POST", within=RECENTLY)
def school_class_data(request: SignedInRequest, pk: int, classroom: int) -> HttpResponse:
    """Download everything that is stored about a class without a teacher, as a ZIP file."""
    return export_class(request, get_class_without_teacher(request.user, pk, classroom))


@for_teachers("GET", "POST", within=RECENTLY)
@once()
def school_class_delete(request: SignedInRequest, pk: int, classroom: int) -> HttpResponse:
    """Show what is deleted with a class without a teacher, then delete it for good."""
    shown = get_class_without_teacher(request.user, pk, classroom)
    if request.method == "GET":
        context = {"classroom": shown, "school": shown.school, "loss": loss_of_classroom(shown)}
        return render(request, "rosters/school_class_delete.html", context)
    receipt = delete_classroom(shown, request.user)
    record(request, "class deleted", classroom=classroom, school=pk)
    messages.success(request, _("“{name}” has been deleted.").format(name=shown.name))
    return redirect("data_record", receipt.pk)
