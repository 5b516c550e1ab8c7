"""The printed cards of students, with QR codes by which they sign in."""

from dataclasses import dataclass

import segno
from django.urls import reverse
from django.utils.safestring import SafeString, mark_safe

from puzzleclass.accounts.sign_in import SignedInRequest
from puzzleclass.address import absolute
from puzzleclass.classes.models import Enrolment
from puzzleclass.language import furigana


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
