"""How students enter a class, and the limits on guessing class codes and PINs.

A browser in which a student of the class has signed in is a device of that student. Wrong PINs on a
device have a limit of their own, which counts all students whose PINs are typed on it. Nothing that
strangers do affects this limit. A device that has used it up counts as a stranger's.

All strangers together have so few wrong PINs in any 24 hours that somebody who knows the class code
finds one of 40 PINs with a probability below 1 %, from however many addresses: in 96 guesses at
PINs with 10,000 possible values (docs/security.md). During a lesson, all wrong PINs may come from
one address, where forty children with new devices type two of them each. At other times, the limit
is lower.

After many wrong class codes from one address, code, number and PIN are asked for together, and the
answer doesn't say which of them is wrong. So nobody is kept out by somebody else's guesses.
"""

from collections.abc import Iterable
from dataclasses import dataclass
from datetime import timedelta

from django.conf import settings
from django.db import transaction
from django.db.models import Q, Sum
from django.http import HttpRequest, HttpResponse
from django.shortcuts import redirect
from django.utils import timezone

from puzzleclass.accounts.locks import Lock, give_back, is_spent, spend, unlock
from puzzleclass.accounts.models import User
from puzzleclass.accounts.sign_in import destination, sign_in_student
from puzzleclass.accounts.visitors import address_of
from puzzleclass.classes.models import Classroom, Enrolment
from puzzleclass.language import furigana

A_DAY = timedelta(days=1)
WRONG_PINS = 96
"""The most wrong PINs of all strangers together, at one class in any 24 hours."""
WRONG_PINS_BETWEEN_LESSONS = 60
"""The part of `WRONG_PINS` that can be used between lessons; the rest is left for lessons."""
WRONG_PINS_OF_ADDRESS = 30
"""The most wrong PINs from one address, at one class in a day, between lessons.

So one stranger leaves some for the others.
"""
WRONG_PINS_OF_MONTH = 200
"""The most wrong PINs of all strangers together, at one class in a `MONTH`, between lessons.

So slow guessing does not find a PIN either.
"""
MONTH = timedelta(days=30)
AN_HOUR = timedelta(hours=1)

WRONG_CODES = 100
WRONG_CODES_PERIOD = timedelta(minutes=10)
"""The period in which one address, which a whole school may share, has `WRONG_CODES`.

When they are used up, visitors from this address no longer learn whether a code exists.
"""

WRONG_PINS_OF_DEVICE = 30
"""The most wrong PINs on all devices of one student together, in a `MONTH`, for anybody's PIN."""

_SECONDS_KNOWN = 400 * 24 * 3600

# Class codes


def may_guess_codes(request: HttpRequest) -> bool:
    """Return whether the visitor's address has wrong class codes left."""
    return not is_spent(_codes_key(request), WRONG_CODES)


def count_wrong_code(request: HttpRequest) -> None:
    spend(_codes_key(request), WRONG_CODES, WRONG_CODES_PERIOD)


def _codes_key(request: HttpRequest) -> str:
    return f"codes from {address_of(request)}"


# PINs


def is_known(request: HttpRequest, classroom: Classroom) -> bool:
    """Return whether the browser is a device of a student of the class and has wrong PINs left."""
    device = _device_owner(request, classroom)
    return device is not None and not is_spent(device.pin_keys[1], WRONG_PINS_OF_DEVICE)


def remember_browser(
    request: HttpRequest, response: HttpResponse, classroom: Classroom, student: User
) -> HttpResponse:
    """Make the browser a device of the student if it is nobody's yet; return the response.

    It stays the device of the student who signed in first. So nobody gets new attempts by signing
    in, neither here nor in a private window.
    """
    response.set_signed_cookie(
        _cookie(classroom),
        str((_device_owner(request, classroom) or student).pk),
        salt=_salt(classroom),
        max_age=_SECONDS_KNOWN,
        path="/join/",
        httponly=True,
        secure=settings.HTTPS,
        samesite="Lax",
    )
    return response


def _device_owner(request: HttpRequest, classroom: Classroom) -> User | None:
    """Return the student whose device the browser is; None in a stranger's browser."""
    salt = _salt(classroom)
    key = request.get_signed_cookie(_cookie(classroom), "", salt=salt, max_age=_SECONDS_KNOWN)
    return User(pk=int(key)) if key else None


def may_guess_pins(request: HttpRequest, classroom: Classroom) -> bool:
    """Return whether the browser may still send wrong PINs today."""
    if is_known(request, classroom):
        return True
    if _wrong_pins(classroom) >= _limit(classroom):
        return False
    return classroom.is_in_lesson or not (
        is_spent(_address_key(request, classroom), WRONG_PINS_OF_ADDRESS)
        or is_spent(_month_key(classroom), WRONG_PINS_OF_MONTH)
    )


def check_pin(request: HttpRequest, classroom: Classroom, student: User, pin: str) -> bool:
    """Return whether the PIN is right; always False if no wrong PINs are left.

    An attempt is counted before it is checked, so that attempts sent at the same moment can't
    exceed the limit. A right PIN takes back its own count and changes nothing else.
    """
    device = _device_owner(request, classroom)
    if device and spend(device.pin_keys[1], WRONG_PINS_OF_DEVICE, MONTH):
        if not student.has_pin(pin):
            return False
        give_back(device.pin_keys[1])
        return True
    return _check_strangers_pin(request, classroom, student, pin)


