"""What stands between strangers and a class: its code, its switch, and how often they may guess.

A browser in which a student of the class has signed in is known to the class; nothing that
strangers do closes it. What strangers have together in any 24 hours is so little that whoever knows
the code opens one of 40 PINs with less than 1 %, however many addresses they have: 96 guesses of
10,000 PINs each (docs/security.md). In a lesson all of them may come from one address, where forty
children with new devices type two wrong ones each; at other times there are fewer.
"""

from collections.abc import Iterable
from dataclasses import dataclass
from datetime import timedelta

from django.conf import settings
from django.db import transaction
from django.db.models import Q, Sum
from django.http import HttpRequest, HttpResponse
from django.utils import timezone

from puzzleclass.accounts.models import Lock, User, give_back, is_spent, spend, unlock
from puzzleclass.accounts.sign_in import address_of
from puzzleclass.classes.models import Classroom

A_DAY = timedelta(days=1)
WRONG_PINS = 96
"""In any 24 hours, at one class, all strangers together."""
WRONG_PINS_BETWEEN_LESSONS = 60
"""Of these, while the class is not open for a lesson: the lesson has the rest."""
WRONG_PINS_OF_ONE = 30
"""A day, from one address at one class, between lessons: a stranger leaves some for the others."""
AN_HOUR = timedelta(hours=1)

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
    if _wrong_pins(classroom) >= _most(classroom):
        return False
    return classroom.is_in_lesson or not is_spent(_theirs(request, classroom), WRONG_PINS_OF_ONE)


def check_pin(request: HttpRequest, classroom: Classroom, student: User, pin: str) -> bool:
    """Return whether the PIN is right; always False where no more may be typed."""
    if is_known(request, classroom):
        return student.check_pin(pin, is_known=True)
    if student.pin_lock().is_closed:
        return False
    hour = timezone.now().replace(minute=0, second=0, microsecond=0)
    ours, theirs = f"{_class_key(classroom)} at {hour:%d %H}", _theirs(request, classroom)
    with transaction.atomic():
        # One after the other: guesses sent at the same moment can't outrun the count.
        Classroom.objects.select_for_update().get(pk=classroom.pk)
        if _wrong_pins(classroom) >= _most(classroom):
            return False
        if not classroom.is_in_lesson and not spend(theirs, WRONG_PINS_OF_ONE, A_DAY):
            return False
        # Counted by the hour in which it was made, until it is a day old whatever the minute.
        spend(ours, WRONG_PINS + 1, hour + AN_HOUR + A_DAY - timezone.now())
    if not student.check_pin(pin):
        return False
    give_back(ours)
    if not classroom.is_in_lesson:
        give_back(theirs)
    return True


def _wrong_pins(classroom: Classroom) -> int:
    """Return how many wrong PINs strangers have typed at the class in the last 24 hours."""
    hours = Lock.objects.filter(_of_hours(classroom), counts_until__gt=timezone.now())
    return hours.aggregate(number=Sum("wrong_tries"))["number"] or 0


def _most(classroom: Classroom) -> int:
    return WRONG_PINS if classroom.is_in_lesson else WRONG_PINS_BETWEEN_LESSONS


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
    closed, strangers, spent = set(), False, 0
    hours = f"{_class_key(classroom)} at "
    for lock in Lock.objects.filter(Q(key__in=holder) | _of_strangers(classroom)):
        if lock.key in holder:
            closed |= {holder[lock.key]} if lock.is_closed else set()
        elif lock.counts_until > timezone.now():
            is_hour = lock.key.startswith(hours)
            spent += lock.wrong_tries if is_hour else 0
            is_one = not is_hour and lock.wrong_tries >= WRONG_PINS_OF_ONE
            strangers |= is_one and not classroom.is_in_lesson
    return KeptOut(closed, strangers or spent >= _most(classroom))


def open_all(classroom: Classroom) -> None:
    """Open every lock of the class, and give strangers their tries back."""
    unlock(*(key for student in classroom.students.all() for key in student.pin_keys))
    Lock.objects.filter(_of_strangers(classroom)).delete()


def _of_strangers(classroom: Classroom) -> Q:
    """What strangers have spent."""
    return _of_hours(classroom) | Q(key__startswith=f"{_class_key(classroom)} from ")


def _of_hours(classroom: Classroom) -> Q:
    return Q(key__startswith=f"{_class_key(classroom)} at ")


def _theirs(request: HttpRequest, classroom: Classroom) -> str:
    return f"{_class_key(classroom)} from {address_of(request)}"


def _class_key(classroom: Classroom) -> str:
    return f"pins of class {classroom.pk}"


def _cookie(classroom: Classroom) -> str:
    return f"class-{classroom.pk}"


def _salt(classroom: Classroom) -> str:
    return f"browser of class {classroom.pk}"
