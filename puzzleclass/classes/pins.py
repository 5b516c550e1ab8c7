"""New PINs, until they are printed.

The database keeps only hashes. A signed cookie in the teacher's own browser holds the plain PINs,
for one path and a few minutes. So the cards can be shown after a redirect, and printed a second
time when the printer jams. The server stores no plain PINs.
"""

from itertools import accumulate

from django.conf import settings
from django.core import signing
from django.http import HttpResponse
from django.urls import reverse

from puzzleclass.accounts.models import PIN_LENGTH
from puzzleclass.accounts.sign_in import SignedInRequest, record
from puzzleclass.classes.models import Classroom, Enrolment
from puzzleclass.classes.services import Pins

MINUTES = 10
"""The number of minutes for which a teacher's browser can show new PINs."""


def remember_pins(
    request: SignedInRequest, response: HttpResponse, classroom: Classroom, pins: Pins
) -> HttpResponse:
    """Add the PINs to those that this browser can still show; return the response."""
    students = Enrolment.objects.filter(pk__in=pins).values_list("student", flat=True)
    record(request, "PINs made", classroom=classroom.pk, students=list(students))
    remembered = sorted((remembered_pins(request, classroom) | pins).items())
    # A browser keeps 4 KB. The differences between the keys are mostly 1, so almost only the PINs'
    # digits take up space after compression, and a class of `MAX_STUDENTS` fits.
    keys = [key for key, pin in remembered]
    steps = [key - before for before, key in zip([0, *keys], keys, strict=False)]
    digits = "".join(pin for key, pin in remembered)
    response.set_cookie(
        f"pins-{classroom.pk}",
        signing.dumps([steps, digits], salt=_pins_salt(request), compress=True),
        max_age=MINUTES * 60,
        # All views that make PINs are under this path and need the cookie to add to it.
        path=reverse("classroom", args=[classroom.pk]),
        httponly=True,
        secure=settings.HTTPS,
        samesite="Strict",
    )
    return response


def remembered_pins(request: SignedInRequest, classroom: Classroom) -> Pins:
    """Return the new PINs that this browser can still show to this teacher."""
    stored = request.COOKIES.get(f"pins-{classroom.pk}", "")
    try:
        steps, digits = signing.loads(stored, salt=_pins_salt(request), max_age=MINUTES * 60)
    except signing.BadSignature:
        return {}
    pins = map("".join, zip(*[iter(digits)] * PIN_LENGTH, strict=True))
    return dict(zip(accumulate(steps), pins, strict=True))


def _pins_salt(request: SignedInRequest) -> str:
    # The salt keeps the next teacher at the same computer from reading the PINs.
    return f"pins of {request.user.pk}"
