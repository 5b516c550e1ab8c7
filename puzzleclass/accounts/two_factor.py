"""The second factor of a teacher's sign-in: codes of an app (TOTP), and recovery codes on paper.

django-otp keeps the app's secret and checks its codes. Of a recovery code the database has a
fingerprint only; each is good once.
"""

import hashlib
from base64 import b32encode

from django.db import transaction
from django_otp.plugins.otp_static.models import StaticDevice, StaticToken
from django_otp.plugins.otp_totp.models import TOTPDevice

from puzzleclass.accounts.models import Lock, User, lock_of, opens, unlock

RECOVERY_CODES = 10


def is_on(teacher: User) -> bool:
    """Return whether the sign-in asks for a code. One query."""
    return bool(TOTPDevice.objects.filter(user=teacher, confirmed=True).exists())


def begun(teacher: User) -> TOTPDevice | None:
    """Return the app that waits for its first code, if one does."""
    return TOTPDevice.objects.filter(user=teacher, confirmed=False).first()


def secret_of(device: TOTPDevice) -> str:
    """Return the app's secret as it is typed where no picture can be taken: groups of four."""
    text = b32encode(device.bin_key).decode()
    return " ".join(text[at : at + 4] for at in range(0, len(text), 4))


@transaction.atomic
def begin(teacher: User) -> None:
    """Make a new secret for an app; it counts from its first right code on."""
    give_up(teacher)
    TOTPDevice.objects.create(user=teacher, name="app", confirmed=False)


def give_up(teacher: User) -> None:
    """Forget the app that waits for its first code; the one that is in use stays."""
    TOTPDevice.objects.filter(user=teacher, confirmed=False).delete()


@transaction.atomic
def turn_on(teacher: User, code: str) -> list[str]:
    """Return the recovery codes; none, with nothing changed, if the app's first code is wrong."""
    device = begun(teacher)
    if device is None or not device.verify_token(_digits(code)):
        return []
    TOTPDevice.objects.filter(user=teacher, confirmed=True).delete()
    device.confirmed = True
    device.save()
    return renew_codes(teacher)


@transaction.atomic
def renew_codes(teacher: User) -> list[str]:
    """Return new recovery codes; the old ones are good no longer."""
    StaticDevice.objects.filter(user=teacher).delete()
    paper = StaticDevice.objects.create(user=teacher, name="paper")
    codes = [f"{word[:4]}-{word[4:]}" for word in _words(RECOVERY_CODES)]
    StaticToken.objects.bulk_create(
        StaticToken(device=paper, token=_fingerprint(code)) for code in codes
    )
    return codes


def _words(number: int) -> list[str]:
    return [StaticToken.random_token() for _ in range(number)]


def codes_left(teacher: User) -> int:
    """Return how many recovery codes are still good. One query."""
    return int(StaticToken.objects.filter(device__user=teacher).count())


@transaction.atomic
def turn_off(teacher: User) -> None:
    """Let the password alone be enough."""
    TOTPDevice.objects.filter(user=teacher).delete()
    StaticDevice.objects.filter(user=teacher).delete()
    unlock(*_keys(teacher))


def _keys(teacher: User) -> tuple[str, str]:
    # As with PINs: the lock is the account's own, wherever the code is typed, and strangers can't
    # close the one of the browsers in which the teacher is known.
    return f"code {teacher.pk}", f"code {teacher.pk} known"


def code_lock(teacher: User, is_known: bool) -> Lock:
    """Return the lock that wrong codes close."""
    return lock_of(_keys(teacher)[is_known])


def check(teacher: User, code: str, is_known: bool) -> bool:
    """Return whether the code is the app's, or a recovery code, which is used up then.

    Always False while the lock is closed.
    """

    def is_right() -> bool:
        # The rows are locked: a code sent twice at one moment is good once.
        with transaction.atomic():
            apps = TOTPDevice.objects.select_for_update().filter(user=teacher, confirmed=True)
            papers = StaticDevice.objects.select_for_update().filter(user=teacher)
            return any(app.verify_token(_digits(code)) for app in apps) or any(
                paper.verify_token(_fingerprint(code)) for paper in papers
            )

    return opens(_keys(teacher)[is_known], is_right)


def _digits(code: str) -> str:
    """Return the code as an app gives it; what is none of six digits is empty."""
    plain = "".join(code.split())
    return plain if len(plain) == 6 and plain.isascii() and plain.isdecimal() else ""


def _fingerprint(code: str) -> str:
    """Return what is stored of a recovery code, however it is spaced and written."""
    plain = "".join(sign for sign in code.lower() if sign.isalnum())
    return hashlib.sha256(plain.encode()).hexdigest()[:16]
