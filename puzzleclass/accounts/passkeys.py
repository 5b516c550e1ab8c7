"""Passkeys of teachers: what the browser is asked for, and what its answer must prove.

The package fido2 (Yubico's) checks the answers. This module decides what they are checked against:
the address of the site, a question that is valid once, for a few minutes and in one session, a
person who was recognised by the device (fingerprint, face or PIN), and a counter that only rises.
"""

import secrets
import time
from datetime import timedelta
from typing import TYPE_CHECKING, Any
from urllib.parse import urlsplit

from django.db import IntegrityError, transaction
from django.db.models import Q
from django.http import HttpRequest
from django.utils import timezone

from puzzleclass.accounts.locks import spend
from puzzleclass.accounts.models import Passkey, User
from puzzleclass.accounts.sign_in import record
from puzzleclass.address import absolute, is_loopback
from solvers.message import Message

if TYPE_CHECKING:
    from fido2.server import Fido2Server

MAX_PASSKEYS = 10
QUESTION_SECONDS = 300
"""The time for which the question to a browser is valid."""
MAX_ANSWER = 20_000
"""The most characters of an answer of a browser. Usual ones have about a thousand."""
ASKED = "passkey"
"""Session key of the question that the browser has been asked last."""

Answer = dict[str, Any]
"""What the browser says, as WebAuthn's JSON."""


class PasskeyRefused(Exception):
    """Raised if a passkey is not accepted. The message says why."""

    def __init__(self, message: Message) -> None:
        super().__init__(message)
        self.message = message


NOT_ACCEPTED = Message(
    "This passkey was not accepted. Perhaps it has been removed from the account. Sign in with "
    "your password."
)
TOO_LATE = Message("This took too long, or another page has asked in between. Try again.")
COPIED = Message(
    "This passkey was not accepted, because it seems to have been copied. Sign in with your "
    "password, remove the passkey from your account and tell the site's administrator."
)
NOT_STORED = Message(
    "The device's answer could not be checked, so no passkey was stored. Try again."
)
TOO_MANY = Message(
    "An account holds at most {most} passkeys. Remove one first.", {"most": MAX_PASSKEYS}
)
STORED_ALREADY = Message("This device has a passkey for your account already.")


def why_not(request: HttpRequest) -> str:
    """Return why browsers offer no passkeys at the address of this page; empty if they do.

    "address" stands for an address without a name or without HTTPS, "elsewhere" for another
    address than the site's own.
    """
    site, here = urlsplit(absolute("", request)), urlsplit(request.build_absolute_uri("/"))
    host = site.hostname or ""
    is_named = host == "localhost" or any(sign.isalpha() for sign in host.rpartition(".")[2])
    if not is_named or ":" in host or not (site.scheme == "https" or is_loopback(site.geturl())):
        return "address"
    return "" if _origin(site) == _origin(here) else "elsewhere"


def _origin(address: Any) -> tuple[str, str, int]:
    port = address.port or (443 if address.scheme == "https" else 80)
    return address.scheme, address.hostname or "", port


def _server(request: HttpRequest) -> "Fido2Server":
    """Return the checks of fido2, for the address of this site and no other.

    The package is imported when the first passkey is used, because most processes never need it.
    """
    from fido2.server import Fido2Server
    from fido2.webauthn import PublicKeyCredentialRpEntity

    site = urlsplit(absolute("", request))
    return Fido2Server(
        PublicKeyCredentialRpEntity(name="PuzzleClass", id=site.hostname),
        verify_origin=lambda origin: _origin(urlsplit(origin)) == _origin(site),
    )


# Adding


def ask_for_new(request: HttpRequest, teacher: User) -> Answer:
    """Return what the browser is asked for: a new passkey for the teacher."""
    from fido2.utils import websafe_decode
    from fido2.webauthn import (
        PublicKeyCredentialUserEntity,
        ResidentKeyRequirement,
        UserVerificationRequirement,
    )

    own = list(teacher.passkeys.all())
    if len(own) >= MAX_PASSKEYS:
        raise PasskeyRefused(TOO_MANY)
    handle = websafe_decode(own[0].handle) if own else secrets.token_bytes(32)
    options, state = _server(request).register_begin(
        PublicKeyCredentialUserEntity(
            name=teacher.username, id=handle, display_name=teacher.name or teacher.username
        ),
        [_stored(passkey) for passkey in own],
        resident_key_requirement=ResidentKeyRequirement.REQUIRED,
        user_verification=UserVerificationRequirement.REQUIRED,
    )
    asked = dict(options)["publicKey"]
    _keep(request, "add", state, teacher, asked["user"]["id"])
    return dict(asked)


