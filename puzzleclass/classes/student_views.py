"""The students of a class: the list and its files, one student, cards and PINs."""

from dataclasses import dataclass

import segno
from django.contrib import messages
from django.core.exceptions import BadRequest
from django.core.paginator import Paginator
from django.db import transaction
from django.http import Http404, HttpResponse
from django.shortcuts import redirect, render
from django.urls import reverse
from django.utils.safestring import SafeString, mark_safe
from django.utils.translation import gettext as _
from django.utils.translation import pgettext

from puzzleclass.accounts.models import unlock
from puzzleclass.accounts.sign_in import RECENTLY, for_teachers, record
from puzzleclass.classes import services
from puzzleclass.classes.access import (
    Right,
    check_not_over,
    get_classroom_for_teacher,
    get_enrolment_for_teacher,
    may,
)
from puzzleclass.classes.forms import ListForm, StudentForm
from puzzleclass.classes.models import DataRecord, Enrolment, SignInCard
from puzzleclass.classes.personal_data import log
from puzzleclass.classes.pins import MINUTES, hand_over, handed_over
from puzzleclass.classes.roster import check_roster
from puzzleclass.classes.views import form_page, is_confirmed, roster_context
from puzzleclass.http import SignedInRequest, read_key
from puzzleclass.spreadsheets import FORMATS, download

CARDS_A_PAGE = 200

# The list


@for_teachers("GET", "POST")
def students_new(request: SignedInRequest, pk: int) -> HttpResponse:
    """Add students: the list is shown as it was understood, then confirmed; for HTMX the list."""
    classroom = get_classroom_for_teacher(request.user, pk)
    check_not_over(classroom)
    form = ListForm(request.POST or None, request.FILES or None)
    context: dict[str, object] = {"classroom": classroom, "list_form": form}
    if request.method == "GET":
        return render(request, "classes/students_new.html", context)
    roster = form.read()
    check_roster(roster, dict(classroom.enrolments.values_list("number", "student__name")))
    context |= roster_context(roster, form)
    if request.htmx:
        return render(request, "classes/_roster.html", context)
    if not roster.text.strip() and not roster.fault:
        roster.fault = _("Paste a list, or choose a file.")
    if not is_confirmed(request, roster):
        return form_page(request, "classes/students_new.html", context)
    try:
        pins = services.add_students(classroom, roster.good)
    except services.ListChanged:
        return redirect("students_new", pk)
    return hand_over(request, redirect("pin_list", pk), classroom, pins)


@for_teachers("POST", within=RECENTLY)
def students_export(request: SignedInRequest, pk: int, form: str) -> HttpResponse:
    """The class list as a file, CSV or Excel: one that can be read in again."""
    classroom = get_classroom_for_teacher(request.user, pk)
    if form not in FORMATS:
        raise Http404
    places = classroom.enrolments.select_related("student").prefetch_related("groups")
    heads = [
        pgettext("student", "Number"),
        _("Name"),
        _("Reading"),
        _("Groups"),
        _("Last signed in"),
    ]
    rows = [
        (
            place.number,
            place.student.name,
            place.student.reading,
            _(", ").join(group.name for group in place.groups.all()),
            place.student.last_login,
        )
        for place in places
    ]
    written = {Enrolment._meta.label: len(rows)}
    log(request.user, DataRecord.Action.EXPORTED, classroom, written)
    return download(classroom.name, heads, rows, form)


@for_teachers("GET", "POST")
def student_edit(request: SignedInRequest, pk: int, enrolment: int) -> HttpResponse:
    """Change a student's name and number."""
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
def student_remove(request: SignedInRequest, pk: int, enrolment: int) -> HttpResponse:
    """Say what goes with the student, then take the student off the list."""
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
def student_pin(request: SignedInRequest, pk: int, enrolment: int) -> HttpResponse:
    """Ask whether the old PIN shall end, then give the student another one."""
    changed = get_enrolment_for_teacher(request.user, pk, enrolment)
    check_not_over(changed.classroom)
    if request.method == "GET":
        return render(request, "classes/student_pin.html", {"enrolment": changed})
    pins = services.renew_pins([changed])
    return hand_over(request, redirect("pin_list", pk), changed.classroom, pins)


@for_teachers("POST")
def student_card(request: SignedInRequest, pk: int, enrolment: int) -> HttpResponse:
    """Give the student another card, or none: the one printed before signs nobody in."""
    changed = get_enrolment_for_teacher(request.user, pk, enrolment)
    do = request.POST.get("do", "")[:10]
    record(request, "card", classroom=pk, student=changed.student_id, do=do)
    if do == "renew":
        check_not_over(changed.classroom)
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
def pin_list(request: SignedInRequest, pk: int) -> HttpResponse:
    """The cards, to be printed, with the PINs made a moment ago; POST makes new PINs for the
    whole class, if that is confirmed, or cards for those who have none. `?only=` shows one
    student's."""
    classroom = get_classroom_for_teacher(request.user, pk)
    check_not_over(classroom)
    places = classroom.enrolments.select_related("student__card", "classroom")
    if request.method == "POST":
        if request.POST.get("do") == "cards":
            services.make_cards(classroom)
            return redirect("pin_list", pk)
        if "sure" in request.POST:
            pins = services.renew_pins(places)
            return hand_over(request, redirect("pin_list", pk), classroom, pins)
        messages.error(request, _("Nothing has changed: confirm that the old PINs shall end."))
        return redirect("pin_list", pk)
    pins = handed_over(request, classroom)
    only = read_key(request.GET.get("only", ""))
    shown = places.filter(pk=only) if only else places
    page = Paginator(shown, CARDS_A_PAGE).get_page(request.GET.get("page"))
    cards = [card_of(request, place, pins.get(place.pk, "")) for place in page]
    context = {
        "classroom": classroom,
        "join_url": request.build_absolute_uri(reverse("join_class", args=[classroom.code])),
        "page": page,
        "cards": cards,
        "only": only,
        "per_sheet": 10 if request.GET.get("sheet") == "10" else 8,
        "slips": [(place, pins[place.pk]) for place in places if place.pk in pins],
        "students": classroom.enrolments.count(),
        "without_card": classroom.students.filter(card=None).count(),
        "minutes": MINUTES,
    }
    return render(request, "classes/pin_list.html", context)


@dataclass(frozen=True, slots=True)
class Card:
    """A student's card as it is printed."""

    place: Enrolment
    pin: str
    """Empty when it was not made in this browser just now."""
    code: SafeString
    """The QR code as SVG; empty without a card."""


def card_of(request: SignedInRequest, place: Enrolment, pin: str) -> Card:
    """Return the card of the student in this place."""
    card = getattr(place.student, "card", None)
    if card is None:
        return Card(place, pin, mark_safe(""))
    url = request.build_absolute_uri(reverse("join_by_card", args=[card.word]))
    drawn = segno.make_qr(url, error="m").svg_inline(border=2, omitsize=True, svgclass="qr")
    return Card(place, pin, mark_safe(drawn))  # noqa: S308  (drawn by segno from an address of ours)
