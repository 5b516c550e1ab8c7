"""What stands between strangers and a class: its code, its switch, and how often they may guess.

A browser in which a student of the class has signed in is known to the class; nothing that
strangers do closes it. What strangers have together a day is so little that whoever knows the
code opens one of 40 PINs with less than 1 %, however many addresses they have: 48 guesses, twice
that in any 24 hours, of 10,000 PINs each (docs/security.md).
"""

from collections.abc import Iterable
from dataclasses import dataclass
from datetime import timedelta

from django.conf import settings
from django.db.models import Q
from django.http import HttpRequest, HttpResponse
from django.utils import timezone

from puzzleclass.accounts.models import (
    Lock,
    User,
    give_back,
    is_spent,
    spend,
    unlock,
)
from puzzleclass.accounts.sign_in import address_of
from puzzleclass.classes.models import Classroom

A_DAY = timedelta(days=1)
WRONG_PINS_OF_STRANGERS = 48
"""A day, at one class."""
WRONG_PINS_OF_ONE = 30
"""A day, from one address at one class: one stranger leaves something for the others."""

WRONG_CODES = 100
WRONG_CODES_PERIOD = timedelta(minutes=10)
"""From one address, where a whole school may sit."""

_SECONDS_KNOWN = 400 * 24 * 3600

# Class codes


def may_guess_codes(request: HttpRequest) -> bool:
    """Return whether the visitor's address may still try out class codes."""
    return not is_spent(_codes_key(request), WRONG_CODES)


def count_wrong_code(request: HttpRequest) -> None:
    spend(_codes_key(request), WRONG_CODES, WRONG_CODES_PERIOD)


def _codes_key(request: HttpRequest) -> str:
    return f"codes from {address_of(request)}"


# PINs


def is_known(request: HttpRequest, classroom: Classroom) -> bool:
    """Return whether a student of the class has signed in with this browser."""
    salt = _salt(classroom)
    known = request.get_signed_cookie(_cookie(classroom), "", salt=salt, max_age=_SECONDS_KNOWN)
    return bool(known)


def remember_browser(response: HttpResponse, classroom: Classroom) -> HttpResponse:
    """Make the browser known to the class; return the response."""
    response.set_signed_cookie(
        _cookie(classroom),
        "1",
        salt=_salt(classroom),
        max_age=_SECONDS_KNOWN,
        path="/join/",
        httponly=True,
        secure=settings.HTTPS,
        samesite="Lax",
    )
    return response


def may_guess_pins(request: HttpRequest, classroom: Classroom) -> bool:
    """Return whether wrong PINs may still be typed here today."""
    if is_known(request, classroom):
        return True
    ours, theirs = _keys(request, classroom)
    return not (is_spent(ours, WRONG_PINS_OF_STRANGERS) or is_spent(theirs, WRONG_PINS_OF_ONE))


def check_pin(request: HttpRequest, classroom: Classroom, student: User, pin: str) -> bool:
    """Return whether the PIN is right; always False where no more may be typed."""
    if is_known(request, classroom):
        return student.check_pin(pin, is_known=True)
    if student.pin_lock().is_closed:
        return False
    ours, theirs = _keys(request, classroom)
    if not spend(theirs, WRONG_PINS_OF_ONE, A_DAY):
        return False
    if not spend(ours, WRONG_PINS_OF_STRANGERS, A_DAY):
        give_back(theirs)
        return False
    if not student.check_pin(pin):
        return False
    give_back(ours)
    give_back(theirs)
    return True


@dataclass(frozen=True, slots=True)
class KeptOut:
    """Whom wrong PINs keep out of a class."""

    students: set[int]
    """Their pks; strangers alone, or known browsers too, can't sign in as them."""
    strangers: bool
    """Strangers, or those of one address, have no tries left today."""

    def __bool__(self) -> bool:
        return bool(self.students) or self.strangers


def kept_out(classroom: Classroom, students: Iterable[User]) -> KeptOut:
    """Return whom the locks of the class keep out. One query."""
    holder = {key: student.pk for student in students for key in student.pin_keys}
    class_key, closed, strangers = _class_key(classroom), set(), False
    for lock in Lock.objects.filter(Q(key__in=holder) | _of_strangers(classroom)):
        if lock.key in holder:
            closed |= {holder[lock.key]} if lock.is_closed else set()
        else:
            most = WRONG_PINS_OF_STRANGERS if lock.key == class_key else WRONG_PINS_OF_ONE
            strangers |= lock.wrong_tries >= most and lock.counts_until > timezone.now()
    return KeptOut(closed, strangers)


def open_all(classroom: Classroom) -> None:
    """Open every lock of the class, and give strangers their tries back."""
    unlock(*(key for student in classroom.students.all() for key in student.pin_keys))
    Lock.objects.filter(_of_strangers(classroom)).delete()


def _of_strangers(classroom: Classroom) -> Q:
    """What strangers have spent."""
    key = _class_key(classroom)
    return Q(key=key) | Q(key__startswith=f"{key} from ")


def _keys(request: HttpRequest, classroom: Classroom) -> tuple[str, str]:
    key = _class_key(classroom)
    return key, f"{key} from {address_of(request)}"


def _class_key(classroom: Classroom) -> str:
    return f"pins of class {classroom.pk}"


def _cookie(classroom: Classroom) -> str:
    return f"class-{classroom.pk}"


def _salt(classroom: Classroom) -> str:
    return f"browser of class {classroom.pk}"
