"""Secrets of other systems, such as client secrets, encrypted in the database.

The key is derived from `SECRET_KEY`, which is no part of the database and its backups. A backup
alone therefore reveals no secret.
"""

import base64
import hashlib

from cryptography.fernet import Fernet, InvalidToken
from django.conf import settings

from solvers.message import Message


class Unopenable(Exception):
    """Another `SECRET_KEY` has sealed the text. The message is for people of the school."""

    message = Message(
        "The site's secret key was replaced, so the stored client secret can't be opened any more. "
        "An administrator of the school has to enter it again."
    )


def seal(text: str) -> str:
    """Return the text, encrypted; an empty text stays empty."""
    return _cipher().encrypt(text.encode()).decode() if text else ""


def unseal(sealed: str) -> str:
    """Return the text that was sealed. Raises Unopenable."""
    try:
        return _cipher().decrypt(sealed.encode()).decode() if sealed else ""
    except InvalidToken as error:
        raise Unopenable from error


def is_openable(sealed: str) -> bool:
    """Return whether the present `SECRET_KEY` has sealed the text."""
    try:
        unseal(sealed)
    except Unopenable:
        return False
    return True


def _cipher() -> Fernet:
    digest = hashlib.sha256(f"puzzleclass sealed {settings.SECRET_KEY}".encode()).digest()
    return Fernet(base64.urlsafe_b64encode(digest))
