"""A class's list of students: adding, changing, removing, and their PINs."""

from django.contrib import messages
from django.db import transaction
from django.http import HttpRequest, HttpResponse
from django.shortcuts import redirect, render
from django.urls import reverse
from django.utils.translation import gettext as _
from django.views.decorators.cache import never_cache
from django.views.decorators.http import require_http_methods, require_POST

from puzzleclass.accounts.access import teacher_required
from puzzleclass.classes import services
from puzzleclass.classes.access import get_classroom_for_teacher, get_enrolment_for_teacher
from puzzleclass.classes.forms import StudentForm, StudentsForm, twice
from puzzleclass.classes.fresh_pins import MINUTES, hand_over, handed_over
from puzzleclass.classes.models import Classroom

SECTION = {"section": "classes"}


@require_http_methods(["GET", "POST"])
@teacher_required
def students_new(request: HttpRequest, pk: int) -> HttpResponse:
    """Add students at the end of the list; the next page shows their PINs."""
    classroom = get_classroom_for_teacher(request.user, pk)
    form = StudentsForm(request.POST or None)
    if not form.is_valid():
        return _form_page(request, "classes/students_new.html", classroom=classroom, form=form)
    names = form.cleaned_data["students"]
    pins = services.add_students(classroom, names)
    say_who_is_there_twice(request, classroom, names)
    return hand_over(request, redirect("pin_list", pk), classroom, pins)


@require_http_methods(["GET", "POST"])
@teacher_required
def student_edit(request: HttpRequest, pk: int, enrolment: int) -> HttpResponse:
    """Change a student's name and number."""
    changed = get_enrolment_for_teacher(request.user, pk, enrolment)
    with transaction.atomic():
        services.lock_list(changed.classroom)
        form = StudentForm(changed, request.POST or None)
        if not form.is_valid():
            return _form_page(request, "classes/student_edit.html", enrolment=changed, form=form)
        services.change_student(changed, **form.cleaned_data)
    return redirect("classroom", pk)


@require_http_methods(["GET", "POST"])
@teacher_required
def student_remove(request: HttpRequest, pk: int, enrolment: int) -> HttpResponse:
    """Say what goes with the student, then take the student off the list."""
    removed = get_enrolment_for_teacher(request.user, pk, enrolment)
    if request.method == "GET":
        context = {"enrolment": removed, "loss": services.loss_of_student(removed)}
        return render(request, "classes/student_remove.html", SECTION | context)
    services.remove_student(removed)
    done = _("{name} is no longer in this class.").format(name=removed.student.name)
    messages.success(request, done, extra_tags="ok")
    return redirect("classroom", pk)


@require_POST
@teacher_required
def student_pin(request: HttpRequest, pk: int, enrolment: int) -> HttpResponse:
    """Give one student another PIN."""
    changed = get_enrolment_for_teacher(request.user, pk, enrolment)
    pins = services.renew_pins([changed])
    return hand_over(request, redirect("pin_list", pk), changed.classroom, pins)


@require_http_methods(["GET", "POST"])
@never_cache
@teacher_required
def pin_list(request: HttpRequest, pk: int) -> HttpResponse:
    """The PINs made a moment ago, to be printed; POST makes new ones for the whole class."""
    classroom = get_classroom_for_teacher(request.user, pk)
    enrolments = classroom.enrolments.select_related("student")
    if request.method == "POST":
        pins = services.renew_pins(enrolments)
        return hand_over(request, redirect("pin_list", pk), classroom, pins)
    pins = handed_over(request, classroom)
    context = {
        "classroom": classroom,
        "join_url": request.build_absolute_uri(reverse("join_class", args=[classroom.code])),
        "slips": [(e, pins[e.pk]) for e in enrolments if e.pk in pins],
        "students": len(enrolments),
        "minutes": MINUTES,
    }
    return render(request, "classes/pin_list.html", SECTION | context)


def say_who_is_there_twice(request: HttpRequest, classroom: Classroom, names: list[str]) -> None:
    """Say which of the names just added the class list now holds more than once."""
    listed = classroom.enrolments.values_list("student__name", flat=True)
    doubled = [name for name in twice(list(listed)) if name in names]
    if doubled:
        said = _("On the list more than once: {names}. The numbers tell them apart.")
        messages.warning(request, said.format(names=_(", ").join(doubled)), extra_tags="warn")


def _form_page(request: HttpRequest, template: str, **context: object) -> HttpResponse:
    status = 422 if request.method == "POST" else 200
    return render(request, template, SECTION | context, status=status)
