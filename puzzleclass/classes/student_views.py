"""Views for the students of a class: the list and its files, one student, cards and PINs."""

from dataclasses import dataclass

import segno
from django.contrib import messages
from django.core.exceptions import BadRequest
from django.core.paginator import Paginator
from django.db import transaction
from django.http import HttpResponse
from django.shortcuts import redirect, render
from django.urls import reverse
from django.utils.safestring import SafeString, mark_safe
from django.utils.translation import gettext as _

from puzzleclass.accounts.models import unlock
from puzzleclass.accounts.sign_in import RECENTLY, SignedInRequest, for_teachers, record
from puzzleclass.address import absolute, is_loopback
from puzzleclass.classes import services
from puzzleclass.classes.access import (
    Right,
    check_not_archived,
    get_classroom_for_teacher,
    get_enrolment_for_teacher,
    may,
    only_chosen,
)
from puzzleclass.classes.forms import StudentForm
from puzzleclass.classes.models import Enrolment, SignInCard
from puzzleclass.classes.pins import MINUTES, remember_pins, remembered_pins
from puzzleclass.forms.once import once
from puzzleclass.http import form_page
from puzzleclass.language import furigana

CARDS_PER_PAGE = 200

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
                return redirect("classroom", pk)
    card = SignInCard.objects.filter(student=changed.student_id).first()
    context = {"enrolment": changed, "form": form, "card": card, "may_own": may(changed, Right.OWN)}
    return form_page(request, "classes/student_edit.html", context)


@for_teachers("GET", "POST", within=RECENTLY)
@once()
def student_remove(request: SignedInRequest, pk: int, enrolment: int) -> HttpResponse:
    """Show what is deleted with the student, then remove the student from the list."""
    removed = get_enrolment_for_teacher(request.user, pk, enrolment)
    if request.method == "GET":
        context = {"enrolment": removed, "loss": services.loss_of_student(removed)}
        return render(request, "classes/student_remove.html", context)
    receipt = services.remove_student(removed, request.user)
    record(request, "student removed", classroom=pk, student=removed.student_id)
    done = _("{name} is no longer in this class.").format(name=removed.student.name)
    messages.success(request, done)
    return redirect("data_record", receipt.pk) if receipt else redirect("classroom", pk)


# Cards and PINs


@for_teachers("GET", "POST")
@once()
def student_pin(request: SignedInRequest, pk: int, enrolment: int) -> HttpResponse:
    """Ask for confirmation, then give the student a new PIN in place of the old one."""
    changed = get_enrolment_for_teacher(request.user, pk, enrolment)
    check_not_archived(changed.classroom)
    if request.method == "GET":
        return render(request, "classes/student_pin.html", {"enrolment": changed})
    pins = services.renew_pins([changed])
    return remember_pins(request, redirect("pin_list", pk), changed.classroom, pins)


@for_teachers("POST")
def student_card(request: SignedInRequest, pk: int, enrolment: int) -> HttpResponse:
    """Replace or revoke the student's card. The printed one no longer works."""
    changed = get_enrolment_for_teacher(request.user, pk, enrolment)
    do = request.POST.get("do", "")[:10]
    record(request, "card", classroom=pk, student=changed.student_id, do=do)
    if do == "renew":
        check_not_archived(changed.classroom)
        services.renew_card(changed.student)
        return redirect(f"{reverse('pin_list', args=[pk])}?only={enrolment}")
    if do == "revoke":
        services.revoke_card(changed.student)
        return redirect("student_edit", pk, enrolment)
    raise BadRequest


@for_teachers("POST")
def student_unlock(request: SignedInRequest, pk: int, enrolment: int) -> HttpResponse:
    """Open the student's locks."""
    changed = get_enrolment_for_teacher(request.user, pk, enrolment)
    record(request, "lock opened", classroom=pk, student=changed.student_id)
    unlock(*changed.student.pin_keys)
    return redirect("classroom", pk)


@for_teachers("GET", "POST")
@once()
def pin_list(request: SignedInRequest, pk: int) -> HttpResponse:
    """Show the cards for printing, with the PINs that were just made.

    `?only=` chooses students; without it, the page is about the whole class. POST makes new PINs,
    if that is confirmed, or cards for the students of the class who have none.
    """
    classroom = get_classroom_for_teacher(request.user, pk)
    check_not_archived(classroom)
    fields = request.POST if request.method == "POST" else request.GET
    enrolments = classroom.enrolments.all()
    if only := fields.getlist("only"):
        enrolments = only_chosen(classroom, fields)
    enrolments = enrolments.select_related("student__card", "classroom")
    if request.method == "POST":
        if request.POST.get("do") == "cards":
            services.make_cards(classroom)
            return redirect("pin_list", pk)
        if "sure" in request.POST:
            pins = services.renew_pins(enrolments)
            here = reverse("pin_list", args=[pk], query={"only": only} if only else None)
            return remember_pins(request, redirect(here), classroom, pins)
        messages.error(
            request, _("Nothing has changed. Confirm that the old PINs should stop working.")
        )
        return redirect("pin_list", pk)
    pins = remembered_pins(request, classroom)
    page = Paginator(enrolments, CARDS_PER_PAGE).get_page(request.GET.get("page"))
    cards = [printed_card(request, enrolment, pins.get(enrolment.pk, "")) for enrolment in page]
    # The cards are for students, so their words have readings where students see furigana.
    said = furigana.annotated if classroom.furigana else str
    join_url = absolute(reverse("join_class", args=[classroom.code]), request)
    context = {
        "classroom": classroom,
        "is_loopback": is_loopback(join_url),
        "join_url": join_url,
        "page": page,
        "cards": cards,
        "pin_word": said(_("PIN")),
        "code_word": said(_("Class code")),
        "only": only,
        "per_sheet": 10 if request.GET.get("sheet") == "10" else 8,
        "slips": [
            (enrolment, pins[enrolment.pk]) for enrolment in enrolments if enrolment.pk in pins
        ],
        "students": page.paginator.count,
        "without_card": classroom.students.filter(card=None).count(),
        "minutes": MINUTES,
    }
    return render(request, "classes/pin_list.html", context)


@dataclass(frozen=True, slots=True)
class Card:
    """A student's card as it is printed."""

    enrolment: Enrolment
    name: str
    """The name, marked with its reading if the class list has it."""
    pin: str
    """The plain PIN; empty unless it was just made in this browser."""
    code: SafeString
    """The QR code as SVG; empty if the student has no card."""


def printed_card(request: SignedInRequest, enrolment: Enrolment, pin: str) -> Card:
    """Return the printed card for an enrolment."""
    student = enrolment.student
    name = furigana.name_with_reading(student.name, student.reading)
    card = getattr(student, "card", None)
    if card is None:
        return Card(enrolment, name, pin, mark_safe(""))
    url = absolute(reverse("join_by_card", args=[card.word]), request)
    drawn = segno.make_qr(url, error="m").svg_inline(border=2, omitsize=True, svgclass="qr")
    return Card(enrolment, name, pin, mark_safe(drawn))  # noqa: S308  (drawn by segno from an address of ours)