def _check_strangers_pin(
    request: HttpRequest, classroom: Classroom, student: User, pin: str
) -> bool:
    if student.pin_lock().is_closed:
        return False
    hour = timezone.now().replace(minute=0, second=0, microsecond=0)
    hour_key = f"{_class_key(classroom)} at {hour:%d %H}"
    address_key, month_key = _address_key(request, classroom), _month_key(classroom)
    with transaction.atomic():
        # The lock puts guesses in sequence, so that simultaneous ones can't exceed the limit.
        Classroom.objects.select_for_update().get(pk=classroom.pk)
        if _wrong_pins(classroom) >= _limit(classroom):
            return False
        if not classroom.is_in_lesson:
            if is_spent(month_key, WRONG_PINS_OF_MONTH):
                return False
            if not spend(address_key, WRONG_PINS_OF_ADDRESS, A_DAY):
                return False
            spend(month_key, WRONG_PINS_OF_MONTH, MONTH)
        # Guesses are counted by the hour. The count is kept until the last of them is a day old.
        spend(hour_key, WRONG_PINS + 1, hour + AN_HOUR + A_DAY - timezone.now())
    if not student.check_pin(pin):
        return False
    give_back(*([hour_key] if classroom.is_in_lesson else [address_key, month_key, hour_key]))
    return True


def _wrong_pins(classroom: Classroom) -> int:
    """Return how many wrong PINs strangers have typed at the class in the last 24 hours."""
    hours = Lock.objects.filter(_hours_condition(classroom), counts_until__gt=timezone.now())
    return hours.aggregate(number=Sum("wrong_tries"))["number"] or 0


def _limit(classroom: Classroom) -> int:
    return WRONG_PINS if classroom.is_in_lesson else WRONG_PINS_BETWEEN_LESSONS


@dataclass(frozen=True, slots=True)
class KeptOut:
    """The students, devices and strangers that wrong PINs keep out of a class."""

    students: set[int]
    """The keys of students whose PINs are locked for strangers."""
    devices: set[int]
    """The keys of students on whose devices too many wrong PINs were typed."""
    strangers: bool
    """Whether all strangers, or those from one address, have no attempts left today."""

    def __bool__(self) -> bool:
        return bool(self.students or self.devices) or self.strangers


def kept_out(classroom: Classroom, students: Iterable[User]) -> KeptOut:
    """Return who is kept out of the class by wrong PINs. One query."""
    everybody = list(students)
    holder = {student.pin_keys[0]: student.pk for student in everybody}
    owner = {student.pin_keys[1]: student.pk for student in everybody}
    closed, devices, strangers, spent = set(), set(), False, 0
    hours, month = f"{_class_key(classroom)} at ", _month_key(classroom)
    for lock in Lock.objects.filter(Q(key__in=holder | owner) | _strangers_condition(classroom)):
        if lock.key in holder:
            closed |= {holder[lock.key]} if lock.is_closed else set()
        elif lock.counts_until <= timezone.now():
            continue
        elif lock.key in owner:
            has_wrong_pins_left = lock.wrong_tries < WRONG_PINS_OF_DEVICE
            devices |= set() if has_wrong_pins_left else {owner[lock.key]}
        else:
            is_hour = lock.key.startswith(hours)
            spent += lock.wrong_tries if is_hour else 0
            most = WRONG_PINS_OF_MONTH if lock.key == month else WRONG_PINS_OF_ADDRESS
            is_used_up = not is_hour and lock.wrong_tries >= most
            strangers |= is_used_up and not classroom.is_in_lesson
    return KeptOut(closed, devices, strangers or spent >= _limit(classroom))


def reset_locks(classroom: Classroom) -> None:
    """Open every lock of the class, and reset the limits for strangers."""
    unlock(*(key for student in classroom.students.all() for key in student.pin_keys))
    Lock.objects.filter(_strangers_condition(classroom)).delete()


def _strangers_condition(classroom: Classroom) -> Q:
    """Return the condition for the counts of strangers' wrong PINs."""
    return _hours_condition(classroom) | Q(key__startswith=f"{_class_key(classroom)} from ")


def _hours_condition(classroom: Classroom) -> Q:
    return Q(key__startswith=f"{_class_key(classroom)} at ")


def _month_key(classroom: Classroom) -> str:
    return f"{_class_key(classroom)} from all"


def _address_key(request: HttpRequest, classroom: Classroom) -> str:
    return f"{_class_key(classroom)} from {address_of(request)}"


def _class_key(classroom: Classroom) -> str:
    return f"pins of class {classroom.pk}"


def _cookie(classroom: Classroom) -> str:
    return f"class-{classroom.pk}"


def _salt(classroom: Classroom) -> str:
    return f"device of class {classroom.pk}"


def open_enrolment_of(student: User, code: str = "") -> Enrolment | None:
    """Return an enrolment in an open class: that with the code, otherwise the newest."""
    enrolments = student.enrolments.select_related("classroom__school", "student").order_by("-pk")
    is_open = [each for each in enrolments if each.classroom.is_open]
    return next(
        (each for each in is_open if each.classroom.code == code), next(iter(is_open), None)
    )


def enter_class(request: HttpRequest, enrolment: Enrolment) -> HttpResponse:
    """Sign the student in to the class; redirect to the page that was wanted."""
    sign_in_to_class(request, enrolment)
    response = redirect(destination(request))
    return remember_browser(request, response, enrolment.classroom, enrolment.student)


def sign_in_to_class(request: HttpRequest, enrolment: Enrolment) -> None:
    """Sign the student in to the class, with its settings for idle students and for readings."""
    classroom, student = enrolment.classroom, enrolment.student
    sign_in_student(request, student, classroom.code, enrolment.number, classroom.idle_minutes)
    if classroom.furigana is not None:
        request.session[furigana.SWITCH] = classroom.furigana
