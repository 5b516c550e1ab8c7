"""A small device with passkeys, written from the W3C's Web Authentication Level 3.

It shares no code with the site, which checks its answers with fido2. Tests change what it says
before it signs.
"""

import base64
import hashlib
import json
import secrets
from typing import Any

from cryptography.hazmat.primitives.asymmetric import ec
from cryptography.hazmat.primitives.hashes import SHA256

PRESENT, VERIFIED, HAS_KEY = 0x01, 0x04, 0x40


def base64url(content: bytes) -> str:
    return base64.urlsafe_b64encode(content).rstrip(b"=").decode()


def cbor(value: Any) -> bytes:
    """Return the value in CBOR (RFC 8949), as far as WebAuthn needs it."""
    match value:
        case int():
            return _head(0, value) if value >= 0 else _head(1, -1 - value)
        case bytes():
            return _head(2, len(value)) + value
        case str():
            return _head(3, len(value.encode())) + value.encode()
        case dict():
            pairs = (cbor(key) + cbor(entry) for key, entry in value.items())
            return _head(5, len(value)) + b"".join(pairs)
    raise TypeError(value)


def _head(major: int, number: int) -> bytes:
    if number < 24:
        return bytes([major << 5 | number])
    if number < 256:
        return bytes([major << 5 | 24, number])
    return bytes([major << 5 | 25]) + number.to_bytes(2, "big")


class Device:
    """A device with one passkey, which counts its signatures from `count` on."""

    def __init__(self, origin: str, count: int = 1) -> None:
        self.origin = origin
        self.rp_id = origin.split("//")[1].split(":")[0]
        self.count = count
        self.flags = PRESENT | VERIFIED
        self.key = ec.generate_private_key(ec.SECP256R1())
        self.credential_id = secrets.token_bytes(20)
        self.handle = ""

    def make(self, asked: dict[str, Any]) -> dict[str, Any]:
        """Return the answer to a question for a new passkey."""
        self.handle = asked["user"]["id"]
        point = self.key.public_key().public_numbers()
        x, y = (number.to_bytes(32, "big") for number in (point.x, point.y))
        key = cbor({1: 2, 3: -7, -1: 1, -2: x, -3: y})
        name = len(self.credential_id).to_bytes(2, "big") + self.credential_id
        data = self._data(HAS_KEY) + bytes(16) + name + key
        attestation = cbor({"fmt": "none", "attStmt": {}, "authData": data})
        said = {"attestationObject": base64url(attestation)}
        return self._answer(said, self._client("webauthn.create", asked))

    def sign(self, asked: dict[str, Any]) -> dict[str, Any]:
        """Return the answer to a question for a proof."""
        self.count += 1
        data, client = self._data(), self._client("webauthn.get", asked)
        signed = self.key.sign(data + hashlib.sha256(client).digest(), ec.ECDSA(SHA256()))
        said = {"authenticatorData": base64url(data), "signature": base64url(signed)}
        return self._answer(said | {"userHandle": self.handle}, client)

    def _data(self, more: int = 0) -> bytes:
        flags = bytes([self.flags | more])
        return hashlib.sha256(self.rp_id.encode()).digest() + flags + self.count.to_bytes(4, "big")

    def _client(self, kind: str, asked: dict[str, Any]) -> bytes:
        said = {"type": kind, "challenge": asked["challenge"], "origin": self.origin}
        return json.dumps(said | {"crossOrigin": False}).encode()

    def _answer(self, said: dict[str, str], client: bytes) -> dict[str, Any]:
        key = base64url(self.credential_id)
        response = said | {"clientDataJSON": base64url(client)}
        return {"id": key, "rawId": key, "type": "public-key", "response": response}
