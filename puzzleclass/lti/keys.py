"""The site's own keys, with which it signs what it sends to platforms. They are renewed by time."""

import secrets
from datetime import timedelta
from typing import Any

import jwt
from cryptography.hazmat.primitives.asymmetric import rsa
from cryptography.hazmat.primitives.serialization import (
    Encoding,
    NoEncryption,
    PrivateFormat,
    load_pem_private_key,
)
from django.utils import timezone
from jwt.algorithms import RSAAlgorithm

from puzzleclass.lti.models import SigningKey
from puzzleclass.outbound.sealed import Unopenable, seal, unseal

ALGORITHM = "RS256"
RENEWED_AFTER = timedelta(days=90)
PUBLISHED_BEFORE = timedelta(days=2)
"""The time for which a key is published before it signs, because platforms keep key sets."""
KEPT_AFTER = timedelta(days=30)
"""The time for which a key is published after another one has taken its place."""


def public_keys() -> list[dict[str, Any]]:
    """Return the public keys as JSON Web Keys, the newest first."""
    return [{**key.public, "kid": key.kid, "alg": ALGORITHM, "use": "sig"} for key in _keys()]


def sign(claims: dict[str, Any]) -> str:
    """Return the claims as a signed token."""
    key, private = _signing_key()
    return jwt.encode(claims, private, ALGORITHM, headers={"kid": key.kid})


def renew_keys() -> None:
    """Make a key if there is none or the newest is too old; delete keys that sign no longer."""
    now, keys = timezone.now(), _keys()
    if not keys or keys[0].made_at < now - RENEWED_AFTER:
        keys.insert(0, _make())
    retired = [key for key in keys[1:] if keys[0].made_at < now - PUBLISHED_BEFORE - KEPT_AFTER]
    SigningKey.objects.filter(pk__in=[key.pk for key in retired]).delete()


def _signing_key() -> tuple[SigningKey, rsa.RSAPrivateKey]:
    """Return the newest key that has been published long enough, else the oldest that opens."""
    ready_since = timezone.now() - PUBLISHED_BEFORE
    keys = _keys()
    ready = [key for key in keys if key.made_at <= ready_since]
    for key in [*ready, *reversed(keys)]:
        try:
            pem = unseal(key.sealed)
        except Unopenable:
            continue  # The site's secret key has been replaced since.
        opened = load_pem_private_key(pem.encode(), password=None)
        if isinstance(opened, rsa.RSAPrivateKey):
            return key, opened
    _make()
    return _signing_key()


def _keys() -> list[SigningKey]:
    return list(SigningKey.objects.all()[:10])


def _make() -> SigningKey:
    private = rsa.generate_private_key(public_exponent=65537, key_size=2048)
    pem = private.private_bytes(Encoding.PEM, PrivateFormat.PKCS8, NoEncryption())
    return SigningKey.objects.create(
        kid=secrets.token_urlsafe(16),
        sealed=seal(pem.decode()),
        public=RSAAlgorithm.to_jwk(private.public_key(), as_dict=True),
    )
