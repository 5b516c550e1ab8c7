"""Secrets of other systems, such as client secrets, encrypted in the database.

The key is derived from `SECRET_KEY`, which is no part of the database and its backups. A backup
alone therefore reveals no secret.
"""

import base64
import hashlib

from cryptography.fernet import Fernet, InvalidToken
from django.conf import settings


def seal(text: str) -> str:
    """Return the text, encrypted; an empty text stays empty."""
    return _cipher().encrypt(text.encode()).decode() if text else ""


def unseal(sealed: str) -> str:
    """Return the text that was sealed; empty if another `SECRET_KEY` has sealed it."""
    try:
        return _cipher().decrypt(sealed.encode()).decode() if sealed else ""
    except InvalidToken:
        return ""


def _cipher() -> Fernet:
    digest = hashlib.sha256(f"puzzleclass sealed {settings.SECRET_KEY}".encode()).digest()
    return Fernet(base64.urlsafe_b64encode(digest))
