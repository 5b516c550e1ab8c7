"""Views for the students of a class: the list and its files, one student, cards and PINs."""

from django.contrib import messages
from django.db import transaction
from django.http import HttpResponse
from django.shortcuts import redirect
from django.utils.translation import gettext as _

from puzzleclass.accounts.locks import unlock
from puzzleclass.accounts.sign_in import RECENTLY, SignedInRequest, for_teachers, record
from puzzleclass.classes import services
from puzzleclass.classes.access import Right, get_enrolment_for_teacher, may
from puzzleclass.classes.forms import StudentForm
from puzzleclass.classes.models import Enrolment, SignInCard
from puzzleclass.forms.once import once
from puzzleclass.http import form_page

# The class list


@for_teachers("GET", "POST")
@once()
def student_edit(request: SignedInRequest, pk: int, enrolment: int) -> HttpResponse:
    """Change a student's name, reading and number."""
    changed = get_enrolment_for_teacher(request.user, pk, enrolment)
    form = StudentForm(changed, request.POST or None)
    if form.is_bound:
        with transaction.atomic():
            services.lock_list(changed.classroom)
            if form.is_valid():
                services.change_student(changed, **form.cleaned_data)
                record(request, "student changed", classroom=pk, student=changed.student_id)
                return redirect(changed.student)
    return _student_page(request, changed, form)


@for_teachers("GET", "POST", within=RECENTLY)
@once()
def student_remove(request: SignedInRequest, pk: int, enrolment: int) -> HttpResponse:
    """Show what is deleted with the student, then remove the student from the list."""
    removed = get_enrolment_for_teacher(request.user, pk, enrolment)
    if request.method == "GET":
        loss = services.loss_of_student(removed)
        return _student_page(request, removed, StudentForm(removed), loss)
    receipt = services.remove_student(removed, request.user)
    record(request, "student removed", classroom=pk, student=removed.student_id)
    done = _("{name} is no longer in this class.").format(name=removed.student.name)
    messages.success(request, done)
    return redirect("data_record", receipt.pk) if receipt else redirect("class_students", pk)


def _student_page(
    request: SignedInRequest,
    enrolment: Enrolment,
    form: StudentForm,
    loss: services.Loss | None = None,
) -> HttpResponse:
    """Return the page of a student's data. With `loss`, it asks whether to remove the student."""
    context = {
        "enrolment": enrolment,
        "form": form,
        "loss": loss,
        "card": SignInCard.objects.filter(student=enrolment.student_id).first(),
        "may_own": may(enrolment, Right.OWN),
    }
    return form_page(request, "classes/student_edit.html", context)


# Locks


@for_teachers("POST")
def student_unlock(request: SignedInRequest, pk: int, enrolment: int) -> HttpResponse:
    """Open the student's locks."""
    changed = get_enrolment_for_teacher(request.user, pk, enrolment)
    record(request, "lock opened", classroom=pk, student=changed.student_id)
    unlock(*changed.student.pin_keys)
    return redirect("class_students", pk)