def add(request: HttpRequest, teacher: User, name: str, answer: Answer) -> Passkey:
    """Check and store the passkey that the browser has made. Raises PasskeyRefused."""
    from fido2.cose import CoseKey
    from fido2.utils import websafe_encode

    asked = _take(request, "add", teacher)
    try:
        data = _server(request).register_complete(asked["state"], answer)
        made = data.credential_data
        is_usable = made is not None and made.public_key[3] in CoseKey.supported_algorithms()
    except Exception as error:  # fido2 raises many kinds for malformed answers
        record(request, "passkey refused", why=type(error).__name__)
        raise PasskeyRefused(NOT_STORED) from error
    if made is None or not is_usable:
        raise PasskeyRefused(NOT_STORED)
    try:
        with transaction.atomic():
            # The teacher's row is locked, so that two tabs can't exceed the limit together.
            User.objects.select_for_update().get(pk=teacher.pk)
            if teacher.passkeys.count() >= MAX_PASSKEYS:
                raise PasskeyRefused(TOO_MANY)
            passkey = teacher.passkeys.create(
                name=name,
                credential_id=websafe_encode(made.credential_id),
                handle=asked["handle"],
                public_key=websafe_encode(bytes(made)),
                sign_count=data.counter,
            )
    except IntegrityError:
        raise PasskeyRefused(STORED_ALREADY) from None
    record(request, "passkey added", passkey=passkey.pk)
    return passkey


# Signing in


def ask_for_proof(request: HttpRequest, teacher: User | None = None) -> Answer:
    """Return what the browser is asked for: a signature by any passkey of this site, or by one of
    the teacher's."""
    from fido2.webauthn import UserVerificationRequirement

    own = [_stored(passkey) for passkey in teacher.passkeys.all()] if teacher else None
    options, state = _server(request).authenticate_begin(
        own, user_verification=UserVerificationRequirement.REQUIRED
    )
    _keep(request, "prove", state, teacher)
    return dict(dict(options)["publicKey"])


def prove(request: HttpRequest, answer: Answer, teacher: User | None = None) -> User:
    """Return the teacher whose passkey has signed the question. Raises PasskeyRefused.

    With `teacher`, only this teacher's passkeys count.
    """
    from fido2.webauthn import AuthenticationResponse

    asked = _take(request, "prove", teacher)
    passkey = _find(answer)
    if passkey is None or (teacher and passkey.user_id != teacher.pk):
        record(request, "passkey refused", why="unknown")
        raise PasskeyRefused(NOT_ACCEPTED)
    try:
        given = AuthenticationResponse.from_dict(answer)
        _server(request).authenticate_complete(asked["state"], [_stored(passkey)], given)
        data = given.response.authenticator_data
        handle = answer["response"].get("userHandle")
    except Exception as error:  # fido2 raises many kinds for malformed answers
        record(request, "passkey refused", who=passkey.user_id, why=type(error).__name__)
        raise PasskeyRefused(NOT_ACCEPTED) from error
    # A device names the account to which its passkey belongs. Without an account in the question,
    # it must do so.
    if handle != passkey.handle and (handle or not teacher):
        record(request, "passkey refused", who=passkey.user_id, why="handle")
        raise PasskeyRefused(NOT_ACCEPTED)
    # Devices count their signatures, or say 0 each time. A count that does not rise is a copy's.
    rises = Q(sign_count__lt=data.counter) if data.counter else Q(sign_count=0)
    same = Passkey.objects.filter(rises, pk=passkey.pk)
    if not same.update(sign_count=data.counter, used_at=timezone.now()):
        record(request, "passkey copied", who=passkey.user_id, passkey=passkey.pk)
        raise PasskeyRefused(COPIED)
    record(request, "passkey accepted", who=passkey.user_id, passkey=passkey.pk)
    return passkey.user


def _find(answer: Answer) -> Passkey | None:
    """Return the passkey that the answer names, if it is an active teacher's."""
    key = answer.get("id")
    if not isinstance(key, str):
        return None
    holders = Q(user__is_active=True, user__role=User.Role.TEACHER)
    return Passkey.objects.filter(holders, credential_id=key).select_related("user").first()


def _stored(passkey: Passkey) -> Any:
    """Return the passkey as fido2 has made it."""
    from fido2.utils import websafe_decode
    from fido2.webauthn import AttestedCredentialData

    return AttestedCredentialData(websafe_decode(passkey.public_key))


# The question in the session


def _keep(
    request: HttpRequest, purpose: str, state: Any, teacher: User | None, handle: str = ""
) -> None:
    """Store the question, which replaces an earlier one. A visitor's session soon expires."""
    if request.session.is_empty():
        request.session.set_expiry(QUESTION_SECONDS)
    state = {"challenge": state["challenge"], "user_verification": "required"}
    request.session[ASKED] = {
        "purpose": purpose,
        "state": state,
        "teacher": teacher.pk if teacher else None,
        "handle": handle,
        "at": time.time(),
    }


def _take(request: HttpRequest, purpose: str, teacher: User | None) -> Answer:
    """Take the question out of the session, so that nobody answers it twice.

    Raises PasskeyRefused.
    """
    asked: Answer = request.session.pop(ASKED, {})
    is_good = time.time() - asked.get("at", 0) < QUESTION_SECONDS
    owner = teacher.pk if teacher else None
    # Two answers at the same moment both find the question in the session, so it is also spent in
    # the database.
    if (
        not is_good
        or (asked["purpose"], asked["teacher"]) != (purpose, owner)
        or not spend(f"passkey question {asked['state']['challenge']}", 1, timedelta(hours=1))
    ):
        record(request, "passkey refused", why="question")
        raise PasskeyRefused(TOO_LATE)
    return asked
