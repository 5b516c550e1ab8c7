"""PINs on their way to paper.

The database keeps hashes only. So that the cards can be shown after a redirect, and printed a
second time when the printer jams, the plain PINs travel in a signed cookie of the teacher's own
browser, for one address and a few minutes. Nothing is stored here.
"""

from itertools import accumulate

from django.conf import settings
from django.core import signing
from django.http import HttpResponse
from django.urls import reverse

from puzzleclass.accounts.models import PIN_LENGTH
from puzzleclass.accounts.sign_in import record
from puzzleclass.classes.models import Classroom, Enrolment
from puzzleclass.classes.services import Pins
from puzzleclass.http import SignedInRequest

MINUTES = 10
"""How long a teacher's browser can show the PINs just made."""


def hand_over(
    request: SignedInRequest, response: HttpResponse, classroom: Classroom, pins: Pins
) -> HttpResponse:
    """Add the PINs to those this browser can still see; return the response."""
    students = Enrolment.objects.filter(pk__in=pins).values_list("student", flat=True)
    record(request, "PINs made", classroom=classroom.pk, students=list(students))
    shown = sorted((handed_over(request, classroom) | pins).items())
    # A browser keeps 4 KB. The distances between the keys are mostly 1, so the PINs' digits are
    # nearly all there is to compress: a class of `MOST_STUDENTS` has room.
    keys = [key for key, pin in shown]
    steps = [key - before for before, key in zip([0, *keys], keys, strict=False)]
    digits = "".join(pin for key, pin in shown)
    response.set_cookie(
        f"pins-{classroom.pk}",
        signing.dumps([steps, digits], salt=_pins_salt(request), compress=True),
        max_age=MINUTES * 60,
        # Everything that makes PINs lies under this address, and must see the cookie to add to it.
        path=reverse("classroom", args=[classroom.pk]),
        httponly=True,
        secure=settings.HTTPS,
        samesite="Strict",
    )
    return response


def handed_over(request: SignedInRequest, classroom: Classroom) -> Pins:
    """Return the PINs this teacher was given in this browser a moment ago."""
    stored = request.COOKIES.get(f"pins-{classroom.pk}", "")
    try:
        steps, digits = signing.loads(stored, salt=_pins_salt(request), max_age=MINUTES * 60)
    except signing.BadSignature:
        return {}
    pins = map("".join, zip(*[iter(digits)] * PIN_LENGTH, strict=True))
    return dict(zip(accumulate(steps), pins, strict=True))


def _pins_salt(request: SignedInRequest) -> str:
    # The next teacher at the same computer can't read them.
    return f"pins of {request.user.pk}"
