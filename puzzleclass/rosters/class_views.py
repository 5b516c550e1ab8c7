"""Views of the classes of a school for its administrators."""

from django import forms
from django.contrib import messages
from django.core.paginator import Paginator
from django.db.models import Count, Q, QuerySet
from django.http import HttpResponse
from django.shortcuts import get_object_or_404, redirect, render
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy

from puzzleclass.accounts.sign_in import SignedInRequest, for_teachers, record
from puzzleclass.classes.access import get_school_for_administrator
from puzzleclass.classes.models import Classroom, School
from puzzleclass.forms.once import once
from puzzleclass.http import form_page

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
    form = SchoolForm(request.user.schools.all(), request.POST or None, school)
    if request.method == "POST" and not shown.is_of_roster and form.is_valid():
        chosen = form.cleaned_data["school"]
        Classroom.objects.filter(pk=classroom, school=school).update(school=chosen)
        chosen_key = chosen.pk if chosen else None
        record(request, "class of school", classroom=classroom, was=pk, school=chosen_key)
        messages.success(request, _("Saved."))
        return redirect("school_class_list", pk)
    context = {"school": school, "classroom": shown, "form": form}
    return form_page(request, "rosters/school_class.html", context)
