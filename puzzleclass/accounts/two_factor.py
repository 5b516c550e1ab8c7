"""The second factor of a teacher's sign-in: codes of an app (TOTP), and recovery codes on paper.

django-otp keeps the app's secret and checks its codes. A recovery code has 80 bits and is valid
once. The database holds only its fingerprint, with a new salt for each set of codes. Codes of
releases up to 0.1 have 40 bits and no salt. They stay valid, and the account's page asks the
teacher to renew them.
"""

import hashlib
import secrets
from base64 import b32encode, urlsafe_b64encode
from typing import NamedTuple

from django.db import transaction
from django_otp.plugins.otp_static.models import StaticDevice, StaticToken
from django_otp.plugins.otp_totp.models import TOTPDevice

from puzzleclass.accounts.locks import Lock, check_under_lock, lock_of, unlock
from puzzleclass.accounts.models import User

RECOVERY_CODES = 10
CODE_BYTES = 10
_NAME_PREFIX = "paper"
"""The beginning of the name of a set of recovery codes; its salt follows."""


def is_on(teacher: User) -> bool:
    """Return whether the sign-in asks for a code. One query."""
    return bool(TOTPDevice.objects.filter(user=teacher, confirmed=True).exists())


def pending_app(teacher: User) -> TOTPDevice | None:
    """Return the app that waits for its first code; None if there is none."""
    return TOTPDevice.objects.filter(user=teacher, confirmed=False).first()


def secret_of(device: TOTPDevice) -> str:
    """Return the app's secret in groups of four, to be typed where no QR code can be scanned."""
    text = b32encode(device.bin_key).decode()
    return " ".join(text[at : at + 4] for at in range(0, len(text), 4))


@transaction.atomic
def begin(teacher: User) -> None:
    """Create a secret for a new app, which is in use from its first right code on."""
    cancel(teacher)
    TOTPDevice.objects.create(user=teacher, name="app", confirmed=False)


def cancel(teacher: User) -> None:
    """Delete the app that waits for its first code. An app that is in use stays."""
    TOTPDevice.objects.filter(user=teacher, confirmed=False).delete()


@transaction.atomic
def turn_on(teacher: User, code: str) -> list[str]:
    """Turn the second factor on; return the recovery codes.

    If the app's first code is wrong, nothing changes, and there are no codes.
    """
    device = pending_app(teacher)
    if device is None or not device.verify_token(_digits(code)):
        return []
    TOTPDevice.objects.filter(user=teacher, confirmed=True).delete()
    device.confirmed = True
    device.save()
    return renew_codes(teacher)


@transaction.atomic
def renew_codes(teacher: User) -> list[str]:
    """Replace the recovery codes; return the new ones."""
    StaticDevice.objects.filter(user=teacher).delete()
    device = StaticDevice.objects.create(
        user=teacher, name=f"{_NAME_PREFIX} {secrets.token_hex(16)}"
    )
    codes = [_new_code() for _ in range(RECOVERY_CODES)]
    StaticToken.objects.bulk_create(
        StaticToken(device=device, token=_fingerprint(code, device)) for code in codes
    )
    return codes


def _new_code() -> str:
    word = b32encode(secrets.token_bytes(CODE_BYTES)).decode().lower()
    return "-".join(word[at : at + 4] for at in range(0, len(word), 4))


class RecoveryCodes(NamedTuple):
    """A teacher's recovery codes."""

    left: int
    """The number of codes that are still valid."""
    is_short: bool
    """Whether they are the shorter codes of release 0.1 or older."""


def recovery_codes_of(teacher: User) -> RecoveryCodes:
    """Return the number and sort of the teacher's recovery codes. One query."""
    codes = StaticToken.objects.filter(device__user=teacher)
    names = list(codes.values_list("device__name", flat=True))
    return RecoveryCodes(len(names), _NAME_PREFIX in names)


def codes_left(teacher: User) -> int:
    """Return the number of recovery codes that are still valid. One query."""
    return recovery_codes_of(teacher).left


@transaction.atomic
def turn_off(teacher: User) -> None:
    """Turn the second factor off, so that the password alone is enough."""
    TOTPDevice.objects.filter(user=teacher).delete()
    StaticDevice.objects.filter(user=teacher).delete()
    unlock(*_keys(teacher))


def _keys(teacher: User) -> tuple[str, str]:
    # As with PINs, the lock belongs to the account, whatever the address is. The browsers in which
    # the teacher is known have a lock of their own, which strangers can't close.
    return f"code {teacher.pk}", f"code {teacher.pk} known"


def code_lock(teacher: User, is_known: bool) -> Lock:
    """Return the lock that wrong codes close."""
    return lock_of(_keys(teacher)[is_known])


def check(teacher: User, code: str, is_known: bool) -> bool:
    """Return whether the code is the app's, or a recovery code, which is used up by this.

    The answer is always False while the lock is closed.
    """

    def is_right() -> bool:
        # The rows are locked, so that a code sent twice at the same moment is valid only once.
        with transaction.atomic():
            apps = TOTPDevice.objects.select_for_update().filter(user=teacher, confirmed=True)
            devices = StaticDevice.objects.select_for_update().filter(user=teacher)
            return any(app.verify_token(_digits(code)) for app in apps) or any(
                device.verify_token(_fingerprint(code, device)) for device in devices
            )

    return check_under_lock(_keys(teacher)[is_known], is_right)


def _digits(code: str) -> str:
    """Return the six digits of an app's code; empty if the text is no such code."""
    plain = "".join(code.split())
    return plain if len(plain) == 6 and plain.isascii() and plain.isdecimal() else ""


def _fingerprint(code: str, device: StaticDevice) -> str:
    """Return the fingerprint of a recovery code, without regard to spaces, hyphens and case.

    It has 96 bits, because django-otp's column has 16 characters.
    """
    plain = "".join(sign for sign in code.lower() if sign.isalnum())
    salt = device.name.removeprefix(_NAME_PREFIX).strip()
    if not salt:
        return hashlib.sha256(plain.encode()).hexdigest()[:16]
    return urlsafe_b64encode(hashlib.sha256(f"{salt} {plain}".encode()).digest()).decode()[:16]
