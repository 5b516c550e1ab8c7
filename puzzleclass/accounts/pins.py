"""PINs: how they are made and kept."""

import secrets

from django.contrib.auth.hashers import PBKDF2PasswordHasher

PIN_LENGTH = 4


def new_pin() -> str:
    """Return a random PIN of `PIN_LENGTH` digits."""
    return "".join(secrets.choice("0123456789") for _ in range(PIN_LENGTH))


class PinHasher(PBKDF2PasswordHasher):
    """For students' PINs only.

    Ten thousand PINs are tried in no time whatever the hash costs: what protects a
    PIN is the lock after wrong tries. And forty students who sign in at the same
    moment must not wait for a hash made slow on purpose.
    """

    algorithm = "pin"
    iterations = 5_000
