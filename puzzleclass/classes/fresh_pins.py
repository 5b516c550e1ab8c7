"""PINs on their way to paper.

The database keeps hashes only. So that the list can be shown after a redirect, and
printed a second time when the printer jams, the plain PINs travel in a signed cookie
of the teacher's own browser, for one address and a few minutes. Nothing is stored here.
"""

import json

from django.conf import settings
from django.http import HttpRequest, HttpResponse
from django.urls import reverse

from puzzleclass.classes.models import Classroom
from puzzleclass.classes.services import Pins

MINUTES = 10

_COOKIE = "pins"


def hand_over(
    request: HttpRequest, response: HttpResponse, classroom: Classroom, pins: Pins
) -> HttpResponse:
    """Add the PINs to those this browser can still see; return the response."""
    response.set_signed_cookie(
        f"{_COOKIE}-{classroom.pk}",
        json.dumps(list((handed_over(request, classroom) | pins).items())),
        salt=_salt(request),
        max_age=MINUTES * 60,
        path=_path(classroom),
        httponly=True,
        secure=settings.HTTPS,
        samesite="Strict",
    )
    return response


def handed_over(request: HttpRequest, classroom: Classroom) -> Pins:
    """Return the PINs this teacher was given in this browser a moment ago."""
    stored = request.get_signed_cookie(
        f"{_COOKIE}-{classroom.pk}", "[]", salt=_salt(request), max_age=MINUTES * 60
    )
    return dict(json.loads(stored))


def _salt(request: HttpRequest) -> str:
    # The next teacher at the same computer can't read them.
    return f"pins of {request.user.pk}"


def _path(classroom: Classroom) -> str:
    # Everything that makes PINs lies under the class's address, and must see the cookie
    # to add to it.
    return reverse("classroom", args=[classroom.pk])
