"""Views for the cards and PINs of a class: printing them, making new ones, revoking them."""

from django.contrib import messages
from django.core.exceptions import BadRequest
from django.core.paginator import Paginator
from django.db.models import QuerySet
from django.http import HttpResponse, QueryDict
from django.shortcuts import redirect, render
from django.urls import reverse
from django.utils.translation import gettext as _

from puzzleclass.accounts.sign_in import SignedInRequest, for_teachers, record
from puzzleclass.address import absolute, is_loopback
from puzzleclass.classes import services
from puzzleclass.classes.access import (
    check_not_archived,
    get_classroom_for_teacher,
    get_enrolment_for_teacher,
    only_chosen,
)
from puzzleclass.classes.cards import printed_card
from puzzleclass.classes.models import Classroom, Enrolment
from puzzleclass.classes.pins import MINUTES, remember_pins, remembered_pins
from puzzleclass.forms.once import once
from puzzleclass.language import furigana

CARDS_PER_PAGE = 200


@for_teachers("POST")
@once()
def student_pin(request: SignedInRequest, pk: int, enrolment: int) -> HttpResponse:
    """Give the student a new PIN in place of the old one."""
    changed = get_enrolment_for_teacher(request.user, pk, enrolment)
    check_not_archived(changed.classroom)
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


@for_teachers("GET")
def pin_list(request: SignedInRequest, pk: int) -> HttpResponse:
    """Show the cards for printing, with the PINs that were just made.

    `?only=` chooses students; without it, the page is about the whole class.
    """
    classroom = get_classroom_for_teacher(request.user, pk)
    check_not_archived(classroom)
    enrolments = _chosen(classroom, request.GET).select_related("student__card", "classroom")
    pins = remembered_pins(request, classroom)
    page = Paginator(enrolments, CARDS_PER_PAGE).get_page(request.GET.get("page"))
    cards = [printed_card(request, enrolment, pins.get(enrolment.pk, "")) for enrolment in page]
    # The cards are for students, so their words have readings where students see furigana.
    in_words = furigana.annotated if classroom.furigana else str
    join_url = absolute(reverse("join_class", args=[classroom.code]), request)
    context = {
        "classroom": classroom,
        "is_loopback": is_loopback(join_url),
        "join_url": join_url,
        "page": page,
        "cards": cards,
        "pin_word": in_words(_("PIN")),
        "code_word": in_words(_("Class code")),
        "only": request.GET.getlist("only"),
        "per_sheet": 10 if request.GET.get("sheet") == "10" else 8,
        "slips": [
            (enrolment, pins[enrolment.pk]) for enrolment in enrolments if enrolment.pk in pins
        ],
        "students": page.paginator.count,
        "without_card": classroom.students.filter(card=None).count(),
        "minutes": MINUTES,
        "has_assignments": classroom.assignments.exists(),
    }
    return render(request, "classes/pin_list.html", context)


@for_teachers("POST")
@once()
def pins_new(request: SignedInRequest, pk: int) -> HttpResponse:
    """Make new PINs for the students that `only` chooses, or for the whole class, if that is
    confirmed."""
    classroom = get_classroom_for_teacher(request.user, pk)
    check_not_archived(classroom)
    only = request.POST.getlist("only")
    response = redirect(reverse("pin_list", args=[pk], query={"only": only} if only else None))
    if "sure" not in request.POST:
        messages.error(
            request, _("Nothing has changed. Confirm that the old PINs should stop working.")
        )
        return response
    pins = services.renew_pins(_chosen(classroom, request.POST))
    return remember_pins(request, response, classroom, pins)


@for_teachers("POST")
@once()
def cards_new(request: SignedInRequest, pk: int) -> HttpResponse:
    """Make cards for the students of the class who have none."""
    classroom = get_classroom_for_teacher(request.user, pk)
    check_not_archived(classroom)
    services.make_cards(classroom)
    return redirect("pin_list", pk)


def _chosen(classroom: Classroom, fields: QueryDict) -> QuerySet[Enrolment]:
    """Return the enrolments that `only` chooses, or all, with their students."""
    if "only" in fields:
        return only_chosen(classroom, fields)
    return classroom.enrolments.select_related("student")
